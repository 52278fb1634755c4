//! Features whose value is a data structure.

use core::marker::PhantomData;

use super::{FeatureId, GetFeature, Select};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, Nsid, Query, Queue, Sqe,
    command::sealed::Sealed,
};

/// A feature whose value is a data structure. It is set by `write` of the
/// type's `set` with its `to_bytes`.
pub trait DataFeature: Sized + Sealed {
    /// Its identifier.
    const ID: FeatureId;

    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed`] if the bytes are not one.
    fn parse(bytes: &[u8]) -> Result<Self, Malformed>;

    /// Asks for the value: send it by `query`.
    fn get() -> GetData<Self> {
        GetData {
            get: GetFeature::new(Self::ID),
            reply: PhantomData,
        }
    }
}

/// Get Features for a value with a type: see [`DataFeature::get`].
///
/// ```
/// use passthru::nvme::{Command, Lengths, features::{DataFeature, Select, Timestamp}};
///
/// let sqe = Timestamp::get().select(Select::Default).sqe(Lengths::data(8))?;
/// assert_eq!(sqe.cdw10, 0x10e);
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct GetData<F> {
    get: GetFeature,
    reply: PhantomData<fn() -> F>,
}

impl<F> GetData<F> {
    /// Another value than the current one. (What can be done with a feature,
    /// [`Select::Supported`], is completion dword 0: `read` a [`GetFeature`]
    /// for that.)
    pub const fn select(mut self, select: Select) -> Self {
        self.get = self.get.select(select);
        self
    }

    /// Of a namespace.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.get = self.get.namespace(nsid);
        self
    }

    pub(super) const fn dword11(mut self, dword11: u32) -> Self {
        self.get = self.get.dword11(dword11);
        self
    }
}

impl<F> Sealed for GetData<F> {}

impl<F> Command for GetData<F> {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.get.sqe(lengths)
    }
}

impl<F> DataIn for GetData<F> {}

impl<F: DataFeature> Query for GetData<F> {
    type Reply = F;

    fn reply_length(&self) -> usize {
        self.get.data_len()
    }

    fn parse(&self, bytes: &[u8]) -> Result<F, Malformed> {
        F::parse(bytes)
    }
}

/// The first `N` bytes.
pub(super) fn prefix<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Malformed> {
    bytes.first_chunk().ok_or(Malformed::Short {
        need: N,
        got: bytes.len(),
    })
}
