//! Reservation Notification (80h). NVMe Base 2.1, 5.1.12.1.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, command::sealed::Sealed};

/// The Reservation Notification page: what happened to this host's reservations,
/// the oldest notification that was not read yet.
///
/// Reading it takes it away, unless it is retained
/// ([`retain_event`](LogPage::retain_event)).
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::ReservationNotification};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let notification = drive.query(&ReservationNotification::page().retain_event(true))?;
/// println!("type {} of {:?}", notification.kind(), notification.nsid());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias("resv-notif-log", "nvme_resv_notification_log"))]
pub struct ReservationNotification(Wire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    count: U64,
    kind: u8,
    available: u8,
    reserved10: [u8; 2],
    nsid: U32,
    reserved16: [u8; 48],
}

const _: () = assert!(size_of::<Wire>() == 64);

impl Sealed for ReservationNotification {}

impl LogReply for ReservationNotification {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl ReservationNotification {
    /// The page.
    pub const fn page() -> LogPage<Self> {
        let log = GetLog::new(LogId::RESERVATION_NOTIFICATION);
        LogPage::new(log, size_of::<Wire>())
    }

    /// Counts the notifications from 1 on; 0 if there is none.
    #[must_use]
    #[doc(alias("LPGC", "lpc"))]
    pub fn count(&self) -> u64 {
        self.0.count.get()
    }

    /// What happened: 0 nothing, 1 registration preempted, 2 reservation
    /// released, 3 reservation preempted.
    #[must_use]
    #[doc(alias("RNLPT", "rnlpt"))]
    pub fn kind(&self) -> u8 {
        self.0.kind
    }

    /// How many notifications there are besides this one; 255 means 255 or more.
    #[must_use]
    #[doc(alias("NALP", "nalp"))]
    pub fn more(&self) -> u8 {
        self.0.available
    }

    /// The namespace.
    #[must_use]
    pub fn nsid(&self) -> Option<Nsid> {
        Nsid::new(self.0.nsid.get())
    }
}
