//! What sense data means to the one who sent the command.

use super::{Progress, Sense, SenseDescriptor, SenseFormat, SenseKey, SenseKeySpecific};
use crate::scsi::asc::AdditionalSense;

/// What the device is in, or what stands in the way, with what a program does about it.
///
/// Made by [`Sense::condition`] from the sense key and the additional sense. Several pairs of codes
/// that call for the same action are one condition; the codes themselves are still in the
/// [`Sense`].
///
/// The conditions with a [`Progress`] end by themselves. It is `None` where the device does not
/// tell how far it is. Under the key NO SENSE, as a REQUEST SENSE is answered, the operation goes on
/// in the background and commands are taken; under NOT READY they are not.
///
/// ```
/// use passthru::scsi::{Sense, sense::{Condition, Progress}};
///
/// let mut bytes = [0x70, 0, 0x02, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x04, 0x04, 0, 0x80, 0x40, 0x00];
/// let format = Sense::parse(&bytes).condition();
/// assert_eq!(format, Condition::Formatting(Some(Progress(0x4000))));
/// assert_eq!(format.progress().map(|done| done.percent()), Some(25.0));
///
/// [bytes[12], bytes[13]] = [0x3A, 0x02];
/// assert_eq!(Sense::parse(&bytes).condition(), Condition::NoMedium);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// No sense data, or none that can be read: empty, a vendor's format, cut before the key.
    /// Nothing is known.
    Unknown,
    /// An *earlier* command, answered with GOOD at the time, has failed; this one was not carried
    /// out. What was written before may be lost: tell, find out which, and do not just go on.
    Deferred,

    /// NO SENSE with nothing further. From a REQUEST SENSE: all is well. Beside CHECK CONDITION:
    /// the device gave no reason, and the command counts as failed.
    Nothing,
    /// NO SENSE with FILEMARK, EOM or ILI: a tape met a mark, the end, or a block of another length.
    /// The data up to there is good; the [residue](Sense::information_signed) says how much.
    Mark,
    /// RECOVERED ERROR: it was done, with some trouble. The data is good; note it.
    Recovered,
    /// COMPLETED: it was done, and the sense data is an answer.
    Completed,
    /// A power condition below active (5Eh). The next command that needs the medium ends it, which
    /// takes its time.
    LowPower,
    /// A warning (0Bh): temperature, a failed background test, a lost backup of the cache. The
    /// command was done, unless the key is UNIT ATTENTION. Tell the operator.
    Warning,
    /// The device expects to fail (5Dh). As [`Warning`](Self::Warning); save the data.
    FailurePredicted,

    /// 04h/01h: it will be ready by itself, in seconds or a minute. Ask again by TEST UNIT READY,
    /// with a deadline.
    BecomingReady(Option<Progress>),
    /// 04h/07h, or 00h/16h and its like under NO SENSE: an operation is under way. Ask again, with a
    /// deadline.
    OperationInProgress(Option<Progress>),
    /// 04h/08h: an optical drive still writes what it was given, a lead-out for instance. Ask
    /// again; minutes are usual.
    LongWriteInProgress(Option<Progress>),
    /// 04h/04h: FORMAT UNIT is at work, for hours maybe. Show the progress, do not wait blindly.
    Formatting(Option<Progress>),
    /// 04h/1Bh: SANITIZE is at work. As [`Formatting`](Self::Formatting).
    Sanitizing(Option<Progress>),
    /// 04h/09h: a self-test in the foreground. As [`Formatting`](Self::Formatting); SEND DIAGNOSTIC
    /// can abort it.
    SelfTesting(Option<Progress>),
    /// 04h/05h, 04h/06h: an array is rebuilt or recalculated. As [`Formatting`](Self::Formatting).
    Rebuilding(Option<Progress>),
    /// Other work that ends by itself: allocation of space, START STOP UNIT, configuration,
    /// depopulation (04h/13h, 14h, 1Ah, 1Dh, 24h, 25h). As [`Formatting`](Self::Formatting).
    OtherWork(Option<Progress>),
    /// 04h/02h: START STOP UNIT is needed. It does not get ready by waiting.
    StartNeeded,
    /// 04h/11h: a SAS drive waits for leave to spin up (NOTIFY), which the host adapter or expander
    /// gives in turn. It does not ask for a command; ask again later.
    SpinUpWaits,
    /// 04h/03h: a person has to do something at the device.
    InterventionNeeded,
    /// 04h/0Ah: the path changes its access state. Ask again in a few seconds.
    PathInTransition,
    /// 04h/0Bh: this path is in standby. Use another, or SET TARGET PORT GROUPS.
    PathStandby,
    /// 04h/0Ch: this path cannot be used. Use another.
    PathUnavailable,
    /// 04h/12h: set offline by an administrator.
    Offline,
    /// 3Ah: no medium. Waiting helps only if somebody inserts one, so say so at once.
    NoMedium,
    /// NOT READY for another reason; the additional sense says which. Do not wait.
    NotReady,

    /// 06h/28h: there may be another medium. The command was not carried out. What was known of
    /// the old medium, its capacity above all, is void: ask again.
    MediumChanged,
    /// 06h/28h/01h: somebody was at a changer's import or export element. Take stock again.
    ElementsChanged,
    /// 06h/29h: power on or a reset, or a lost nexus. The command was not carried out; mode
    /// parameters, non-persistent reservations and a volatile cache may be gone. Send it again if
    /// that does not matter. Others (2Ah, 3Fh) often follow.
    Reset,
    /// 06h/2Ah/09h: READ CAPACITY now answers something else.
    CapacityChanged,
    /// 06h/2Ah/03h to 05h: reservations or registrations were released or taken over by another.
    /// Do not just go on writing.
    ReservationsChanged,
    /// 06h/2Ah: mode, log or other parameters changed. Read them again.
    ParametersChanged,
    /// 06h/3Fh/0Eh: REPORT LUNS now answers something else.
    LunsChanged,
    /// 06h/3Fh: microcode, inquiry data or something else of the device itself changed.
    DeviceChanged,
    /// 06h/5Ah: a person pressed a button, to eject the medium (01h) for instance.
    OperatorRequest,
    /// UNIT ATTENTION for another reason. The command was not carried out.
    UnitAttention,

    /// MEDIUM ERROR. The device has tried for seconds already; sending it again seldom helps. See
    /// [`Sense::failed_block`].
    MediumError,
    /// HARDWARE ERROR.
    HardwareError,
    /// 10h with 01h to 05h under any key: protection information does not fit its data. The data is wrong, here or
    /// on its way.
    ProtectionInformation,
    /// 05h/20h/00h: the device does not know the command. It never will: do not send it again.
    UnknownCommand,
    /// 05h/24h, 05h/26h: a field of the CDB or of the parameter list is not accepted;
    /// [`SenseKeySpecific::FieldPointer`] may say which.
    InvalidField,
    /// 05h/21h/00h: beyond the last block, or into the lead-out.
    OutOfRange,
    /// 05h/25h: there is no such logical unit.
    NoSuchUnit,
    /// 05h/30h, 05h/64h: not with this medium, or not in this kind of track.
    WrongMedium,
    /// ILLEGAL REQUEST for another reason.
    IllegalRequest,
    /// 07h/27h: the medium or the device is write protected.
    WriteProtected,
    /// DATA PROTECT for another reason: locked, a reservation, a region or key on an optical disc.
    DataProtect,
    /// BLANK CHECK: nothing is recorded there, or something where blank medium was needed. On a
    /// tape, the end of data.
    Blank,
    /// COPY ABORTED: the [forwarded](super::ForwardedSense) sense data may say which side failed.
    CopyAborted,
    /// ABORTED COMMAND by trouble on the transport (08h, 0Eh, 47h, 4Bh). A read may be sent again.
    TransferError,
    /// ABORTED COMMAND for another reason. A read may be sent again.
    Aborted,
    /// VOLUME OVERFLOW: the medium is full and data is left in the buffer.
    VolumeOverflow,
    /// MISCOMPARE: the data compared differs.
    Miscompare,
    /// A key that the vendor or an old standard gives its meaning (9h, Ch).
    VendorSpecific,
}

