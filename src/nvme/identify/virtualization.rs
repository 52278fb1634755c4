//! Primary and secondary controllers (CNS 14h, 15h): SR-IOV.

use bitflags::bitflags;
use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{entries, queries, sqe, with_controller};
use crate::nvme::{Malformed, Sqe};

/// Asks which resources a primary controller can give to secondary ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("primary-ctrl-caps", "nvme_primary_ctrl_cap"))]
pub struct IdentifyPrimaryController {
    controller: u16,
}

impl IdentifyPrimaryController {
    /// The controller whose identifier is `controller`.
    #[must_use]
    #[doc(alias = "CNTID")]
    pub const fn new(controller: u16) -> Self {
        Self { controller }
    }

    fn entry(&self) -> Sqe {
        with_controller(sqe(0x14, None), self.controller)
    }
}

queries!(
    IdentifyPrimaryController => PrimaryControllerData,
    ListSecondaryControllers => SecondaryControllerList,
);

bitflags! {
    /// Kinds of resources that can be moved between controllers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "CRT")]
    pub struct ControllerResources: u8 {
        /// Queues (VQ).
        const QUEUES = 1 << 0;
        /// Interrupts (VI).
        const INTERRUPTS = 1 << 1;
        // Later revisions may define more.
        const _ = !0;
    }
}

/// The Primary Controller Capabilities data structure. NVMe Base 2.1,
/// 5.1.13.2, CNS 14h.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_primary_ctrl_cap")]
pub struct PrimaryControllerData(PrimaryControllerDataWire);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PrimaryControllerDataWire {
    cntlid: U16,
    portid: U16,
    crt: u8,
    reserved_5: [u8; 27],
    queues: Resources,
    reserved_48: [u8; 16],
    interrupts: Resources,
}

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Resources {
    flexible_total: U32,
    flexible_assigned: U32,
    flexible_primary: U16,
    private_total: U16,
    flexible_secondary_maximum: U16,
    granularity: U16,
}

const _: () = assert!(size_of::<PrimaryControllerDataWire>() == 80);

impl PrimaryControllerData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 80 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        super::prefix(bytes).map(|(data, _)| Self(data))
    }

    /// The controller's identifier.
    #[must_use]
    #[doc(alias = "CNTLID")]
    pub fn controller_id(&self) -> u16 {
        self.0.cntlid.get()
    }

    /// The port of the NVM subsystem that it is at.
    #[must_use]
    #[doc(alias = "PORTID")]
    pub fn port_id(&self) -> u16 {
        self.0.portid.get()
    }

    /// Which resources can be moved.
    #[must_use]
    #[doc(alias = "CRT")]
    pub fn resource_types(&self) -> ControllerResources {
        ControllerResources::from_bits_retain(self.0.crt)
    }

    /// How many queues can be given to primary and secondary controllers.
    #[must_use]
    #[doc(alias = "VQFRT")]
    pub fn flexible_queues(&self) -> u32 {
        self.0.queues.flexible_total.get()
    }

    /// How many of the flexible queues secondary controllers have.
    #[must_use]
    #[doc(alias = "VQRFA")]
    pub fn assigned_queues(&self) -> u32 {
        self.0.queues.flexible_assigned.get()
    }

    /// How many of the flexible queues the primary controller has.
    #[must_use]
    #[doc(alias = "VQRFAP")]
    pub fn primary_queues(&self) -> u16 {
        self.0.queues.flexible_primary.get()
    }

    /// How many queues are always the primary controller's.
    #[must_use]
    #[doc(alias = "VQPRT")]
    pub fn private_queues(&self) -> u16 {
        self.0.queues.private_total.get()
    }

    /// How many queues a secondary controller can be given.
    #[must_use]
    #[doc(alias = "VQFRSM")]
    pub fn secondary_queues_maximum(&self) -> u16 {
        self.0.queues.flexible_secondary_maximum.get()
    }

    /// In which steps queues are best given; 0 if not reported.
    #[must_use]
    #[doc(alias = "VQGRAN")]
    pub fn queue_granularity(&self) -> u16 {
        self.0.queues.granularity.get()
    }

    /// How many interrupts can be given to primary and secondary controllers.
    #[must_use]
    #[doc(alias = "VIFRT")]
    pub fn flexible_interrupts(&self) -> u32 {
        self.0.interrupts.flexible_total.get()
    }

    /// How many of the flexible interrupts secondary controllers have.
    #[must_use]
    #[doc(alias = "VIRFA")]
    pub fn assigned_interrupts(&self) -> u32 {
        self.0.interrupts.flexible_assigned.get()
    }

    /// How many of the flexible interrupts the primary controller has.
    #[must_use]
    #[doc(alias = "VIRFAP")]
    pub fn primary_interrupts(&self) -> u16 {
        self.0.interrupts.flexible_primary.get()
    }

    /// How many interrupts are always the primary controller's.
    #[must_use]
    #[doc(alias = "VIPRT")]
    pub fn private_interrupts(&self) -> u16 {
        self.0.interrupts.private_total.get()
    }

    /// How many interrupts a secondary controller can be given.
    #[must_use]
    #[doc(alias = "VIFRSM")]
    pub fn secondary_interrupts_maximum(&self) -> u16 {
        self.0.interrupts.flexible_secondary_maximum.get()
    }

    /// In which steps interrupts are best given; 0 if not reported.
    #[must_use]
    #[doc(alias = "VIGRAN")]
    pub fn interrupt_granularity(&self) -> u16 {
        self.0.interrupts.granularity.get()
    }
}

