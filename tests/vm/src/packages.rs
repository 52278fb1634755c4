//! What is needed from outside the workspace, and where it is.
//!
//! Each of these is looked for on the machine first and fetched otherwise. A fetched folder below
//! `target/vm/packages` is complete when it exists, and is then never fetched again; remove it for newer packages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::apt::Apt;
use crate::emulator::{Emulator, Qemu};
use crate::kernel::{Kernel, Series, newest_package};
use crate::libraries::is_static;
use crate::output::step;
use crate::peers::{PEERS, Peer, PeerPackage};
use crate::workspace::{Workspace, which};

/// Everything a boot needs.
#[derive(Debug)]
pub(crate) struct Packages {
    /// The emulators asked for.
    qemus: Vec<(Emulator, Qemu)>,
    /// The kernels asked for.
    pub(crate) kernels: Vec<Kernel>,
    /// A busybox that needs no libraries.
    pub(crate) busybox: PathBuf,
    /// Unpacks compressed kernel modules.
    pub(crate) xz: PathBuf,
    /// The programs of other projects that were found, of those asked for.
    pub(crate) peers: Vec<Peer>,
}

impl Packages {
    /// Finds or fetches everything. Peers that cannot be had are said, and are an error only for the job that asks for
    /// them.
    pub(crate) fn ensure(
        workspace: &Workspace,
        series: &[Series],
        emulators: &[Emulator],
        peers: &[&str],
    ) -> Result<Self> {
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
        let qemus = emulators
            .iter()
            .map(|&emulator| Ok((emulator, store.qemu(emulator)?)))
            .collect::<Result<_>>()?;
        let busybox = store.busybox()?;
        let xz = store.xz()?;
        let peers = PEERS
            .iter()
            .flat_map(|package| store.peers(package, peers))
            .collect();
        Ok(Self {
            qemus,
            kernels,
            busybox,
            xz,
            peers,
        })
    }

    /// One of the emulators that were asked for.
    pub(crate) fn qemu(&self, emulator: Emulator) -> Result<&Qemu> {
        let found = self.qemus.iter().find(|(which, _)| *which == emulator);
        let (_, qemu) = found.with_context(|| format!("{emulator} was not asked for"))?;
        Ok(qemu)
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

    fn qemu(&mut self, emulator: Emulator) -> Result<Qemu> {
        if let Some(own) = Qemu::own(emulator) {
            return Ok(own);
        }
        let folder = self.folder.join(emulator.folder());
        let qemu = Qemu::in_folder(&folder);
        if qemu.starts() {
            return Ok(qemu);
        }
        step(format!(
            "{emulator}: fetching about 20 to 30 MB from Debian into {}",
            folder.display()
        ));
        let name = "qemu-system-x86";
        let apt = self.apt()?;
        let packages = match emulator {
            Emulator::V7_2 => apt.closure(&[name]),
            Emulator::V10 => apt.closure_of_backports(&[name]),
        };
        packages
            .and_then(|packages| apt.unpack(&packages, &folder))
            .with_context(|| format!("{emulator} cannot be had"))?;
        if !qemu.starts() {
            bail!(
                "the fetched {emulator} does not start here; install one: \
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

    /// Those programs of a package that are among the wanted ones.
    fn peers(&mut self, package: &PeerPackage, wanted: &[&str]) -> Vec<Peer> {
        let wanted: Vec<_> = package
            .programs
            .iter()
            .copied()
            .filter(|program| wanted.contains(program))
            .collect();
        let own: Vec<_> = wanted.iter().filter_map(|name| Peer::own(name)).collect();
        if own.len() == wanted.len() {
            return own;
        }
        let folder = self.folder.join(package.folder);
        if !folder.is_dir() {
            let fetched = self
                .apt()
                .and_then(|apt| apt.unpack(&apt.closure(&[package.name])?, &folder));
            if let Err(error) = fetched {
                step(format!("no {} to compare with: {error:#}", package.name));
                return Vec::new();
            }
        }
        wanted
            .iter()
            .filter_map(|name| Peer::in_folder(&folder, name))
            .collect()
    }
}
