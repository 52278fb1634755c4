//! What several commands have in common: checks of protection information,
//! hints, directives.

/// Which guard the protection information has; it decides how wide the tags of
/// a block are. NVM Command Set 1.1, 5.3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "PIF")]
pub enum Guard {
    /// 16-bit guard: storage tag and reference tag have 32 bits together.
    Bits16,
    /// 32-bit guard: they have 80 bits together.
    Bits32,
    /// 64-bit guard: they have 48 bits together.
    Bits64,
}

impl Guard {
    const fn tag_bits(self) -> u32 {
        match self {
            Self::Bits16 => 32,
            Self::Bits32 => 80,
            Self::Bits64 => 48,
        }
    }
}

/// The logical block storage tag and the initial logical block reference tag of
/// a command: up to 80 bits, the storage tag above the reference tag.
///
/// ```
/// use passthru::nvme::io::{BlockTags, Guard};
///
/// // A namespace with 64-bit guards and a storage tag of 16 bits (STS).
/// let tags = BlockTags::new(Guard::Bits64, 16, 0xabcd, 0x1234_5678);
/// assert_eq!(tags.map(BlockTags::bits), Some(0xabcd_1234_5678));
/// // The reference tag has the other 32 bits.
/// assert_eq!(BlockTags::new(Guard::Bits64, 16, 0, 1 << 32), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("LBST", "ILBRT", "EILBRT", "LBTU", "ELBTU"))]
pub struct BlockTags(u128);

impl BlockTags {
    /// Tags for namespaces with this guard whose storage tag has `storage_bits`
    /// bits (STS of the format). `None` if a tag does not fit.
    #[must_use]
    pub const fn new(guard: Guard, storage_bits: u8, storage: u64, reference: u64) -> Option<Self> {
        let storage_bits = storage_bits as u32;
        let Some(reference_bits) = guard.tag_bits().checked_sub(storage_bits) else {
            return None;
        };
        let (storage, reference) = (storage as u128, reference as u128);
        if storage >> storage_bits != 0 || reference >> reference_bits != 0 {
            return None;
        }
        Some(Self(storage << reference_bits | reference))
    }

    /// A reference tag of 32 bits and no storage tag: for the low 32 bits of the
    /// first block's address, which protection of type 1 wants.
    #[must_use]
    pub const fn reference(reference: u32) -> Self {
        Self(reference as u128)
    }

    /// All bits, as they stand in CDW2 (bits 79:64), CDW3 (63:32) and CDW14.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// CDW2, CDW3 and CDW14.
    #[allow(clippy::cast_possible_truncation)] // parts of the tags
    pub(super) const fn dwords(self) -> (u32, u32, u32) {
        ((self.0 >> 64) as u32, (self.0 >> 32) as u32, self.0 as u32)
    }
}

/// What a command does with the protection information of its blocks (PRINFO,
/// and the tags that it is compared with). NVM Command Set 1.1, 5.3.
///
/// Without any of it, protection information is moved like other metadata and
/// not checked.
///
/// ```
/// use passthru::nvme::io::{Protect, Read};
///
/// // Type 1: all three checked by the controller, the tags moved to the caller.
/// let lba = 0x1_0000_0002;
/// let checked = Protect::NONE.check_guard(true).check_reference(lba as u32);
/// # let _ =
/// Read::new(lba, 8).protect(checked);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("PRINFO", "PRCHK"))]
pub struct Protect {
    /// PRACT, guard, application tag, reference tag: bits 3 to 0.
    prinfo: u8,
    storage_check: bool,
    tags: BlockTags,
    application: u16,
    mask: u16,
}

impl Protect {
    /// No action, no checks, tags of 0.
    pub const NONE: Self = Self {
        prinfo: 0,
        storage_check: false,
        tags: BlockTags(0),
        application: 0,
        mask: 0,
    };

    const fn prinfo(mut self, bit: u8, on: bool) -> Self {
        self.prinfo = self.prinfo & !(1 << bit) | (on as u8) << bit;
        self
    }

    /// The controller makes protection information of what is written and takes
    /// it off what is read (PRACT). If the metadata is nothing else, none is
    /// moved: the buffers are for blocks without metadata.
    #[must_use]
    #[doc(alias = "PRACT")]
    pub const fn action(self, action: bool) -> Self {
        self.prinfo(3, action)
    }

    /// Checks the guard.
    #[must_use]
    pub const fn check_guard(self, check: bool) -> Self {
        self.prinfo(2, check)
    }

    /// Checks the bits of the application tag that are set in `mask` against
    /// `tag`.
    #[must_use]
    #[doc(alias("LBAT", "LBATM", "ELBAT", "ELBATM"))]
    pub const fn check_application(self, tag: u16, mask: u16) -> Self {
        self.prinfo(1, true).application_tag(tag, mask)
    }

    /// Checks the reference tag, of 32 bits for the first block.
    #[must_use]
    #[doc(alias("ILBRT", "EILBRT"))]
    pub const fn check_reference(self, first: u32) -> Self {
        self.prinfo(0, true).tags(BlockTags::reference(first))
    }

