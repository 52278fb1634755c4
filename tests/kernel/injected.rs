//! Host and SCSI statuses that the simulated host is told to give. That needs a
//! kernel from 6.7 on: `cargo vm test` leaves tests named `.._by_injection` out
//! on 6.1, and says so.

use std::{fs, path::PathBuf, process::Command};

use passthru::{
    Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt, Verdict,
    scsi::{Cdb, Read10},
};

use crate::lab::{ScsiDebug, Unit};

const READ: Cdb = Cdb::from_array([0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0]);

/// The file that takes errors to be given; the module has it since 6.7.
fn injector(unit: &Unit) -> Option<PathBuf> {
    let folder = PathBuf::from("/sys/kernel/debug/scsi_debug");
    if !folder.exists() {
        let _ = Command::new("mount")
            .args(["-t", "debugfs", "none", "/sys/kernel/debug"])
            .output();
    }
    let file = folder.join(unit.sysfs.file_name()?).join("error");
    file.exists().then_some(file)
}

struct Injected {
    host: u8,
    status: u8,
    /// Sense key, ASC, ASCQ.
    sense: [u8; 3],
}

/// Every time: for bsg nodes the kernel may try again by itself.
const ALWAYS: i32 = 1;
const ONCE: i32 = -1;

/// One READ through `send` under the injected result, and one through `read`.
fn under(
    file: &PathBuf,
    device: &ScsiDevice,
    times: i32,
    what: &Injected,
) -> [Result<passthru::Outcome, Error>; 2] {
    let [key, asc, ascq] = what.sense;
    let line = format!(
        "2 {times} 0x28 0x{:02x} 0 0x{:02x} 0x{key:02x} 0x{asc:02x} 0x{ascq:02x}",
        what.host, what.status
    );
    let result = [0, 1].map(|call| {
        fs::write(file, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut buffer = [0xee; 512];
        let result = match call {
            0 => device.send(&READ, Data::In(&mut buffer), &Options::new()),
            _ => device.read(&Read10::new(0, 1), &mut buffer),
        };
        let _ = fs::write(file, "- 2 0x28");
        result
    });
    device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap();
    result
}

fn each(mut body: impl FnMut(&PathBuf, &ScsiDevice)) {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let file = injector(lab.unit()).expect("a kernel from 6.7 on, whose scsi_debug injects errors");
    for device in lab.unit().open_all() {
        body(&file, &device);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_host_status_is_a_transport_error_and_kept_by_injection() {
    each(|file, device| {
        for host in [
            0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e, 0x0f, 0x14,
        ] {
            let what = Injected {
                host,
                status: 0,
                sense: [0; 3],
            };
            let [sent, read] = under(file, device, ALWAYS, &what);
            let outcome = sent.unwrap();
            let kind = device.kind();
            assert_eq!(outcome.host().0, u16::from(host), "{kind:?}: {outcome:?}");
            assert_eq!(
                outcome.verdict(),
                Verdict::Transport,
                "{kind:?}: {outcome:?}"
            );
            assert_eq!(outcome.transferred(), 0, "{kind:?}: {outcome:?}");
            let error = read.unwrap_err();
            assert!(matches!(error, Error::Transport(_)), "{error:?}");
            assert!(error.was_sent());
            assert!(error.to_string().contains("DID_"), "{error}");
        }
    });
}

/// Those which the kernel itself handles: it sends the command again, or takes
/// the status for a remark.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn host_statuses_that_the_kernel_absorbs_by_injection() {
    each(|file, device| {
        for host in [0x0a, 0x0c, 0x0d] {
            let what = Injected {
                host,
                status: 0,
                sense: [0; 3],
            };
            for outcome in under(file, device, ONCE, &what) {
                let outcome = outcome.unwrap();
                assert_eq!(outcome.verdict(), Verdict::Good, "{host:02x}: {outcome:?}");
            }
        }
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_scsi_status_is_kept_and_judged_by_injection() {
    each(|file, device| {
        // Sense data with key NO SENSE comes with each.
        for (status, verdict) in [
            (0x04, Verdict::GoodWithSense),
            (0x14, Verdict::GoodWithSense),
            (0x18, Verdict::Status),
            (0x22, Verdict::Status),
            (0x30, Verdict::Status),
            (0x40, Verdict::Status),
        ] {
            let what = Injected {
                host: 0,
                status,
                sense: [0; 3],
            };
            let [sent, read] = under(file, device, ALWAYS, &what);
            let outcome = sent.unwrap();
            let kind = device.kind();
            assert_eq!(outcome.status().0, status, "{kind:?}: {outcome:?}");
            assert_eq!(outcome.verdict(), verdict, "{kind:?}: {outcome:?}");
            match read {
                Ok(_) => assert!(verdict.is_success()),
                Err(error) => assert!(matches!(error, Error::Status(_)), "{error:?}"),
            }
        }
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_sense_key_is_kept_and_judged_by_injection() {
    each(|file, device| {
        for key in 0x01..=0x0f {
            // UNIT ATTENTION and the like with an ASC of no special meaning.
            let what = Injected {
                host: 0,
                status: 2,
                sense: [key, 0x80, 0x81],
            };
            let [sent, read] = under(file, device, ALWAYS, &what);
            let outcome = sent.unwrap();
            let kind = device.kind();
            let sense = outcome.sense();
            let success = [0x01, 0x0f].contains(&key);
            assert_eq!(
                sense.key().map(|key| key.0),
                Some(key),
                "{kind:?} {outcome:?}"
            );
            let additional = sense.additional().unwrap();
            assert_eq!((additional.asc, additional.ascq), (0x80, 0x81));
            assert_eq!(outcome.verdict().is_success(), success, "{outcome:?}");
            assert_eq!(read.is_ok(), success, "{kind:?} {key:x}: {read:?}");
        }
    });
}

/// Sense data beside a host status: both reach the caller.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sense_beside_a_host_status_is_kept_by_injection() {
    each(|file, device| {
        let what = Injected {
            host: 0x07,
            status: 2,
            sense: [3, 0x11, 0x04],
        };
        let [sent, _] = under(file, device, ALWAYS, &what);
        let outcome = sent.unwrap();
        assert_eq!(outcome.verdict(), Verdict::Transport, "{outcome:?}");
        assert_eq!(outcome.host().0, 7);
        assert_eq!(
            outcome.sense().key().map(|key| key.0),
            Some(3),
            "{outcome:?}"
        );
    });
}
