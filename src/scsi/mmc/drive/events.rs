//! GET EVENT STATUS NOTIFICATION.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{
    Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, lengths, wire,
};

bitflags::bitflags! {
    /// Classes of events, one bit each: what is asked for, and what a drive knows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "NOTIFICATION CLASS REQUEST")]
    pub struct EventClasses: u8 {
        /// The drive's features have changed.
        const OPERATIONAL_CHANGE = 1 << 1;
        /// Its power condition has changed.
        const POWER_MANAGEMENT = 1 << 2;
        /// Someone has pressed a button.
        const EXTERNAL_REQUEST = 1 << 3;
        /// A medium came or went, or wants to be ejected.
        const MEDIA = 1 << 4;
        /// Another host holds the drive.
        const MULTI_HOST = 1 << 5;
        /// The drive is busy.
        const DEVICE_BUSY = 1 << 6;
        /// Bits without a name are kept.
        const _ = !0;
    }
}

/// The class of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "NOTIFICATION CLASS")]
pub struct EventClass(pub u8);

impl EventClass {
    /// None of those that were asked for.
    pub const NONE: Self = Self(0);
    /// The drive's features have changed.
    pub const OPERATIONAL_CHANGE: Self = Self(1);
    /// Its power condition has changed.
    pub const POWER_MANAGEMENT: Self = Self(2);
    /// Someone has pressed a button.
    pub const EXTERNAL_REQUEST: Self = Self(3);
    /// A medium came or went, or wants to be ejected.
    pub const MEDIA: Self = Self(4);
    /// Another host holds the drive.
    pub const MULTI_HOST: Self = Self(5);
    /// The drive is busy.
    pub const DEVICE_BUSY: Self = Self(6);
}

/// GET EVENT STATUS NOTIFICATION (4Ah, MMC-6 clause 6), polled: the next event of
/// the classes that are asked for.
///
/// An event is reported once: who asks for one takes it from others that poll the
/// drive, the kernel's own polling among them.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes};
/// use passthru::scsi::mmc::{EventClasses, GetEventStatus, MediaEventCode};
///
/// let command = GetEventStatus::new(EventClasses::MEDIA);
/// assert_eq!(command.cdb_for(8)?.as_bytes(), [0x4a, 1, 0, 0, 0x10, 0, 0, 0, 8, 0]);
///
/// let reply = ReplyBytes::borrowed(&[0, 6, 4, 0x5e, 0x02, 0x02, 0, 0]);
/// let media = command.parse(reply).unwrap().media().expect("a media event");
/// assert_eq!(media.code, MediaEventCode::NEW_MEDIA);
/// assert!(media.medium_present && !media.tray_open);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("GESN", "GPCMD_GET_EVENT_STATUS_NOTIFICATION"))]
pub struct GetEventStatus {
    classes: EventClasses,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    polled: u8,
    reserved_2: [u8; 2],
    classes: u8,
    reserved_5: [u8; 2],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

/// The header.
const HEADER: usize = 4;

impl GetEventStatus {
    /// Asks for an event of one of these classes; of several that have one, that of
    /// the lowest number comes.
    #[must_use]
    pub const fn new(classes: EventClasses) -> Self {
        Self {
            classes,
            allocation_length: 8,
        }
    }

    /// How many bytes to ask for: 4 or more, 8 without this. With 4 the event stays
    /// with the drive.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for GetEventStatus {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, HEADER)?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x4a,
            polled: 0x01,
            reserved_2: [0; 2],
            classes: self.classes.bits(),
            reserved_5: [0; 2],
            allocation_length: U16::new(allocation_length),
            control: 0,
        })))
    }
}

impl DataIn for GetEventStatus {}

impl Query for GetEventStatus {
    type Reply<'a> = EventStatus;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<EventStatus, Malformed> {
        EventStatus::asked(&reply, self.reply_length())
    }
}

/// The reply of GET EVENT STATUS NOTIFICATION.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventStatus {
    data_length: u16,
    flags: u8,
    supported: EventClasses,
    event: Option<[u8; 4]>,
    arrived: usize,
    asked: usize,
}

impl EventStatus {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::asked(bytes, bytes.len())
    }

    fn asked(bytes: &[u8], asked: usize) -> Result<Self, Malformed> {
        lengths::enough(bytes, HEADER)?;
        let data_length = wire::be16(bytes, 0).unwrap_or(0);
        let end = usize::from(data_length).saturating_add(2);
        Ok(Self {
            data_length,
            flags: wire::byte(bytes, 2).unwrap_or(0),
            supported: EventClasses::from_bits_retain(wire::byte(bytes, 3).unwrap_or(0)),
            event: wire::array(wire::head(bytes, end), HEADER),
            arrived: bytes.len(),
            asked,
        })
    }

    /// Whether the drive knows none of the classes that were asked for (NEA).
    #[must_use]
    #[doc(alias = "NEA")]
    pub const fn no_event_available(&self) -> bool {
        self.flags & 0x80 != 0
    }

    /// Of which class the event is.
    #[must_use]
    pub const fn class(&self) -> EventClass {
        EventClass(self.flags & 0x07)
    }

    /// Which classes the drive knows.
    #[must_use]
    #[doc(alias = "SUPPORTED EVENT CLASSES")]
    pub const fn supported(&self) -> EventClasses {
        self.supported
    }

    /// The event's 4 bytes: a code in bits 3 to 0 of the first, which is 0 if nothing
    /// happened, and what its class says of the rest.
    #[must_use]
    pub const fn event(&self) -> Option<[u8; 4]> {
        if self.no_event_available() {
            return None;
        }
        self.event
    }

    /// The event, if it is one of a medium.
    #[must_use]
    pub fn media(&self) -> Option<MediaEvent> {
        if self.class() != EventClass::MEDIA {
            return None;
        }
        let [code, status, start_slot, end_slot] = self.event()?;
        Some(MediaEvent {
            code: MediaEventCode(code & 0x0f),
            medium_present: status & 0x02 != 0,
            tray_open: status & 0x01 != 0,
            start_slot,
            end_slot,
        })
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let claimed = usize::from(self.data_length).saturating_add(2);
        lengths::lie(claimed, HEADER, self.arrived, self.asked)
    }
}

/// What happened to a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MEDIA EVENT", "media_event_desc"))]
pub struct MediaEventCode(pub u8);

impl MediaEventCode {
    /// Nothing.
    pub const NO_CHANGE: Self = Self(0);
    /// Someone has pressed the eject button.
    pub const EJECT_REQUEST: Self = Self(1);
    /// A medium came, or became ready.
    pub const NEW_MEDIA: Self = Self(2);
    /// It went.
    pub const REMOVAL: Self = Self(3);
    /// Another one was loaded.
    pub const CHANGED: Self = Self(4);
    /// A format in the background is done.
    pub const FORMAT_COMPLETED: Self = Self(5);
    /// A format in the background goes on.
    pub const FORMAT_RESTARTED: Self = Self(6);
}

/// An event of a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "media_event_desc")]
pub struct MediaEvent {
    /// What happened.
    pub code: MediaEventCode,
    /// Whether there is a medium in the drive.
    pub medium_present: bool,
    /// Whether the tray or the door is open.
    pub tray_open: bool,
    /// The first slot of a changer that it is about.
    pub start_slot: u8,
    /// The last one.
    pub end_slot: u8,
}
