//! What is needed from outside the workspace, and where it is.
//!
//! Each of these is looked for on the machine first and fetched otherwise. A fetched folder below
//! `target/vm/packages` is complete when it exists, and is then never fetched again; remove it for newer packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::apt::Apt;
use crate::kernel::{Kernel, Series, newest_package};
use crate::libraries::is_static;
use crate::output::step;
use crate::workspace::{Workspace, clean_command, which};

/// Programs of other projects that the device tests and benchmarks compare with.
const PEERS: [&str; 5] = ["sg_raw", "sg_dd", "sgm_dd", "sgp_dd", "sg_inq"];

/// Everything a boot needs.
#[derive(Debug)]
pub(crate) struct Packages {
    /// The emulator.
    pub(crate) qemu: Qemu,
    /// The kernels asked for.
    pub(crate) kernels: Vec<Kernel>,
    /// A busybox that needs no libraries.
    pub(crate) busybox: PathBuf,
    /// Unpacks compressed kernel modules.
    pub(crate) xz: PathBuf,
    /// The programs of other projects that were found.
    pub(crate) peers: Vec<PathBuf>,
    /// Where the libraries of fetched peers are.
    pub(crate) peer_libraries: Vec<PathBuf>,
}

/// Which emulator a guest runs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emulator {
    /// The machine's own, or else Debian 12's.
    #[default]
    #[value(name = "7.2")]
    V7_2,
    /// The newer one for Debian 12: it has NVMe drives that 7.2 cannot do.
    #[value(name = "10")]
    V10,
}

/// The emulator and what it needs to start.
#[derive(Debug)]
pub(crate) struct Qemu {
    /// The program.
    pub(crate) program: PathBuf,
    /// The folder it was unpacked in; none if it is the machine's own.
    pub(crate) unpacked: Option<PathBuf>,
}

impl Packages {
    /// Finds or fetches everything.
    pub(crate) fn ensure(workspace: &Workspace, series: &[Series]) -> Result<Self> {
        let mut store = Store {
            folder: workspace.vm.join("packages"),
            vm: workspace.vm.clone(),
            apt: None,
        };
        fs::create_dir_all(&store.folder)?;
        let kernels = series
            .iter()
            .map(|&series| store.kernel(series))
            .collect::<Result<_>>()?;
        let qemu = store.qemu()?;
        let busybox = store.busybox()?;
        let xz = store.xz()?;
        let (peers, peer_libraries) = store.peers();
        Ok(Self {
            qemu,
            kernels,
            busybox,
            xz,
            peers,
            peer_libraries,
        })
    }
}

struct Store {
    folder: PathBuf,
    vm: PathBuf,
    apt: Option<Apt>,
}

impl Store {
    fn apt(&mut self) -> Result<&mut Apt> {
        if self.apt.is_none() {
            self.apt = Some(Apt::new(&self.vm)?);
        }
        self.apt.as_mut().context("apt was just set up")
    }

    fn kernel(&mut self, series: Series) -> Result<Kernel> {
        let folder = self.folder.join(format!("linux-{series}"));
        if let Some(kernel) = Kernel::in_tree(&folder, series) {
            return Ok(kernel);
        }
        if let Some(kernel) = Kernel::in_tree(Path::new("/"), series) {
            step(format!(
                "kernel {series}: the machine's own {}",
                kernel.version
            ));
            return Ok(kernel);
        }
        step(format!(
            "kernel {series}: fetching about 70 to 110 MB from Debian into {}",
            folder.display()
        ));
        let expression = format!("^linux-image-{}\\.", series.name().replace('.', "\\."));
        let apt = self.apt()?;
        let mut package = newest_package(&apt.search(&expression)?, series);
        if package.is_none() {
            step(format!(
                "kernel {series} is not in the machine's suites; adding the backports"
            ));
            apt.add_backports()?;
            package = newest_package(&apt.search(&expression)?, series);
        }
        let package = package.with_context(|| {
            format!("Debian's package lists have no linux-image-{series}*-amd64")
        })?;
        apt.unpack(&[package], &folder)?;
        let kernel =
            Kernel::in_tree(&folder, series).context("the kernel package has no kernel in it")?;
        kernel.prune();
        Ok(kernel)
    }

