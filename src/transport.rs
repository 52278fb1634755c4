//! What carries a command to a device: the trait that every node implements,
//! and the typed calls on top of it.

mod data;
mod nvme;
mod nvme_request;
mod options;
pub mod retry;

use std::{path::Path, rc::Rc, sync::Arc};

pub use data::Data;
pub use nvme::{NvmeTransport, NvmeTransportExt};
pub use nvme_request::{Metadata, NvmeRequest};
pub(crate) use options::whole_milliseconds;
pub use options::{Options, QueuePosition};
pub use retry::{RetryPolicy, WithRetries};

use crate::{
    Error, Outcome, Result,
    error::Failure,
    scsi::{Cdb, Command, DataIn, DataOut, DeviceType, NoData, Query, ReplyBytes},
};

/// Something that takes SCSI commands to a logical unit: the nodes of this
/// crate, or a transport of your own (USB, iSCSI, a recording).
///
/// Implementors write [`send`](Self::send); users call the typed methods of
/// [`ScsiTransportExt`], which every transport has.
///
/// A drive in memory, for tests:
///
/// ```
/// use std::path::Path;
/// use passthru::{
///     Data, Error, Options, Outcome, Result, ScsiTransport, ScsiTransportExt,
///     scsi::{AdditionalSense, Cdb, Inquiry, SenseBuffer, SenseKey, Status, TestUnitReady},
/// };
///
/// struct Fake;
///
/// impl ScsiTransport for Fake {
///     fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
///         let mut outcome = Outcome::new(Status::GOOD, data.len());
///         match cdb.opcode() {
///             0x12 => {
///                 let reply = b"\0\0\x06\x02\x1f\0\0\0ACME    FAKE DRIVE      1.0 ";
///                 outcome.set_transferred(data.fill_from(reply));
///             }
///             _ => {
///                 outcome.set_status(Status::CHECK_CONDITION);
///                 *outcome.sense_mut() = SenseBuffer::fixed(
///                     SenseKey::ILLEGAL_REQUEST,
///                     AdditionalSense::INVALID_OPERATION_CODE,
///                 );
///             }
///         }
///         Ok(outcome)
///     }
///
///     fn path(&self) -> &Path {
///         Path::new("fake drive")
///     }
/// }
///
/// let drive: Box<dyn ScsiTransport> = Box::new(Fake);
/// assert_eq!(drive.query(&Inquiry::standard())?.product(), "FAKE DRIVE");
/// assert!(matches!(drive.execute(&TestUnitReady), Err(Error::Check(_))));
/// # Ok::<(), Error>(())
/// ```
///
/// A failure of the transport's own is an [`Error::Os`] with an
/// [`io::Error`](std::io::Error) as its source; `sent` in it is `true` if the
/// device may have seen the command.
#[doc(alias("SG_IO", "ioctl"))]
pub trait ScsiTransport {
    /// Sends one CDB with its data, once, and waits for its end.
    ///
    /// The result is `Ok` whenever the kernel (or whatever carries the command)
    /// took it and told its outcome, whether the device liked it or not. Only
    /// `options` and `data` decide how it goes; nothing is retried, nothing else
    /// is sent. (The one that does both is [`WithRetries`], by an explicit policy.)
    ///
    /// # Errors
    /// When the command could not be sent or its outcome could not be learnt;
    /// [`Error::was_sent`] tells them apart.
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome>;

    /// The node's path, or a name that serves as well in an error message.
    fn path(&self) -> &Path;

    /// The options for commands for which the caller gave none.
    fn default_options(&self) -> Options {
        Options::new()
    }

    /// What kind of device it goes to, where that is known without asking the
    /// device. It decides what an opcode means, and so which commands change
    /// nothing; a [`RetryPolicy`] needs it to know a READ.
    fn device_type(&self) -> Option<DeviceType> {
        None
    }
}

/// What holds a transport is one.
macro_rules! pass_on {
    ($($holder:ty),*) => {$(
        impl<T: ScsiTransport + ?Sized> ScsiTransport for $holder {
            fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
                (**self).send(cdb, data, options)
            }

            fn path(&self) -> &Path {
                (**self).path()
            }

            fn default_options(&self) -> Options {
                (**self).default_options()
            }

            fn device_type(&self) -> Option<DeviceType> {
                (**self).device_type()
            }
        }
    )*};
}

