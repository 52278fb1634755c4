//! Flexible Data Placement.

use super::{FeatureId, GetFeature, SetFeature, data};
use crate::nvme::{Malformed, Nsid, bits};

/// Flexible Data Placement (1Dh) of an endurance group: whether it is in use, and
/// with which configuration. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::{Command, Lengths, features::FlexibleDataPlacement};
///
/// let sqe = FlexibleDataPlacement::new(true, 2).set_of(1).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.cdw11, sqe.cdw12), (1, 0x201));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
#[doc(alias("FDP", "nvme_feat_fdp"))]
pub struct FlexibleDataPlacement(u32);

impl FlexibleDataPlacement {
    /// In use or not, with the configuration `index`.
    pub const fn new(enabled: bool, index: u8) -> Self {
        Self(enabled as u32 | (index as u32) << 8)
    }

    /// Of completion dword 0.
    pub const fn from_dword(dword0: u32) -> Self {
        Self(dword0)
    }

    /// Asks for the value of an endurance group.
    pub const fn get_of(endurance_group: u16) -> GetFeature {
        GetFeature::new(FeatureId::FLEXIBLE_DATA_PLACEMENT).dword11(endurance_group as u32)
    }

    /// Sets the value of an endurance group, which must have no namespace.
    pub const fn set_of(self, endurance_group: u16) -> SetFeature {
        SetFeature::typed(FeatureId::FLEXIBLE_DATA_PLACEMENT, endurance_group as u32)
            .dword12(self.0)
    }

    /// Whether it is in use (FDPE).
    #[must_use]
    #[doc(alias = "FDPE")]
    pub const fn is_enabled(self) -> bool {
        self.0 & 1 != 0
    }

    /// The configuration's index (FDPCIDX).
    #[must_use]
    #[doc(alias = "FDPCIDX")]
    pub const fn index(self) -> u8 {
        bits::byte(self.0, 8)
    }
}

/// Flexible Data Placement Events (1Eh): which events of a placement handle are
/// recorded. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::features::FdpEvents;
///
/// let events = FdpEvents::parse(&[0x00, 1, 0x80, 0], 2)?;
/// assert!(events.events()[0].recorded && !events.events()[1].recorded);
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_fdp_supported_event_desc")]
pub struct FdpEvents(Vec<FdpEvent>);

/// An event that a placement handle can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FdpEvent {
    /// Its type (EVT): 00h to 7Fh are the host's, 80h to FFh the controller's.
    pub kind: u8,
    /// Whether it is recorded.
    pub recorded: bool,
}

impl FdpEvents {
    /// Asks for at most `most` events of a placement handle of a namespace: send
    /// it by `read` with two bytes for each.
    pub const fn get(nsid: Nsid, placement_handle: u16, most: u8) -> GetFeature {
        GetFeature::new(FeatureId::FLEXIBLE_DATA_PLACEMENT_EVENTS)
            .namespace(nsid)
            .dword11(placement_handle as u32 | (most as u32) << 16)
    }

    /// Records `count` types of events or not: send it by `write` with a byte
    /// for each, its type.
    pub const fn set(nsid: Nsid, placement_handle: u16, count: u8, record: bool) -> SetFeature {
        SetFeature::typed(
            FeatureId::FLEXIBLE_DATA_PLACEMENT_EVENTS,
            placement_handle as u32 | (count as u32) << 16,
        )
        .namespace(nsid)
        .dword12(record as u32)
    }

    /// Reads the data, of which completion dword 0 says how many events there
    /// are.
    ///
    /// # Errors
    /// [`Malformed::Length`] if that is more than the bytes hold.
    pub fn parse(bytes: &[u8], dword0: u32) -> Result<Self, Malformed> {
        let (named, held) = (u64::from(dword0), bytes.len() as u64 / 2);
        if named > held {
            return Err(Malformed::Length { named, max: held });
        }
        let events = bytes.chunks_exact(2).take(dword0 as usize);
        let events = events.filter_map(|pair| data::prefix(pair).ok());
        let events = events.map(|&[kind, attributes]| FdpEvent {
            kind,
            recorded: attributes & 1 != 0,
        });
        Ok(Self(events.collect()))
    }

    /// The events.
    #[must_use]
    pub fn events(&self) -> &[FdpEvent] {
        &self.0
    }
}
