//! What user 1000 may do at nodes that it may open.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use passthru::{
    Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeTransportExt, Result,
    nvme::{
        Nsid,
        features::{DwordFeature as _, VolatileWriteCache},
        identify::{
            IdentifyController, IdentifyNamespace, IdentifyNvmNamespace, ListControllers,
            ListNamespaces,
        },
        io::{
            DatasetManagement, DatasetRange, Flush, Read, ReservationRegister, Write, WriteZeroes,
        },
        log::SmartHealth,
    },
};

use crate::{
    lab::kernel,
    nvme_lab::{controller, namespace},
    process::in_child,
};

/// Nodes that everybody may open, while this lives.
struct Open(Vec<PathBuf>);

impl Open {
    fn new(nodes: Vec<PathBuf>) -> Self {
        for node in &nodes {
            fs::set_permissions(node, Permissions::from_mode(0o666)).unwrap();
        }
        Self(nodes)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        for node in &self.0 {
            fs::set_permissions(node, Permissions::from_mode(0o600)).unwrap();
        }
    }
}

/// Runs `body` as user 1000.
fn as_user(body: impl FnOnce()) {
    assert!(in_child(|| {
        // SAFETY: setuid has no preconditions.
        assert_eq!(unsafe { libc::setuid(1000) }, 0);
        body();
        true
    }));
}

/// Whether the kernel let it through; else it is refused for want of rights,
/// and was not sent.
fn allowed<T: std::fmt::Debug>(result: Result<T>) -> bool {
    match result {
        Ok(_) => true,
        Err(Error::Nvme(error)) => {
            let refused = matches!(error.kind(), NvmeErrorKind::NotPermitted { .. });
            assert!(refused && !error.was_sent(), "{error:?}");
            assert!(error.to_string().contains("CAP_SYS_ADMIN"), "{error}");
            false
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Kernels before 6.2 let nobody but root send anything.
fn lenient() -> bool {
    kernel() != "6.1"
}

fn check(node: &Path, writable: bool) {
    let namespace = if writable {
        NvmeNamespace::open_rw(node).unwrap()
    } else {
        NvmeNamespace::open(node).unwrap()
    };
    let mut block = vec![0; 512];
    let read = namespace.read(&Read::new(3000, 1), &mut block);
    assert_eq!(allowed(read), lenient(), "read");
    let identify = namespace.query(&IdentifyNamespace::new(namespace.nsid()));
    assert_eq!(allowed(identify), lenient());
    // Admin commands that only root may send on any kernel.
    assert!(!allowed(
        namespace.query(&SmartHealth::page().namespace(Some(namespace.nsid())))
    ));
    if !writable {
        return;
    }
    let data = vec![7; 512];
    let write = namespace.write(&Write::new(3000, 1), &data);
    assert_eq!(allowed(write), lenient(), "write");
    assert_eq!(allowed(namespace.execute(&Flush)), lenient(), "flush");
    let zeroes = namespace.execute(&WriteZeroes::new(3000, 1));
    assert_eq!(allowed(zeroes), lenient(), "zeroes");
    let trim = DatasetManagement::new([DatasetRange::new(3000, 1)]).unwrap();
    let trim = namespace.send(&trim.deallocate(true));
    assert_eq!(allowed(trim), lenient(), "deallocate");
    // Not in the effects log.
    let register = namespace.send(&ReservationRegister::register(1));
    assert!(!allowed(register));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_user_reads_and_writes_where_the_kernel_lets_it() {
    let (generic, block) = namespace("PTSUB", 1);
    let open = Open::new(vec![generic, block]);
    for node in &open.0 {
        for writable in [false, true] {
            as_user(|| check(node, writable));
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_user_asks_a_controller_for_little() {
    let open = Open::new(vec![controller("PTSUB")]);
    as_user(|| {
        let drive = NvmeController::open_rw(&open.0[0]).unwrap();
        let one = Nsid::new(1).unwrap();
        assert_eq!(allowed(drive.query(&IdentifyController)), lenient());
        assert_eq!(
            allowed(drive.query(&IdentifyNamespace::new(one))),
            lenient()
        );
        let of_the_set = drive.query(&IdentifyNvmNamespace::new(one));
        assert_eq!(allowed(of_the_set), lenient());
        assert!(!allowed(drive.query(&ListNamespaces::active())));
        assert!(!allowed(drive.query(&ListControllers::all())));
        assert!(!allowed(drive.query(&SmartHealth::page())));
        assert!(!allowed(drive.execute(&VolatileWriteCache::get())));
        assert!(!allowed(
            drive.execute(&VolatileWriteCache::new(true).set())
        ));
        for result in [drive.reset(), drive.rescan(), drive.subsystem_reset()] {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::ControlDenied { .. }), "{error:?}");
            assert!(error.to_string().contains("CAP_SYS_ADMIN"), "{error}");
        }
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nodes_that_a_user_may_not_open() {
    let (generic, block) = namespace("PTSUB", 1);
    let controller = controller("PTSUB");
    for node in [&controller, &generic, &block] {
        fs::set_permissions(node, Permissions::from_mode(0o600)).unwrap();
        as_user(|| {
            let opened = if *node == controller {
                NvmeController::open(node).map(drop)
            } else {
                NvmeNamespace::open(node).map(drop)
            };
            let error = opened.unwrap_err();
            let denied = matches!(&error, Error::OpenDenied { path, .. } if path == node);
            assert!(denied, "{error:?}");
        });
    }
}