pass_on!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

/// A transport with other default options; see
/// [`with_options`](ScsiTransportExt::with_options).
#[derive(Clone, Copy, Debug)]
pub struct WithOptions<'a, T: ?Sized> {
    transport: &'a T,
    options: Options,
}

impl<T: ScsiTransport + ?Sized> ScsiTransport for WithOptions<'_, T> {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        self.transport.send(cdb, data, options)
    }

    fn path(&self) -> &Path {
        self.transport.path()
    }

    fn default_options(&self) -> Options {
        self.options
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.transport.device_type()
    }
}

/// The typed calls, on every [`ScsiTransport`].
///
/// All of them return `Err` when the device did not carry the command out; the
/// error holds the [`Outcome`]. A success with a remark (RECOVERED ERROR, for
/// one) is a success: look at [`Outcome::verdict`] for the remark.
///
/// ```no_run
/// use passthru::{ScsiDevice, ScsiTransportExt, scsi::{Inquiry, Read16}};
///
/// let disk = ScsiDevice::open("/dev/sda")?;
/// let inquiry = disk.query(&Inquiry::standard())?;
/// let mut blocks = vec![0; 8 * 512];
/// let outcome = disk.read(&Read16::new(0, 8).block_length(512), &mut blocks)?;
/// assert_eq!(outcome.transferred(), blocks.len());
/// # Ok::<(), passthru::Error>(())
/// ```
///
/// A data-in command does not take a shared slice, nor a data-out command the
/// place of a data-in one:
///
/// ```compile_fail
/// # use passthru::{ScsiDevice, ScsiTransportExt, scsi::Read16};
/// # fn f(disk: ScsiDevice) {
/// disk.read(&Read16::new(0, 1), &[0u8; 512]);
/// # }
/// ```
pub trait ScsiTransportExt: ScsiTransport {
    /// Sends a command that moves no data.
    ///
    /// # Errors
    /// Any [`Error`] of [`ScsiTransport::send`], and [`Error::Check`],
    /// [`Error::Status`] or [`Error::Transport`] by the outcome.
    fn execute<C: NoData>(&self, command: &C) -> Result<Outcome> {
        run(self, command, Data::None)
    }

    /// Sends a data-in command and fills `buffer` from its start.
    ///
    /// [`Outcome::transferred`] says how many bytes arrived; what lies behind
    /// them is unspecified.
    ///
    /// After a MEDIUM ERROR of a READ, no byte of `buffer` can be relied on,
    /// whatever the residual says. The sense data's
    /// [`information`](crate::scsi::Sense::information), if there is any and it
    /// lies in the range that was asked for, is the address of the bad block:
    /// read the blocks before it again, and go on behind it.
    ///
    /// # Errors
    /// As [`execute`](Self::execute), and [`Error::Length`] when `buffer` does
    /// not fit the command. After an error `buffer` may hold part of the data.
    fn read<C: DataIn>(&self, command: &C, buffer: &mut [u8]) -> Result<Outcome> {
        run(self, command, Data::In(buffer))
    }

    /// Sends a data-out command with all of `buffer`.
    ///
    /// # Errors
    /// As [`read`](Self::read). After an error the device may have taken any
    /// part of the data.
    fn write<C: DataOut>(&self, command: &C, buffer: &[u8]) -> Result<Outcome> {
        run(self, command, Data::Out(buffer))
    }

