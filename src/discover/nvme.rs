//! Finding NVMe subsystems, controllers and namespaces.
//!
//! `drivers/nvme/host` makes them: `core.c` the classes `nvme`,
//! `nvme-subsystem` and `nvme-generic` and the block nodes of namespaces that
//! one controller reaches, `multipath.c` those of namespaces that a subsystem
//! may reach by several. Which controller or subsystem a node belongs to is
//! where its folder is. Numbers in names do not tell it: a namespace of
//! controller 1 may be `/dev/nvme0n2` and `/dev/ng1n2`.

use std::{collections::BTreeMap, fs, io, path::Path};

use super::{
    NvmeController, NvmeNamespace, NvmePath, NvmeSubsystem, Sysfs,
    sysfs::{digits, gone_is_none, node, number},
};

pub(super) fn list(sysfs: &Sysfs) -> io::Result<Vec<NvmeSubsystem>> {
    let mut controllers = controllers(sysfs)?;
    let mut found = Vec::new();
    for (name, folder) in class(sysfs, "class/nvme-subsystem", |name| {
        numbered(name, "nvme-subsys").is_some()
    })? {
        let Some(names) = names_in(&sysfs.path(&folder))? else {
            continue;
        };
        found.push(NvmeSubsystem {
            folder: Some(sysfs.path(&folder)),
            controllers: names
                .iter()
                .filter_map(|name| controllers.remove(&numbered(name, "nvme")?))
                .collect(),
            name: Some(name),
            namespaces: Vec::new(),
        });
    }
    found.sort_by_key(|subsystem| {
        let name = subsystem.name.as_deref();
        name.and_then(|name| numbered(name, "nvme-subsys"))
    });
    // Those that have not been identified yet, or have lost their subsystem.
    found.extend(controllers.into_values().map(|controller| NvmeSubsystem {
        name: None,
        folder: None,
        controllers: vec![controller],
        namespaces: Vec::new(),
    }));
    for subsystem in &mut found {
        subsystem
            .controllers
            .sort_by_key(|controller| controller.instance);
    }
    add_namespaces(sysfs, &mut found)?;
    Ok(found)
}

fn controllers(sysfs: &Sysfs) -> io::Result<BTreeMap<u32, NvmeController>> {
    let mut found = BTreeMap::new();
    for (name, folder) in class(sysfs, "class/nvme", |name| numbered(name, "nvme").is_some())? {
        if let Some(instance) = numbered(&name, "nvme") {
            let controller = NvmeController {
                instance,
                node: node(&name),
                folder: sysfs.path(&folder),
                name,
            };
            found.insert(instance, controller);
        }
    }
    Ok(found)
}

