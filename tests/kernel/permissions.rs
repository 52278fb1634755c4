//! Processes with other credentials.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use passthru::{
    BlockDevice, BsgDevice, Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt,
    SgDevice,
    scsi::{Cdb, RawCdb, Read10, SenseKey, TestUnitReady},
};

use crate::{
    lab::{ScsiDebug, Unit},
    process::in_child,
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_fork_may_not_use_an_open_sg_node() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    device.execute(&TestUnitReady).unwrap();
    let before = lab.unit().commands();
    assert!(in_child(|| {
        let result = device.execute(&TestUnitReady);
        let refused = matches!(result, Err(Error::CredentialsChanged { sent: false, .. }));
        if !refused {
            eprintln!("{result:?}");
        }
        refused
    }));
    assert_eq!(lab.unit().commands(), before, "nothing was sent");
    device.execute(&TestUnitReady).unwrap();
    // Opened anew in the child it works.
    assert!(in_child(|| {
        SgDevice::open(&lab.unit().sg).is_ok_and(|own| own.execute(&TestUnitReady).is_ok())
    }));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn setuid_to_no_effect_is_enough() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    assert!(in_child(|| {
        let device = SgDevice::open(&lab.unit().sg).unwrap();
        let first = device.execute(&TestUnitReady).is_ok();
        // SAFETY: setuid has no preconditions.
        let changed = unsafe { libc::setuid(0) } == 0;
        let result = device.execute(&TestUnitReady);
        first && changed && matches!(result, Err(Error::CredentialsChanged { sent: false, .. }))
    }));
}

/// Block and bsg nodes look at no credentials of the time of opening.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_fork_may_use_block_and_bsg_nodes() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let block = BlockDevice::open(&lab.unit().block).unwrap();
    let bsg = BsgDevice::open(&lab.unit().bsg).unwrap();
    assert!(in_child(|| {
        // SAFETY: setuid has no preconditions.
        assert_eq!(unsafe { libc::setuid(0) }, 0);
        block.execute(&TestUnitReady).is_ok() && bsg.execute(&TestUnitReady).is_ok()
    }));
}

/// Makes new credentials for the thread that is interrupted.
extern "C" fn change_credentials(_signal: libc::c_int) {
    // SAFETY: setuid has no preconditions; the bare system call is
    // async-signal-safe, and acts on this thread alone.
    unsafe { libc::syscall(libc::SYS_setuid, 0) };
}

/// From now on; the handler interrupts system calls.
pub(crate) fn credentials_change_at_sigalrm() {
    // SAFETY: an all-zero sigaction is a valid one (no flags, empty mask).
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = change_credentials as *const () as usize;
    // SAFETY: the handler only makes a system call; the pointers are valid.
    let set = unsafe { libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) };
    assert_eq!(set, 0);
}

/// One after 100 ms.
pub(crate) fn sigalrm_soon() {
    let timer = libc::itimerval {
        it_interval: libc::timeval {
            tv_sec: 0,
            tv_usec: 0,
        },
        it_value: libc::timeval {
            tv_sec: 0,
            tv_usec: 100_000,
        },
    };
    // SAFETY: the pointer is valid for reading; the old value is not asked for.
    let set = unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) };
    assert_eq!(set, 0);
}

