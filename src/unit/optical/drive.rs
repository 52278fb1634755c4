//! An optical drive over any transport.

use std::{sync::Mutex, time::Duration};

use super::page::PageOf;
use crate::{
    Result, RetryPolicy,
    retry::RetryLog,
    scsi::{
        Capacity10, ReadCapacity10, TestUnitReady,
        mmc::{GetConfiguration, Profile, SetCdSpeed, StartStop},
        mode::Capabilities,
    },
    transport::{ScsiTransport, ScsiTransportExt},
};

/// How many bytes a READ CD moves unless another number is set: 64 KiB, 27 raw
/// sectors. Every host adapter and bridge takes that, and a CD needs 9 ms for
/// it at its fastest.
pub const OPTICAL_TRANSFER: usize = 64 << 10;

/// An optical drive with a CD in it: what is on the disc, its sectors, the
/// drive's settings.
///
/// Each method says which commands it sends. Nothing is sent again: to wait for
/// a drive that spins up there is [`wait_ready`](Self::wait_ready), and a
/// [`RetryPolicy`] makes a transport with which all of them wait.
///
/// The blocks of DVD and BD, and data CDs without their headers, are those of a
/// [`Disk`](super::super::Disk).
///
/// ```no_run
/// use std::time::Duration;
/// use passthru::scsi::mmc::{C2, Lba, MainChannel, SectorRequest, SectorType};
/// use passthru::unit::OpticalDrive;
///
/// let drive = OpticalDrive::open("/dev/sg1")?;
/// drive.wait_ready(Duration::from_secs(60))?;
/// for track in drive.disc()?.tracks() {
///     println!("{} {} from {}", track.number, track.kind, track.start);
/// }
///
/// let request = SectorRequest::new(SectorType::Any, MainChannel::RAW).c2(C2::Pointers294);
/// let mut buffer = vec![0; 100 * 2646];
/// let read = drive.read(&request, Lba(0), &mut buffer)?;
/// for sector in read.of(&buffer).iter() {
///     println!("{:?}", sector.c2().map(|c2| c2.bits().count()));
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
///
/// # Commands that have no method here
/// They go by [`transport`](Self::transport); CD-TEXT, for one:
///
/// ```no_run
/// use passthru::{ScsiTransportExt, scsi::mmc::{PackType, ReadToc}, unit::OpticalDrive};
///
/// let drive = OpticalDrive::open("/dev/sg1")?;
/// // An error if the drive refuses it, as many do of a disc that has none.
/// let text = drive.transport().query(&ReadToc::cd_text())?;
/// for block in text.blocks() {
///     for title in block.texts(PackType::TITLE) {
///         println!("{} {title}", title.track()); // track 0 is the album
///     }
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
///
/// # With a policy
/// A drive on top of one takes the node's limit by hand.
///
/// ```no_run
/// use std::time::Duration;
/// use passthru::{RetryPolicy, ScsiDevice, unit::{OPTICAL_TRANSFER, OpticalDrive}};
///
/// let node = ScsiDevice::open("/dev/sg1")?;
/// let patient = RetryPolicy::new()
///     .unit_attentions(3)
///     .becoming_ready(Duration::from_secs(60))
///     .on(&node);
/// let mut drive = OpticalDrive::new(&patient);
/// if let Some(most) = node.max_transfer() {
///     drive.set_max_transfer(OPTICAL_TRANSFER.min(most as usize));
/// }
/// let disc = drive.disc();
/// let log = patient.take_log();
/// for entry in log.entries() {
///     eprintln!("{entry} ({})", entry.reason());
/// }
/// println!("{} tracks", disc?.tracks().count());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias("cdrom", "CD-ROM"))]
pub struct OpticalDrive<T> {
    transport: T,
    /// In bytes.
    max_transfer: usize,
    /// How many lock the disc; held while that is sent.
    pub(super) locks: Mutex<u32>,
}

/// The locks of one are not those of the other.
impl<T: Clone> Clone for OpticalDrive<T> {
    fn clone(&self) -> Self {
        Self {
            transport: self.transport.clone(),
            max_transfer: self.max_transfer,
            locks: Mutex::default(),
        }
    }
}

/// How fast a drive reads, in kB/s (1000 bytes); `None` for what its page does not
/// have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Speed {
    /// The speed that is set now.
    pub current: Option<u16>,
    /// The highest speed.
    pub max: Option<u16>,
}

