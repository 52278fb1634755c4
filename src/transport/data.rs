//! The data of a command.

use std::io::{IoSlice, IoSliceMut};

/// The data of one command: its direction and its memory in one value.
#[derive(Debug)]
#[non_exhaustive]
#[doc(alias("dxfer_direction", "dxferp", "SG_DXFER_FROM_DEV", "SG_DXFER_TO_DEV"))]
pub enum Data<'a> {
    /// No data (`SG_DXFER_NONE`).
    None,
    /// From the device into the slice (`SG_DXFER_FROM_DEV`).
    In(&'a mut [u8]),
    /// From the slice to the device (`SG_DXFER_TO_DEV`).
    Out(&'a [u8]),
    /// From the device into several slices, one after the other: at most 1024,
    /// on sg and block nodes.
    InVectored(&'a mut [IoSliceMut<'a>]),
    /// From several slices to the device: at most 1024, on sg and block nodes.
    OutVectored(&'a [IoSlice<'a>]),
}

impl Data<'_> {
    /// How many bytes there are in all.
    #[must_use]
    pub fn len(&self) -> usize {
        fn total(mut lens: impl Iterator<Item = usize>) -> usize {
            lens.try_fold(0, usize::checked_add).unwrap_or(usize::MAX)
        }
        match self {
            Self::None => 0,
            Self::In(slice) => slice.len(),
            Self::Out(slice) => slice.len(),
            Self::InVectored(slices) => total(slices.iter().map(|slice| slice.len())),
            Self::OutVectored(slices) => total(slices.iter().map(|slice| slice.len())),
        }
    }

    /// Whether there is nothing to move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For a transport that has a device's answer in memory: copies it into
    /// data-in memory, as much as fits, and returns how many bytes that were (0
    /// for other directions).
    pub fn fill_from(&mut self, answer: &[u8]) -> usize {
        fn fill(slice: &mut [u8], answer: &[u8]) -> usize {
            let len = slice.len().min(answer.len());
            for (to, from) in slice.iter_mut().zip(answer) {
                *to = *from;
            }
            len
        }
        match self {
            Self::In(slice) => fill(slice, answer),
            Self::InVectored(slices) => slices.iter_mut().fold(0, |done, slice| {
                done + fill(slice, answer.get(done..).unwrap_or_default())
            }),
            _ => 0,
        }
    }
}
