//! The sg node: `/dev/sgN`.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
};

use super::{
    Access, OpenOptions, ScsiAddress, bounce,
    core::{Core, Lost},
    node::{self, NodeKind},
};
use crate::{
    Data, Error, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType},
    syscall,
};

/// How many commands the kernel takes at once from one open sg node
/// (`SG_MAX_QUEUE`).
#[doc(alias = "SG_MAX_QUEUE")]
pub const MAX_IN_FLIGHT: usize = passthru_sys::sg::SG_MAX_QUEUE;

/// A SCSI generic node, `/dev/sgN`: any kind of SCSI device.
///
/// Commands go by `write` and `read`, not by `ioctl(SG_IO)`. The ioctl on an sg
/// node is interruptible: a signal, even a stop and continue that no handler
/// sees, leaves the command running and sends it a second time. With `write`
/// and `read` a command reaches the device exactly once.
///
/// Several threads may send commands through one `SgDevice`; up to
/// [`MAX_IN_FLIGHT`] are in flight, more wait for one of them to end.
/// ([`Error::QueueFull`] comes when another process shares the descriptor, or
/// when a [`SgQueue`](super::SgQueue) holds all of them.)
///
/// It does not give its descriptor away (there is no `AsFd`): another `read` or
/// `write` on it could take a command's result, or move memory that this crate
/// has lent to nobody.
///
/// Open it after the process has forked and taken its final user id, and before
/// the threads that share it are started: the kernel refuses it otherwise
/// ([`Error::CredentialsChanged`]).
///
/// ```no_run
/// use passthru::{ScsiTransportExt, SgDevice, scsi::Inquiry};
///
/// let device = SgDevice::open("/dev/sg0")?;
/// println!("{}", device.query(&Inquiry::standard())?.product());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
pub struct SgDevice {
    pub(super) core: Core,
    slots: Slots,
    pack_id: AtomicI32,
    /// A command was sent and its result could not be read: it still waits in
    /// the kernel under its `pack_id`.
    lost: AtomicBool,
    /// The size of the reserve buffer, once it has been mapped.
    pub(super) mapped: Option<usize>,
}

impl SgDevice {
    /// Opens it for commands that change nothing
    /// ([`is_read_only`](crate::scsi::is_read_only)). The node itself is opened
    /// for reading and writing, for it is written to in order to send a
    /// command; so this crate's list is all that protects the device.
    ///
    /// # Errors
    /// [`Error::WrongNode`], [`Error::OpenDenied`], [`Error::InUse`],
    /// [`Error::Gone`], [`Error::Os`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens it for every command.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new().write(true))
    }

    /// Opens it as `options` say.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let core = Core::open(path.as_ref(), &[NodeKind::Sg], options)?;
        let set_up = |source| core.control_error("set-up of the sg node", "an sg node", source);
        syscall::sg_force_pack_id(core.fd()).map_err(set_up)?;
        syscall::set_blocking(core.fd()).map_err(set_up)?;
        Ok(Self {
            core,
            slots: Slots::default(),
            pack_id: AtomicI32::new(1),
            lost: AtomicBool::new(false),
            mapped: None,
        })
    }

    /// The sg node of the device behind any of its nodes: a disk, an optical
    /// drive, a tape drive (`st`, `nst`), a changer (`sch`) or its bsg node.
    /// Looks in sysfs only; opens nothing.
    ///
    /// # Errors
    /// [`Error::WrongNode`] if the path is no node of a SCSI device, or if the
    /// sg driver has no node for it (the module `sg` may not be loaded).
    pub fn node_for(path: impl AsRef<Path>) -> Result<PathBuf> {
        node::sg_node_for(path.as_ref())
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.core.access()
    }

    /// What kind of device it is, from sysfs.
    #[must_use]
    pub const fn device_type(&self) -> Option<DeviceType> {
        self.core.device_type()
    }

    /// Where it is attached, from sysfs.
    #[must_use]
    pub fn address(&self) -> Option<ScsiAddress> {
        self.core.address()
    }

    /// An upper bound of what one command can transfer, in bytes: what the host
    /// adapter says it takes (`max_hw_sectors_kb` in sysfs), at most 256 MiB less
    /// one. Some adapters have no limit and say so, and a buffer of scattered
    /// pages can need more segments than there are, so it is no good size for
    /// commands. `None` for devices without a block node.
    #[must_use]
    pub fn max_transfer(&self) -> Option<u64> {
        self.core.max_transfer()
    }

    /// Waits for room among the commands in flight.
    pub(super) fn enter(&self, cdb: &Cdb) -> Result<Slot<'_>> {
        let slot = self.slots.take().ok_or_else(|| self.full(cdb))?;
        self.check_lost()?;
        Ok(slot)
    }

    pub(super) fn full(&self, cdb: &Cdb) -> Error {
        Error::QueueFull {
            path: self.core.path().to_path_buf(),
            cdb: *cdb,
            device_type: self.core.device_type(),
            source: io::Error::from_raw_os_error(libc::EDOM),
        }
    }

    /// Refuses to go on once a result was left in the kernel.
    pub(super) fn check_lost(&self) -> Result<()> {
        if self.lost.load(Ordering::Relaxed) {
            return Err(self.core.unsupported(
                "an earlier command's result could not be read and still waits in the kernel: \
                 open the node anew",
            ));
        }
        Ok(())
    }

    /// Takes room among the commands in flight, to be given back by
    /// [`leave`](Self::leave); `false` if there is none.
    pub(super) fn try_enter(&self) -> Result<bool> {
        self.check_lost()?;
        Ok(self.slots.try_take_queued())
    }

    pub(super) fn leave(&self) {
        self.slots.free_queued();
    }

    /// The error for a command without an outcome.
    pub(super) fn lost(&self, cdb: &Cdb, len: usize, lost: Lost) -> Error {
        if lost.sent {
            self.lost.store(true, Ordering::Relaxed);
        }
        let op = if lost.sent { "read" } else { "write" };
        self.core.send_error(op, cdb, len, lost)
    }

    pub(super) fn next_pack_id(&self) -> i32 {
        // Positive ones only: -1 is the kernel's "any". Among at most 16 in
        // flight a counter of 31 bits repeats none.
        self.pack_id.fetch_add(1, Ordering::Relaxed) & i32::MAX
    }
}

