//! The guest's file system: a base for each kernel, made once, and a small archive for each run after it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cpio::Archive;
use crate::job::{Job, quote};
use crate::kernel::Kernel;
use crate::libraries;
use crate::modules::Modules;
use crate::nvme;
use crate::output::{capture_text, step};
use crate::packages::Packages;
use crate::peers;
use crate::workspace::{Workspace, clean_command, which};

const INIT: &str = include_str!("../guest/init.sh");
const NVME_LOOP: &str = include_str!("../guest/nvme_loop.sh");
const MODPROBE: &str = include_str!("../guest/modprobe.sh");

/// Changes when the base changes in a way its file name would not show.
const BASE_LAYOUT: u32 = 3;

/// Makes the file QEMU gives to the kernel.
pub(crate) fn build(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    job: &Job,
    folder: &Path,
) -> Result<PathBuf> {
    let base = base(workspace, packages, kernel, folder)?;
    let path = folder.join("initrd");
    let mut out = BufWriter::new(File::create(&path)?);
    io::copy(&mut File::open(&base)?, &mut out)?;
    let mut archive = Archive::new(out)?;
    archive.file("/init", 0o755, INIT.as_bytes())?;
    archive.file("/sbin/modprobe", 0o755, MODPROBE.as_bytes())?;
    archive.file("/job/nvme_loop.sh", 0o644, NVME_LOOP.as_bytes())?;
    archive.file("/job/run", 0o755, script(kernel, job).as_bytes())?;
    if let Some(parameters) = &job.scsi_debug {
        archive.file("/job/scsi_debug", 0o644, parameters.as_bytes())?;
    }
    let nodes = nvme::node_count(job.emulator, job.count_instructions);
    archive.file("/job/nvme_nodes", 0o644, nodes.to_string().as_bytes())?;
    let mut libraries = BTreeMap::new();
    for (name, file) in &job.programs {
        libraries.extend(libraries::needed(file, &[])?);
        archive.file(
            &format!("/usr/local/bin/{name}"),
            0o755,
            &stripped(file, folder)?,
        )?;
    }
    for peer in peers::named(&packages.peers, &job.peers)? {
        libraries.extend(libraries::needed(&peer.file, &peer.libraries)?);
        archive.file(
            &format!("/usr/bin/{}", peer.name),
            0o755,
            &fs::read(&peer.file)?,
        )?;
    }
    for (guest, host) in libraries {
        let body = fs::read(&host).with_context(|| format!("cannot read {}", host.display()))?;
        archive.file(&guest, 0o755, &body)?;
    }
    archive.finish()?;
    Ok(path)
}

/// Busybox and the kernel's modules. Made anew when the kernel or this program's layout changes.
fn base(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    folder: &Path,
) -> Result<PathBuf> {
    let path = workspace
        .vm
        .join(format!("base-{}-{BASE_LAYOUT}.cpio", kernel.version));
    if path.is_file() {
        return Ok(path);
    }
    step(format!(
        "making the guest's base for kernel {} ({})",
        kernel.series, kernel.version
    ));
    let partial = folder.join("base");
    let mut archive = Archive::new(BufWriter::new(File::create(&partial)?))?;
    for folder in [
        "/proc",
        "/sys",
        "/dev",
        "/run",
        "/root",
        "/etc",
        "/mnt",
        "/sbin",
        "/usr/sbin",
    ] {
        archive.folder(folder, 0o755)?;
    }
    archive.folder("/tmp", 0o1777)?;
    archive.character_device("/dev/console", 0o600, (5, 1))?;
    archive.file(
        "/etc/passwd",
        0o644,
        b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n",
    )?;
    archive.file(
        "/etc/group",
        0o644,
        b"root:x:0:\ndisk:x:6:\ncdrom:x:24:\nnogroup:x:65534:\n",
    )?;
    archive.file("/bin/busybox", 0o755, &fs::read(&packages.busybox)?)?;
    let applets = capture_text(clean_command(&packages.busybox).arg("--list-full"))?;
    for applet in applets
        .lines()
        .filter(|applet| !["bin/busybox", "linuxrc", "sbin/modprobe"].contains(applet))
    {
        archive.symlink(&format!("/{applet}"), "/bin/busybox")?;
    }
    add_modules(&mut archive, kernel, &packages.xz)?;
    archive.finish()?;
    fs::rename(&partial, &path)?;
    Ok(path)
}

fn add_modules<W: io::Write>(archive: &mut Archive<W>, kernel: &Kernel, xz: &Path) -> Result<()> {
    let modules = Modules::load(kernel, xz)?;
    let folder = format!("/lib/modules/{}", kernel.version);
    for module in modules.modules.values() {
        archive.file(&format!("{folder}/{}", module.path), 0o644, &module.body)?;
    }
    archive.file(
        &format!("{folder}/modules.dep"),
        0o644,
        modules.dependency_table().as_bytes(),
    )?;
    archive.file(
        &format!("{folder}/modules.alias"),
        0o644,
        modules.alias_table().as_bytes(),
    )?;
    let built_in = fs::read(kernel.modules.join("modules.builtin")).unwrap_or_default();
    archive.file(&format!("{folder}/modules.builtin"), 0o644, &built_in)?;
    Ok(())
}

/// The job's script with the variables tests see.
fn script(kernel: &Kernel, job: &Job) -> String {
    format!(
        "export PASSTHRU_VM=1 PASSTHRU_KERNEL={} RUST_BACKTRACE=1 HOME=/root\ncd /tmp\n{}\n",
        quote(kernel.series.name()),
        job.script
    )
}

/// A program without its debug information, which is most of it; names of functions stay.
fn stripped(file: &Path, folder: &Path) -> Result<Vec<u8>> {
    if let Some(strip) = which("strip") {
        let target = folder.join("stripped");
        let mut command = clean_command(strip);
        if command
            .arg("--strip-debug")
            .arg("-o")
            .arg(&target)
            .arg(file)
            .status()
            .is_ok_and(|status| status.success())
        {
            let body = fs::read(&target)?;
            fs::remove_file(&target)?;
            return Ok(body);
        }
    }
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}