    /// Checks reference and storage tag, of any width.
    #[must_use]
    #[doc(alias = "STC")]
    pub const fn check_tags(mut self, tags: BlockTags) -> Self {
        self.storage_check = true;
        self.prinfo(0, true).tags(tags)
    }

    /// Checks the storage tag or not.
    #[must_use]
    #[doc(alias = "STC")]
    pub const fn check_storage(mut self, check: bool) -> Self {
        self.storage_check = check;
        self
    }

    /// The tags without asking for a check: what the controller writes with
    /// [`action`](Self::action).
    #[must_use]
    pub const fn tags(mut self, tags: BlockTags) -> Self {
        self.tags = tags;
        self
    }

    /// The application tag and its mask without asking for a check.
    #[must_use]
    pub const fn application_tag(mut self, tag: u16, mask: u16) -> Self {
        self.application = tag;
        self.mask = mask;
        self
    }

    /// Whether the controller makes and takes off the protection information.
    #[must_use]
    pub const fn acts(&self) -> bool {
        self.prinfo & 8 != 0
    }

    /// PRINFO.
    pub(super) const fn info(&self) -> u32 {
        self.prinfo as u32
    }

    /// PRINFO and STC, where CDW12 has them.
    pub(super) const fn cdw12(&self) -> u32 {
        self.info() << 26 | (self.storage_check as u32) << 24
    }

    pub(super) const fn checks_storage(&self) -> bool {
        self.storage_check
    }

    pub(super) const fn block_tags(&self) -> BlockTags {
        self.tags
    }

    /// The application tag and its mask.
    pub(super) const fn application(&self) -> (u16, u16) {
        (self.application, self.mask)
    }

    /// The entry with the tags.
    pub(super) fn tagged(&self, mut sqe: super::Sqe) -> super::Sqe {
        (sqe.cdw2, sqe.cdw3, sqe.cdw14) = self.tags.dwords();
        sqe.cdw15 = u32::from(self.mask) << 16 | u32::from(self.application);
        sqe
    }
}

/// How the blocks are going to be used (DSM). Hints only. NVM Command Set 1.1,
/// 3.3.4 and 3.3.6, CDW13.
///
/// ```
/// use passthru::nvme::io::Hints;
///
/// let hints = Hints::NONE.sequential(true).latency(Hints::LOW_LATENCY);
/// assert_eq!(hints.bits(), 0x70);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("DSM", "Dataset Management"))]
pub struct Hints(u8);

impl Hints {
    /// None.
    pub const NONE: Self = Self(0);
    /// For [`latency`](Self::latency): longer is good enough.
    pub const IDLE_LATENCY: u8 = 1;
    /// For [`latency`](Self::latency): as is usual.
    pub const NORMAL_LATENCY: u8 = 2;
    /// For [`latency`](Self::latency): as small as can be.
    pub const LOW_LATENCY: u8 = 3;

    /// How often they are accessed, 0 (not said) to 15; see the figure of the
    /// command. Higher bits are dropped.
    #[must_use]
    pub const fn frequency(self, frequency: u8) -> Self {
        Self(self.0 & 0xf0 | frequency & 0x0f)
    }

    /// How long an access may take, 0 (not said) to 3. Higher bits are dropped.
    #[must_use]
    pub const fn latency(self, latency: u8) -> Self {
        Self(self.0 & 0xcf | (latency & 3) << 4)
    }

    /// The command is part of a sequence of them.
    #[must_use]
    pub const fn sequential(self, sequential: bool) -> Self {
        Self(self.0 & 0xbf | (sequential as u8) << 6)
    }

    /// The data does not get smaller by compressing it.
    #[must_use]
    pub const fn incompressible(self, incompressible: bool) -> Self {
        Self(self.0 & 0x7f | (incompressible as u8) << 7)
    }

    /// The byte.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Where the data of a write goes (directive type and specific value). NVMe Base
/// 2.1, 8.1.8.
///
/// ```
/// use passthru::nvme::io::{Directive, Write};
///
/// // To the reclaim unit that placement handle 2 names (FDP).
/// # let _ =
/// Write::new(0, 8).directive(Directive::placement(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("DTYPE", "DSPEC"))]
pub struct Directive {
    kind: u8,
    specific: u16,
}

impl Directive {
    /// None.
    pub const NONE: Self = Self {
        kind: 0,
        specific: 0,
    };

    /// To a stream (type 01h).
    #[must_use]
    pub const fn stream(id: u16) -> Self {
        Self {
            kind: 1,
            specific: id,
        }
    }

    /// By flexible data placement (type 02h): a placement identifier, reclaim
    /// group and placement handle.
    #[must_use]
    #[doc(alias("FDP", "PID"))]
    pub const fn placement(pid: u16) -> Self {
        Self {
            kind: 2,
            specific: pid,
        }
    }

    /// Any type, 0 to 15 (higher bits are dropped).
    #[must_use]
    pub const fn new(kind: u8, specific: u16) -> Self {
        Self {
            kind: kind & 0x0f,
            specific,
        }
    }

    /// Where CDW12 has the type.
    pub(super) const fn cdw12(self) -> u32 {
        (self.kind as u32) << 20
    }

    /// Where CDW13 has the specific value.
    pub(super) const fn cdw13(self) -> u32 {
        (self.specific as u32) << 16
    }
}