impl ScsiTransport for SgDevice {
    /// Sends by `write` and waits by `read`.
    ///
    /// With [`Options::direct`] the pages of `data` may be moved to and from
    /// directly; the call then returns only after the device is done with them,
    /// whatever happens.
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        let params = self.core.admit(cdb, &data, options)?;
        let len = data.len();
        let _slot = self.enter(cdb)?;
        Outcome::filled(len, |outcome| {
            bounce::unless_taken(data, outcome, |data, outcome| {
                let pack_id = self.next_pack_id();
                syscall::sg_transact(self.core.fd(), pack_id, cdb, data, params, outcome)
            })
            .map_err(|lost| self.lost(cdb, len, lost))
        })
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    fn default_options(&self) -> Options {
        self.core.defaults()
    }

    fn device_type(&self) -> Option<DeviceType> {
        SgDevice::device_type(self)
    }
}

/// Counts the commands in flight, and lets the 17th wait.
#[derive(Debug, Default)]
struct Slots {
    state: Mutex<SlotState>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct SlotState {
    used: usize,
    /// Of those, what a queue holds: nobody frees it while a call waits.
    queued: usize,
    waiting: usize,
}

impl Slots {
    /// `None` if waiting would be in vain.
    fn take(&self) -> Option<Slot<'_>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.used >= MAX_IN_FLIGHT {
            if state.queued >= MAX_IN_FLIGHT {
                return None;
            }
            state.waiting += 1;
            state = self
                .freed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.used += 1;
        Some(Slot(self))
    }

    /// For a queue; given back by [`free_queued`](Self::free_queued).
    fn try_take_queued(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let free = state.used < MAX_IN_FLIGHT;
        state.used += usize::from(free);
        state.queued += usize::from(free);
        free
    }

    fn free_queued(&self) {
        self.free_of(1);
    }

    fn free(&self) {
        self.free_of(0);
    }

    fn free_of(&self, queued: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used -= 1;
        state.queued -= queued;
        // Each freed slot wakes one, not only the one that ends a full queue:
        // several may be freed before the first waiter runs.
        let waiting = state.waiting > 0;
        drop(state);
        if waiting {
            self.freed.notify_one();
        }
    }
}

pub(super) struct Slot<'a>(&'a Slots);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.free();
    }
}
