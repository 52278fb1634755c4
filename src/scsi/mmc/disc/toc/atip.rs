//! Format 4: the ATIP.

use super::{Lba, Msf, SizedReply, wire};

/// The absolute time in pre-groove (format 0100b): what the maker of a
/// recordable CD has put into its groove. A getter gives `None` if the reply
/// ends before the field. Times are in binary.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{Lba, Msf, ReadToc}};
///
/// let reply = [
///     0x00, 0x1a, 0, 0, 0xd0, 0x00, 0xa8, 0, 97, 26, 66, 0, 79, 59, 74, 0, 0, 0, 0, 0, 0, 0, 0,
///     0, 0, 0, 0, 0,
/// ];
/// let atip = ReadToc::atip().parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!(atip.is_rewritable(), Some(false));
/// assert_eq!(atip.lead_in(), Msf::new(97, 26, 66));
/// assert_eq!(atip.last_lead_out_lba(), Some(Lba(359_849)));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "ATIP")]
pub struct Atip<'a>(SizedReply<'a>);

impl<'a> Atip<'a> {
    pub(super) const fn new(reply: SizedReply<'a>) -> Self {
        Self(reply)
    }

    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.0
    }

    /// The indicative target writing power, a code of 0 to 7 whose meaning
    /// depends on the disc type.
    #[must_use]
    #[doc(alias = "ITWP")]
    pub fn writing_power(&self) -> Option<u8> {
        Some((self.byte(4)? >> 4) & 0x07)
    }

    /// Whether it is a double density CD (obsolete).
    #[must_use]
    #[doc(alias = "DDCD")]
    pub fn is_double_density(&self) -> Option<bool> {
        wire::flag(self.0.as_bytes(), 4, 0x08)
    }

    /// The reference speed of a rewritable disc, a code of 0 to 7.
    #[must_use]
    pub fn reference_speed(&self) -> Option<u8> {
        Some(self.byte(4)? & 0x07)
    }

    /// Whether the disc is for unrestricted use; if not it is for audio recorders
    /// or another special purpose.
    #[must_use]
    #[doc(alias = "URU")]
    pub fn is_unrestricted(&self) -> Option<bool> {
        wire::flag(self.0.as_bytes(), 5, 0x40)
    }

    /// Whether it is a rewritable disc.
    #[must_use]
    pub fn is_rewritable(&self) -> Option<bool> {
        wire::flag(self.0.as_bytes(), 6, 0x40)
    }

    /// The sub-type, a code of 0 to 7; of a rewritable disc 0 is the first speed
    /// class, 1 high speed, 2 ultra speed, 3 ultra speed plus.
    #[must_use]
    pub fn sub_type(&self) -> Option<u8> {
        Some((self.byte(6)? >> 3) & 0x07)
    }

    /// When the lead-in begins, which is what tells the maker of the disc; `None`
    /// also if it is no time.
    #[must_use]
    #[doc(alias("manufacturer", "MID"))]
    pub fn lead_in(&self) -> Option<Msf> {
        self.time(8)
    }

    /// The time of the last possible lead-out, the disc's capacity; `None` also if
    /// it is no time.
    #[must_use]
    pub fn last_lead_out(&self) -> Option<Msf> {
        self.time(12)
    }

    /// The block address where the lead-in begins.
    #[must_use]
    pub fn lead_in_lba(&self) -> Option<Lba> {
        self.lead_in().map(Msf::to_lba)
    }

    /// The block address of the last possible lead-out, on a disc of more than 90
    /// minutes too.
    #[must_use]
    pub fn last_lead_out_lba(&self) -> Option<Lba> {
        self.last_lead_out().map(Msf::to_program_lba)
    }

    /// The three bytes of the A1 values, if the disc has them.
    #[must_use]
    pub fn a1(&self) -> Option<[u8; 3]> {
        self.additional(0x04, 16)
    }

    /// The three bytes of the A2 values, if the disc has them.
    #[must_use]
    pub fn a2(&self) -> Option<[u8; 3]> {
        self.additional(0x02, 20)
    }

    /// The three bytes of the A3 values, if the disc has them.
    #[must_use]
    pub fn a3(&self) -> Option<[u8; 3]> {
        self.additional(0x01, 24)
    }

    /// The three bytes of the S4 values, if the reply is so long.
    #[must_use]
    pub fn s4(&self) -> Option<[u8; 3]> {
        wire::array(self.0.as_bytes(), 28)
    }

    fn time(&self, offset: usize) -> Option<Msf> {
        wire::array(self.0.as_bytes(), offset).and_then(Msf::from_binary)
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        wire::byte(self.0.as_bytes(), offset)
    }

    fn additional(&self, valid: u8, offset: usize) -> Option<[u8; 3]> {
        if !wire::flag(self.0.as_bytes(), 6, valid)? {
            return None;
        }
        wire::array(self.0.as_bytes(), offset)
    }
}
