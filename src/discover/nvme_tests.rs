use proptest::prelude::*;

use super::*;
use crate::discover::tree::Tree;

const PCI: &str = "devices/pci0000:00/0000:00:03.0/nvme";
const VIRTUAL: &str = "devices/virtual/nvme-subsystem";
const FABRICS: &str = "devices/virtual/nvme-fabrics/ctl";

fn subsystem(tree: &Tree, number: u32, controllers: &[&str]) {
    let folder = format!("{VIRTUAL}/nvme-subsys{number}");
    tree.link("class/nvme-subsystem", &folder);
    tree.file(
        &format!("{folder}/subsysnqn"),
        format!("nqn.2019-08.org.qemu:{number}\n"),
    );
    for controller in controllers {
        let (_, name) = controller.rsplit_once('/').unwrap();
        tree.link("class/nvme", controller);
        tree.folder(&format!("{folder}/{name}"));
    }
}

fn block(tree: &Tree, folder: &str, nsid: u32) {
    tree.link("block", folder);
    tree.file(&format!("{folder}/nsid"), format!("{nsid}\n"));
}

/// Where the two numbers in a name are not those of the controller and of the
/// namespace.
#[test]
fn nodes_belong_to_where_their_folders_are() {
    let tree = Tree::new();
    // The subsystem has another number than its controller.
    subsystem(&tree, 0, &[&format!("{PCI}/nvme1")]);
    subsystem(&tree, 1, &[&format!("{PCI}/nvme0")]);
    for (controller, subsystem, number, nsid) in [(1, 0, 1, 2), (1, 0, 2, 1), (0, 1, 1, 1)] {
        let folder = format!("{PCI}/nvme{controller}");
        block(&tree, &format!("{folder}/nvme{subsystem}n{number}"), nsid);
        tree.link(
            "class/nvme-generic",
            &format!("{folder}/ng{controller}n{number}"),
        );
    }
    tree.link("block", &format!("{PCI}/nvme1/nvme0n1/nvme0n1p1"));
    tree.link("class/nvme", "devices/virtual/nvme/nvme-fabrics");
    let found = tree.sysfs().nvme().unwrap();
    let names: Vec<_> = found.iter().map(NvmeSubsystem::to_string).collect();
    assert_eq!(names, ["nvme-subsys0", "nvme-subsys1"]);
    assert_eq!(found[0].controllers()[0].name(), "nvme1");
    assert_eq!(found[0].nqn().unwrap(), "nqn.2019-08.org.qemu:0");
    let nodes = |index: usize| -> Vec<_> {
        let text = |path: Option<&Path>| path.unwrap().to_str().unwrap().to_owned();
        let namespaces = found[index].namespaces().iter();
        namespaces
            .map(|found| {
                (
                    found.nsid().unwrap(),
                    text(found.block()),
                    text(found.generic()),
                )
            })
            .collect()
    };
    let line = |nsid, block: &str, generic: &str| (nsid, block.to_owned(), generic.to_owned());
    assert_eq!(
        nodes(0),
        [
            line(1, "/dev/nvme0n2", "/dev/ng1n2"),
            line(2, "/dev/nvme0n1", "/dev/ng1n1")
        ]
    );
    assert_eq!(nodes(1), [line(1, "/dev/nvme1n1", "/dev/ng0n1")]);
    for namespace in found.iter().flat_map(NvmeSubsystem::namespaces) {
        assert!(!namespace.is_multipath());
        let [path] = namespace.paths() else {
            panic!("{namespace:?}");
        };
        assert_eq!((path.name(), path.ana_state()), (None, None));
    }
    assert_eq!(found[1].namespaces()[0].paths()[0].controller(), "nvme0");
}

