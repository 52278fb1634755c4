//! The INFORMATION field, whose meaning is the command's.

use core::ops::Range;

use super::{Sense, SenseFormat, SenseKey, be64, descriptor::kind, fixed};
use crate::scsi::asc::AdditionalSense;

impl Sense<'_> {
    /// The INFORMATION field, when the device marked it as valid.
    ///
    /// Its meaning is the command's: the first block in error for READ, WRITE and VERIFY, the
    /// difference of lengths for tapes ([`information_signed`](Self::information_signed)), ATA
    /// registers for ATA PASS-THROUGH ([`ata_registers`](Self::ata_registers)). Fixed format has
    /// 32 bits for it, so a block address beyond that is not valid there or cut. Firmware often
    /// marks a zero as valid that means nothing.
    #[must_use]
    pub fn information(&self) -> Option<u64> {
        self.information_field()
            .filter(|field| field.valid)
            .map(|field| field.value)
    }

    /// The INFORMATION field, valid or not.
    #[must_use]
    pub fn information_raw(&self) -> Option<u64> {
        self.information_field().map(|field| field.value)
    }

    /// The INFORMATION field, when valid, as a signed number of the width that it has.
    ///
    /// A tape drive puts requested length minus actual length there when a block has another
    /// length than was asked for: negative when the block on the tape is larger.
    #[must_use]
    pub fn information_signed(&self) -> Option<i64> {
        let field = self.information_field().filter(|field| field.valid)?;
        Some(if field.wide {
            i64::from_be_bytes(field.value.to_be_bytes())
        } else {
            let [_, _, _, _, low @ ..] = field.value.to_be_bytes();
            i64::from(i32::from_be_bytes(low))
        })
    }

    fn information_field(&self) -> Option<Information> {
        match self.format() {
            SenseFormat::Fixed => Some(Information {
                valid: fixed::valid(self.bytes),
                wide: false,
                value: u64::from(fixed::information(self.bytes)?),
            }),
            SenseFormat::Descriptor => self.combined(kind::INFORMATION, 4, 8, |bytes, at| {
                Some(Information {
                    valid: bytes.get(2)? & 0x80 != 0,
                    wide: true,
                    value: be64(bytes, at)?,
                })
            }),
            _ => None,
        }
    }

    /// The block that the error is about, for a command on the blocks `asked`: the
    /// [INFORMATION](Self::information) field where it can be that.
    ///
    /// It must be marked as valid, lie among the blocks that were asked for, come with a key that
    /// tells of an error at a block (RECOVERED, MEDIUM and HARDWARE ERROR, BLANK CHECK, ABORTED
    /// COMMAND), and be neither a difference of lengths nor ATA registers, nor about an earlier
    /// command. Firmware that marks a zero as valid that means nothing is still believed when
    /// block 0 was asked for.
    ///
    /// For READ and VERIFY the blocks before it are good. With fixed format sense data, blocks
    /// beyond 32 bits are never named.
    ///
    /// ```
    /// use passthru::scsi::Sense;
    ///
    /// let bytes = [
    ///     0xF0, 0, 0x03, 0, 0, 0, 0xB1, 10, 0, 0, 0, 0, 0x11, 0x00, 0, 0, 0, 0,
    /// ];
    /// let sense = Sense::parse(&bytes);
    /// assert_eq!(sense.failed_block(170..180), Some(177));
    /// assert_eq!(sense.failed_block(178..188), None); // a lie, or another meaning
    /// ```
    #[must_use]
    pub fn failed_block(&self, asked: Range<u64>) -> Option<u64> {
        let at_a_block = matches!(
            self.key()?,
            SenseKey::RECOVERED_ERROR
                | SenseKey::MEDIUM_ERROR
                | SenseKey::HARDWARE_ERROR
                | SenseKey::BLANK_CHECK
                | SenseKey::ABORTED_COMMAND
        );
        let a_length = self.ili() || self.filemark() || self.eom();
        let registers = self.additional() == Some(AdditionalSense::ATA_PASS_THROUGH_INFORMATION);
        if !at_a_block || a_length || registers || self.is_deferred() {
            return None;
        }
        self.information().filter(|block| asked.contains(block))
    }
}

/// The INFORMATION field with what is needed to read it.
struct Information {
    valid: bool,
    /// 64 bits, not 32.
    wide: bool,
    value: u64,
}
