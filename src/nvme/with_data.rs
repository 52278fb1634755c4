//! Commands that know the bytes that they send.

use std::borrow::Cow;

use super::DataOut;

/// A data-out command whose data has a structure of its own, which its value
/// holds: a list of ranges, reservation keys.
///
/// [`NvmeTransportExt::send`](crate::NvmeTransportExt::send) sends it with that.
///
/// ```
/// use passthru::nvme::{Command, Lengths, WithData, io::{DatasetManagement, DatasetRange}};
///
/// let trim = DatasetManagement::new([DatasetRange::new(64, 8)]).unwrap().deallocate(true);
/// assert_eq!(trim.data().len(), 16);
/// assert!(trim.sqe(Lengths::data(trim.data().len())).is_ok());
/// ```
pub trait WithData: DataOut {
    /// The bytes, as many as its entry wants.
    fn data(&self) -> Cow<'_, [u8]>;
}
