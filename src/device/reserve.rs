//! The reserve buffer of an sg node, mapped into the program.

use std::ops::{Deref, DerefMut};

use super::SgDevice;
use crate::{
    Data, Error, Outcome, Result, ScsiTransport,
    memory::page_size,
    scsi::{Cdb, Command, DataIn, DataOut, LengthMismatch},
    syscall::{self, Mapping},
    transport::{cdb_of, judged, short_type_name},
};

/// The reserve buffer of an open sg node, mapped: memory of the kernel that a
/// device's data comes to and goes from without being copied.
///
/// Between commands it is a slice of bytes. Commands that move data through it
/// borrow it mutably, so that no slice is looked at while the device writes.
/// For the same reason it borrows the [`SgDevice`] mutably as long as it lives:
/// any command on that descriptor, one with a buffer of its own as well, may
/// pass its data through the same pages.
///
/// # Sharing it with other devices
///
/// The slice is memory like any other, so another device's
/// [`write`](crate::ScsiTransportExt::write) takes it. A block or bsg node then
/// has the second drive read the pages that the first one filled, and no byte is
/// copied. An sg node copies it, unless direct I/O is allowed there.
///
/// ```no_run
/// use passthru::{BlockDevice, ScsiTransportExt, SgDevice, scsi::{Read16, Write16}};
///
/// let mut source = SgDevice::open("/dev/sg1")?;
/// let target = BlockDevice::open_rw("/dev/sdb")?;
/// let mut reserve = source.map_reserve(64 << 10)?;
/// for lba in (0..8192).step_by(128) {
///     let len = reserve.len();
///     reserve.read(&Read16::new(lba, 128), len)?;
///     target.write(&Write16::new(lba, 128), &reserve)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
///
/// # One size for a descriptor
///
/// After the first mapping the kernel never changes the reserve buffer's size
/// again on that descriptor, not even when it is mapped no more. A later
/// [`map_reserve`](SgDevice::map_reserve) may ask for less, not for more.
///
/// # Forks
///
/// A forked child does not have the mapping; touching it there ends the child.
#[derive(Debug)]
pub struct ReserveBuffer<'a> {
    // Unmapped before the device can be closed: a mapping keeps the open file,
    // and with it an exclusive open, alive.
    mapping: Mapping,
    device: &'a mut SgDevice,
    len: usize,
}

impl SgDevice {
    /// Makes the reserve buffer `len` bytes long, maps it, and touches all its
    /// pages.
    ///
    /// # Errors
    /// [`Error::ReserveTooLarge`] if the kernel gives less (it gives no more than
    /// [`queue_limit`](Self::queue_limit), and less when memory is short);
    /// [`Error::ReserveSizeFixed`] if it was mapped before on this handle and is
    /// smaller; [`Error::ReserveBusy`] while somebody who shares the descriptor
    /// uses it; [`Error::Gone`]; [`Error::Os`]. A `len` of 0 is
    /// [`Error::Unsupported`].
    #[doc(alias(
        "mmap",
        "SG_FLAG_MMAP_IO",
        "SG_FLAG_SHARED_MMAP_IO",
        "SG_SET_RESERVED_SIZE"
    ))]
    pub fn map_reserve(&mut self, len: usize) -> Result<ReserveBuffer<'_>> {
        if len == 0 {
            return Err(self
                .core
                .unsupported("a reserve buffer has at least one byte"));
        }
        let pages = len.next_multiple_of(page_size());
        let size = match self.mapped {
            Some(size) if size < pages => {
                return Err(Error::ReserveSizeFixed {
                    path: self.core.path().to_path_buf(),
                    len,
                    size,
                });
            }
            Some(size) => size,
            None => self.set_reserved_size(pages)?,
        };
        if size < pages {
            return Err(Error::ReserveTooLarge {
                path: self.core.path().to_path_buf(),
                len,
                given: size,
            });
        }
        let mapping = Mapping::new(self.core.fd(), pages).map_err(|source| {
            self.core
                .control_error("mmap of the reserve buffer", "an sg node", source)
        })?;
        self.mapped = Some(size);
        Ok(ReserveBuffer {
            mapping,
            device: self,
            len,
        })
    }
}

impl ReserveBuffer<'_> {
    /// Sends a data-in command whose data comes to the first `len` bytes.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::read`](crate::ScsiTransportExt::read);
    /// [`Error::Length`] if `len` is more than the buffer has.
    pub fn read<C: DataIn>(&mut self, command: &C, len: usize) -> Result<Outcome> {
        self.run(command, true, len)
    }

    /// Sends a data-out command with the first `len` bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn write<C: DataOut>(&mut self, command: &C, len: usize) -> Result<Outcome> {
        self.run(command, false, len)
    }

    /// The device, for commands with buffers of their own. What they move may
    /// pass through the reserve buffer, so its content is unspecified
    /// afterwards.
    pub fn device(&mut self) -> &SgDevice {
        self.device
    }

    /// The device and the bytes.
    pub(crate) fn parts(&self) -> (&SgDevice, &[u8]) {
        (self.device, self)
    }

    fn run<C: Command>(&mut self, command: &C, data_in: bool, len: usize) -> Result<Outcome> {
        if len > self.len {
            return Err(Error::Length {
                path: self.device.core.path().to_path_buf(),
                command: short_type_name::<C>(),
                mismatch: LengthMismatch::TooLong { len, max: self.len },
            });
        }
        match cdb_of(&*self.device, command, len) {
            Ok(cdb) => {
                let Self {
                    mapping, device, ..
                } = self;
                judged(&**device, &cdb, || {
                    send(device, mapping, &cdb, (data_in, len), command)
                })
            }
            Err(error) => Err(error),
        }
    }
}

/// Sends a command whose data is the beginning of `device`'s mapped buffer.
fn send<C: Command>(
    device: &SgDevice,
    mapping: &mut Mapping,
    cdb: &Cdb,
    (data_in, len): (bool, usize),
    command: &C,
) -> Result<Outcome> {
    let options = device.default_options().or_own(command.timeout());
    let mut params = device.core.admit(cdb, &Data::None, &options)?;
    // The kernel takes one or the other.
    params.direct = false;
    let _slot = device.enter(cdb)?;
    let pack_id = device.next_pack_id();
    let how = (data_in, len);
    Outcome::filled(len, |outcome| {
        let fd = device.core.fd();
        syscall::sg_transact_mapped(fd, pack_id, cdb, mapping, how, params, outcome)
            .map_err(|lost| device.lost(cdb, len, lost))
    })
}

impl Deref for ReserveBuffer<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.mapping.as_slice().get(..self.len).unwrap_or_default()
    }
}

impl DerefMut for ReserveBuffer<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.mapping
            .as_mut_slice()
            .get_mut(..self.len)
            .unwrap_or_default()
    }
}