/// Asks for up to 127 secondary controllers of the primary controller that is
/// asked, in ascending order of their identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("secondary-ctrl-list", "nvme_secondary_ctrl_list"))]
pub struct ListSecondaryControllers {
    first: u16,
}

impl ListSecondaryControllers {
    /// Those whose identifier is at least `controller`; 0 for all.
    #[must_use]
    #[doc(alias = "CNTID")]
    pub const fn from(controller: u16) -> Self {
        Self { first: controller }
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &SecondaryControllerList) -> Option<Self> {
        let next = list.0.last()?.id().checked_add(1)?;
        (list.0.len() == 127 && next > self.first).then_some(Self { first: next })
    }

    fn entry(&self) -> Sqe {
        with_controller(sqe(0x15, None), self.first)
    }
}

/// A Secondary Controller Entry. NVMe Base 2.1, 5.1.13.2, CNS 15h.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_secondary_ctrl")]
pub struct SecondaryController(SecondaryControllerWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct SecondaryControllerWire {
    scid: U16,
    pcid: U16,
    scs: u8,
    reserved_5: [u8; 3],
    vfn: U16,
    nvq: U16,
    nvi: U16,
    reserved_14: [u8; 18],
}

const _: () = assert!(size_of::<SecondaryControllerWire>() == 32);

impl SecondaryController {
    /// Its identifier.
    #[must_use]
    #[doc(alias = "SCID")]
    pub fn id(&self) -> u16 {
        self.0.scid.get()
    }

    /// The identifier of its primary controller.
    #[must_use]
    #[doc(alias = "PCID")]
    pub fn primary_id(&self) -> u16 {
        self.0.pcid.get()
    }

    /// Whether it is online.
    #[must_use]
    #[doc(alias = "SCS")]
    pub fn is_online(&self) -> bool {
        self.0.scs & 1 != 0
    }

    /// The number of its virtual function; 0 if it is none.
    #[must_use]
    #[doc(alias = "VFN")]
    pub fn virtual_function(&self) -> u16 {
        self.0.vfn.get()
    }

    /// How many flexible queues it was given.
    #[must_use]
    #[doc(alias = "NVQ")]
    pub fn queues(&self) -> u16 {
        self.0.nvq.get()
    }

    /// How many flexible interrupts it was given.
    #[must_use]
    #[doc(alias = "NVI")]
    pub fn interrupts(&self) -> u16 {
        self.0.nvi.get()
    }
}

/// The Secondary Controller List. NVMe Base 2.1, 5.1.13.2, CNS 15h.
///
/// ```
/// use passthru::nvme::identify::SecondaryControllerList;
///
/// let mut bytes = [0; 64];
/// (bytes[0], bytes[32], bytes[36]) = (1, 9, 1);
/// let list = SecondaryControllerList::parse(&bytes)?;
/// assert_eq!(list.controllers()[0].id(), 9);
/// assert!(list.controllers()[0].is_online());
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "nvme_secondary_ctrl_list")]
pub struct SecondaryControllerList(Vec<SecondaryController>);

impl SecondaryControllerList {
    /// Reads the list.
    ///
    /// # Errors
    /// [`Malformed::Short`] for no bytes, [`Malformed::Length`] for a list that
    /// names more controllers than it holds.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (count, _) = super::prefix::<u8>(bytes)?;
        let found = entries(bytes, 32, usize::from(count))?;
        Ok(Self(found.into_iter().map(SecondaryController).collect()))
    }

    /// The controllers, 127 at most.
    #[must_use]
    pub fn controllers(&self) -> &[SecondaryController] {
        &self.0
    }
}
