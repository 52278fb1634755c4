//! The kernel's side: a target whose commands come to user space, behind a SCSI host of its own.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

const TARGET: &str = "/sys/kernel/config/target";

/// The folders of one drive, named after the process, so that those of a process that is gone can be told.
pub(crate) struct Names {
    hba: PathBuf,
    device: PathBuf,
    fabric: PathBuf,
    name: String,
}

/// The nodes of the drive.
pub(crate) struct Nodes {
    pub(crate) sg: PathBuf,
    pub(crate) sr: PathBuf,
    pub(crate) bsg: PathBuf,
}

fn names(process: u32) -> Names {
    let core = Path::new(TARGET).join("core");
    let hba = core.join(format!("user_{process}"));
    let name = format!("mmc_drive_{process}");
    Names {
        device: hba.join(&name),
        hba,
        fabric: Path::new(TARGET).join(format!("loopback/naa.6001405{process:09x}")),
        name,
    }
}

impl Names {
    /// Makes the device, whose ring can then be mapped.
    pub(crate) fn make_device(blocks: u32) -> io::Result<Self> {
        for module in ["target_core_mod", "target_core_user", "tcm_loop"] {
            let loaded = Command::new("modprobe").arg(module).status()?;
            if !loaded.success() {
                return Err(io::Error::other(format!("modprobe {module} failed")));
            }
        }
        remove_leftovers();
        let names = names(std::process::id());
        fs::create_dir_all(&names.device)?;
        for setting in [
            format!("dev_config=passthru/{}", names.name),
            format!("dev_size={}", u64::from(blocks.max(1)) * 2048),
            "hw_block_size=2048".to_owned(),
            // Nobody answers the kernel's netlink messages.
            "nl_reply_supported=-1".to_owned(),
        ] {
            write(&names.device.join("control"), &setting)?;
        }
        write(&names.device.join("enable"), "1")?;
        Ok(names)
    }

    /// The uio node of the device and the size of its mapping.
    pub(crate) fn ring(&self) -> io::Result<(fs::File, usize)> {
        let suffix = format!("/{}/passthru/{}", self.name, self.name);
        eventually("the uio node", || {
            for entry in fs::read_dir("/sys/class/uio")?.flatten() {
                let name = fs::read_to_string(entry.path().join("name"))?;
                if !name.trim().ends_with(&suffix) {
                    continue;
                }
                let size = fs::read_to_string(entry.path().join("maps/map0/size"))?;
                let size = usize::from_str_radix(size.trim().trim_start_matches("0x"), 16)
                    .map_err(io::Error::other)?;
                let node = Path::new("/dev").join(entry.file_name());
                let file = fs::OpenOptions::new().read(true).write(true).open(node)?;
                return Ok((file, size));
            }
            Err(io::Error::other("there is none"))
        })
    }

    /// Shows the device to the SCSI layer, which sends it commands at once: somebody has to serve the ring by now.
    pub(crate) fn attach(&self) -> io::Result<Nodes> {
        let group = self.fabric.join("tpgt_1");
        fs::create_dir_all(&group)?;
        let own = self.fabric.file_name().unwrap_or_default();
        write(&group.join("nexus"), &own.to_string_lossy())?;
        let unit = group.join("lun/lun_0");
        fs::create_dir_all(&unit)?;
        symlink(&self.device, unit.join(&self.name))?;
        let address = fs::read_to_string(group.join("address"))?;
        let address = format!("{}:0", address.trim());
        let sysfs = Path::new("/sys/class/scsi_device")
            .join(&address)
            .join("device");
        eventually("the nodes of the drive", || {
            let node = |folder: &str| {
                let name = fs::read_dir(sysfs.join(folder))?.flatten().next();
                let name = name.ok_or_else(|| io::Error::other("no node yet"))?;
                let node = Path::new("/dev").join(name.file_name());
                fs::metadata(&node).map(|_| node)
            };
            let bsg = Path::new("/dev/bsg").join(&address);
            fs::metadata(&bsg)?;
            Ok(Nodes {
                sg: node("scsi_generic")?,
                sr: node("block")?,
                bsg,
            })
        })
    }

    /// Takes everything away. The ring has to be served until the end.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let group = self.fabric.join("tpgt_1");
        let unit = group.join("lun/lun_0");
        if group.exists() {
            let _ = fs::remove_file(unit.join(&self.name));
            if unit.exists() {
                eventually("the unit's end", || fs::remove_dir(&unit))?;
            }
            // Refused where there is none.
            let _ = write(&group.join("nexus"), "NULL");
            eventually("the group's end", || fs::remove_dir(&group))?;
        }
        for folder in [&self.fabric, &self.device, &self.hba] {
            if folder.exists() {
                eventually("the folder's end", || fs::remove_dir(folder))?;
            }
        }
        Ok(())
    }
}

/// Removes the drives of processes that are gone.
fn remove_leftovers() {
    let Ok(entries) = fs::read_dir(Path::new(TARGET).join("core")) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix("user_")
            .and_then(|number| number.parse().ok());
        let Some(process) = process else { continue };
        let there = Path::new("/proc").join(format!("{process}")).exists();
        let names = names(process);
        if !there && names.device.exists() {
            if let Err(error) = names.remove() {
                eprintln!("mmc_drive: {name} of an earlier process stays: {error}");
            }
        }
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text).map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {text}: {error}", path.display()))
    })
}

/// Tries for ten seconds.
fn eventually<T>(what: &str, mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match attempt() {
            Err(error) if Instant::now() >= deadline => {
                return Err(io::Error::new(error.kind(), format!("{what}: {error}")));
            }
            Err(_) => thread::sleep(Duration::from_millis(20)),
            done => return done,
        }
    }
}
