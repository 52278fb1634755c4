//! The descriptors of descriptor format sense data (SPC-6 4.4.2).

use super::{
    AtaRegisters, Progress, ReferralSegments, Sense, SenseKey, SenseKeySpecific, be16, be64,
    bytes_at,
};
use crate::scsi::asc::AdditionalSense;
use crate::scsi::status::Status;

/// Descriptor type numbers, for those that [`Sense`] looks for itself.
pub(super) mod kind {
    pub(in super::super) const INFORMATION: u8 = 0x00;
    pub(in super::super) const COMMAND_SPECIFIC: u8 = 0x01;
    pub(in super::super) const KEY_SPECIFIC: u8 = 0x02;
    pub(in super::super) const FIELD_REPLACEABLE_UNIT: u8 = 0x03;
    pub(in super::super) const STREAM: u8 = 0x04;
    pub(in super::super) const BLOCK: u8 = 0x05;
    pub(in super::super) const ATA_STATUS_RETURN: u8 = 0x09;
    pub(in super::super) const ANOTHER_PROGRESS: u8 = 0x0A;
    pub(in super::super) const FORWARDED: u8 = 0x0C;
    pub(in super::super) const DIRECT_ACCESS_BLOCK: u8 = 0x0D;
}

/// The descriptors in sense data, one after the other. Made by [`Sense::descriptors`].
///
/// It ends when fewer than two bytes are left. A descriptor whose length runs past the end of the
/// sense data is given as far as it goes, marked as [clipped](RawSenseDescriptor::is_clipped).
#[derive(Clone, Debug)]
pub struct SenseDescriptors<'a> {
    rest: &'a [u8],
}

impl<'a> SenseDescriptors<'a> {
    pub(super) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }
}

impl<'a> Iterator for SenseDescriptors<'a> {
    type Item = RawSenseDescriptor<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let &[_, length, ..] = self.rest else {
            self.rest = &[];
            return None;
        };
        let whole = usize::from(length) + 2;
        let (bytes, rest, clipped) = match self.rest.split_at_checked(whole) {
            Some((bytes, rest)) => (bytes, rest, false),
            None => (self.rest, &[][..], true),
        };
        self.rest = rest;
        Some(RawSenseDescriptor { bytes, clipped })
    }
}

impl core::iter::FusedIterator for SenseDescriptors<'_> {}

/// One descriptor as it came. [`decode`](Self::decode) says what is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawSenseDescriptor<'a> {
    bytes: &'a [u8],
    clipped: bool,
}

impl<'a> RawSenseDescriptor<'a> {
    #[cfg(test)]
    pub(super) fn first(bytes: &'a [u8]) -> Self {
        SenseDescriptors::new(bytes).next().expect("two bytes")
    }

    /// The descriptor type: 00h to 7Fh from the standards, 80h and above from vendors.
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.bytes.first().copied().unwrap_or(0)
    }

    /// The whole descriptor with its two header bytes, so that offsets are those of the standards.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What follows the type and the length.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.bytes.get(2..).unwrap_or_default()
    }

    /// True when the descriptor says that it is longer than the bytes that are there.
    #[must_use]
    pub const fn is_clipped(&self) -> bool {
        self.clipped
    }

    /// The descriptor's content.
    ///
    /// `key` is the sense key of the sense data, which the type 02h and 0Dh need. A descriptor of
    /// a known type that is too short for it is [`SenseDescriptor::Unknown`].
    #[must_use]
    pub fn decode(&self, key: SenseKey) -> SenseDescriptor<'a> {
        self.known(key).unwrap_or(SenseDescriptor::Unknown {
            kind: self.kind(),
            body: self.body(),
        })
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn known(&self, key: SenseKey) -> Option<SenseDescriptor<'a>> {
        Some(match self.kind() {
            kind::INFORMATION => SenseDescriptor::Information {
                valid: self.byte(2)? & 0x80 != 0,
                value: be64(self.bytes, 4)?,
            },
            kind::COMMAND_SPECIFIC => SenseDescriptor::CommandSpecific(be64(self.bytes, 4)?),
            kind::KEY_SPECIFIC => SenseDescriptor::KeySpecific(SenseKeySpecific::decode(
                key,
                *bytes_at(self.bytes, 4)?,
            )),
            kind::FIELD_REPLACEABLE_UNIT => SenseDescriptor::FieldReplaceableUnit(self.byte(3)?),
            kind::STREAM => {
                let flags = self.byte(3)?;
                SenseDescriptor::Stream {
                    filemark: flags & 0x80 != 0,
                    eom: flags & 0x40 != 0,
                    ili: flags & 0x20 != 0,
                }
            }
            kind::BLOCK => SenseDescriptor::Block {
                ili: self.byte(3)? & 0x20 != 0,
            },
            number @ 0x06..=0x08 => SenseDescriptor::Osd {
                kind: number,
                body: self.body(),
            },
            kind::ATA_STATUS_RETURN => {
                SenseDescriptor::AtaStatusReturn(AtaRegisters::from_descriptor(self.bytes)?)
            }
            kind::ANOTHER_PROGRESS => SenseDescriptor::AnotherProgress {
                key: SenseKey(self.byte(2)? & 0x0F),
                additional: AdditionalSense::new(self.byte(3)?, self.byte(4)?),
                progress: Progress(be16(self.bytes, 6)?),
            },
            0x0B => SenseDescriptor::UserDataSegmentReferral {
                not_all: self.byte(2)? & 0x01 != 0,
                segments: ReferralSegments::new(self.bytes.get(4..)?),
            },
            kind::FORWARDED => SenseDescriptor::Forwarded(ForwardedSense::new(self.bytes)?),
            kind::DIRECT_ACCESS_BLOCK => SenseDescriptor::DirectAccessBlock {
                ili: self.byte(2)? & 0x20 != 0,
                key_specific: SenseKeySpecific::decode(key, *bytes_at(self.bytes, 4)?),
                fru: self.byte(7)?,
                information_valid: self.byte(2)? & 0x80 != 0,
                information: be64(self.bytes, 8)?,
                command_specific: be64(self.bytes, 16)?,
            },
            0x0E => SenseDescriptor::DeviceDesignation {
                usage: self.byte(3)?,
                designation: self.bytes.get(4..)?,
            },
            0x0F => SenseDescriptor::MicrocodeActivation {
                seconds: be16(self.bytes, 6)?,
            },
            number @ 0x80.. => SenseDescriptor::Vendor {
                kind: number,
                body: self.body(),
            },
            _ => return None,
        })
    }
}