/// The command is with the device and its result can no longer be read: the
/// error says that it was sent, and the handle is of no more use. The call still
/// waits for the device to be done with its buffers.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn credentials_that_change_while_a_command_runs() {
    let allow = "/sys/module/sg/parameters/allow_dio";
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=600000000");
    for (allowed, direct) in [("0", false), ("1", true)] {
        fs::write(allow, allowed).unwrap();
        let before = lab.unit().commands();
        assert!(in_child(|| {
            let device = SgDevice::open(&lab.unit().sg).unwrap();
            let mut memory = vec![0xee; 2 << 12];
            let start = memory.as_ptr().align_offset(4096);
            let buffer = &mut memory[start..][..4096];
            credentials_change_at_sigalrm();
            sigalrm_soon();
            let begin = Instant::now();
            let error = device
                .with_options(Options::new().direct(direct))
                .read(&Read10::new(0, 8), buffer)
                .unwrap_err();
            let took = begin.elapsed();
            let told = matches!(&error, Error::CredentialsChanged { sent: true, .. })
                && error.was_sent()
                && error.to_string().contains("had been sent");
            let again = device.execute(&TestUnitReady);
            let refused = matches!(&again, Err(Error::Unsupported { .. }));
            // The device takes 600 ms.
            let waited = took >= Duration::from_millis(500);
            if !told || !refused || !waited {
                eprintln!("{error:?} after {took:?}, then {again:?}");
            }
            told && refused && waited
        }));
        assert_eq!(lab.unit().commands() - before, 1, "sent once");
    }
    fs::write(allow, "0").unwrap();
}

/// redumper#27: READ CD-DA of a Plextor drive. Block and bsg nodes refuse it to
/// an ordinary user; an sg node that the user may write to sends it.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_vendors_command_from_an_ordinary_user() {
    let lead_in = Cdb::from_array([0xd8, 0, 0xff, 0xff, 0xb1, 0x4b, 0, 0, 0, 1, 2, 0]);
    let drive = Unit::only("QEMU CD-ROM");
    for node in drive.nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o666)).unwrap();
    }
    for node in drive.nodes() {
        let is_sg = node == drive.sg;
        assert!(in_child(|| {
            // SAFETY: setuid has no preconditions.
            assert_eq!(unsafe { libc::setuid(1000) }, 0);
            let device = ScsiDevice::open_rw(node).unwrap();
            let mut sector = vec![0; 2448];
            let before = drive.commands();
            let result = device.send(&lead_in, Data::In(&mut sector), &Options::new());
            let sent = drive.commands() - before;
            let told = match &result {
                Ok(outcome) => is_sg && outcome.sense().key() == Some(SenseKey::ILLEGAL_REQUEST),
                Err(error) => {
                    !is_sg
                        && matches!(error, Error::NotPermitted { cdb, .. } if *cdb == lead_in)
                        && error.to_string().contains("command d8h")
                        && error.to_string().contains("sg node")
                        && !error.was_sent()
                }
            };
            if !told || sent != u64::from(is_sg) {
                eprintln!("{}: {sent} sent, {result:?}", node.display());
            }
            told && sent == u64::from(is_sg)
        }));
    }
    for node in drive.nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// User 1000 on nodes that it may open: what the kernel's filter refuses.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_command_filter_is_explained() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o666)).unwrap();
    }
    let reserve = RawCdb::from(Cdb::from_array([0x5f, 0, 0, 0, 0, 0, 0, 0, 24, 0]));
    for node in [&lab.unit().block, &lab.unit().bsg] {
        assert!(in_child(|| {
            // SAFETY: setuid has no preconditions.
            assert_eq!(unsafe { libc::setuid(1000) }, 0);
            let device = ScsiDevice::open_rw(node).unwrap();
            let allowed = device.execute(&TestUnitReady);
            let error = device.write(&reserve, &[0; 24]).unwrap_err();
            let told = matches!(&error, Error::NotPermitted { cdb, .. } if cdb.opcode() == 0x5f)
                && error.to_string().contains("PERSISTENT RESERVE OUT")
                && error.to_string().contains("CAP_SYS_RAWIO")
                && !error.was_sent();
            if !told {
                eprintln!("{error:?}: {error}");
            }
            allowed.is_ok() && told
        }));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nodes_that_may_not_be_opened() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(in_child(|| {
            // SAFETY: setuid has no preconditions.
            assert_eq!(unsafe { libc::setuid(1000) }, 0);
            let error = ScsiDevice::open(node).unwrap_err();
            let told = matches!(&error, Error::OpenDenied { path, .. } if path == node)
                && error.to_string().contains("permission");
            if !told {
                eprintln!("{error:?}: {error}");
            }
            told
        }));
    }
}
