//! What carries a command to a device: the trait that every node implements,
//! and the typed calls on top of it.

use std::{
    io::{IoSlice, IoSliceMut},
    path::Path,
    time::Duration,
};

use crate::{
    Error, Outcome, Result,
    error::Failure,
    scsi::{Cdb, Command, DataIn, DataOut, NoData, Query, ReplyBytes},
};

/// The data of one command: its direction and its memory in one value.
#[derive(Debug)]
#[non_exhaustive]
#[doc(alias("dxfer_direction", "dxferp"))]
pub enum Data<'a> {
    /// No data (`SG_DXFER_NONE`).
    None,
    /// From the device into the slice (`SG_DXFER_FROM_DEV`).
    In(&'a mut [u8]),
    /// From the slice to the device (`SG_DXFER_TO_DEV`).
    Out(&'a [u8]),
    /// From the device into several slices, one after the other: at most 1024,
    /// on sg and block nodes.
    InVectored(&'a mut [IoSliceMut<'a>]),
    /// From several slices to the device: at most 1024, on sg and block nodes.
    OutVectored(&'a [IoSlice<'a>]),
}

impl Data<'_> {
    /// How many bytes there are in all.
    #[must_use]
    pub fn len(&self) -> usize {
        fn total(mut lens: impl Iterator<Item = usize>) -> usize {
            lens.try_fold(0, usize::checked_add).unwrap_or(usize::MAX)
        }
        match self {
            Self::None => 0,
            Self::In(slice) => slice.len(),
            Self::Out(slice) => slice.len(),
            Self::InVectored(slices) => total(slices.iter().map(|slice| slice.len())),
            Self::OutVectored(slices) => total(slices.iter().map(|slice| slice.len())),
        }
    }

    /// Whether there is nothing to move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where a command enters the device's queue in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueuePosition {
    /// Behind those that wait already, so that order is kept
    /// (`SG_FLAG_Q_AT_TAIL`).
    #[default]
    #[doc(alias("SG_FLAG_Q_AT_TAIL", "BSG_FLAG_Q_AT_TAIL"))]
    Tail,
    /// Before all others (`SG_FLAG_Q_AT_HEAD`). Two commands sent so come out
    /// in the opposite order.
    #[doc(alias("SG_FLAG_Q_AT_HEAD", "BSG_FLAG_Q_AT_HEAD"))]
    Head,
}

/// How a command is to be sent.
///
/// ```
/// use std::time::Duration;
/// use passthru::{Options, QueuePosition};
///
/// let options = Options::new()
///     .timeout(Duration::from_secs(5))
///     .queue_position(QueuePosition::Head);
/// assert_eq!(options.timeout_or(Duration::from_secs(60)), Duration::from_secs(5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    timeout: Option<Duration>,
    queue_position: QueuePosition,
    direct: bool,
}

impl Options {
    /// The command's own timeout, at the tail of the queue, no direct I/O.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            timeout: None,
            queue_position: QueuePosition::Tail,
            direct: false,
        }
    }

    /// How long the command may take: 1 ms to `u32::MAX` ms, rounded up to
    /// whole milliseconds. Zero is refused when the command is sent. Block and
    /// bsg nodes raise less than 7 s to 7 s. When it ends, the kernel aborts
    /// the command and may reset the device.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Where the command enters the queue.
    #[must_use]
    pub const fn queue_position(mut self, position: QueuePosition) -> Self {
        self.queue_position = position;
        self
    }

    /// Asks an sg node to move the data straight to or from the caller's pages
    /// (`SG_FLAG_DIRECT_IO`). It does so if the module parameter `allow_dio` is
    /// set and the buffer is aligned, else it copies;
    /// [`Outcome::io_path`] says which. Block and bsg nodes do it by
    /// themselves whenever the buffer is aligned, and ignore this.
    #[must_use]
    #[doc(alias = "SG_FLAG_DIRECT_IO")]
    pub const fn direct(mut self, direct: bool) -> Self {
        self.direct = direct;
        self
    }

    /// The timeout that was set, or `default`.
    #[must_use]
    pub fn timeout_or(&self, default: Duration) -> Duration {
        self.timeout.unwrap_or(default)
    }

    /// The queue position.
    #[must_use]
    pub const fn position(&self) -> QueuePosition {
        self.queue_position
    }

    /// Whether direct I/O was asked for.
    #[must_use]
    pub const fn wants_direct(&self) -> bool {
        self.direct
    }

    fn or_timeout(mut self, default: Duration) -> Self {
        self.timeout.get_or_insert(default);
        self
    }
}

/// Something that takes SCSI commands to a logical unit: the nodes of this
/// crate, or a transport of your own (USB, iSCSI, a recording).
///
/// Implementors write [`send`](Self::send); users call the typed methods of
/// [`ScsiTransportExt`], which every transport has.
pub trait ScsiTransport {
    /// Sends one CDB with its data, once, and waits for its end.
    ///
    /// The result is `Ok` whenever the kernel (or whatever carries the command)
    /// took it and told its outcome, whether the device liked it or not. Only
    /// `options` and `data` decide how it goes; nothing is retried, nothing else
    /// is sent.
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
}

impl<T: ScsiTransport + ?Sized> ScsiTransport for &T {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        (**self).send(cdb, data, options)
    }

    fn path(&self) -> &Path {
        (**self).path()
    }

    fn default_options(&self) -> Options {
        (**self).default_options()
    }
}

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
    /// heap.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Error::Malformed`] when the bytes that
    /// arrived are no answer. The bytes are kept in [`Failure::data`].
    fn query<Q: Query>(&self, query: &Q) -> Result<Q::Reply<'static>> {
        let mut bytes = ReplyBytes::zeroed(query.reply_length());
        let cdb = cdb_of(self, query, bytes.len())?;
        let options = self.default_options().or_timeout(query.timeout(&cdb));
        let outcome = self.send(&cdb, Data::In(bytes.bytes_mut()), &options)?;
        bytes.truncate(outcome.claimed());
        let failure = |bytes: &[u8]| Failure {
            data: bytes.to_vec(),
            ..Failure::new(self.path(), cdb, outcome)
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

    /// The same transport with `options` for every command sent through it.
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
    let cdb = cdb_of(transport, command, data.len())?;
    let options = transport
        .default_options()
        .or_timeout(command.timeout(&cdb));
    // The outcome is large, so it is looked at where it lies and not moved.
    let result = transport.send(&cdb, data, &options);
    match &result {
        Ok(outcome) if !outcome.verdict().is_success() => {
            Err(Failure::new(transport.path(), cdb, *outcome).into())
        }
        _ => result,
    }
}

fn cdb_of<T, C>(transport: &T, command: &C, len: usize) -> Result<Cdb>
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
fn short_type_name<C>() -> &'static str {
    let name = std::any::type_name::<C>();
    let path = name.split('<').next().unwrap_or(name);
    path.rsplit("::").next().unwrap_or(name)
}