impl Condition {
    /// How far the operation is, for the conditions that have one and where the device says.
    #[must_use]
    pub const fn progress(self) -> Option<Progress> {
        match self {
            Self::BecomingReady(progress)
            | Self::OperationInProgress(progress)
            | Self::LongWriteInProgress(progress)
            | Self::Formatting(progress)
            | Self::Sanitizing(progress)
            | Self::SelfTesting(progress)
            | Self::Rebuilding(progress)
            | Self::OtherWork(progress) => progress,
            _ => None,
        }
    }

    /// True for work of the device's that ends without a command: all the conditions that can
    /// have a progress. Some take hours.
    #[must_use]
    pub const fn ends_by_itself(self) -> bool {
        matches!(
            self,
            Self::BecomingReady(_)
                | Self::OperationInProgress(_)
                | Self::LongWriteInProgress(_)
                | Self::Formatting(_)
                | Self::Sanitizing(_)
                | Self::SelfTesting(_)
                | Self::Rebuilding(_)
                | Self::OtherWork(_)
        )
    }
}

impl Sense<'_> {
    /// What it means, and what to do about it.
    ///
    /// Sense data that is cut before the additional sense is judged by its key alone.
    #[must_use]
    pub fn condition(&self) -> Condition {
        if self.is_deferred() {
            return Condition::Deferred;
        }
        let (Some(key), SenseFormat::Fixed | SenseFormat::Descriptor) = (self.key(), self.format())
        else {
            return Condition::Unknown;
        };
        // 00h/00h under any key says nothing, so it stands in for codes that are cut off.
        let AdditionalSense { asc, ascq } = self.additional().unwrap_or(AdditionalSense::NONE);
        match key {
            SenseKey::NO_SENSE | SenseKey::NOT_READY => self.state(key, asc, ascq),
            SenseKey::RECOVERED_ERROR => match asc {
                0x0B => Condition::Warning,
                0x5D => Condition::FailurePredicted,
                _ => Condition::Recovered,
            },
            SenseKey::COMPLETED => Condition::Completed,
            SenseKey::UNIT_ATTENTION => attention(asc, ascq),
            SenseKey::COPY_ABORTED => Condition::CopyAborted,
            // 10h/00h is a CRC or ECC of the drive's own.
            _ if asc == 0x10 && matches!(ascq, 1..=5) => Condition::ProtectionInformation,
            SenseKey::MEDIUM_ERROR => Condition::MediumError,
            SenseKey::HARDWARE_ERROR => Condition::HardwareError,
            SenseKey::ILLEGAL_REQUEST => request(asc, ascq),
            SenseKey::DATA_PROTECT if asc == 0x27 => Condition::WriteProtected,
            SenseKey::DATA_PROTECT => Condition::DataProtect,
            SenseKey::BLANK_CHECK => Condition::Blank,
            SenseKey::ABORTED_COMMAND => match asc {
                0x08 | 0x0E | 0x47 | 0x4B => Condition::TransferError,
                _ => Condition::Aborted,
            },
            SenseKey::VOLUME_OVERFLOW => Condition::VolumeOverflow,
            SenseKey::MISCOMPARE => Condition::Miscompare,
            _ => Condition::VendorSpecific,
        }
    }

    /// What goes on, by codes that mean the same under NO SENSE and NOT READY.
    fn state(&self, key: SenseKey, asc: u8, ascq: u8) -> Condition {
        let progress = || self.own_progress(AdditionalSense::new(asc, ascq));
        match (asc, ascq) {
            (0x04, 0x01) => Condition::BecomingReady(progress()),
            (0x04, 0x02) => Condition::StartNeeded,
            (0x04, 0x03) => Condition::InterventionNeeded,
            (0x04, 0x04) => Condition::Formatting(progress()),
            (0x04, 0x05 | 0x06) => Condition::Rebuilding(progress()),
            (0x04, 0x07) | (0x00, 0x16 | 0x18..=0x1C) => Condition::OperationInProgress(progress()),
            (0x04, 0x08) => Condition::LongWriteInProgress(progress()),
            (0x04, 0x09) => Condition::SelfTesting(progress()),
            (0x04, 0x0A) => Condition::PathInTransition,
            (0x04, 0x0B) => Condition::PathStandby,
            (0x04, 0x0C) => Condition::PathUnavailable,
            (0x04, 0x11) => Condition::SpinUpWaits,
            (0x04, 0x12) => Condition::Offline,
            (0x04, 0x1B) => Condition::Sanitizing(progress()),
            (0x04, 0x13 | 0x14 | 0x1A | 0x1D | 0x24 | 0x25) => Condition::OtherWork(progress()),
            (0x3A, _) => Condition::NoMedium,
            (0x5E, _) => Condition::LowPower,
            (0x0B, _) => Condition::Warning,
            (0x5D, _) => Condition::FailurePredicted,
            _ if key == SenseKey::NOT_READY => Condition::NotReady,
            _ if self.filemark() || self.eom() || self.ili() => Condition::Mark,
            _ => Condition::Nothing,
        }
    }

    /// The progress of what the sense data itself is about: not that of another operation.
    fn own_progress(&self, about: AdditionalSense) -> Option<Progress> {
        if let Some(SenseKeySpecific::Progress(progress)) = self.sense_key_specific() {
            return Some(progress);
        }
        let key = self.key()?;
        self.descriptors().find_map(|item| match item.decode(key) {
            SenseDescriptor::AnotherProgress {
                additional,
                progress,
                ..
            } if additional == about => Some(progress),
            _ => None,
        })
    }
}

