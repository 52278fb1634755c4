//! Sense data: what a device says about an error, an event or an answer (SPC-6 4.4).
//!
//! | byte 0 | format |
//! |---|---|
//! | 70h, F0h | fixed, about this command |
//! | 71h, F1h | fixed, deferred: about an earlier command |
//! | 72h | descriptors, about this command |
//! | 73h | descriptors, deferred |
//! | 7Fh | a vendor's own format |
//!
//! Which of them comes is up to the device, the adapter and the kernel, so a program asks
//! [`Sense`] and does not look at the bytes. Nothing is copied or checked in advance: every
//! accessor looks for its own bytes and answers `None` when they are not there.

mod ata;
mod buffer;
mod condition;
mod descriptor;
mod display;
mod fixed;
mod information;
mod key;
mod referral;
mod specific;
#[cfg(test)]
mod tests;

use core::fmt;

pub use ata::{AtaLayout, AtaRegisters};
pub use buffer::SenseBuffer;
pub use condition::Condition;
pub use descriptor::{ForwardedSense, RawSenseDescriptor, SenseDescriptor, SenseDescriptors};
pub use key::SenseKey;
pub use referral::{ReferralPort, ReferralSegment, ReferralSegments};
pub use specific::{Progress, SenseKeySpecific};

use crate::scsi::asc::AdditionalSense;
use descriptor::kind;

/// The form that sense data has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SenseFormat {
    /// No byte arrived, or nothing but zeros: the device, or something on the way, said nothing.
    Empty,
    /// Fields at fixed places (response codes 70h and 71h).
    Fixed,
    /// A header and descriptors (72h and 73h).
    Descriptor,
    /// A format of the vendor's (7Fh). Only the bytes are known.
    Vendor,
    /// Bytes, but no sense data of any format that SPC knows. Drives older than SCSI-2 answered
    /// with four bytes of another form.
    NotSense,
}

/// Sense data, as a view of its bytes.
///
/// Fields are absent (`None`, or `false` for a flag) when the device did not send them, when the
/// length it announced (byte 7) ends before them, and when fewer bytes arrived. Absent is not
/// zero: sense data cut to eight bytes has a key, but its additional sense is unknown, which is
/// not 00h/00h.
///
/// ```
/// use passthru::scsi::{Sense, SenseKey};
///
/// let bytes = [
///     0xF0, 0, 0x03, 0, 0, 0, 0xB1, 10, 0, 0, 0, 0, 0x11, 0x00, 0, 0, 0, 0,
/// ];
/// let sense = Sense::parse(&bytes);
/// assert_eq!(sense.key(), Some(SenseKey::MEDIUM_ERROR));
/// assert_eq!(sense.information(), Some(177)); // for a READ: the first bad block
/// assert_eq!(
///     sense.to_string(),
///     "MEDIUM ERROR: Unrecovered read error (11h/00h), information 177"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "scsi_sense_hdr")]
#[doc(alias = "scsi_normalize_sense")]
pub struct Sense<'a> {
    /// Up to the end that the device announced.
    bytes: &'a [u8],
    /// All that arrived.
    given: &'a [u8],
}

impl<'a> Sense<'a> {
    /// Looks at bytes that arrived as sense data. Any bytes will do, also none.
    #[must_use]
    pub fn parse(given: &'a [u8]) -> Self {
        let announced = match given.first().map(|byte| byte & 0x7F) {
            Some(0x70..=0x73) => given.get(7).map(|length| usize::from(*length) + 8),
            _ => None,
        };
        let bytes = announced.and_then(|end| given.get(..end)).unwrap_or(given);
        Self { bytes, given }
    }