    fn qemu(&mut self) -> Result<Qemu> {
        if let Some(program) = which("qemu-system-x86_64") {
            return Ok(Qemu {
                program,
                unpacked: None,
            });
        }
        let folder = self.folder.join("qemu");
        let qemu = Qemu {
            program: folder.join("usr/bin/qemu-system-x86_64"),
            unpacked: Some(folder.clone()),
        };
        if qemu.starts() {
            return Ok(qemu);
        }
        step(format!(
            "QEMU: fetching about 20 to 30 MB from Debian into {}",
            folder.display()
        ));
        let apt = self.apt()?;
        let packages = apt.closure(&["qemu-system-x86"])?;
        apt.unpack(&packages, &folder)?;
        if !qemu.starts() {
            bail!(
                "the fetched QEMU does not start here; install one: \
                 apt-get install --no-install-recommends qemu-system-x86"
            );
        }
        Ok(qemu)
    }

    fn busybox(&mut self) -> Result<PathBuf> {
        let fetched = self.folder.join("busybox/bin/busybox");
        if fetched.is_file() {
            return Ok(fetched);
        }
        if let Some(own) = which("busybox").filter(|path| is_static(path)) {
            return Ok(own);
        }
        let folder = self.folder.join("busybox");
        self.apt()?
            .unpack(&["busybox-static".to_owned()], &folder)?;
        Ok(fetched)
    }

    fn xz(&mut self) -> Result<PathBuf> {
        let folder = self.folder.join("xz");
        let fetched = folder.join("usr/bin/xz");
        if fetched.is_file() {
            return Ok(fetched);
        }
        if let Some(own) = which("xz") {
            return Ok(own);
        }
        self.apt()?.unpack(&["xz-utils".to_owned()], &folder)?;
        Ok(fetched)
    }

    /// The peers are not needed for anything but comparisons: without them the tests go on.
    fn peers(&mut self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let own: Vec<_> = PEERS.iter().filter_map(|name| which(name)).collect();
        if own.len() == PEERS.len() {
            return (own, Vec::new());
        }
        let folder = self.folder.join("peers");
        if !folder.is_dir() {
            let fetched = self
                .apt()
                .and_then(|apt| apt.unpack(&apt.closure(&["sg3-utils"])?, &folder));
            if let Err(error) = fetched {
                step(format!("no peers to compare with: {error:#}"));
                return (Vec::new(), Vec::new());
            }
        }
        let found = PEERS
            .iter()
            .map(|name| folder.join("usr/bin").join(name))
            .filter(|path| path.is_file());
        (found.collect(), library_folders(&folder))
    }
}

impl Qemu {
    /// The variables that lead it to its own libraries and modules.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let Some(folder) = &self.unpacked else {
            return Vec::new();
        };
        let libraries: Vec<_> = library_folders(folder)
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let modules = folder.join("usr/lib/x86_64-linux-gnu/qemu");
        vec![
            ("LD_LIBRARY_PATH".to_owned(), libraries.join(":")),
            ("QEMU_MODULE_DIR".to_owned(), modules.display().to_string()),
        ]
    }

    fn starts(&self) -> bool {
        let mut command = clean_command(&self.program);
        command
            .envs(self.environment())
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.program.is_file() && command.status().is_ok_and(|status| status.success())
    }
}

/// The folders of an unpacked tree that hold shared libraries.
fn library_folders(tree: &Path) -> Vec<PathBuf> {
    [
        "usr/lib/x86_64-linux-gnu",
        "lib/x86_64-linux-gnu",
        "usr/lib",
        "lib",
    ]
    .map(|folder| tree.join(folder))
    .into_iter()
    .filter(|folder| folder.is_dir())
    .collect()
}
