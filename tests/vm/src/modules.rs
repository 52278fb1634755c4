//! The kernel modules the guest gets, with all that they depend on.
//!
//! A kernel package has no `modules.dep`; what depends on what is written in each module's `.modinfo` section, so it is
//! read from there, and the guest's `modprobe` gets its tables written by us.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::kernel::Kernel;
use crate::output::{capture, step};
use crate::workspace::clean_command;

/// What tests, examples and the guest itself load.
const WANTED: &[&str] = &[
    "scsi_mod",
    "scsi_common",
    "sd_mod",
    "sr_mod",
    "sg",
    "st",
    "ch",
    "ses",
    "scsi_debug",
    "scsi_dh_alua",
    "virtio_pci",
    "virtio_scsi",
    "virtio_blk",
    "virtio_console",
    "ahci",
    "ata_piix",
    "mptsas",
    "ata_generic",
    "libata",
    "nvme",
    "nvme_core",
    "nvme_fabrics",
    "nvme_loop",
    "nvmet",
    "nvmet_tcp",
    "nvme_tcp",
    "null_blk",
    "loop",
    "brd",
    "target_core_mod",
    "target_core_user",
    "target_core_file",
    "target_core_iblock",
    "target_core_pscsi",
    "tcm_loop",
    "uio",
    "configfs",
    "dm_mod",
    "md_mod",
    "ext4",
    "vfat",
    "nls_cp437",
    "nls_ascii",
    "bsg",
    "crc_t10dif",
    "crct10dif_common",
    "crct10dif_generic",
    "crct10dif_pclmul",
    "crc64_rocksoft",
    "crc64_rocksoft_generic",
    "crc64",
    "crc32c_generic",
    "crc32c_intel",
    "libcrc32c",
];

/// A module ready for the guest.
#[derive(Debug)]
pub(crate) struct Module {
    /// Its path below `lib/modules/VERSION`, ending in `.ko`.
    pub(crate) path: String,
    /// Its bytes, unpacked.
    pub(crate) body: Vec<u8>,
    depends: Vec<String>,
    aliases: Vec<String>,
}

/// The modules by name, and the tables `modprobe` reads.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// By name, with underscores.
    pub(crate) modules: BTreeMap<String, Module>,
}

impl Modules {
    /// Reads the wanted modules of a kernel and all they depend on; what is not there is said.
    pub(crate) fn load(kernel: &Kernel, xz: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        index(&kernel.modules.join("kernel"), &mut files)?;
        let built_in: BTreeSet<_> = fs::read_to_string(kernel.modules.join("modules.builtin"))
            .unwrap_or_default()
            .lines()
            .filter_map(|line| module_name(Path::new(line)))
            .collect();
        let mut found = Self::default();
        let mut missing = Vec::new();
        let mut open: Vec<String> = WANTED.iter().map(|&name| name.to_owned()).collect();
        while let Some(name) = open.pop() {
            if found.modules.contains_key(&name) || built_in.contains(&name) {
                continue;
            }
            let Some(file) = files.get(&name) else {
                missing.push(name);
                continue;
            };
            let module = Module::read(&kernel.modules, file, xz)?;
            open.extend(module.depends.iter().cloned());
            found.modules.insert(name, module);
        }
        missing.sort();
        if !missing.is_empty() {
            step(format!(
                "kernel {} has no module {}",
                kernel.series,
                missing.join(", ")
            ));
        }
        Ok(found)
    }

    /// `modules.dep`: each module with all modules it needs, nearest first.
    pub(crate) fn dependency_table(&self) -> String {
        let mut table = String::new();
        for module in self.modules.values() {
            let mut needed = Vec::new();
            self.collect(module, &mut needed);
            table.push_str(&format!("{}:", module.path));
            for path in needed {
                table.push_str(&format!(" {path}"));
            }
            table.push('\n');
        }
        table
    }

    /// `modules.alias`: what the kernel asks for when it wants a module for a device or an algorithm.
    pub(crate) fn alias_table(&self) -> String {
        let lines = self.modules.iter().flat_map(|(name, module)| {
            module
                .aliases
                .iter()
                .map(move |alias| format!("alias {alias} {name}\n"))
        });
        lines.collect()
    }