    /// The bytes, up to the end that the device announced.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// True when the device announced more bytes than arrived, or the announcement is missing.
    ///
    /// Linux keeps 96 bytes at most, and USB storage asks for 18.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        match self.format() {
            SenseFormat::Fixed | SenseFormat::Descriptor => self
                .given
                .get(7)
                .is_none_or(|length| usize::from(*length) + 8 > self.given.len()),
            _ => false,
        }
    }

    /// The form of the bytes.
    #[must_use]
    pub fn format(&self) -> SenseFormat {
        match self.response_code() {
            None => SenseFormat::Empty,
            Some(0x70 | 0x71) => SenseFormat::Fixed,
            Some(0x72 | 0x73) => SenseFormat::Descriptor,
            Some(0x7F) => SenseFormat::Vendor,
            Some(_) if self.given.iter().all(|byte| *byte == 0) => SenseFormat::Empty,
            Some(_) => SenseFormat::NotSense,
        }
    }

    /// Bits 0 to 6 of the first byte.
    #[must_use]
    pub fn response_code(&self) -> Option<u8> {
        self.bytes.first().map(|byte| byte & 0x7F)
    }

    /// True when the sense data is about an earlier command, one that was answered with GOOD
    /// before it was finished.
    ///
    /// Nothing in it, above all no block address, is about the command that it came with. That
    /// command was not carried out.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        matches!(self.response_code(), Some(0x71 | 0x73))
    }

    /// The class of the error or event.
    #[must_use]
    pub fn key(&self) -> Option<SenseKey> {
        let byte = match self.format() {
            SenseFormat::Fixed => fixed::flags(self.bytes),
            SenseFormat::Descriptor => self.bytes.get(1).copied(),
            _ => None,
        };
        byte.map(|byte| SenseKey(byte & 0x0F))
    }

    /// The additional sense code with its qualifier; `None` when either is cut off.
    #[must_use]
    pub fn additional(&self) -> Option<AdditionalSense> {
        Some(AdditionalSense::new(self.asc()?, self.ascq()?))
    }

    /// The additional sense code alone, for sense data that is cut between it and its qualifier.
    #[must_use]
    pub fn asc(&self) -> Option<u8> {
        match self.format() {
            SenseFormat::Fixed => fixed::asc(self.bytes),
            SenseFormat::Descriptor => self.bytes.get(2).copied(),
            _ => None,
        }
    }

    /// The additional sense code qualifier alone.
    #[must_use]
    pub fn ascq(&self) -> Option<u8> {
        match self.format() {
            SenseFormat::Fixed => fixed::ascq(self.bytes),
            SenseFormat::Descriptor => self.bytes.get(3).copied(),
            _ => None,
        }
    }

    /// The COMMAND-SPECIFIC INFORMATION field. It has no mark that says whether it is valid; in
    /// fixed format it is always there, mostly as zero.
    #[must_use]
    pub fn command_specific(&self) -> Option<u64> {
        match self.format() {
            SenseFormat::Fixed => fixed::command_specific(self.bytes).map(u64::from),
            SenseFormat::Descriptor => self.combined(kind::COMMAND_SPECIFIC, 4, 16, be64),
            _ => None,
        }
    }

    /// A tape met a filemark (or a setmark).
    #[must_use]
    pub fn filemark(&self) -> bool {
        self.flag(0x80, |kind| (kind == kind::STREAM).then_some((3, 0x80)))
    }

    /// A tape met the end of the medium or of the partition, or its early warning; a printer ran
    /// out of paper. Data that was written before the early warning is written.
    #[must_use]
    #[doc(alias = "end of medium")]
    pub fn eom(&self) -> bool {
        self.flag(0x40, |kind| (kind == kind::STREAM).then_some((3, 0x40)))
    }

    /// A block has another length than was asked for (incorrect length indicator).
    #[must_use]
    #[doc(alias = "incorrect length indicator")]
    pub fn ili(&self) -> bool {
        self.flag(0x20, |kind| match kind {
            kind::STREAM | kind::BLOCK => Some((3, 0x20)),
            kind::DIRECT_ACCESS_BLOCK => Some((2, 0x20)),
            _ => None,
        })
    }

    /// The device had more sense data than it could send (`SDAT_OVFL`).
    #[must_use]
    pub fn sdat_overflow(&self) -> bool {
        match self.format() {
            SenseFormat::Descriptor => self.bytes.get(4).is_some_and(|byte| byte & 0x80 != 0),
            _ => self.flag(0x10, |_| None),
        }
    }

    /// A flag that is a bit of the third byte in fixed format, and a bit of some byte of some
    /// descriptors in the other.
    fn flag(&self, fixed: u8, place: impl Fn(u8) -> Option<(usize, u8)>) -> bool {
        match self.format() {
            SenseFormat::Fixed => fixed::flags(self.bytes).is_some_and(|byte| byte & fixed != 0),
            SenseFormat::Descriptor => self.descriptors().any(|item| {
                place(item.kind()).is_some_and(|(at, bit)| {
                    item.as_bytes().get(at).is_some_and(|byte| byte & bit != 0)
                })
            }),
            _ => false,
        }
    }

    /// A vendor's number for the part that failed. `None` also for 0, which names no part.
    #[must_use]
    #[doc(alias = "field replaceable unit code")]
    pub fn fru(&self) -> Option<u8> {
        let code = match self.format() {
            SenseFormat::Fixed => fixed::fru(self.bytes),
            SenseFormat::Descriptor => {
                self.combined(kind::FIELD_REPLACEABLE_UNIT, 3, 7, |bytes, at| {
                    bytes.get(at).copied()
                })
            }
            _ => None,
        };
        code.filter(|code| *code != 0)
    }

    /// The sense key specific bytes, when the device marked them as valid (SKSV).
    #[must_use]
    pub fn sense_key_specific(&self) -> Option<SenseKeySpecific> {
        let raw = match self.format() {
            SenseFormat::Fixed => fixed::key_specific(self.bytes),
            SenseFormat::Descriptor => self.combined(kind::KEY_SPECIFIC, 4, 4, |bytes, at| {
                bytes_at(bytes, at).copied()
            }),
            _ => None,
        };
        SenseKeySpecific::decode(self.key()?, raw?)
    }

    /// How far an operation in progress has come: from the sense key specific bytes, else from
    /// the first "another progress indication" descriptor.
    ///
    /// The second is about another operation than the rest of the sense data, and is only taken
    /// when the sense data is whole, since the first could be in the part that is cut off.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        if let Some(SenseKeySpecific::Progress(progress)) = self.sense_key_specific() {
            return Some(progress);
        }
        if self.is_truncated() {
            return None;
        }
        self.find(kind::ANOTHER_PROGRESS, |bytes| be16(bytes, 6))
            .map(Progress)
    }

    /// The registers that a SCSI to ATA translation layer returned (SAT-5 12.2.2).
    ///
    /// Ask only for the sense data of an ATA PASS-THROUGH command. Nothing in fixed format tells
    /// registers from the block address and the counts that other commands put in the same
    /// bytes, whatever key and additional sense come with them.
    ///
    /// `None` when there are none: no descriptor of type 09h; or, in fixed format, VALID not set
    /// and zeros in all their places. [`AtaRegisters::layout`] says where they were found.
    #[must_use]
    pub fn ata_registers(&self) -> Option<AtaRegisters> {
        match self.format() {
            SenseFormat::Fixed => AtaRegisters::from_fixed(self.bytes, self.given),
            SenseFormat::Descriptor => {
                self.find(kind::ATA_STATUS_RETURN, AtaRegisters::from_descriptor)
            }
            _ => None,
        }
    }

    /// The descriptors; none when the sense data is not in descriptor format.
    #[must_use]
    pub fn descriptors(&self) -> SenseDescriptors<'a> {
        SenseDescriptors::new(match self.format() {
            SenseFormat::Descriptor => self.bytes.get(8..).unwrap_or_default(),
            _ => &[],
        })
    }

    /// The first descriptor of a type that has what is looked for.
    fn find<T>(&self, kind: u8, read: impl Fn(&'a [u8]) -> Option<T>) -> Option<T> {
        self.descriptors()
            .filter(|item| item.kind() == kind)
            .find_map(|item| read(item.as_bytes()))
    }

    /// A field that has a descriptor of its own (at offset `at`) and a place in the combined one
    /// for disks (at offset `combined_at`), from whichever comes first.
    fn combined<T>(
        &self,
        kind: u8,
        at: usize,
        combined_at: usize,
        read: impl Fn(&'a [u8], usize) -> Option<T>,
    ) -> Option<T> {
        self.descriptors().find_map(|item| match item.kind() {
            kind::DIRECT_ACCESS_BLOCK => read(item.as_bytes(), combined_at),
            own if own == kind => read(item.as_bytes(), at),
            _ => None,
        })
    }
}

impl fmt::Debug for Sense<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sense({})", buffer::Hex(self.given))
    }
}

/// The `N` bytes at an offset.
fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk()
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes_at(bytes, at).copied().map(u16::from_be_bytes)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes_at(bytes, at).copied().map(u32::from_be_bytes)
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    bytes_at(bytes, at).copied().map(u64::from_be_bytes)
}
