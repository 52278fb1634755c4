//! The reply of REPORT KEY.

use super::{Agid, KeyClass, KeyFormat, key::HEADER};
use crate::scsi::{LengthLie, Malformed, ReplyBytes, lengths, wire};

/// The reply of [`ReportKey`](super::ReportKey): a header of 4 bytes and what was
/// asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReply<'a> {
    class: KeyClass,
    format: KeyFormat,
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> KeyReply<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(
        class: KeyClass,
        format: KeyFormat,
        bytes: ReplyBytes<'a>,
    ) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(class, format, bytes, asked)
    }

    pub(super) fn asked(
        class: KeyClass,
        format: KeyFormat,
        bytes: ReplyBytes<'a>,
        asked: usize,
    ) -> Result<Self, Malformed> {
        lengths::enough(&bytes, HEADER)?;
        Ok(Self {
            class,
            format,
            bytes,
            asked,
        })
    }

    fn claimed(&self) -> usize {
        usize::from(wire::be16(&self.bytes, 0).unwrap_or(0)).saturating_add(2)
    }

    /// What follows the header, as far as it is there.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        wire::part(&self.bytes, HEADER, self.claimed()).unwrap_or_default()
    }

    fn is(&self, format: KeyFormat) -> bool {
        self.class == KeyClass::DVD && self.format == format
    }

    /// The grant, if one was asked for.
    #[must_use]
    pub fn agid(&self) -> Option<Agid> {
        // AACS gives its grants out by format 00h as well.
        let is = self.format == KeyFormat::AGID || self.is(KeyFormat::AGID_FOR_CPRM);
        Some(Agid::new(wire::byte(self.data(), 3).filter(|_| is)? >> 6))
    }

    /// Whether the authentication was a success, if that was asked for.
    #[must_use]
    #[doc(alias = "ASF")]
    pub fn authentication_success(&self) -> Option<bool> {
        wire::flag(self.data(), 3, 0x01).filter(|_| self.is(KeyFormat::AUTHENTICATION_SUCCESS))
    }

    /// The drive's region, if that was asked for.
    #[must_use]
    pub fn rpc_state(&self) -> Option<RpcState> {
        let bytes = wire::array(self.data(), 0).filter(|_| self.is(KeyFormat::RPC_STATE))?;
        Some(RpcState { bytes })
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        lengths::lie(self.claimed(), HEADER, self.bytes.len(), self.asked)
    }
}

/// How firmly a drive's region is set (TYPE CODE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RpcType(pub u8);

impl RpcType {
    /// Not set yet.
    pub const NONE: Self = Self(0);
    /// Set.
    pub const SET: Self = Self(1);
    /// Set, with one change left.
    pub const LAST_CHANCE: Self = Self(2);
    /// For good.
    pub const PERMANENT: Self = Self(3);
}

/// The region that a drive plays DVDs of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("rpc_state_t", "RPC", "Regional Playback Control"))]
pub struct RpcState {
    bytes: [u8; 3],
}

impl RpcState {
    /// How firmly it is set.
    #[must_use]
    pub const fn kind(&self) -> RpcType {
        RpcType(self.bytes[0] >> 6)
    }

    /// How often the vendor can still reset it.
    #[must_use]
    #[doc(alias = "VENDOR RESETS AVAILABLE")]
    pub const fn vendor_resets(&self) -> u8 {
        (self.bytes[0] >> 3) & 0x07
    }

    /// How often the user can still change it.
    #[must_use]
    #[doc(alias = "USER CONTROLLED CHANGES AVAILABLE")]
    pub const fn user_changes(&self) -> u8 {
        self.bytes[0] & 0x07
    }

    /// Which regions it does not play: bit 0 is region 1. FFh if none is set.
    #[must_use]
    #[doc(alias = "REGION MASK")]
    pub const fn region_mask(&self) -> u8 {
        self.bytes[1]
    }

    /// Whether it plays a region, 1 to 8; `None` for other numbers.
    #[must_use]
    pub fn plays_region(&self, region: u8) -> Option<bool> {
        let bit = region.checked_sub(1).filter(|&bit| bit < 8)?;
        Some(self.region_mask() & (1 << bit) == 0)
    }

    /// By which scheme it is enforced: 0 unknown, 1 RPC phase II, in the drive.
    #[must_use]
    #[doc(alias = "RPC SCHEME")]
    pub const fn scheme(&self) -> u8 {
        self.bytes[2]
    }
}
