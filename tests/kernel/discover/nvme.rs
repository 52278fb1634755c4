//! NVMe.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{Seek, SeekFrom},
    os::fd::AsRawFd,
    path::Path,
    process::Command,
};

use passthru::discover::{self, NvmeNamespace, NvmeSubsystem};

use serde_json::Value;

use super::{digit, list, nodes, once};
use crate::lab::eventually;

/// The namespace identifier, as the node says.
fn nsid_of(node: &Path) -> u32 {
    let file = File::open(node).unwrap();
    // SAFETY: this ioctl takes no argument.
    let nsid = unsafe { libc::ioctl(file.as_raw_fd(), passthru_sys::nvme::NVME_IOCTL_ID as _) };
    assert!(nsid > 0, "{}: {nsid}", node.display());
    nsid as u32
}

fn bytes_of(node: &Path) -> u64 {
    let mut file = File::open(node).unwrap();
    file.seek(SeekFrom::End(0)).unwrap()
}

fn namespaces(subsystems: &[NvmeSubsystem]) -> impl Iterator<Item = &NvmeNamespace> {
    subsystems.iter().flat_map(NvmeSubsystem::namespaces)
}

/// All nodes of NVMe devices are listed, once each, and say themselves what the
/// list says.
fn compare_nvme(subsystems: &[NvmeSubsystem]) {
    let controllers = || subsystems.iter().flat_map(NvmeSubsystem::controllers);
    assert_eq!(
        once(controllers().map(|controller| controller.node())),
        nodes("/dev", "nvme", digit)
    );
    assert_eq!(
        once(namespaces(subsystems).filter_map(NvmeNamespace::generic)),
        nodes("/dev", "ng", |c| digit(c) || c == 'n')
    );
    let mut blocks = nodes("/dev", "nvme", |c| digit(c) || c == 'n');
    blocks.retain(|path| path.to_str().unwrap().matches('n').count() == 2);
    assert_eq!(
        once(namespaces(subsystems).filter_map(NvmeNamespace::block)),
        blocks
    );
    for namespace in namespaces(subsystems) {
        for node in [namespace.block(), namespace.generic()]
            .into_iter()
            .flatten()
        {
            assert_eq!(namespace.nsid(), Some(nsid_of(node)), "{}", node.display());
        }
        if let Some(block) = namespace.block() {
            // A format that the kernel cannot use has no bytes.
            let bytes = Some(bytes_of(block)).filter(|bytes| *bytes > 0);
            assert_eq!(namespace.size(), bytes, "{}", block.display());
        }
        assert!(!namespace.paths().is_empty(), "{namespace:?}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_nvme_node_is_listed_once() {
    let subsystems = discover::nvme().unwrap();
    compare_nvme(&subsystems);
    let plain = subsystems.iter().find(|subsystem| {
        let first = subsystem.controllers().first();
        first.is_some_and(|controller| controller.node() == Path::new("/dev/nvme0"))
    });
    let plain = plain.unwrap();
    let [controller] = plain.controllers() else {
        panic!("{plain:?}");
    };
    assert_eq!(controller.transport().unwrap(), "pcie");
    assert_eq!(controller.state().unwrap(), "live");
    assert_eq!(controller.model().unwrap(), "QEMU NVMe Ctrl");
    let serial = controller.serial().unwrap();
    assert!(serial.trimmed().starts_with("PT"), "{serial}");
    assert_eq!(plain.serial(), Some(serial.clone()));
    assert!(controller.firmware().is_some() && controller.cntlid().is_some());
    let address = controller.address().unwrap();
    assert!(address.trimmed().starts_with("0000:"), "{address}");
    assert!(plain.nqn().unwrap().trimmed().starts_with("nqn."));
    assert_eq!(plain.nqn(), controller.nqn());
    let [namespace] = plain.namespaces() else {
        panic!("{plain:?}");
    };
    assert_eq!(namespace.block(), Some(Path::new("/dev/nvme0n1")));
    assert_eq!(namespace.generic(), Some(Path::new("/dev/ng0n1")));
    assert_eq!(namespace.logical_block_size(), Some(512));
    assert!(namespace.wwid().is_some());

    let listed = list(&["--nvme", "--long"]);
    let units = namespaces(&subsystems).count() + nodes("/dev", "nvme", digit).len();
    assert_eq!(listed.len(), units);
    assert_eq!(listed[0]["controller"], "/dev/nvme0");
    assert_eq!(listed[0]["serial"], *serial.trimmed());
    assert_eq!(listed[1]["address"], "nvme0:1");
    assert_eq!(listed[1]["size"], namespace.size().unwrap());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_cli_lists_the_same() {
    let output = Command::new("/usr/bin/nvme")
        .args(["list", "-o", "json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut theirs: Vec<_> = theirs["Devices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|device| {
            let text = |key: &str| device[key].as_str().unwrap().trim().to_owned();
            (
                text("DevicePath"),
                device["NameSpace"].as_u64(),
                text("SerialNumber"),
                text("ModelNumber"),
                text("Firmware"),
                device["SectorSize"].as_u64(),
                device["PhysicalSize"].as_u64(),
            )
        })
        .collect();
    theirs.sort();
    let mut ours = Vec::new();
    for unit in list(&["--nvme", "--long"]) {
        let Some(block) = unit["block"].as_str() else {
            continue;
        };
        let text = |key: &str| unit[key].as_str().unwrap().to_owned();
        ours.push((
            block.to_owned(),
            unit["nsid"].as_u64(),
            text("serial"),
            text("model"),
            text("revision"),
            unit["logical_block_size"].as_u64(),
            unit["size"].as_u64(),
        ));
    }
    ours.sort();
    // What sysfs does not have of the one with metadata between its blocks
    // nvme-cli has from the drive.
    let unknown: Vec<_> = ours.iter().filter(|unit| unit.6.is_none()).collect();
    assert!(unknown.len() <= 1 && ours.len() > unknown.len(), "{ours:?}");
    for (own, other) in ours.iter().zip(&mut theirs) {
        if own.6.is_none() {
            other.6 = None;
        }
    }
    assert_eq!(ours, theirs);
}

/// A target of the kernel's own, which two controllers reach over TCP.
struct Target {
    controllers: BTreeSet<String>,
}

const NQN: &str = "nqn.2024-01.org.example:discover";
const NVMET: &str = "/sys/kernel/config/nvmet";

impl Target {
    fn connect() -> Self {
        for module in ["null_blk", "nvmet_tcp", "nvme_tcp"] {
            run("modprobe", &[module]);
        }
        run("ifconfig", &["lo", "up"]);
        let write = |path: &str, value: &str| {
            let path = Path::new(NVMET).join(path);
            fs::write(&path, value).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        };
        let subsystem = format!("subsystems/{NQN}");
        let namespace = format!("{subsystem}/namespaces/5");
        fs::create_dir_all(Path::new(NVMET).join(&namespace)).unwrap();
        write(&format!("{subsystem}/attr_allow_any_host"), "1");
        write(&format!("{namespace}/device_path"), "/dev/nullb0");
        write(&format!("{namespace}/enable"), "1");
        let mut this = Self {
            controllers: BTreeSet::new(),
        };
        let before = controller_names();
        for (port, state) in [("4420", "optimized"), ("4421", "inaccessible")] {
            let folder = format!("ports/{port}");
            fs::create_dir(Path::new(NVMET).join(&folder)).unwrap();
            write(&format!("{folder}/addr_trtype"), "tcp");
            write(&format!("{folder}/addr_adrfam"), "ipv4");
            write(&format!("{folder}/addr_traddr"), "127.0.0.1");
            write(&format!("{folder}/addr_trsvcid"), port);
            write(&format!("{folder}/ana_groups/1/ana_state"), state);
            std::os::unix::fs::symlink(
                Path::new(NVMET).join(&subsystem),
                Path::new(NVMET).join(format!("{folder}/subsystems/{NQN}")),
            )
            .unwrap();
            let host = "6a3e1a7c-0000-4000-8000-000000000001";
            let options = format!(
                "transport=tcp,traddr=127.0.0.1,trsvcid={port},nqn={NQN},hostid={host},\
                 hostnqn=nqn.2014-08.org.nvmexpress:uuid:{host}"
            );
            fs::write("/dev/nvme-fabrics", options).unwrap();
        }
        this.controllers = &controller_names() - &before;
        this
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        for name in &self.controllers {
            let _ = fs::write(format!("/sys/class/nvme/{name}/delete_controller"), "1");
        }
        for port in ["4420", "4421"] {
            let folder = format!("{NVMET}/ports/{port}");
            let _ = fs::remove_file(format!("{folder}/subsystems/{NQN}"));
            let _ = fs::remove_dir(folder);
        }
        let _ = fs::remove_dir(format!("{NVMET}/subsystems/{NQN}/namespaces/5"));
        let _ = fs::remove_dir(format!("{NVMET}/subsystems/{NQN}"));
        for module in ["nvme_tcp", "nvmet_tcp", "null_blk"] {
            let _ = Command::new("modprobe").args(["-r", module]).status();
        }
    }
}

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status().unwrap();
    assert!(status.success(), "{program} {arguments:?}: {status}");
}

fn controller_names() -> BTreeSet<String> {
    let subsystems = discover::nvme().unwrap();
    let controllers = subsystems.iter().flat_map(NvmeSubsystem::controllers);
    controllers
        .map(|controller| controller.name().to_owned())
        .collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_namespace_with_two_paths() {
    let target = Target::connect();
    assert_eq!(target.controllers.len(), 2, "{:?}", target.controllers);
    let found = || {
        let mut subsystems = discover::nvme().unwrap();
        subsystems.retain(|subsystem| subsystem.nqn().is_some_and(|nqn| nqn == NQN));
        assert_eq!(subsystems.len(), 1);
        subsystems.remove(0)
    };
    let subsystem = eventually("both paths", || {
        let subsystem = found();
        let paths = subsystem.namespaces().first()?.paths();
        let known = paths.iter().all(|path| path.ana_state().is_some());
        (paths.len() == 2 && known).then_some(subsystem)
    });
    compare_nvme(&discover::nvme().unwrap());
    let names: Vec<_> = subsystem
        .controllers()
        .iter()
        .map(|controller| controller.name())
        .collect();
    assert_eq!(names, target.controllers.iter().collect::<Vec<_>>());
    assert!(subsystem.io_policy().is_some());
    let [namespace] = subsystem.namespaces() else {
        panic!("{subsystem:?}");
    };
    assert!(namespace.is_multipath());
    assert_eq!(namespace.nsid(), Some(5));
    assert!(namespace.uuid().is_some(), "{:?}", namespace.wwid());
    assert!(namespace.block().is_some() && namespace.generic().is_some());
    for (index, (path, controller)) in namespace
        .paths()
        .iter()
        .zip(subsystem.controllers())
        .enumerate()
    {
        assert_eq!(path.controller(), controller.name());
        assert_eq!(controller.transport().unwrap(), "tcp");
        let address = controller.address().unwrap();
        let (port, state) = [("4420", "optimized"), ("4421", "inaccessible")][index];
        assert!(address.trimmed().contains(port), "{address}");
        assert_eq!(path.ana_state().unwrap(), state);
    }

    // One path fewer.
    let last = target.controllers.last().unwrap();
    fs::write(format!("/sys/class/nvme/{last}/delete_controller"), "1").unwrap();
    let subsystem = found();
    assert_eq!(subsystem.controllers().len(), 1);
    assert_eq!(subsystem.namespaces()[0].paths().len(), 1);
    let path = &namespace.paths()[1];
    assert_eq!((path.controller(), path.ana_state()), (last.as_str(), None));
}