#[test]
fn paths_of_a_namespace_that_several_controllers_reach() {
    let tree = Tree::new();
    let controllers = [10, 9].map(|number| format!("{FABRICS}/nvme{number}"));
    subsystem(&tree, 3, &controllers.each_ref().map(String::as_str));
    // Of another subsystem, with the same numbers.
    subsystem(&tree, 4, &[&format!("{FABRICS}/nvme11")]);
    block(&tree, &format!("{VIRTUAL}/nvme-subsys4/nvme4n1"), 1);
    block(&tree, &format!("{FABRICS}/nvme11/nvme4c11n1"), 1);
    let head = format!("{VIRTUAL}/nvme-subsys3/nvme3n1");
    block(&tree, &head, 7);
    tree.link(
        "class/nvme-generic",
        &format!("{VIRTUAL}/nvme-subsys3/ng3n1"),
    );
    for (controller, state) in [(10, "inaccessible\n"), (9, "optimized\n")] {
        let path = format!("{FABRICS}/nvme{controller}/nvme3c{controller}n1");
        block(&tree, &path, 7);
        tree.file(&format!("{path}/ana_state"), state);
    }
    let found = tree.sysfs().nvme().unwrap();
    let names: Vec<_> = found[0]
        .controllers()
        .iter()
        .map(NvmeController::name)
        .collect();
    assert_eq!(names, ["nvme9", "nvme10"]);
    let [namespace] = found[0].namespaces() else {
        panic!("{found:?}");
    };
    assert!(namespace.is_multipath());
    assert_eq!(namespace.block(), Some(Path::new("/dev/nvme3n1")));
    assert_eq!(namespace.generic(), Some(Path::new("/dev/ng3n1")));
    assert_eq!(namespace.nsid(), Some(7));
    let paths: Vec<_> = namespace
        .paths()
        .iter()
        .map(|path| {
            let state = path.ana_state().unwrap();
            (path.controller(), path.name().unwrap(), state.to_string())
        })
        .collect();
    assert_eq!(
        paths,
        [
            ("nvme9", "nvme3c9n1", "optimized".to_owned()),
            ("nvme10", "nvme3c10n1", "inaccessible".to_owned())
        ]
    );
    let [path] = found[1].namespaces()[0].paths() else {
        panic!("{found:?}");
    };
    assert_eq!((path.controller(), path.ana_state()), ("nvme11", None));
}

#[test]
fn a_command_set_that_the_kernel_does_not_know() {
    let tree = Tree::new();
    let folder = format!("{PCI}/nvme0");
    subsystem(&tree, 0, &[&folder]);
    block(&tree, &format!("{folder}/nvme0n1"), 5);
    tree.file(&format!("{folder}/nvme0n1/hidden"), "1\n");
    tree.link("class/nvme-generic", &format!("{folder}/ng0n1"));
    // Without any block device there is no identifier either.
    tree.link("class/nvme-generic", &format!("{folder}/ng0n2"));
    block(&tree, &format!("{folder}/nvme0n3"), 3);
    tree.file(&format!("{folder}/nvme0n3/hidden"), "0\n");
    let found = tree.sysfs().nvme().unwrap();
    let namespaces: Vec<_> = found[0]
        .namespaces()
        .iter()
        .map(|found| {
            (
                found.name(),
                found.nsid(),
                found.block().is_some(),
                found.generic().is_some(),
            )
        })
        .collect();
    assert_eq!(
        namespaces,
        [
            ("nvme0n3", Some(3), true, false),
            ("nvme0n1", Some(5), false, true),
            ("ng0n2", None, false, true)
        ]
    );
}

#[test]
fn what_has_vanished_is_left_out() {
    let tree = Tree::new();
    let folder = format!("{PCI}/nvme0");
    subsystem(&tree, 0, &[&folder]);
    tree.dead_link("class/nvme-subsystem", &format!("{VIRTUAL}/nvme-subsys1"));
    tree.dead_link("block", &format!("{folder}/nvme0n1"));
    tree.dead_link("block", &format!("{PCI}/nvme7/nvme7n1"));
    let found = tree.sysfs().nvme().unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].namespaces().is_empty(), "{found:?}");
}

