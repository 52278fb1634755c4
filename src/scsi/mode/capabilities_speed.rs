//! The writing speeds at the end of page 2Ah.

use crate::scsi::{mmc::RotationControl, wire};

/// A speed at which the disc in the drive can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "LOGICAL UNIT WRITE SPEED PERFORMANCE DESCRIPTOR")]
pub struct WriteSpeed {
    /// How the disc turns.
    pub rotation_control: RotationControl,
    /// The speed in kB/s.
    pub speed: u16,
}

/// The [`WriteSpeed`]s of a page.
#[derive(Clone, Debug)]
pub struct WriteSpeeds<'a> {
    rest: &'a [u8],
}

impl<'a> WriteSpeeds<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }
}

impl Iterator for WriteSpeeds<'_> {
    type Item = WriteSpeed;

    fn next(&mut self) -> Option<WriteSpeed> {
        let (descriptor, rest) = self.rest.split_at_checked(4)?;
        self.rest = rest;
        Some(WriteSpeed {
            rotation_control: RotationControl(wire::byte(descriptor, 1)? & 0x03),
            speed: wire::be16(descriptor, 2)?,
        })
    }
}