    /// Sends a query and parses its reply.
    ///
    /// Replies of up to 256 bytes are held in the value, longer ones on the
    /// heap. The memory is zero before, so that a device that says GOOD and
    /// sends nothing looks like one that sends zeros. A pattern tells these
    /// apart where the kernel moves the data straight to the caller's pages, as
    /// it does to an [`AlignedBuf`](crate::AlignedBuf) on block and bsg nodes;
    /// elsewhere it copies memory of its own over the whole buffer.
    ///
    /// ```no_run
    /// use passthru::{
    ///     AlignedBuf, BlockDevice, ScsiTransportExt,
    ///     scsi::{Query, ReadCapacity10, ReplyBytes},
    /// };
    ///
    /// let disk = BlockDevice::open("/dev/sda")?;
    /// let mut bytes = AlignedBuf::new(8)?;
    /// bytes.fill(0xa5);
    /// disk.read(&ReadCapacity10, &mut bytes)?;
    /// if bytes.iter().all(|&byte| byte == 0xa5) {
    ///     eprintln!("nothing came, although the status is GOOD");
    /// }
    /// let capacity = ReadCapacity10.parse(ReplyBytes::borrowed(&bytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Error::Malformed`] when the bytes that
    /// arrived are no answer. The bytes are kept in [`Failure::data`].
    fn query<Q: Query>(&self, query: &Q) -> Result<Q::Reply<'static>> {
        let mut bytes = ReplyBytes::zeroed(query.reply_length());
        let cdb = cdb_of(self, query, bytes.len())?;
        let options = self.default_options().or_own(query.timeout());
        let outcome = self.send(&cdb, Data::In(bytes.bytes_mut()), &options)?;
        bytes.truncate(outcome.claimed());
        let failure = |bytes: &[u8]| Failure {
            data: bytes.to_vec(),
            ..failure_of(self, &cdb, &outcome)
        };
        if !outcome.verdict().is_success() {
            return Err(failure(&bytes).into());
        }
        // An error takes a copy of the bytes, and so a success need not: whether
        // they are a reply is seen on a borrowed view first.
        if let Err(reason) = query.parse(ReplyBytes::borrowed(&bytes)) {
            return Err(Error::Malformed {
                failure: Box::new(failure(&bytes)),
                reason,
            });
        }
        query.parse(bytes).map_err(|reason| Error::Malformed {
            failure: Box::new(failure(&[])),
            reason,
        })
    }

    /// The same transport with `options` for every command sent through it, in
    /// place of all its default options. To change one of them alone, begin with
    /// [`default_options`](ScsiTransport::default_options).
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use passthru::{Options, ScsiDevice, ScsiTransportExt, scsi::TestUnitReady};
    ///
    /// let drive = ScsiDevice::open("/dev/sr0")?;
    /// let patient = Options::new().timeout(Duration::from_secs(120));
    /// drive.with_options(patient).execute(&TestUnitReady)?;
    /// # Ok::<(), passthru::Error>(())
    /// ```
    fn with_options(&self, options: Options) -> WithOptions<'_, Self> {
        WithOptions {
            transport: self,
            options,
        }
    }
}

impl<T: ScsiTransport + ?Sized> ScsiTransportExt for T {}

fn run<T, C>(transport: &T, command: &C, data: Data<'_>) -> Result<Outcome>
where
    T: ScsiTransport + ?Sized,
    C: Command,
{
    match cdb_of(transport, command, data.len()) {
        Ok(cdb) => {
            let options = transport.default_options().or_own(command.timeout());
            judged(transport, &cdb, || transport.send(&cdb, data, &options))
        }
        Err(error) => Err(error),
    }
}

/// What `send` gives, with an outcome that is no success as an error. The
/// outcome is large, so it is made where the caller wants it, and not moved.
#[inline]
pub(crate) fn judged<T>(
    transport: &T,
    cdb: &Cdb,
    send: impl FnOnce() -> Result<Outcome>,
) -> Result<Outcome>
where
    T: ScsiTransport + ?Sized,
{
    let mut result = send();
    if let Ok(outcome) = &result {
        if !outcome.verdict().is_success() {
            result = Err(failure_of(transport, cdb, outcome).into());
        }
    }
    result
}

/// The failure of a command on this transport, named by its device type.
pub(crate) fn failure_of<T>(transport: &T, cdb: &Cdb, outcome: &Outcome) -> Failure
where
    T: ScsiTransport + ?Sized,
{
    Failure::new(transport.path(), *cdb, *outcome).with_device_type(transport.device_type())
}

pub(crate) fn cdb_of<T, C>(transport: &T, command: &C, len: usize) -> Result<Cdb>
where
    T: ScsiTransport + ?Sized,
    C: Command,
{
    command.cdb_for(len).map_err(|mismatch| Error::Length {
        path: transport.path().to_path_buf(),
        command: short_type_name::<C>(),
        mismatch,
    })
}

/// `Read16` of `passthru::scsi::read_write::Read16`.
pub(crate) fn short_type_name<C>() -> &'static str {
    crate::error::short_name(std::any::type_name::<C>())
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
