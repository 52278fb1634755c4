//! Referrals: which target ports give access to which blocks (SBC-4 4.27).

use super::{be16, be64};

/// The segments of a user data segment referral descriptor, one after the other.
///
/// It ends when what is left is shorter than the next segment says that it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "user data segment referral descriptor")]
pub struct ReferralSegments<'a> {
    rest: &'a [u8],
}

/// Header of a segment: three reserved bytes, the number of groups, first and last block.
const HEADER: usize = 20;
/// One target port group.
const GROUP: usize = 4;

impl<'a> ReferralSegments<'a> {
    pub(super) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// The bytes that are left: 20 and 4 for each target port group.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for ReferralSegments<'a> {
    type Item = ReferralSegment<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let groups = usize::from(*self.rest.get(3)?);
        let (bytes, rest) = self.rest.split_at_checked(HEADER + groups * GROUP)?;
        self.rest = rest;
        Some(ReferralSegment {
            first: be64(bytes, 4)?,
            last: be64(bytes, 12)?,
            groups: bytes.get(HEADER..)?,
        })
    }
}

impl core::iter::FusedIterator for ReferralSegments<'_> {}

/// Blocks that can be reached by the same target ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReferralSegment<'a> {
    first: u64,
    last: u64,
    groups: &'a [u8],
}

impl<'a> ReferralSegment<'a> {
    /// The first block.
    #[must_use]
    pub const fn first_lba(&self) -> u64 {
        self.first
    }

    /// The last block.
    #[must_use]
    pub const fn last_lba(&self) -> u64 {
        self.last
    }

    /// The target port groups that give access to them.
    pub fn groups(&self) -> impl Iterator<Item = ReferralPort> + 'a {
        self.groups.chunks_exact(GROUP).filter_map(|bytes| {
            Some(ReferralPort {
                access_state: bytes.first()? & 0x0F,
                group: be16(bytes, 2)?,
            })
        })
    }
}

/// A target port group and what it can do for the blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReferralPort {
    /// The asymmetric access state (SPC-6 5.18.2): 0 active/optimized, 1 active/non-optimized,
    /// 2 standby, 3 unavailable, 4 logical block dependent, Eh offline, Fh in transition.
    pub access_state: u8,
    /// The target port group's number.
    pub group: u16,
}
