//! Get Features.

use super::{FeatureId, Select};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, NoData, Nsid, Query, Queue, Sqe,
    command::sealed::Sealed,
};

/// Get Features (0Ah): a feature's value. NVMe Base 2.1, 5.1.11.
///
/// How it is sent is a matter of the feature: `execute` for one whose value is
/// completion dword 0, `read` for one that has data as well, whose buffer has
/// [`data_len`](Self::data_len) bytes, or `query` for its data alone. With the
/// wrong one nothing is sent
/// ([`LengthMismatch::Data`]): a feature's data without a buffer would be
/// written somewhere.
///
/// A feature that this crate does not know, and those of vendors, always get a
/// buffer of 8192 bytes, the most that any feature may move. How much of it
/// means something, its vendor says.
///
/// ```
/// use passthru::nvme::{Command, Lengths, features::{FeatureId, GetFeature, Select}};
///
/// let get = GetFeature::new(FeatureId::VOLATILE_WRITE_CACHE).select(Select::Saved);
/// let sqe = get.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10), (0x0a, 0x206));
///
/// let clock = GetFeature::new(FeatureId::TIMESTAMP);
/// assert_eq!(clock.data_len(), 8);
/// assert!(clock.sqe(Lengths::data(0)).is_err(), "it has data");
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("get-feature", "nvme_admin_get_features"))]
pub struct GetFeature {
    id: FeatureId,
    select: Select,
    nsid: Option<Nsid>,
    dword11: u32,
    uuid_index: u8,
}

impl GetFeature {
    /// The current value of a feature of the controller.
    pub const fn new(id: FeatureId) -> Self {
        Self {
            id,
            select: Select::Current,
            nsid: None,
            dword11: 0,
            uuid_index: 0,
        }
    }

    /// Another value than the current one.
    pub const fn select(mut self, select: Select) -> Self {
        self.select = select;
        self
    }

    /// Of a namespace, for the features that are a namespace's. A namespace's
    /// node takes no other than its own, and wants it for all features.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.nsid = Some(nsid);
        self
    }

    /// Command dword 11, which for some features says which of several values.
    pub const fn dword11(mut self, dword11: u32) -> Self {
        self.dword11 = dword11;
        self
    }

    /// Which entry of the UUID list defines a vendor's feature, 1 to 127; 0 for
    /// none. Higher bits are dropped.
    #[doc(alias = "UIDX")]
    pub const fn uuid_index(mut self, index: u8) -> Self {
        self.uuid_index = index & 0x7f;
        self
    }

    /// How many bytes of data it moves, and so how long the buffer is; 0 if the
    /// value is completion dword 0 alone.
    #[must_use]
    pub const fn data_len(&self) -> usize {
        self.id.get_moves(self.dword11).length()
    }
}

impl Sealed for GetFeature {}

impl Command for GetFeature {
    const QUEUE: Queue = Queue::Admin;

    // The length is the same whatever is selected: a controller that does not
    // know SEL gives the current value, with its data.
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.id.get_moves(self.dword11).check(lengths)?;
        Ok(Sqe {
            nsid: self.nsid.map_or(0, Nsid::get),
            cdw10: self.select.bits() << 8 | u32::from(self.id.0),
            cdw11: self.dword11,
            cdw14: u32::from(self.uuid_index),
            ..Sqe::new(0x0a)
        })
    }
}

/// For features whose value is completion dword 0.
impl NoData for GetFeature {}

impl DataIn for GetFeature {}

impl Query for GetFeature {
    type Reply = Vec<u8>;

    fn reply_length(&self) -> usize {
        self.data_len()
    }

    fn parse(&self, bytes: &[u8]) -> Result<Vec<u8>, Malformed> {
        Ok(bytes.to_vec())
    }
}