impl<T: ScsiTransport> OpticalDrive<T> {
    /// The drive behind `transport`; sends nothing. What a node's host adapter
    /// takes is not asked, as [`open`](OpticalDrive::open) does.
    #[must_use]
    pub const fn new(transport: T) -> Self {
        Self {
            transport,
            max_transfer: OPTICAL_TRANSFER,
            locks: Mutex::new(0),
        }
    }

    /// Lowers [`max_transfer`](Self::max_transfer) to `bytes`.
    pub(super) fn limit(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.max_transfer = self.max_transfer.min(bytes);
    }

    /// Has commands move at most `bytes`, rounded down to whole sectors, at least
    /// one. What the drive or the host adapter does not take fails when it is sent.
    pub const fn set_max_transfer(&mut self, bytes: usize) {
        self.max_transfer = bytes;
    }

    /// How many bytes a READ CD moves at most: 64 KiB ([`OPTICAL_TRANSFER`]) or
    /// less, unless [set](Self::set_max_transfer).
    #[must_use]
    pub const fn max_transfer(&self) -> usize {
        self.max_transfer
    }

    /// What carries the commands.
    #[must_use]
    pub const fn transport(&self) -> &T {
        &self.transport
    }

    /// Gives the transport back.
    #[must_use]
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// Waits until the drive is ready, `longest` at most: sends TEST UNIT READY
    /// until it goes well. Up to 8 unit attentions are taken on the way. No medium
    /// ends it at once.
    ///
    /// Returns what was swallowed. For another policy, or for the log of a waiting
    /// that failed, send [`TestUnitReady`] by [`RetryPolicy::on`].
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`], with the answer that ended it.
    pub fn wait_ready(&self, longest: Duration) -> Result<RetryLog> {
        let patient = RetryPolicy::new()
            .unit_attentions(8)
            .becoming_ready(longest)
            .operations(longest)
            .busy(longest);
        let transport = patient.on(&self.transport);
        transport.execute(&TestUnitReady)?;
        Ok(transport.take_log())
    }

    /// What kind of disc is in it, as the drive treats it: GET CONFIGURATION.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn profile(&self) -> Result<Profile> {
        let command = GetConfiguration::current().allocation_length(8);
        Ok(self.transport.query(&command)?.current_profile())
    }

    /// READ CAPACITY(10): the last block before the last session's lead-out, as
    /// the drive tells it. On audio discs drives tell various things: go by the
    /// [`disc`](Self::disc).
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn capacity(&self) -> Result<Capacity10> {
        self.transport.query(&ReadCapacity10)
    }

    /// How fast it reads, by its capabilities page: MODE SENSE(10).
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn speed(&self) -> Result<Speed> {
        let page = self.transport.query(&PageOf::<Capabilities>::new(2))?;
        Ok(Speed {
            current: page.current_read_speed(),
            max: page.max_read_speed(),
        })
    }

    /// Sets the reading speed in kB/s (see
    /// [`cd_speed`](crate::scsi::mmc::cd_speed)), [`SetCdSpeed::MAX`] for the
    /// highest: SET CD SPEED. The drive takes a speed that it has;
    /// [`speed`](Self::speed) says which.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`]. Do not go on as if it was set after an
    /// error: [`Error::NotPermitted`](crate::Error::NotPermitted) is the kernel's
    /// refusal on a block node that was opened read-only,
    /// [`Error::ReadOnly`](crate::Error::ReadOnly) that of a handle of
    /// [`open`](Self::open).
    pub fn set_speed(&self, kb_per_second: u16) -> Result<()> {
        self.transport.execute(&SetCdSpeed::new(kb_per_second))?;
        Ok(())
    }

    /// Opens the tray, or throws the disc out: START STOP UNIT.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`]: 05/53/02 or 02/53/00 while the disc is
    /// locked.
    pub fn eject(&self) -> Result<()> {
        self.transport.execute(&StartStop::eject())?;
        Ok(())
    }

    /// Closes the tray: START STOP UNIT. Slots, and trays that are pushed by hand,
    /// cannot.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`].
    pub fn load(&self) -> Result<()> {
        self.transport.execute(&StartStop::load())?;
        Ok(())
    }
}
