//! NVMe controllers and namespaces for people and for programs.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use passthru::discover::{NvmeController, NvmeNamespace, NvmePath, NvmeSubsystem, TextBuf};

use crate::{
    json::{Array, Object},
    more,
};

const SCSI_ONLY: [&str; 2] = ["sg", "bsg"];
const OTHER_SCSI: [&str; 3] = ["tape", "tape_no_rewind", "changer"];

/// The controllers, then the namespaces.
pub(crate) fn to_json(
    subsystem: &NvmeSubsystem,
    long: bool,
    array: &mut Array<'_>,
) -> io::Result<()> {
    for controller in subsystem.controllers() {
        array.object(|object| {
            head(object, controller.name(), "controller", Some(controller));
            object.null(&SCSI_ONLY);
            object.null(&["block"]);
            object.null(&OTHER_SCSI);
            object.node("controller", Some(controller.node()));
            object.null(&["generic", "nsid", "controllers"]);
            if long {
                object.value("serial", controller.serial().as_ref());
                object.null(&["wwid", "uuid", "nguid", "eui"]);
                object.value("nqn", subsystem.nqn().as_ref());
                transport(object, Some(controller));
                object.null(&[
                    "size",
                    "logical_block_size",
                    "removable",
                    "multipath",
                    "paths",
                ]);
            }
        })?;
    }
    for namespace in subsystem.namespaces() {
        let controller = first_controller(subsystem, namespace);
        array.object(|object| {
            head(object, &address(namespace), "namespace", controller);
            object.null(&SCSI_ONLY);
            object.node("block", namespace.block());
            object.null(&OTHER_SCSI);
            object.null(&["controller"]);
            object.node("generic", namespace.generic());
            object.number("nsid", namespace.nsid().map(u64::from));
            object.texts(
                "controllers",
                namespace.paths().iter().map(NvmePath::controller),
            );
            if long {
                let serial = controller.and_then(NvmeController::serial);
                object.value("serial", serial.as_ref());
                object.value("wwid", namespace.wwid().as_ref());
                object.value("uuid", namespace.uuid().as_ref());
                object.value("nguid", namespace.nguid().as_ref());
                object.value("eui", namespace.eui().as_ref());
                object.value("nqn", subsystem.nqn().as_ref());
                transport(object, controller);
                object.number("size", namespace.size());
                object.number(
                    "logical_block_size",
                    namespace.logical_block_size().map(u64::from),
                );
                object.null(&["removable"]);
                object.flag("multipath", Some(namespace.is_multipath()));
                object.objects("paths", namespace.paths(), |path, object| {
                    object.text("controller", Some(path.controller()));
                    object.text("name", path.name());
                    object.value("ana_state", path.ana_state().as_ref());
                });
            }
        })?;
    }
    Ok(())
}

fn head(object: &mut Object<'_>, address: &str, kind: &str, controller: Option<&NvmeController>) {
    object.text("kind", Some("nvme"));
    object.text("address", Some(address));
    object.null(&["device_type"]);
    object.text("device_type_name", Some(kind));
    object.null(&["vendor"]);
    let model = controller.and_then(NvmeController::model);
    object.value("model", model.as_ref());
    let revision = controller.and_then(NvmeController::firmware);
    object.value("revision", revision.as_ref());
}

fn transport(object: &mut Object<'_>, controller: Option<&NvmeController>) {
    let transport = controller.and_then(NvmeController::transport);
    object.value("transport", transport.as_ref());
    let address = controller.and_then(NvmeController::address);
    object.value("transport_address", address.as_ref());
    let state = controller.and_then(NvmeController::state);
    object.value("state", state.as_ref());
}

/// The first of the controllers that reach it.
fn first_controller<'s>(
    subsystem: &'s NvmeSubsystem,
    namespace: &NvmeNamespace,
) -> Option<&'s NvmeController> {
    let name = namespace.paths().first()?.controller();
    let mut controllers = subsystem.controllers().iter();
    controllers.find(|controller| controller.name() == name)
}

/// The number in the node's name, and the namespace identifier.
fn address(namespace: &NvmeNamespace) -> Cow<'_, str> {
    let name = namespace.name();
    match (name.rsplit_once('n'), namespace.nsid()) {
        (Some((owner, _)), Some(nsid)) => format!("{owner}:{nsid}").into(),
        _ => name.into(),
    }
}

pub(crate) fn print(subsystem: &NvmeSubsystem, long: bool, out: &mut dyn Write) -> io::Result<()> {
    let text = |value: Option<TextBuf>| value.map(|value| value.to_string());
    for controller in subsystem.controllers() {
        line(out, controller.name(), "nvme", Some(controller))?;
        writeln!(out, " {}", controller.node().display())?;
        if long {
            more(
                out,
                &[
                    ("serial", text(controller.serial())),
                    ("nqn", text(subsystem.nqn())),
                    ("by", text(controller.transport())),
                    ("at", text(controller.address())),
                    ("state", text(controller.state())),
                ],
            )?;
        }
    }
    for namespace in subsystem.namespaces() {
        let controller = first_controller(subsystem, namespace);
        line(out, &address(namespace), "namespace", controller)?;
        for node in [namespace.block(), namespace.generic()]
            .into_iter()
            .flatten()
        {
            write!(out, " {}", node.display())?;
        }
        writeln!(out)?;
        if long {
            let size = namespace.logical_block_size();
            more(
                out,
                &[
                    ("wwid", text(namespace.wwid())),
                    ("bytes", namespace.size().map(|size| size.to_string())),
                    ("in blocks of", size.map(|size| size.to_string())),
                    ("paths", paths(namespace)),
                ],
            )?;
        }
    }
    Ok(())
}

/// Up to the nodes.
fn line(
    out: &mut dyn Write,
    address: &str,
    kind: &str,
    controller: Option<&NvmeController>,
) -> io::Result<()> {
    let model = controller
        .and_then(NvmeController::model)
        .unwrap_or_default();
    let revision = controller
        .and_then(NvmeController::firmware)
        .unwrap_or_default();
    write!(out, "{address:<12} {kind:<9} {model:<25} {revision:<4} ")
}

fn paths(namespace: &NvmeNamespace) -> Option<String> {
    let path = |path: &NvmePath| match path.ana_state() {
        Some(state) => format!("{} ({state})", path.controller()),
        None => path.controller().to_owned(),
    };
    let paths: Vec<_> = namespace.paths().iter().map(path).collect();
    (!paths.is_empty()).then(|| paths.join(" "))
}