/// The entries of a folder of links, and where they lead.
fn class(
    sysfs: &Sysfs,
    folder: &str,
    takes: impl Fn(&str) -> bool,
) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    if let Some(links) = sysfs.links(folder)? {
        links.for_each_name(|name| {
            if takes(name) {
                if let Some(target) = links.target(name)? {
                    found.push((name.to_owned(), target));
                }
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn names_in(folder: &Path) -> io::Result<Option<Vec<String>>> {
    let Some(entries) = gone_is_none(fs::read_dir(folder))? else {
        return Ok(None);
    };
    let names = entries.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
    names.collect::<io::Result<_>>().map(Some)
}

/// The number in a name that is a prefix and a number.
fn numbered(name: &str, prefix: &str) -> Option<u32> {
    digits(name.strip_prefix(prefix)?)
}

/// What a node's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeName {
    /// `nvme0n1` or `ng0n1`: a namespace, with the number that it has among
    /// those of its subsystem, which is not the namespace identifier.
    Namespace(u32),
    /// `nvme0c1n1`: a path to one, by the controller that its folder is in.
    Path(u32),
}

impl NodeName {
    /// Partitions and names of other drivers are none.
    fn parse(name: &str, prefix: &str) -> Option<Self> {
        let (owner, number) = name.strip_prefix(prefix)?.rsplit_once('n')?;
        let number = digits(number)?;
        match owner.split_once('c') {
            Some((subsystem, controller)) => digits::<u32>(subsystem)
                .and(digits::<u32>(controller))
                .map(|_| Self::Path(number)),
            None => digits::<u32>(owner).map(|_| Self::Namespace(number)),
        }
    }
}

/// A controller (by its place in its subsystem) or a subsystem, and the number
/// of the namespace in it.
type Key = (usize, Option<usize>, u32);

fn add_namespaces(sysfs: &Sysfs, subsystems: &mut [NvmeSubsystem]) -> io::Result<()> {
    let mut namespaces: BTreeMap<Key, NvmeNamespace> = BTreeMap::new();
    let mut paths = Vec::new();
    let blocks = class(sysfs, "block", |name| {
        NodeName::parse(name, "nvme").is_some()
    })?;
    for (name, folder) in blocks {
        let Some(owner) = owner(subsystems, &folder) else {
            continue;
        };
        match NodeName::parse(&name, "nvme") {
            Some(NodeName::Namespace(number)) => {
                let folder = sysfs.path(&folder);
                let namespace = namespaces.entry((owner.0, owner.1, number)).or_default();
                // Hidden: one with a command set that the kernel does not know.
                let hidden = super::sysfs::number(&folder, "hidden") == Some(1);
                namespace.block = (!hidden).then(|| node(&name));
                namespace.folder = Some(folder);
                namespace.name = name;
            }
            Some(NodeName::Path(number)) => paths.push((owner, number, name, folder)),
            None => {}
        }
    }
    let generics = class(sysfs, "class/nvme-generic", |name| {
        NodeName::parse(name, "ng").is_some()
    })?;
    for (name, folder) in generics {
        let owner = owner(subsystems, &folder);
        let parsed = NodeName::parse(&name, "ng");
        if let (Some(owner), Some(NodeName::Namespace(number))) = (owner, parsed) {
            let namespace = namespaces.entry((owner.0, owner.1, number)).or_default();
            namespace.generic = Some(node(&name));
            if namespace.name.is_empty() {
                namespace.name = name;
            }
        }
    }
    for ((subsystem, controller), number, name, folder) in paths {
        let namespace = namespaces.get_mut(&(subsystem, None, number));
        let controller =
            controller.and_then(|index| subsystems.get(subsystem)?.controllers.get(index));
        if let (Some(namespace), Some(controller)) = (namespace, controller) {
            namespace.paths.push(NvmePath {
                name: Some(name),
                controller: controller.name.clone(),
                instance: controller.instance,
                folder: Some(sysfs.path(&folder)),
            });
        }
    }
    for ((subsystem, controller, _), mut namespace) in namespaces {
        let Some(subsystem) = subsystems.get_mut(subsystem) else {
            continue;
        };
        namespace.is_multipath = controller.is_none();
        if let Some(controller) = controller.and_then(|index| subsystem.controllers.get(index)) {
            namespace.paths.push(NvmePath {
                name: None,
                controller: controller.name.clone(),
                instance: controller.instance,
                folder: namespace.folder.clone(),
            });
        }
        namespace.paths.sort_by_key(|path| path.instance);
        let nsid = namespace
            .folders()
            .find_map(|folder| u32::try_from(number(folder, "nsid")?).ok());
        namespace.nsid = nsid;
        // Every block node has one as long as it is there.
        if namespace.nsid.is_some() || namespace.folder.is_none() {
            subsystem.namespaces.push(namespace);
        }
    }
    for subsystem in subsystems {
        // The order before is that of the owner and the kernel's number.
        subsystem
            .namespaces
            .sort_by_key(|namespace| (namespace.nsid.is_none(), namespace.nsid));
    }
    Ok(())
}

/// The subsystem in whose folder, or in the folder of whose controller, this
/// folder is.
fn owner(subsystems: &[NvmeSubsystem], folder: &str) -> Option<(usize, Option<usize>)> {
    folder.rsplit('/').skip(1).find_map(|part| {
        subsystems
            .iter()
            .enumerate()
            .find_map(|(index, subsystem)| {
                if subsystem.name.as_deref() == Some(part) {
                    return Some((index, None));
                }
                let controllers = &subsystem.controllers;
                let controller = controllers.iter().position(|found| found.name == part)?;
                Some((index, Some(controller)))
            })
    })
}

#[cfg(test)]
#[path = "nvme_tests.rs"]
mod tests;
