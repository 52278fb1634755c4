//! Whose memory a command moves.

use std::{
    io::{IoSlice, IoSliceMut},
    path::Path,
};

use super::*;
use crate::{
    Error,
    nvme::{NvmeStatus, admin::AttachNamespace, identify::IdentifyController},
};

/// A controller that does as real ones do: whatever is asked for, Identify
/// writes 4096 bytes.
struct Whole;

impl NvmeTransport for Whole {
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        let (data, _) = request.into_buffers();
        let address = match &data {
            Data::In(slice) => slice.as_ptr().addr(),
            Data::Out(slice) => slice.as_ptr().addr(),
            other => panic!("{other:?}"),
        };
        assert_eq!(address % 4096, 0, "whole pages of the crate's own");
        Ok(Completion::new(NvmeStatus::from_raw(0), address as u64))
    }

    fn path(&self) -> &Path {
        Path::new("whole")
    }
}

/// Ten bytes that do not begin a page.
#[repr(align(4096))]
struct Page([u8; 4096]);

#[test]
fn admin_commands_never_move_the_callers_memory() {
    let mut page = Page([7; 4096]);
    let address = page.0[..10].as_ptr().addr() as u64;
    let slice = &mut page.0[..10];
    let read = Whole.read(&IdentifyController, slice).unwrap();
    assert_ne!(read.result(), address);
    let read = Whole
        .read_with_metadata(&IdentifyController, slice, &mut [])
        .unwrap();
    assert_ne!(read.result(), address);
    let attach = AttachNamespace::attach(Nsid::ALL);
    let address = page.0.as_ptr().addr() as u64;
    for written in [
        Whole.write(&attach, &page.0),
        Whole.write_with_metadata(&attach, &page.0, &[]),
    ] {
        assert_ne!(written.unwrap().result(), address);
    }
}

#[test]
fn admin_commands_have_no_metadata_and_no_list_of_slices() {
    fn kind(result: Result<Completion>) -> NvmeErrorKind {
        match result.unwrap_err() {
            Error::Nvme(error) => {
                assert!(!error.was_sent());
                match error.kind() {
                    NvmeErrorKind::Length(mismatch) => NvmeErrorKind::Length(*mismatch),
                    NvmeErrorKind::Unsupported { what } => NvmeErrorKind::Unsupported { what },
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other}"),
        }
    }
    let (mut data, mut metadata) = ([0; 4096], [0; 8]);
    let read = Whole.read_with_metadata(&IdentifyController, &mut data, &mut metadata);
    assert!(matches!(
        kind(read),
        NvmeErrorKind::Length(LengthMismatch::NoMetadata)
    ));
    let read = Whole.read_vectored(&IdentifyController, &mut [IoSliceMut::new(&mut data)]);
    assert!(matches!(kind(read), NvmeErrorKind::Unsupported { .. }));
    let attach = AttachNamespace::attach(Nsid::ALL);
    let written = Whole.write_vectored(&attach, &[IoSlice::new(&data)]);
    assert!(matches!(kind(written), NvmeErrorKind::Unsupported { .. }));
}
