//! No safe admin command writes outside its buffer, though the controller moves
//! whole pages.

use std::io::IoSliceMut;

use passthru::{
    NvmeErrorKind, NvmeTransportExt,
    nvme::{
        Command, DataIn, StatusCode,
        admin::AttachNamespace,
        features::{FeatureId, GetFeature},
        identify::{IdentifyController, IdentifyNamespace, ListNamespaces},
        log::{GetLog, LogId},
    },
};

use super::{
    guarded::{GUARD, Guarded},
    support::{drive, failure, number, refused, status},
};

/// A command into `len` bytes: the beginning of `whole` comes, and nothing else.
/// No other call takes it.
fn beginning<C: Command + DataIn>(command: &C, whole: &[u8], len: usize) {
    let drive = drive("PTSUB");
    for offset in [0, 4, 4090, 1] {
        let mut memory = Guarded::new(offset, len);
        drive.read(command, memory.bytes()).unwrap();
        memory.check();
        let expected = whole.get(..len).unwrap_or(whole);
        assert!(memory.bytes()[..expected.len()] == *expected, "{len}");
        let rest = &memory.bytes()[expected.len()..];
        assert!(rest.iter().all(|byte| *byte == 0), "{len}");
    }
    let mut memory = Guarded::new(0, len);
    refused(&mut memory, |bytes| {
        let (first, second) = bytes.split_at_mut(len / 2);
        let mut slices = [IoSliceMut::new(first), IoSliceMut::new(second)];
        drive.read_vectored(command, &mut slices)
    });
    // Nor by this call, which moves the caller's own memory.
    let mut metadata = [GUARD; 8];
    for metadata in [&mut metadata[..], &mut []] {
        refused(&mut memory, |bytes| {
            drive.read_with_metadata(command, bytes, metadata)
        });
    }
    assert_eq!(metadata, [GUARD; 8]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn identify_gives_the_beginning_and_changes_nothing_else() {
    let drive = drive("PTSUB");
    let mut whole = vec![0; 4096];
    drive.read(&IdentifyController, &mut whole).unwrap();
    let mut list = vec![0; 4096];
    let active = ListNamespaces::active();
    drive.read(&active, &mut list).unwrap();
    for len in [1, 2, 3, 10, 511, 512, 4095, 4096] {
        beginning(&IdentifyController, &whole, len);
        beginning(&active, &list, len);
    }
    for len in [0, 4097, 8192] {
        refused(&mut Guarded::new(0, len), |data| {
            drive.read(&IdentifyController, data)
        });
        refused(&mut Guarded::new(0, len), |data| {
            drive.read_with_metadata(&IdentifyNamespace::new(number(1)), data, &mut [])
        });
    }
    let mut memory = Guarded::new(0, 4096);
    let nobody = drive.read(&IdentifyNamespace::new(number(4000)), memory.bytes());
    assert_eq!(status(nobody), StatusCode::INVALID_NAMESPACE_OR_FORMAT);
    memory.untouched();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn log_pages_of_any_length_stay_within() {
    let drive = drive("PTSUB");
    // It is the same at each call.
    let log = GetLog::new(LogId::COMMAND_EFFECTS);
    let mut whole = vec![0; 4096];
    drive.read(&log, &mut whole).unwrap();
    assert!(whole.iter().any(|byte| *byte != 0));
    for len in [
        4,
        8,
        508,
        512,
        516,
        4092,
        4096,
        4100,
        8192,
        12292,
        128 << 10,
    ] {
        beginning(&log, &whole, len);
    }
    for len in [0, 1, 2, 3, 5, 511, 4095, 8191] {
        refused(&mut Guarded::new(0, len), |data| drive.read(&log, data));
    }
    let mut memory = Guarded::new(0, 512);
    let nothing = drive.read(&GetLog::new(LogId::new(0x7f)), memory.bytes());
    assert!(matches!(
        status(nothing),
        StatusCode::INVALID_FIELD | StatusCode::INVALID_LOG_PAGE
    ));
    memory.untouched();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_log_page_over_the_limit_is_not_sent() {
    let drive = drive("PTMDTS");
    let log = GetLog::new(LogId::COMMAND_EFFECTS);
    let mut most = Guarded::new(0, 128 << 10);
    drive.read(&log, most.bytes()).unwrap();
    most.check();
    let mut more = Guarded::new(0, 132 << 10);
    let error = failure(drive.read(&log, more.bytes()));
    assert!(
        matches!(error.kind(), NvmeErrorKind::TooLarge { .. }),
        "{error:?}"
    );
    assert!(!error.was_sent());
    more.untouched();
    // A query comes in pieces. QEMU refuses those that begin beyond the page.
    let bytes = drive.query(&log.bytes(4096)).unwrap();
    assert!(bytes == most.bytes()[..4096]);
    let beyond = drive.query(&log.bytes(132 << 10));
    assert_eq!(status(beyond), StatusCode::INVALID_FIELD);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn features_with_data_stay_within() {
    let drive = drive("PTSUB");
    for (id, good) in [(FeatureId::TIMESTAMP, 8), (FeatureId::HOST_BEHAVIOR, 512)] {
        let get = GetFeature::new(id);
        assert_eq!(get.data_len(), good);
        for offset in [0, 4, 4094] {
            let mut memory = Guarded::new(offset, good);
            drive.read(&get, memory.bytes()).unwrap();
            memory.check();
            assert!(memory.bytes().iter().any(|byte| *byte != GUARD), "{id}");
        }
        for len in [0, 1, 4, good - 1, good + 1, 4096] {
            refused(&mut Guarded::new(0, len), |data| drive.read(&get, data));
        }
        let error = failure(drive.execute(&get));
        assert!(!error.was_sent(), "{error}");
    }
    // One of a vendor's might move two pages.
    let get = GetFeature::new(FeatureId(0xc0));
    let mut memory = Guarded::new(0, 8192);
    assert_eq!(
        status(drive.read(&get, memory.bytes())),
        StatusCode::INVALID_FIELD
    );
    memory.untouched();
    for len in [0, 512, 4096, 8191] {
        refused(&mut Guarded::new(0, len), |data| drive.read(&get, data));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lists_of_controllers_have_a_page() {
    let drive = drive("PTSUB");
    for len in [0, 2, 4095, 4097, 8192] {
        let list = vec![0; len];
        for result in [
            drive.write(&AttachNamespace::attach(number(6)), &list),
            drive.write_with_metadata(&AttachNamespace::attach(number(6)), &list, &[]),
        ] {
            let error = failure(result);
            assert!(
                matches!(
                    error.kind(),
                    NvmeErrorKind::Length(_) | NvmeErrorKind::Unsupported { .. }
                ),
                "{error}"
            );
            assert!(!error.was_sent());
        }
    }
}