#[test]
fn a_controller_that_has_no_subsystem_yet() {
    let tree = Tree::new();
    subsystem(&tree, 5, &[&format!("{FABRICS}/nvme5")]);
    let folder = format!("{FABRICS}/nvme1");
    tree.link("class/nvme", &folder);
    tree.file(&format!("{folder}/state"), "connecting\n");
    tree.file(&format!("{folder}/subsysnqn"), "nqn.x\n");
    tree.file(&format!("{folder}/cntlid"), "65535\n");
    let found = tree.sysfs().nvme().unwrap();
    assert_eq!(found.len(), 2);
    let alone = &found[1];
    assert_eq!((alone.name(), alone.sysfs()), (None, None));
    assert_eq!(alone.to_string(), "nvme1");
    assert_eq!(alone.nqn().unwrap(), "nqn.x");
    let controller = &alone.controllers()[0];
    assert_eq!(controller.state().unwrap(), "connecting");
    assert_eq!(controller.cntlid(), Some(65535));
    assert_eq!(controller.node(), Path::new("/dev/nvme1"));
}

#[test]
fn identifiers_of_namespaces() {
    let tree = Tree::new();
    let folder = format!("{PCI}/nvme0");
    subsystem(&tree, 0, &[&folder]);
    let block_folder = format!("{folder}/nvme0n1");
    block(&tree, &block_folder, 1);
    let namespace = tree.sysfs().nvme().unwrap()[0].namespaces()[0].clone();
    let file = |name: &str, text: &str| tree.file(&format!("{block_folder}/{name}"), text);
    assert_eq!((namespace.wwid(), namespace.uuid()), (None, None));
    assert_eq!(namespace.size(), None);
    file("wwid", "eui.0123456789abcdef\n");
    // What the file has where there is no UUID.
    file("uuid", "00112233-4455-6677-8899-aabbccddeeff\n");
    assert_eq!(namespace.uuid(), None);
    file("wwid", "uuid.6a3e1a7c-0000-4000-8000-000000000001\n");
    assert_eq!(
        namespace.uuid().unwrap(),
        "6a3e1a7c-0000-4000-8000-000000000001"
    );
    file("eui", "01 23 45 67 89 ab cd ef\n");
    file("nguid", "00112233-4455-6677-8899-aabbccddeeff\n");
    file("size", "131072\n");
    file("queue/logical_block_size", "4096\n");
    assert_eq!(namespace.eui().unwrap(), "01 23 45 67 89 ab cd ef");
    assert_eq!(
        namespace.nguid().unwrap(),
        "00112233-4455-6677-8899-aabbccddeeff"
    );
    assert_eq!(namespace.size(), Some(64 << 20));
    file("size", "0\n");
    assert_eq!(namespace.size(), None);
    assert_eq!(namespace.logical_block_size(), Some(4096));
}

#[test]
fn names_that_are_no_namespaces() {
    for name in [
        "nvme0",
        "nvme0n",
        "nvmen1",
        "nvme0n1p1",
        "nvme0c1",
        "nvme0c1n1p2",
        "nvme0cn1",
        "nvmec0n1",
        "nvme0c1c2n3",
        "ng0n1",
        "sda",
        "",
        "nvme-1n1",
        "nvme0n+1",
        "nvme0n99999999999",
    ] {
        assert_eq!(NodeName::parse(name, "nvme"), None, "{name}");
    }
}

proptest! {
    #[test]
    fn names_of_namespaces_and_paths(owner: u32, controller: u32, number: u32) {
        prop_assert_eq!(
            NodeName::parse(&format!("nvme{owner}n{number}"), "nvme"),
            Some(NodeName::Namespace(number))
        );
        prop_assert_eq!(
            NodeName::parse(&format!("nvme{owner}c{controller}n{number}"), "nvme"),
            Some(NodeName::Path(number))
        );
        prop_assert_eq!(
            NodeName::parse(&format!("ng{owner}n{number}"), "ng"),
            Some(NodeName::Namespace(number))
        );
    }

    #[test]
    fn any_name_is_parsed(name: String) {
        if let Some(NodeName::Namespace(number) | NodeName::Path(number)) =
            NodeName::parse(&name, "nvme")
        {
            // Leading zeros are not the kernel's, and do no harm.
            let (_, digits) = name.rsplit_once('n').unwrap();
            prop_assert_eq!(digits.parse::<u32>().unwrap(), number);
        }
    }
}