/// What a descriptor says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SenseDescriptor<'a> {
    /// 00h: the INFORMATION field.
    Information {
        /// False when `value` is not to be used.
        valid: bool,
        /// What it means depends on the command: see [`Sense::information`].
        value: u64,
    },
    /// 01h: the COMMAND-SPECIFIC INFORMATION field.
    CommandSpecific(u64),
    /// 02h: the sense key specific bytes; `None` when they are marked as not valid.
    KeySpecific(Option<SenseKeySpecific>),
    /// 03h: a vendor's number for the part that failed; 0 names none.
    FieldReplaceableUnit(u8),
    /// 04h, tapes (SSC-5).
    Stream {
        /// A filemark was met.
        filemark: bool,
        /// The end of the medium, the partition or the early warning was met.
        eom: bool,
        /// The block has another length than was asked for.
        ili: bool,
    },
    /// 05h, disks and optical drives.
    Block {
        /// The block has another length than was asked for.
        ili: bool,
    },
    /// 06h to 08h, object storage: object identification, integrity check value, attribute.
    Osd {
        /// 06h, 07h or 08h.
        kind: u8,
        /// What follows the type and the length.
        body: &'a [u8],
    },
    /// 09h: the registers of an ATA drive (SAT-5 12.2.2).
    AtaStatusReturn(AtaRegisters),
    /// 0Ah: the progress of an operation other than the one that the sense data is about.
    AnotherProgress {
        /// What a REQUEST SENSE for that operation would return as its key.
        key: SenseKey,
        /// And as its additional sense code.
        additional: AdditionalSense,
        /// How far it has come.
        progress: Progress,
    },
    /// 0Bh: which target ports give access to which blocks (SBC-4, referrals).
    UserDataSegmentReferral {
        /// True when there are more referrals than fit; REPORT REFERRALS gives them all.
        not_all: bool,
        /// Which blocks, and by which port groups.
        segments: ReferralSegments<'a>,
    },
    /// 0Ch: the sense data of another device, for instance of the source of a copy.
    Forwarded(ForwardedSense<'a>),
    /// 0Dh: what the types 00h, 01h, 02h, 03h and 05h say, in one.
    DirectAccessBlock {
        /// The block has another length than was asked for.
        ili: bool,
        /// The sense key specific bytes; `None` when they are marked as not valid.
        key_specific: Option<SenseKeySpecific>,
        /// A vendor's number for the part that failed; 0 names none.
        fru: u8,
        /// False when `information` is not to be used.
        information_valid: bool,
        /// The INFORMATION field.
        information: u64,
        /// The COMMAND-SPECIFIC INFORMATION field.
        command_specific: u64,
    },
    /// 0Eh: a logical unit to be used instead.
    DeviceDesignation {
        /// Why it is named.
        usage: u8,
        /// A designation descriptor, as in the Device Identification VPD page.
        designation: &'a [u8],
    },
    /// 0Fh: how long new microcode takes to become active.
    MicrocodeActivation {
        /// Seconds; 0 means not known.
        seconds: u16,
    },
    /// 80h and above: a type that the vendor has made up.
    Vendor {
        /// The descriptor type.
        kind: u8,
        /// What follows the type and the length.
        body: &'a [u8],
    },
    /// A type that is not known, or a known one that is too short.
    Unknown {
        /// The descriptor type.
        kind: u8,
        /// What follows the type and the length.
        body: &'a [u8],
    },
}

/// Sense data of another device that a device passes on (SPC-6 4.4.2.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForwardedSense<'a> {
    flags: u8,
    status: u8,
    sense: &'a [u8],
}

impl<'a> ForwardedSense<'a> {
    fn new(descriptor: &'a [u8]) -> Option<Self> {
        let (&[_, _, flags, status], sense) = descriptor.split_first_chunk::<4>()?;
        Some(Self {
            flags,
            status,
            sense,
        })
    }

    /// Who the sense data is from: 0 the source of an EXTENDED COPY, 1 to 7 the destinations in
    /// the order of their descriptors.
    #[must_use]
    pub const fn source(&self) -> u8 {
        self.flags & 0x0F
    }

    /// True when the device says that it cut the sense data to fit (FSDT).
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.flags & 0x80 != 0
    }

    /// The status that came with it.
    #[must_use]
    pub const fn status(&self) -> Status {
        Status(self.status)
    }

    /// The sense data. It can hold forwarded sense data in turn; each is at least twelve bytes
    /// shorter than the one around it, so a walk down always ends soon.
    #[must_use]
    pub fn sense(&self) -> Sense<'a> {
        Sense::parse(self.sense)
    }
}
