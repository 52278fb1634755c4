//! The kernels that are booted: which packages they are in, and where image and modules are.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

/// A series of kernels, as Debian ships them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Series {
    /// Debian 12's own kernel.
    #[value(name = "6.1")]
    V6_1,
    /// The newer kernel for Debian 12.
    #[value(name = "6.12")]
    V6_12,
}

impl Series {
    /// `6.1` or `6.12`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V6_1 => "6.1",
            Self::V6_12 => "6.12",
        }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A kernel image and its modules.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Its series.
    pub(crate) series: Series,
    /// What `uname -r` says in it.
    pub(crate) version: String,
    /// The bootable image.
    pub(crate) image: PathBuf,
    /// `lib/modules/VERSION`.
    pub(crate) modules: PathBuf,
}

/// Modules for hardware that no guest has; they are most of a kernel package.
const UNUSED_MODULES: [&str; 6] = [
    "drivers/gpu",
    "drivers/media",
    "drivers/net",
    "drivers/infiniband",
    "drivers/iio",
    "sound",
];

impl Kernel {
    /// The newest kernel of a series below a root folder.
    pub(crate) fn in_tree(root: &Path, series: Series) -> Option<Self> {
        let versions = fs::read_dir(root.join("lib/modules")).ok()?.flatten();
        let mut kernels: Vec<_> = versions
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|version| Some((version_key(&version, series)?, version)))
            .map(|(key, version)| {
                let image = root.join(format!("boot/vmlinuz-{version}"));
                let modules = root.join("lib/modules").join(&version);
                (
                    key,
                    Self {
                        series,
                        version,
                        image,
                        modules,
                    },
                )
            })
            .filter(|(_, kernel)| {
                fs::File::open(&kernel.image).is_ok() && kernel.modules.join("kernel").is_dir()
            })
            .collect();
        kernels.sort_by(|a, b| a.0.cmp(&b.0));
        kernels.pop().map(|(_, kernel)| kernel)
    }

    /// Drops the modules that are never loaded. Only for an unpacked package.
    pub(crate) fn prune(&self) {
        for unused in UNUSED_MODULES {
            let _ = fs::remove_dir_all(self.modules.join("kernel").join(unused));
        }
    }
}

/// The newest image package of a series; the signed one where both are there.
pub(crate) fn newest_package(names: &[String], series: Series) -> Option<String> {
    let mut known: Vec<_> = names
        .iter()
        .filter_map(|name| {
            let version = name.strip_prefix("linux-image-")?;
            let (version, signed) = match version.strip_suffix("-unsigned") {
                Some(version) => (version, false),
                None => (version, true),
            };
            Some((version_key(version, series)?, signed, name))
        })
        .collect();
    known.sort();
    known.pop().map(|(_, _, name)| name.clone())
}

/// The numbers of a version such as `6.1.0-57-amd64` or `6.12.117+deb12-amd64`, if it is a plain amd64 kernel of the
/// series.
fn version_key(version: &str, series: Series) -> Option<Vec<u64>> {
    let rest = version.strip_suffix("-amd64")?;
    rest.strip_prefix(series.name())?.strip_prefix('.')?;
    rest.replace("+deb", ".")
        .split(['.', '-'])
        .map(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest(names: &[&str], series: Series) -> Option<String> {
        newest_package(
            &names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>(),
            series,
        )
    }

    #[test]
    fn the_newest_plain_kernel_is_chosen() {
        let names = [
            "linux-image-6.1.0-9-amd64",
            "linux-image-6.1.0-57-amd64-unsigned",
            "linux-image-6.1.0-57-amd64",
            "linux-image-6.1.0-57-cloud-amd64",
            "linux-image-6.1.0-58-rt-amd64",
            "linux-image-6.1.0-59-amd64-dbg",
            "linux-image-6.12.99+deb12-amd64",
            "linux-image-6.12.117+deb12-amd64",
            "linux-image-6.12-amd64",
            "linux-image-amd64",
        ];
        assert_eq!(
            newest(&names, Series::V6_1).as_deref(),
            Some("linux-image-6.1.0-57-amd64")
        );
        assert_eq!(
            newest(&names, Series::V6_12).as_deref(),
            Some("linux-image-6.12.117+deb12-amd64")
        );
    }

    #[test]
    fn an_unsigned_kernel_will_do() {
        let names = ["linux-image-6.12.117+deb12-amd64-unsigned"];
        assert_eq!(newest(&names, Series::V6_12).as_deref(), Some(names[0]));
        assert_eq!(newest(&names, Series::V6_1), None);
    }
}
