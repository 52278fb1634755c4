//! The guest's NVMe drives beside the plain one, each with its own serial number: docs/testing.md has them in a table.

use std::fs::File;
use std::path::Path;

use anyhow::Result;

use crate::emulator::Emulator;

const MIB: u64 = 1 << 20;

/// A namespace and the file behind it.
struct Namespace {
    nsid: u32,
    bytes: u64,
    options: &'static str,
}

const fn namespace(nsid: u32, bytes: u64, options: &'static str) -> Namespace {
    Namespace {
        nsid,
        bytes,
        options,
    }
}

/// A controller with its namespaces. One with a subsystem takes any number of them.
struct Controller {
    serial: &'static str,
    /// The options of its subsystem, if it has one.
    subsystem: Option<&'static str>,
    options: &'static str,
    namespaces: &'static [Namespace],
    /// What is added to the drives' files.
    drive: &'static str,
    /// Whether QEMU 7.2 cannot do it.
    newer: bool,
}

const PLAIN: Controller = Controller {
    serial: "PTPLAIN",
    subsystem: None,
    options: "",
    namespaces: &[namespace(1, 64 * MIB, "")],
    drive: "",
    newer: false,
};

/// `/dev/nvme0` comes first.
const CONTROLLERS: [Controller; 5] = [
    PLAIN,
    Controller {
        serial: "PTSUB",
        subsystem: Some(""),
        namespaces: &[
            namespace(1, 16 * MIB, ""),
            namespace(
                2,
                16 * MIB,
                ",logical_block_size=4096,physical_block_size=4096",
            ),
            namespace(3, 16 * MIB, ",ms=8,pi=1,pil=1"),
            namespace(4, 16 * MIB, ",ms=16,mset=1"),
            namespace(
                5,
                64 * MIB,
                ",logical_block_size=4096,physical_block_size=4096,zoned=true,zoned.zone_size=4M,zoned.zone_capacity=3M,\
                 zoned.max_open=4,zoned.max_active=8",
            ),
            namespace(6, 16 * MIB, DETACHED),
        ],
        ..PLAIN
    },
    Controller {
        serial: "PTMDTS",
        options: ",mdts=5",
        namespaces: &[namespace(1, 16 * MIB, "")],
        ..PLAIN
    },
    // One page: the kernel reads no more of it than that when it looks for partitions, which is one command.
    Controller {
        serial: "PTSLOW",
        drive: ",throttling.iops-total=1,throttling.iops-size=512",
        namespaces: &[namespace(1, 4096, "")],
        ..PLAIN
    },
    Controller {
        serial: "PTFDP",
        subsystem: Some(",fdp=on,fdp.runs=16M,fdp.nrg=1,fdp.nruh=4"),
        options: ",ocp=on",
        namespaces: &[namespace(1, 64 * MIB, ",fdp.ruhs=0-3")],
        newer: true,
        ..PLAIN
    },
];

const DETACHED: &str = ",detached=true";

/// The controllers of a machine. One that counts instructions has only the plain one, so that nothing else happens in it.
fn controllers(
    emulator: Emulator,
    count_instructions: bool,
) -> impl Iterator<Item = &'static Controller> {
    let count = if count_instructions {
        1
    } else {
        CONTROLLERS.len()
    };
    CONTROLLERS
        .iter()
        .take(count)
        .filter(move |controller| !controller.newer || emulator == Emulator::V10)
}

fn file_name(controller: &Controller, namespace: &Namespace) -> String {
    format!("nvme-{}-{}", controller.serial, namespace.nsid)
}

/// Makes the files of all drives, sparse and zero.
pub(crate) fn make_files(folder: &Path) -> Result<()> {
    for controller in &CONTROLLERS {
        for namespace in controller.namespaces {
            File::create(folder.join(file_name(controller, namespace)))?
                .set_len(namespace.bytes)?;
        }
    }
    Ok(())
}

/// How many `/dev/ng*` nodes there will be.
pub(crate) fn node_count(emulator: Emulator, count_instructions: bool) -> usize {
    controllers(emulator, count_instructions)
        .flat_map(|controller| controller.namespaces)
        .filter(|namespace| namespace.options != DETACHED)
        .count()
}

/// QEMU's arguments for all of them.
pub(crate) fn arguments(
    folder: &Path,
    emulator: Emulator,
    count_instructions: bool,
) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |option: &str, value: String| all.extend([option.to_owned(), value]);
    for controller in controllers(emulator, count_instructions) {
        let Controller {
            serial,
            subsystem,
            options,
            namespaces,
            drive,
            ..
        } = controller;
        for namespace in *namespaces {
            let name = file_name(controller, namespace);
            let file = folder.join(&name);
            add(
                "-drive",
                format!(
                    "if=none,id={name},format=raw,cache=unsafe,file={}{drive}",
                    file.display()
                ),
            );
        }
        let Some(subsystem) = subsystem else {
            let name = file_name(controller, &namespaces[0]);
            add(
                "-device",
                format!("nvme,drive={name},serial={serial}{options}"),
            );
            continue;
        };
        add(
            "-device",
            format!("nvme-subsys,id=subsys-{serial}{subsystem}"),
        );
        add(
            "-device",
            format!("nvme,id={serial},serial={serial},subsys=subsys-{serial}{options}"),
        );
        for namespace in *namespaces {
            let name = file_name(controller, namespace);
            let Namespace { nsid, options, .. } = namespace;
            add(
                "-device",
                format!("nvme-ns,bus={serial},drive={name},nsid={nsid}{options}"),
            );
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_its_drives() {
        let serials = |emulator, count| {
            controllers(emulator, count)
                .map(|controller| controller.serial)
                .collect::<Vec<_>>()
        };
        let all = ["PTPLAIN", "PTSUB", "PTMDTS", "PTSLOW", "PTFDP"];
        assert_eq!(serials(Emulator::V10, false), all);
        assert_eq!(serials(Emulator::V7_2, false), all[..4]);
        assert_eq!(serials(Emulator::V7_2, true), all[..1]);
        assert_eq!(node_count(Emulator::V7_2, false), 8);
        assert_eq!(node_count(Emulator::V10, false), 9);
    }

    #[test]
    fn a_controller_without_a_subsystem_has_one_namespace() {
        for controller in &CONTROLLERS {
            let lone = controller.subsystem.is_none();
            assert!(!lone || controller.namespaces.len() == 1);
        }
    }
}
