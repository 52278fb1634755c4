//! What the program `copy` refuses to write to.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use passthru::unit::Disk;

use crate::{
    copy::{blank, content, copy},
    lab::{ScsiDebug, Unit, eventually},
};

/// Runs a program of the machine, which must succeed.
fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
}

/// Runs a program when it goes, in a test that fails too: what is in use could
/// not be unloaded.
struct Undo<'a>(&'static str, &'a str);

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        run(self.0, &[self.1]);
    }
}

/// Source and target, with a partition on each.
fn partitioned() -> ScsiDebug {
    ScsiDebug::load_many(
        "dev_size_mb=8 delay=0 add_host=2 per_host_store=1 num_parts=1",
        2,
    )
}

fn first_partition(unit: &Unit) -> PathBuf {
    let node = PathBuf::from(format!("{}1", unit.block.display()));
    eventually("the partition", || node.exists().then_some(node.clone()))
}

/// By whichever node it is named, the target is refused for that reason and
/// nothing is written to it.
fn refused_by_every_node(lab: &ScsiDebug, part: &str) {
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let before = content(target);
    for node in target.nodes() {
        let object = copy(4, &source.sg, &[node], &[]);
        assert_eq!(object["error"]["kind"], "refused");
        let message = object["error"]["message"].as_str().unwrap();
        for part in [part, node.to_str().unwrap(), "--force"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        // As text too.
        let output = Command::new("copy")
            .arg("--if")
            .arg(&source.sg)
            .arg("--of")
            .arg(node)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(content(target) == before, "{part}: something was written");
}

fn block(unit: &Unit, lba: u64) -> [u8; 512] {
    let mut data = [0xee; 512];
    Disk::open(&unit.sg).unwrap().read(lba, &mut data).unwrap();
    data
}

/// One block near the end, where no file system has anything.
fn forced_by_every_node(lab: &ScsiDebug) {
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let blocks = Disk::open(&target.sg).unwrap().layout().blocks();
    for (node, lba) in target.nodes().into_iter().zip(blocks - 3..) {
        assert_ne!(block(target, lba), block(source, 0));
        let to = lba.to_string();
        let arguments = ["--count", "1", "--seek", &to, "--force"];
        let report = copy(0, &source.sg, &[node], &arguments);
        assert_eq!(report["complete_blocks"], 1);
        assert_eq!(block(target, lba), block(source, 0));
        let disk = Disk::open_rw(&target.sg).unwrap();
        disk.write(lba, &[0; 512]).unwrap();
    }
}

/// The whole disk with ext2, one partition with FAT.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_mounted_target_is_refused() {
    let lab = partitioned();
    let (source, target) = (&lab.units[0], &lab.units[1]);
    blank(source, 0x5c);
    let disk = target.block.to_str().unwrap();
    let partition = first_partition(target);
    let partition = partition.to_str().unwrap();
    let point = "/tmp/copy target";
    fs::create_dir_all(point).unwrap();
    // The second one overwrites the partition table.
    for (kind, make, node) in [("vfat", "mkdosfs", partition), ("ext4", "mke2fs", disk)] {
        run(make, &[node]);
        run("mount", &["-t", kind, node, point]);
        let mounted = Undo("umount", point);
        fs::write(format!("{point}/file"), "kept").unwrap();
        run("sync", &[]);
        refused_by_every_node(&lab, &format!("is mounted at {point}"));
        forced_by_every_node(&lab);
        assert_eq!(fs::read(format!("{point}/file")).unwrap(), b"kept");
        drop(mounted);
        // It was because of the mount.
        for node in target.nodes() {
            copy(0, &source.sg, &[node], &["--count", "1", "--seek", "9"]);
        }
    }
    fs::remove_dir(point).unwrap();
}

/// A shell in a mount namespace of its own, which holds a mount there.
struct Elsewhere(Child);

impl Elsewhere {
    fn mount(node: &Path) -> Self {
        let script = format!(
            "mount -t ext4 {} /mnt && echo mounted >/tmp/elsewhere && read -r line",
            node.display()
        );
        let child = Command::new("unshare")
            .args(["-m", "sh", "-c", &script])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        eventually("the mount", || {
            Path::new("/tmp/elsewhere").exists().then_some(())
        });
        Self(child)
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let Some(mut stdin) = self.0.stdin.take() {
            let _ = stdin.write_all(b"\n");
        }
        let _ = self.0.wait();
        let _ = fs::remove_file("/tmp/elsewhere");
    }
}

/// This process does not see that mount; the kernel says that the disk is taken.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_target_mounted_in_another_namespace_is_refused() {
    let lab = partitioned();
    let target = &lab.units[1];
    run("mke2fs", &[target.block.to_str().unwrap()]);
    let elsewhere = Elsewhere::mount(&target.block);
    let seen = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!seen.contains(target.block.to_str().unwrap()), "{seen}");
    refused_by_every_node(&lab, "is in use by the kernel or by another program");
    forced_by_every_node(&lab);
    drop(elsewhere);
    for node in target.nodes() {
        copy(0, &lab.units[0].sg, &[node], &["--count", "1"]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_target_that_is_swapped_to_is_refused() {
    let lab = partitioned();
    let target = &lab.units[1];
    let partition = first_partition(target);
    for node in [&partition, &target.block] {
        let node = node.to_str().unwrap();
        run("mkswap", &[node]);
        run("swapon", &[node]);
        let _swapped = Undo("swapoff", node);
        refused_by_every_node(&lab, "is swapped to");
        forced_by_every_node(&lab);
    }
    for node in target.nodes() {
        copy(0, &lab.units[0].sg, &[node], &["--count", "1"]);
    }
}

/// An array without a superblock, made through sysfs.
struct Array;

impl Array {
    const FOLDER: &str = "/sys/block/md_copy/md";

    fn of(node: &Path) -> Self {
        fs::write("/sys/module/md_mod/parameters/new_array", "md_copy").unwrap();
        let this = Self;
        let folder = Path::new(Self::FOLDER);
        fs::write(folder.join("metadata_version"), "external:test").unwrap();
        let name = node.file_name().unwrap();
        let number = Path::new("/sys/class/block").join(name).join("dev");
        fs::write(folder.join("new_dev"), fs::read(number).unwrap()).unwrap();
        this
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        let folder = Path::new(Self::FOLDER);
        let _ = fs::write(folder.join("array_state"), "clear");
        eventually("the array to go", || (!folder.exists()).then_some(()));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_target_that_is_part_of_an_array_is_refused() {
    let lab = partitioned();
    let target = &lab.units[1];
    let partition = first_partition(target);
    run("modprobe", &["md_mod"]);
    for node in [&partition, &target.block] {
        let _array = Array::of(node);
        refused_by_every_node(&lab, "is part of md_copy");
        forced_by_every_node(&lab);
    }
    for node in target.nodes() {
        copy(0, &lab.units[0].sg, &[node], &["--count", "1"]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_would_destroy_something_is_refused() {
    let lab = ScsiDebug::load_many("dev_size_mb=8 delay=0 add_host=2 per_host_store=1", 2);
    let (source, target) = (&lab.units[0], &lab.units[1]);
    blank(source, 1);
    let before = blank(target, 2);
    let refused = |from: &Path, targets: &[&Path], more: &[&str], part: &str| {
        let object = copy(4, from, targets, more);
        let message = object["error"]["message"].as_str().unwrap().to_owned();
        assert_eq!(object["error"]["kind"], "refused");
        assert!(message.contains(part), "{part}: {message}");
        assert!(content(target) == before, "{part}");
    };
    // The same disk by another node.
    for (a, b) in [
        (&target.sg, &target.block),
        (&target.block, &target.bsg),
        (&target.bsg, &target.sg),
    ] {
        refused(a, &[b], &[], "is the source");
        refused(&source.sg, &[a, b], &[], "is a target already");
    }
    refused(
        &source.sg,
        &[&target.sg],
        &["--seek", "1"],
        "has room for 16383 blocks",
    );
    refused(
        &source.sg,
        &[&target.sg],
        &["--skip", "16384"],
        "has nothing from block",
    );
    refused(
        &source.sg,
        &[&target.sg],
        &["--skip", "16383", "--count", "2"],
        "has 16384 blocks",
    );
    // Claimed by somebody.
    let claim = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_EXCL)
        .open(&target.block)
        .unwrap();
    for node in target.nodes() {
        refused(&source.sg, &[node], &[], "is in use");
    }
    drop(claim);
    // By force: what fits.
    let report = copy(
        0,
        &source.sg,
        &[&target.sg],
        &["--seek", "16000", "--force"],
    );
    assert_eq!(report["complete_blocks"], 384);
    assert!(content(target)[16000 * 512..] == content(source)[..384 * 512]);
    // Another block length cannot be.
    let disk = Unit::only("QEMU CD-ROM");
    let object = copy(4, &disk.sg, &[&target.block], &["--count", "1"]);
    let message = object["error"]["message"].as_str().unwrap();
    assert!(message.contains("blocks of 2048 bytes"), "{message}");
}
