//! Writing: to where it was told to, and to nothing that is in use.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read as _, Write as _},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::{plausible, told};
use crate::nvme_lab::namespace;

fn content(disk: &Path) -> Vec<u8> {
    // Not from the cache, which commands go past.
    fs::write("/proc/sys/vm/drop_caches", "1").unwrap();
    let mut bytes = Vec::new();
    File::open(disk).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// A disk that has its old content again when this is dropped.
struct Kept {
    disk: PathBuf,
    bytes: Vec<u8>,
}

impl Kept {
    fn new(disk: &Path) -> Self {
        Self {
            disk: disk.to_path_buf(),
            bytes: content(disk),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let file = OpenOptions::new().write(true).open(&self.disk);
        let written = file.and_then(|mut file| {
            file.write_all(&self.bytes)?;
            file.sync_all()
        });
        if let Err(error) = written {
            eprintln!("{}: {error}", self.disk.display());
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_writes_within_the_device() {
    let (plain, disk) = namespace("PTPLAIN", 1);
    let (_, other) = namespace("PTMDTS", 1);
    let (kept, elsewhere) = (Kept::new(&disk), content(&other));
    let write = ["--rw", "randwrite", "--write", "--count", "500", "--fixed"];
    let written = told(0, &[&plain], &write);
    plausible(&written, 500);
    let after = content(&disk);
    let changed = kept
        .bytes
        .chunks(4096)
        .zip(after.chunks(4096))
        .filter(|(before, after)| before != after)
        .count();
    assert!((400..=500).contains(&changed), "{changed}");
    // To the last block, and from the first on again: 4096 places of 16 KiB.
    let write = ["--rw", "write", "--write", "--count", "4100", "--bs", "16k"];
    plausible(
        &told(0, &[&plain], &[&write[..], &["--threads", "2"]].concat()),
        4100,
    );
    let after = content(&disk);
    assert_eq!(after.len(), kept.bytes.len());
    assert!(
        after
            .chunks(512)
            .all(|block| block.iter().any(|&byte| byte != 0))
    );
    assert!(content(&other) == elsewhere, "another drive was written to");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_writes_to_no_namespace_that_is_in_use() {
    let (node, disk) = namespace("PTMDTS", 1);
    let kept = Kept::new(&disk);
    let write = ["--rw", "write", "--write", "--count", "1"];
    let refused = |part: &str| {
        let told = told(4, &[&node], &write);
        assert_eq!(told["error"]["kind"], "in_use");
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{part}: {message}");
        // Reading disturbs nobody.
        plausible(&super::told(0, &[&node], &["--count", "10"]), 10);
    };
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {output:?}");
    };
    let name = disk.to_str().unwrap();
    run("mke2fs", &[name]);
    let point = "/tmp/nvme bench";
    fs::create_dir_all(point).unwrap();
    run("mount", &["-t", "ext4", name, point]);
    let result = std::panic::catch_unwind(|| refused("is mounted at /tmp/nvme\\040bench"));
    run("umount", &[point]);
    fs::remove_dir(point).unwrap();
    result.unwrap();

    let claimed = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_EXCL)
        .open(&disk)
        .unwrap();
    refused("is in use by the kernel or by another program");
    drop(claimed);
    // The same twice.
    let told = told(4, &[&node, &node], &write);
    assert_eq!(told["error"]["kind"], "in_use");
    plausible(&super::told(0, &[&node], &write), 1);
    drop(kept);
}
