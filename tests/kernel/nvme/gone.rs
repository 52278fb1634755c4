//! A controller that goes away, or is reset, under a command.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeTransportExt,
    nvme::{StatusCode, identify::IdentifyController, io::Read},
};

use super::{
    guarded::Guarded,
    support::{drive, within},
};
use crate::{
    lab::eventually,
    nvme_lab::{controller, namespace},
};

/// The controller's folder in sysfs, if it is there.
fn find(serial: &str) -> Option<PathBuf> {
    let all = fs::read_dir("/sys/class/nvme").unwrap().flatten();
    all.map(|entry| entry.path()).find(|path| {
        fs::read_to_string(path.join("serial")).is_ok_and(|found| found.trim() == serial)
    })
}

/// A controller that is back when this is dropped.
pub(crate) struct Removed {
    serial: &'static str,
}

impl Removed {
    /// Takes it from its bus; that may wait for commands.
    pub(crate) fn new(serial: &'static str) -> Self {
        let folder = find(serial).unwrap();
        fs::write(folder.join("device/remove"), "1").unwrap();
        assert_eq!(find(serial), None);
        Self { serial }
    }
}

impl Drop for Removed {
    fn drop(&mut self) {
        fs::write("/sys/bus/pci/rescan", "1").unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while !find(self.serial).is_some_and(|folder| is_usable(&folder)) {
            if Instant::now() > deadline {
                eprintln!("{} does not come back", self.serial);
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Whether it has its node and a namespace's.
fn is_usable(folder: &Path) -> bool {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let node = Path::new("/dev").join(name);
    let generic = Path::new("/dev").join(name.replacen("nvme", "ng", 1) + "n1");
    NvmeController::open(node).is_ok() && NvmeNamespace::open(generic).is_ok()
}

/// What a handle gives whose controller is not there any more.
fn gone(error: &Error) {
    let known = match error {
        Error::Gone { .. } => true,
        Error::Nvme(error) => matches!(error.kind(), NvmeErrorKind::NoPath { .. }),
        _ => false,
    };
    assert!(known, "{error:?}");
}

/// What a command meets whose controller goes, or is reset, while it runs.
fn lost(error: &Error) {
    match error {
        Error::Gone { .. } => {}
        Error::Nvme(error) => match error.kind() {
            NvmeErrorKind::Cancelled { .. } | NvmeErrorKind::NoPath { .. } => {}
            NvmeErrorKind::Status(completion) => {
                let code = completion.status().status_code();
                let known = [
                    StatusCode::ABORTED_QUEUE_DELETED,
                    StatusCode::ABORT_REQUESTED,
                    StatusCode::HOST_PATHING_ERROR,
                    StatusCode::ABORTED_BY_HOST,
                ];
                assert!(known.contains(&code), "{error:?}");
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_removed_controller_is_gone() {
    within(90, "removal", || {
        let node = controller("PTMDTS");
        let (generic, block) = namespace("PTMDTS", 1);
        let drive = NvmeController::open(&node).unwrap();
        let handles = [&generic, &block].map(|node| NvmeNamespace::open_rw(node).unwrap());
        let removed = Removed::new("PTMDTS");
        for _ in 0..2 {
            for handle in &handles {
                let mut memory = Guarded::new(0, 512);
                gone(&handle.read(&Read::new(0, 1), memory.bytes()).unwrap_err());
                memory.untouched();
            }
            gone(&drive.query(&IdentifyController).unwrap_err());
        }
        for path in [&generic, &block] {
            let error = NvmeNamespace::open(path).unwrap_err();
            let known = matches!(error, Error::NotFound { .. } | Error::Gone { .. });
            assert!(known, "{error:?}");
        }
        let error = NvmeController::open(&node).unwrap_err();
        let known = matches!(error, Error::NotFound { .. } | Error::Gone { .. });
        assert!(known, "{error:?}");
        drop(handles);
        drop(drive);
        drop(removed);
        let back = self::drive("PTMDTS");
        assert_eq!(back.query(&IdentifyController).unwrap().serial(), "PTMDTS");
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readers_of_a_controller_that_is_removed_all_end() {
    within(120, "readers and removal", || {
        let (generic, block) = namespace("PTMDTS", 1);
        let (begun, all_begun) = channel();
        let readers: Vec<_> = [generic.clone(), block, generic]
            .into_iter()
            .map(|node| {
                let begun = begun.clone();
                thread::spawn(move || {
                    let namespace = NvmeNamespace::open(node).unwrap();
                    let mut memory = Guarded::new(0, 128 << 10);
                    let mut done = 0;
                    loop {
                        let result = namespace.read(&Read::new(0, 256), memory.bytes());
                        memory.check();
                        match result {
                            Ok(_) => done += 1,
                            Err(error) => return (done, error),
                        }
                        if done == 5 {
                            begun.send(()).unwrap();
                        }
                    }
                })
            })
            .collect();
        drop(begun);
        for _ in &readers {
            all_begun.recv().unwrap();
        }
        let removed = Removed::new("PTMDTS");
        for reader in readers {
            let (done, error) = reader.join().unwrap();
            assert!(done >= 5);
            lost(&error);
        }
        drop(removed);
        assert!(find("PTMDTS").is_some());
    });
}

/// A reader of the slow drive that has a command with it, 8 s long.
fn slow_reader() -> thread::JoinHandle<(Result<(), Error>, Guarded)> {
    let (generic, _) = namespace("PTSLOW", 1);
    let (begun, has_begun) = channel();
    let reader = thread::spawn(move || {
        let slow = eventually("the slow drive", || NvmeNamespace::open(&generic).ok());
        let mut memory = Guarded::new(0, 8 * 512);
        // What the first one costs the second one waits for.
        slow.read(&Read::new(0, 8), memory.bytes()).unwrap();
        let mut memory = Guarded::new(0, 8 * 512);
        begun.send(()).unwrap();
        let result = slow.read(&Read::new(0, 8), memory.bytes());
        (result.map(drop), memory)
    });
    has_begun.recv().unwrap();
    thread::sleep(Duration::from_millis(500));
    assert!(!reader.is_finished(), "it was to take 8 s");
    reader
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_controller_removed_under_a_command_hangs_nobody() {
    within(150, "removal under a command", || {
        let reader = slow_reader();
        // The driver may wait for the command, which then ends well.
        let removed = Removed::new("PTSLOW");
        let (result, memory) = reader.join().unwrap();
        memory.check();
        if let Err(error) = result {
            lost(&error);
        }
        drop(removed);
        assert!(find("PTSLOW").is_some());
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_reset_under_a_command_hangs_nobody() {
    within(150, "a reset under a command", || {
        let reader = slow_reader();
        drive("PTSLOW").reset().unwrap();
        let (result, memory) = reader.join().unwrap();
        memory.check();
        if let Err(error) = result {
            lost(&error);
        }
        let (generic, _) = namespace("PTSLOW", 1);
        eventually("the slow drive", || {
            let mut block = vec![0; 512];
            let slow = NvmeNamespace::open(&generic).ok()?;
            slow.read(&Read::new(0, 1), &mut block).ok()
        });
    });
}