const fn attention(asc: u8, ascq: u8) -> Condition {
    match (asc, ascq) {
        (0x28, 0x01) => Condition::ElementsChanged,
        (0x28, _) => Condition::MediumChanged,
        (0x29, _) => Condition::Reset,
        (0x2A, 0x09) => Condition::CapacityChanged,
        (0x2A, 0x03..=0x05) => Condition::ReservationsChanged,
        (0x2A, _) => Condition::ParametersChanged,
        (0x3F, 0x0E) => Condition::LunsChanged,
        (0x3F, _) => Condition::DeviceChanged,
        (0x5A, _) => Condition::OperatorRequest,
        (0x0B, _) => Condition::Warning,
        (0x5D, _) => Condition::FailurePredicted,
        _ => Condition::UnitAttention,
    }
}

const fn request(asc: u8, ascq: u8) -> Condition {
    match (asc, ascq) {
        // 01h to 0Ch refuse a command that is known: access controls, modes of a tape.
        (0x20, 0x00 | 0x80..) => Condition::UnknownCommand,
        (0x21, 0x00) => Condition::OutOfRange,
        (0x24 | 0x26, _) => Condition::InvalidField,
        (0x25, _) => Condition::NoSuchUnit,
        (0x30, _) | (0x64, 0x00 | 0x80..) => Condition::WrongMedium,
        _ => Condition::IllegalRequest,
    }
}
