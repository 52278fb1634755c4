//! What the kernel's interface would have one believe, and what the crate says.

use std::time::{Duration, Instant};

use passthru::{
    Data, Error, Metadata, NvmeController, NvmeError, NvmeErrorKind, NvmeNamespace, NvmeTransport,
    NvmeTransportExt, OpenOptions, Options,
    nvme::{
        Sqe,
        identify::IdentifyController,
        io::{Read, Write},
    },
};

use super::guarded::Guarded;
use crate::nvme_lab::{controller, namespace, namespaces};

fn nvme(error: Error) -> NvmeError {
    match error {
        Error::Nvme(error) => *error,
        other => panic!("{other}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_number_in_a_name_is_no_namespace_id() {
    let all = namespaces("PTSUB");
    assert!(all.len() > 3);
    for (nsid, generic, block) in all {
        for node in [generic, block] {
            let opened = NvmeNamespace::open(&node).unwrap();
            assert_eq!(opened.nsid().get(), nsid, "{}", node.display());
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_transfer_over_the_limit_is_too_large_and_not_sent() {
    let (generic, block) = namespace("PTMDTS", 1);
    for node in [generic, block] {
        let namespace = NvmeNamespace::open(node).unwrap();
        assert_eq!(namespace.max_transfer(), Some(128 << 10));
        let mut good = vec![0; 128 << 10];
        namespace.read(&Read::new(0, 256), &mut good).unwrap();
        let mut more = Guarded::new(0, 132 << 10);
        let error = nvme(
            namespace
                .read(&Read::new(0, 264), more.bytes())
                .unwrap_err(),
        );
        assert!(!error.was_sent());
        assert!(error.to_string().contains("at most 131072"), "{error}");
        match error.kind() {
            NvmeErrorKind::TooLarge { len, limit, source } => {
                assert_eq!((*len, *limit), (132 << 10, Some(128 << 10)));
                assert_eq!(source.as_ref().unwrap().raw_os_error(), Some(libc::EINVAL));
            }
            other => panic!("{other:?}"),
        }
        more.check();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_is_a_cancelled_command_and_no_signal() {
    let (generic, _) = namespace("PTSLOW", 1);
    let impatient = Options::new().timeout(Duration::from_millis(500));
    let slow = NvmeNamespace::open_with(&generic, &OpenOptions::new().defaults(impatient)).unwrap();
    let begin = Instant::now();
    let mut blocks = vec![0; 8 * 512];
    let error = slow.read(&Read::new(0, 8), &mut blocks);
    // A first command may be served from what the throttle has saved up.
    let error = match error {
        Ok(_) => slow.read(&Read::new(0, 8), &mut blocks).unwrap_err(),
        Err(error) => error,
    };
    let error = nvme(error);
    // By a reset of the controller, or, where the controller aborts the command
    // in time, by its status.
    assert!(error.is_cancelled(), "{error} after {:?}", begin.elapsed());
    assert!(error.was_sent());
    match error.kind() {
        NvmeErrorKind::Cancelled { source } => {
            assert_eq!(source.raw_os_error(), Some(libc::EINTR));
            assert!(error.to_string().contains("may have been carried out"));
        }
        NvmeErrorKind::Status(_) => {}
        other => panic!("{other:?}"),
    }
    // The command has ended, but the reset goes on: until it is over there is no
    // path to the namespace.
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut block = vec![0; 512];
    while let Err(error) =
        NvmeNamespace::open(&generic).and_then(|slow| slow.read(&Read::new(0, 1), &mut block))
    {
        assert!(Instant::now() < deadline, "{error}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn read_only_handles_let_nothing_through_that_changes_anything() {
    let (generic, block) = namespace("PTSUB", 1);
    let data = vec![1; 512];
    for node in [generic, block] {
        let namespace = NvmeNamespace::open(node).unwrap();
        let error = nvme(namespace.write(&Write::new(0, 1), &data).unwrap_err());
        assert!(matches!(error.kind(), NvmeErrorKind::ReadOnly), "{error}");
        assert!(!error.was_sent());
        // A raw one is judged as well: Flush.
        // SAFETY: Flush moves no data.
        let flushed =
            unsafe { namespace.submit_raw(&Sqe::new(0x00), Data::None, Metadata::None, None) };
        let error = nvme(flushed.unwrap_err());
        assert!(matches!(error.kind(), NvmeErrorKind::ReadOnly), "{error}");
    }
    let drive = NvmeController::open(controller("PTSUB")).unwrap();
    // SAFETY: Format NVM moves no data.
    let formatted = unsafe { drive.submit_raw(&Sqe::new(0x80), Data::None, None) };
    let error = nvme(formatted.unwrap_err());
    assert!(matches!(error.kind(), NvmeErrorKind::ReadOnly), "{error}");
    assert!(matches!(drive.reset(), Err(Error::Unsupported { .. })));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_io_command_does_not_go_to_a_controller() {
    let drive = NvmeController::open(controller("PTPLAIN")).unwrap();
    let mut block = vec![0; 512];
    let error = nvme(drive.read(&Read::new(0, 1), &mut block).unwrap_err());
    // It has no format by which to tell what is moved.
    assert!(matches!(error.kind(), NvmeErrorKind::Length(_)), "{error}");
    assert!(!error.was_sent());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn timeouts_have_bounds() {
    for (timeout, good) in [
        (Duration::ZERO, false),
        (Duration::from_secs(5), true),
        (Duration::from_secs(1 << 33), false),
    ] {
        let options = OpenOptions::new().defaults(Options::new().timeout(timeout));
        let drive = NvmeController::open_with(controller("PTPLAIN"), &options).unwrap();
        let result = drive.query(&IdentifyController);
        assert_eq!(result.is_ok(), good, "{timeout:?}: {result:?}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn resets_and_rescans() {
    let drive = NvmeController::open_rw(controller("PTMDTS")).unwrap();
    drive.rescan().unwrap();
    drive.reset().unwrap();
    assert_eq!(drive.query(&IdentifyController).unwrap().serial(), "PTMDTS");
    let error = drive.subsystem_reset().unwrap_err();
    // QEMU's controllers cannot do that.
    assert_eq!(error.raw_os_error(), Some(libc::ENOTTY), "{error}");
}
