//! The virtual machine's NVMe drives, found by their serial numbers, and tests
//! that they are there: docs/testing.md has them in a table.
//!
//! The name of a namespace's node does not say its number, and can be another
//! one at the next boot.

use std::{
    fs::{self, File},
    os::fd::AsRawFd as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use passthru_sys::nvme::{self, nvme_passthru_cmd};

/// The node of the controller with that serial number, `/dev/nvmeX`.
pub(crate) fn controller(serial: &str) -> PathBuf {
    Path::new("/dev").join(controller_in_sysfs(serial).file_name().unwrap())
}

/// Both nodes of a namespace: `/dev/ngXnY` and `/dev/nvmeXnY`.
pub(crate) fn namespace(serial: &str, nsid: u32) -> (PathBuf, PathBuf) {
    let nodes = namespaces(serial);
    let found = nodes.iter().find(|(number, ..)| *number == nsid);
    let (_, generic, block) =
        found.unwrap_or_else(|| panic!("{serial} has no namespace {nsid}: {nodes:?}"));
    (generic.clone(), block.clone())
}

/// The attached namespaces of a controller by number, with both nodes.
pub(crate) fn namespaces(serial: &str) -> Vec<(u32, PathBuf, PathBuf)> {
    let folder = controller_in_sysfs(serial);
    let name = folder.file_name().unwrap();
    // Where a namespace can have several controllers, its nodes are the subsystem's.
    let class = Path::new("/sys/class/nvme-subsystem");
    let subsystem = entries(class)
        .into_iter()
        .map(|subsystem| class.join(subsystem))
        .find(|subsystem| subsystem.join(name).exists())
        .unwrap_or_else(|| panic!("{serial} has no subsystem"));
    let mut found = Vec::new();
    for folder in [subsystem, folder.clone()] {
        let names = entries(&folder);
        for name in &names {
            if !name.starts_with("ng") {
                continue;
            }
            let generic = Path::new("/dev").join(name);
            let nsid = nsid(&generic);
            // Its number is the subsystem's, which need not be the controller's.
            let disk = names.iter().find(|name| {
                let said = fs::read_to_string(folder.join(name).join("nsid"));
                name.starts_with("nvme") && said.is_ok_and(|said| said.trim() == nsid.to_string())
            });
            let block = disk.map_or_else(|| generic.clone(), |name| Path::new("/dev").join(name));
            found.push((nsid, generic, block));
        }
    }
    found.sort();
    found
}

/// `/sys/class/nvme/nvmeX`.
fn controller_in_sysfs(serial: &str) -> PathBuf {
    let class = Path::new("/sys/class/nvme");
    let mut found: Vec<_> = entries(class)
        .into_iter()
        .map(|name| class.join(name))
        .filter(|path| attribute(path, "serial") == serial)
        .collect();
    assert_eq!(found.len(), 1, "{serial}: {found:?}");
    found.remove(0)
}

fn entries(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn attribute(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .trim()
        .to_owned()
}

/// An attribute of a block node.
fn block_attribute(block: &Path, name: &str) -> String {
    let folder = Path::new("/sys/class/block").join(block.file_name().unwrap());
    attribute(&folder, name)
}

/// The number of the namespace behind a node.
fn nsid(node: &Path) -> u32 {
    let file = File::open(node).unwrap_or_else(|error| panic!("{}: {error}", node.display()));
    // SAFETY: this call has no argument.
    let number = unsafe { libc::ioctl(file.as_raw_fd(), nvme::NVME_IOCTL_ID) };
    assert!(number > 0, "{}: {number}", node.display());
    number as u32
}

/// Sends a command whose data, if it moves any, comes to `data`; gives the
/// kernel's return value. The device writes no more than the length of `data`:
/// that is up to the command.
pub(crate) fn send(
    node: &Path,
    request: libc::Ioctl,
    command: nvme_passthru_cmd,
    data: &mut [u8],
) -> i32 {
    let file = File::open(node).unwrap_or_else(|error| panic!("{}: {error}", node.display()));
    let mut command = nvme_passthru_cmd {
        addr: data.as_mut_ptr() as u64,
        data_len: data.len() as u32,
        ..command
    };
    // SAFETY: the kernel reads and writes `command`, and the device writes to `data`, both of which outlive the call.
    unsafe { libc::ioctl(file.as_raw_fd(), request, &raw mut command) }
}

/// Data structure `cns` of a controller, for the command set `csi`.
pub(crate) fn identify(serial: &str, cns: u32, csi: u8, nsid: u32) -> Vec<u8> {
    let mut data = vec![0; 4096];
    let command = nvme_passthru_cmd {
        opcode: 0x06,
        nsid,
        cdw10: cns,
        cdw11: u32::from(csi) << 24,
        ..nvme_passthru_cmd::ZERO
    };
    let status = send(
        &controller(serial),
        nvme::NVME_IOCTL_ADMIN_CMD,
        command,
        &mut data,
    );
    assert_eq!(status, 0, "{serial}: Identify {cns:#x}, namespace {nsid}");
    data
}

/// A list of namespaces.
fn list(data: &[u8]) -> Vec<u32> {
    data.chunks_exact(4)
        .map(|entry| u32::from_le_bytes(entry.try_into().unwrap()))
        .take_while(|&nsid| nsid != 0)
        .collect()
}

/// Bytes of a block's data, bytes of its metadata, whether these follow the
/// data, and the type of the protection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Format(
    pub(crate) u32,
    pub(crate) u16,
    pub(crate) bool,
    pub(crate) u8,
);

pub(crate) fn format(serial: &str, nsid: u32) -> Format {
    let data = identify(serial, 0, 0, nsid);
    let flbas = data[26];
    let entry = 128 + 4 * usize::from(flbas & 15);
    let metadata = u16::from_le_bytes([data[entry], data[entry + 1]]);
    Format(
        1 << data[entry + 2],
        metadata,
        flbas & 16 != 0,
        data[29] & 7,
    )
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_plain_drive_comes_first() {
    assert_eq!(controller("PTPLAIN"), Path::new("/dev/nvme0"));
    let (generic, block) = namespace("PTPLAIN", 1);
    assert_eq!(generic, Path::new("/dev/ng0n1"));
    assert_eq!(block, Path::new("/dev/nvme0n1"));
    assert_eq!(block_attribute(&block, "size"), "131072");
    assert_eq!(format("PTPLAIN", 1), Format(512, 0, false, 0));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn one_subsystem_has_namespaces_of_all_formats() {
    let numbers: Vec<_> = namespaces("PTSUB").into_iter().map(|(n, ..)| n).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    for (nsid, expected) in [
        (1, Format(512, 0, false, 0)),
        (2, Format(4096, 0, false, 0)),
        (3, Format(512, 8, false, 1)),
        (4, Format(512, 16, true, 0)),
        (5, Format(4096, 0, false, 0)),
    ] {
        assert_eq!(format("PTSUB", nsid), expected, "namespace {nsid}");
        let (_, block) = namespace("PTSUB", nsid);
        assert_eq!(block_attribute(&block, "nsid"), nsid.to_string());
        assert_eq!(
            block_attribute(&block, "queue/logical_block_size"),
            expected.0.to_string(),
            "namespace {nsid}"
        );
        // The kernel has no block I/O with metadata that it does not understand.
        let usable = block_attribute(&block, "size") != "0";
        assert_eq!(usable, nsid != 4, "namespace {nsid}");
    }
    let (_, protected) = namespace("PTSUB", 3);
    let protection = block_attribute(&protected, "integrity/format");
    assert_eq!(protection, "T10-DIF-TYPE1-CRC");
    let (_, zoned) = namespace("PTSUB", 5);
    for (name, value) in [
        ("zoned", "host-managed"),
        ("nr_zones", "16"),
        ("chunk_sectors", "8192"),
    ] {
        assert_eq!(block_attribute(&zoned, &format!("queue/{name}")), value);
    }
    // Most active and most open zones, less one. Linux 6.1 has no such numbers at a subsystem's nodes.
    let data = identify("PTSUB", 0x05, 2, 5);
    assert_eq!(data[4..12], [7, 0, 0, 0, 3, 0, 0, 0]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn one_namespace_is_there_but_not_attached() {
    assert_eq!(list(&identify("PTSUB", 0x02, 0, 0)), [1, 2, 3, 4, 5]);
    assert_eq!(list(&identify("PTSUB", 0x10, 0, 0)), [1, 2, 3, 4, 5, 6]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn one_drive_takes_less_in_a_command() {
    for (serial, limit) in [("PTPLAIN", "512"), ("PTMDTS", "128")] {
        let (_, block) = namespace(serial, 1);
        assert_eq!(block_attribute(&block, "queue/max_hw_sectors_kb"), limit);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn one_drive_takes_a_second_for_each_block() {
    let (generic, block) = namespace("PTSLOW", 1);
    assert_eq!(block_attribute(&block, "size"), "8");
    let read = || {
        let mut data = [0xee; 1024];
        let command = nvme_passthru_cmd {
            opcode: 0x02,
            nsid: 1,
            cdw12: 1,
            ..nvme_passthru_cmd::ZERO
        };
        let started = Instant::now();
        let status = send(&generic, nvme::NVME_IOCTL_IO_CMD, command, &mut data);
        assert_eq!(status, 0);
        assert_eq!(data, [0; 1024]);
        started.elapsed()
    };
    // What a command costs, the next one waits for.
    let times = [read(), read(), read()];
    for time in &times[1..] {
        let wanted = Duration::from_millis(1500)..Duration::from_secs(10);
        assert!(wanted.contains(time), "{times:?}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn one_drive_places_data_qemu10() {
    let (_, block) = namespace("PTFDP", 1);
    assert_eq!(block_attribute(&block, "size"), "131072");
    let data = identify("PTFDP", 0x01, 0, 0);
    let attributes = u32::from_le_bytes(data[96..100].try_into().unwrap());
    assert!(attributes & 1 << 19 != 0, "{attributes:#x}");
    // The log page of the Open Compute Project.
    let mut log = vec![0; 512];
    let command = nvme_passthru_cmd {
        opcode: 0x02,
        nsid: u32::MAX,
        cdw10: 127 << 16 | 0xc0,
        ..nvme_passthru_cmd::ZERO
    };
    let node = controller("PTFDP");
    assert_eq!(
        send(&node, nvme::NVME_IOCTL_ADMIN_CMD, command, &mut log),
        0
    );
    assert!(log.iter().any(|&byte| byte != 0));
}
