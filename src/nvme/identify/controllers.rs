//! Lists of controllers (CNS 12h, 13h) and of endurance groups (CNS 19h).

use zerocopy::byteorder::little_endian::U16;

use super::{LENGTH, entries, queries, sqe, with_controller, with_identifier};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks for up to 2047 controller identifiers, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("list-ctrl", "nvme_ctrl_list"))]
pub struct ListControllers {
    nsid: Option<Nsid>,
    first: u16,
}

impl ListControllers {
    /// All controllers of the NVM subsystem (CNS 13h).
    #[must_use]
    pub const fn all() -> Self {
        Self {
            nsid: None,
            first: 0,
        }
    }

    /// The controllers that a namespace is attached to (CNS 12h).
    #[must_use]
    pub const fn attached_to(nsid: Nsid) -> Self {
        Self {
            nsid: Some(nsid),
            first: 0,
        }
    }

    /// Only those whose identifier is at least `controller`.
    #[must_use]
    #[doc(alias = "CNTID")]
    pub const fn from(mut self, controller: u16) -> Self {
        self.first = controller;
        self
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &ControllerList) -> Option<Self> {
        let next = list.0.last()?.checked_add(1)?;
        (list.is_full() && next > self.first).then_some(self.from(next))
    }

    fn entry(&self) -> Sqe {
        let cns = if self.nsid.is_some() { 0x12 } else { 0x13 };
        with_controller(sqe(cns, self.nsid), self.first)
    }
}

queries!(ListControllers => ControllerList, ListEnduranceGroups => EnduranceGroupList);

/// A list of identifiers: how many there are, then they themselves.
fn identifiers(bytes: &[u8]) -> Result<Vec<u16>, Malformed> {
    let (count, _) = super::prefix::<U16>(bytes)?;
    let ids = entries::<U16>(bytes, 2, usize::from(count.get()))?;
    Ok(ids.iter().map(|id| id.get()).collect())
}

/// A Controller List. NVMe Base 2.1, 4.6.1.
///
/// ```
/// use passthru::nvme::identify::ControllerList;
///
/// let list = ControllerList::parse(&[2, 0, 1, 0, 2, 0])?;
/// assert_eq!(list.ids(), [1, 2]);
/// assert!(ControllerList::parse(&[3, 0, 1, 0, 2, 0]).is_err());
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_ctrl_list")]
pub struct ControllerList(Vec<u16>);

impl ControllerList {
    /// Reads a list.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 2 bytes, [`Malformed::Length`] for a
    /// list that names more controllers than it holds.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        identifiers(bytes).map(Self)
    }

    /// The controllers' identifiers.
    #[must_use]
    #[doc(alias = "CNTLID")]
    pub fn ids(&self) -> &[u16] {
        &self.0
    }

    /// Whether the list has no room left, so that there may be more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.len() == LENGTH / 2 - 1
    }
}

/// Asks for up to 2047 identifiers of endurance groups, in ascending order (CNS
/// 19h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("endgrp-list", "nvme_id_endurance_group_list"))]
pub struct ListEnduranceGroups {
    first: u16,
}

impl ListEnduranceGroups {
    /// Those whose identifier is at least `group`; 0 for all.
    #[must_use]
    #[doc(alias = "ENDGID")]
    pub const fn from(group: u16) -> Self {
        Self { first: group }
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &EnduranceGroupList) -> Option<Self> {
        let next = list.0.last()?.checked_add(1)?;
        (list.is_full() && next > self.first).then_some(Self { first: next })
    }

    fn entry(&self) -> Sqe {
        with_identifier(sqe(0x19, None), self.first)
    }
}

/// An Endurance Group List. NVMe Base 2.1, 5.1.13.2, CNS 19h.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_id_endurance_group_list")]
pub struct EnduranceGroupList(Vec<u16>);

impl EnduranceGroupList {
    /// Reads a list.
    ///
    /// # Errors
    /// As [`ControllerList::parse`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        identifiers(bytes).map(Self)
    }

    /// The groups' identifiers.
    #[must_use]
    #[doc(alias = "ENDGID")]
    pub fn ids(&self) -> &[u16] {
        &self.0
    }

    /// Whether the list has no room left, so that there may be more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.len() == LENGTH / 2 - 1
    }
}