    fn collect<'a>(&'a self, module: &'a Module, needed: &mut Vec<&'a str>) {
        for dependency in module
            .depends
            .iter()
            .filter_map(|name| self.modules.get(name))
        {
            // A module that several need goes to the end: it is loaded first and removed last.
            needed.retain(|&path| path != dependency.path);
            needed.push(&dependency.path);
            self.collect(dependency, needed);
        }
    }
}

impl Module {
    fn read(modules: &Path, file: &Path, xz: &Path) -> Result<Self> {
        let body = match file.extension().and_then(|extension| extension.to_str()) {
            Some("ko") => {
                fs::read(file).with_context(|| format!("cannot read {}", file.display()))?
            }
            Some("xz") => capture(clean_command(xz).arg("-dc").arg(file))?,
            _ => bail!(
                "{} is compressed in a way this program does not know",
                file.display()
            ),
        };
        let mut path = file.strip_prefix(modules)?.with_extension("");
        if path.extension().is_none() {
            path.set_extension("ko");
        }
        let depends = modinfo(&body, "depends")
            .flat_map(|list| list.split(',').map(underscores).collect::<Vec<_>>());
        let depends = depends.filter(|name| !name.is_empty()).collect();
        let aliases = modinfo(&body, "alias").collect();
        Ok(Self {
            path: path.display().to_string(),
            depends,
            aliases,
            body,
        })
    }
}

/// All module files below a folder, by name.
fn index(folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            index(&entry.path(), files)?;
        } else if let Some(name) = module_name(&entry.path()) {
            files.insert(name, entry.path());
        }
    }
    Ok(())
}

/// `crct10dif_generic` for `.../crct10dif-generic.ko.xz`.
fn module_name(path: &Path) -> Option<String> {
    let (name, _) = path.file_name()?.to_str()?.split_once(".ko")?;
    Some(underscores(name))
}

fn underscores(name: &str) -> String {
    name.trim().replace('-', "_")
}

/// The values of one key in a module's information: `key=value` strings that end in a zero byte.
fn modinfo<'a>(body: &'a [u8], key: &str) -> impl Iterator<Item = String> + use<'a> {
    let key = format!("{key}=").into_bytes();
    body.split(|&byte| byte == 0).filter_map(move |text| {
        let value = std::str::from_utf8(text.strip_prefix(key.as_slice())?).ok()?;
        Some(value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &str, depends: &[&str]) -> Module {
        let depends = depends.iter().map(|&name| name.to_owned()).collect();
        Module {
            path: path.to_owned(),
            body: Vec::new(),
            depends,
            aliases: vec![format!("test:{path}")],
        }
    }

    #[test]
    fn what_several_need_is_loaded_first() {
        let mut modules = Modules::default();
        modules
            .modules
            .insert("a".to_owned(), module("k/a.ko", &["b", "c"]));
        modules
            .modules
            .insert("b".to_owned(), module("k/b.ko", &["d"]));
        modules
            .modules
            .insert("c".to_owned(), module("k/c.ko", &["b", "built_in"]));
        modules
            .modules
            .insert("d".to_owned(), module("k/d.ko", &[]));
        let table = modules.dependency_table();
        assert_eq!(table.lines().next(), Some("k/a.ko: k/c.ko k/b.ko k/d.ko"));
        assert!(modules.alias_table().contains("alias test:k/b.ko b\n"));
    }

    #[test]
    fn module_information_is_found_in_the_file() {
        let body = b"\x7fELF\0license=GPL\0depends=scsi_mod,crc-t10dif\0alias=scsi:t-0x00*\0alias=x\0name=sd_mod\0";
        let aliases: Vec<_> = modinfo(body, "alias").collect();
        assert_eq!(aliases, ["scsi:t-0x00*", "x"]);
        assert_eq!(
            modinfo(body, "depends").next().as_deref(),
            Some("scsi_mod,crc-t10dif")
        );
        assert_eq!(
            module_name(Path::new("kernel/x/crc-t10dif.ko.xz")).as_deref(),
            Some("crc_t10dif")
        );
    }
}
