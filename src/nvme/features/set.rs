//! Set Features.

use super::{FeatureId, id::Moves};
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, NoData, Nsid, Queue, Sqe, command::sealed::Sealed,
};

/// Set Features (09h): changes a feature's value. NVMe Base 2.1, 5.1.25.
///
/// A feature whose value is a dword is set by `execute`, one that has data by
/// `write`, with a buffer of [`data_len`](Self::data_len) bytes; features of
/// vendors always with 8192 bytes, the most that any feature may take, filled
/// up with zeros.
///
/// These are refused by [`new`](Self::new), since their value is or may be an
/// address that the controller keeps after the command: Host Memory Buffer
/// (0Dh), and features of the specifications that this crate does not know.
///
/// The kernel (6.12) refuses these to everybody, root included
/// ([`NvmeErrorKind::NotPermitted`](crate::NvmeErrorKind::NotPermitted)),
/// because they are its own: Number of Queues (07h), Autonomous Power State
/// Transition (0Ch), Keep Alive Timer (0Fh, but for fabrics) and Host Behavior
/// Support (16h). Older kernels pass them on.
///
/// ```
/// use passthru::nvme::{Command, Lengths, features::{FeatureId, SetFeature}};
///
/// let set = SetFeature::new(FeatureId::VOLATILE_WRITE_CACHE, 1).unwrap().save(true);
/// let sqe = set.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x09, 0x8000_0006, 1));
/// assert!(SetFeature::new(FeatureId::HOST_MEMORY_BUFFER, 1).is_none());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("set-feature", "nvme_admin_set_features"))]
pub struct SetFeature {
    id: FeatureId,
    moves: Moves,
    save: bool,
    nsid: Option<Nsid>,
    dword11: u32,
    dword12: u32,
    uuid_index: u8,
}

impl SetFeature {
    /// Sets the feature; `dword11` is its value, or what it is a value of.
    /// `None` for a feature that safe code cannot set.
    #[must_use]
    pub const fn new(id: FeatureId, dword11: u32) -> Option<Self> {
        match id.set_moves(dword11) {
            Some(moves) => Some(Self::known(id, moves, dword11)),
            None => None,
        }
    }

    const fn known(id: FeatureId, moves: Moves, dword11: u32) -> Self {
        Self {
            id,
            moves,
            save: false,
            nsid: None,
            dword11,
            dword12: 0,
            uuid_index: 0,
        }
    }

    /// Of one of this crate's types.
    pub(super) const fn typed(id: FeatureId, dword11: u32) -> Self {
        match id.set_moves(dword11) {
            Some(moves) => Self::known(id, moves, dword11),
            // None of the types is one of these; the controller's whole buffer
            // is the careful answer.
            None => Self::known(id, Moves::Unknown, dword11),
        }
    }

    /// With command dword 12, which two features of the specification have.
    pub(super) const fn dword12(mut self, dword12: u32) -> Self {
        self.dword12 = dword12;
        self
    }

    /// So that the value comes back after a reset or a loss of power (SV).
    #[doc(alias = "SV")]
    pub const fn save(mut self, save: bool) -> Self {
        self.save = save;
        self
    }

    /// Of a namespace, for the features that are a namespace's, or of all of
    /// them.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.nsid = Some(nsid);
        self
    }

    /// Which entry of the UUID list defines a vendor's feature, 1 to 127; 0 for
    /// none. Higher bits are dropped.
    #[doc(alias = "UIDX")]
    pub const fn uuid_index(mut self, index: u8) -> Self {
        self.uuid_index = index & 0x7f;
        self
    }

    /// How many bytes of data it moves, and so how long the buffer is; 0 if
    /// there are none.
    #[must_use]
    pub const fn data_len(&self) -> usize {
        self.moves.length()
    }
}

impl Sealed for SetFeature {}

impl Command for SetFeature {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.moves.check(lengths)?;
        Ok(Sqe {
            nsid: self.nsid.map_or(0, Nsid::get),
            cdw10: u32::from(self.save) << 31 | u32::from(self.id.0),
            cdw11: self.dword11,
            cdw12: self.dword12,
            cdw14: u32::from(self.uuid_index),
            ..Sqe::new(0x09)
        })
    }
}

/// For features whose value is a dword.
impl NoData for SetFeature {}

impl DataOut for SetFeature {}
