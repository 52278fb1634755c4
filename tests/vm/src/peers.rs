//! Programs of other projects that tests and benchmarks compare with. A guest has those that its job names.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::libraries;
use crate::workspace::which;

/// A Debian package with peers in it.
#[derive(Debug)]
pub(crate) struct PeerPackage {
    /// Its name.
    pub(crate) name: &'static str,
    /// The folder it is unpacked in.
    pub(crate) folder: &'static str,
    /// The programs that are used.
    pub(crate) programs: &'static [&'static str],
    /// Whether it is large and only the jobs that name its programs need it: the shell does without.
    pub(crate) large: bool,
}

/// All of them.
pub(crate) const PEERS: [PeerPackage; 5] = [
    PeerPackage {
        name: "sg3-utils",
        folder: "peers",
        programs: &["sg_raw", "sg_dd", "sgm_dd", "sgp_dd", "sg_inq"],
        large: false,
    },
    PeerPackage {
        name: "nvme-cli",
        folder: "nvme-cli",
        programs: &["nvme"],
        large: false,
    },
    PeerPackage {
        name: "lsscsi",
        folder: "lsscsi",
        programs: &["lsscsi"],
        large: false,
    },
    // cdrkit's programs for optical drives.
    PeerPackage {
        name: "wodim",
        folder: "wodim",
        programs: &["readom"],
        large: false,
    },
    // It is linked with the libraries of Ceph, GlusterFS and RDMA.
    PeerPackage {
        name: "fio",
        folder: "fio",
        programs: &["fio"],
        large: true,
    },
];

/// The names of all programs, without those of large packages.
pub(crate) fn usual() -> Vec<&'static str> {
    PEERS
        .iter()
        .filter(|package| !package.large)
        .flat_map(|package| package.programs.iter().copied())
        .collect()
}

/// A program that was found.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its name.
    pub(crate) name: String,
    /// Its file on this machine.
    pub(crate) file: PathBuf,
    /// Where its libraries are, if not where the machine has its own.
    pub(crate) libraries: Vec<PathBuf>,
}

impl Peer {
    /// The machine's own.
    pub(crate) fn own(name: &str) -> Option<Self> {
        Some(Self {
            name: name.to_owned(),
            file: which(name)?,
            libraries: Vec::new(),
        })
    }

    /// The one in a folder of unpacked packages.
    pub(crate) fn in_folder(folder: &Path, name: &str) -> Option<Self> {
        let file = ["usr/bin", "usr/sbin", "bin", "sbin"]
            .map(|programs| folder.join(programs).join(name))
            .into_iter()
            .find(|path| path.is_file())?;
        Some(Self {
            name: name.to_owned(),
            file,
            libraries: libraries::folders(folder),
        })
    }
}

/// Those that a job names; an error says which are not there.
pub(crate) fn named<'a>(found: &'a [Peer], names: &[&str]) -> Result<Vec<&'a Peer>> {
    let of = |name: &str| found.iter().find(|peer| peer.name == name);
    let missing: Vec<_> = names
        .iter()
        .copied()
        .filter(|name| of(name).is_none())
        .collect();
    if !missing.is_empty() {
        let packages: Vec<_> = PEERS
            .iter()
            .filter(|package| package.programs.iter().any(|name| missing.contains(name)))
            .map(|package| package.name)
            .collect();
        bail!(
            "nothing to compare with: {} could not be fetched; apt-get install {}",
            missing.join(", "),
            packages.join(" ")
        );
    }
    Ok(names.iter().filter_map(|name| of(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let peer = |name: &str| Peer {
            name: name.to_owned(),
            file: Path::new("/usr/bin").join(name),
            libraries: Vec::new(),
        };
        let found = [peer("sg_dd"), peer("nvme")];
        let names = |list: &[&str]| {
            named(&found, list)
                .map(|peers| peers.iter().map(|p| p.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(&["nvme"]).unwrap(), ["nvme"]);
        assert!(names(&[]).unwrap().is_empty());
        let error = names(&["sgp_dd", "nvme", "lsscsi"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("sgp_dd, lsscsi could not"), "{error}");
        assert!(
            error.ends_with("apt-get install sg3-utils lsscsi"),
            "{error}"
        );
    }

    #[test]
    fn each_program_has_one_package() {
        let mut names: Vec<_> = PEERS.iter().flat_map(|package| package.programs).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_usual_ones_bring_no_large_package() {
        let usual = usual();
        assert!(usual.contains(&"nvme") && usual.contains(&"sgp_dd"));
        assert!(!usual.contains(&"fio"));
    }
}
