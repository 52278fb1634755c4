//! SCSI logical units for people and for programs.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, Write},
};

use passthru::discover::ScsiUnit;

use crate::{json::Object, more};

pub(crate) fn to_json(unit: &ScsiUnit, long: bool, object: &mut Object<'_>) {
    let device_type = unit.device_type();
    object.text("kind", Some("scsi"));
    object.text("address", Some(&unit.address().to_string()));
    object.number("device_type", Some(device_type.0.into()));
    object.text("device_type_name", device_type.name());
    object.text("vendor", Some(&unit.vendor().trimmed()));
    object.text("model", Some(&unit.model().trimmed()));
    object.text("revision", Some(&unit.revision().trimmed()));
    object.node("sg", unit.sg());
    object.node("bsg", unit.bsg());
    object.node("block", unit.block());
    object.node("tape", unit.tape());
    object.node("tape_no_rewind", unit.tape_no_rewind());
    object.node("changer", unit.changer());
    object.null(&["controller", "generic", "nsid", "controllers"]);
    if long {
        object.value("serial", unit.serial().as_ref());
        object.value("wwid", unit.wwid().as_ref());
        object.null(&["uuid", "nguid", "eui", "nqn"]);
        object.text("transport", Some(unit.transport().name()));
        object.value("transport_address", unit.transport_address().as_ref());
        object.value("state", unit.state().as_ref());
        object.number("size", unit.size());
        object.number(
            "logical_block_size",
            unit.logical_block_size().map(u64::from),
        );
        object.flag("removable", unit.is_removable());
        object.null(&["multipath", "paths"]);
    }
}

pub(crate) fn print(unit: &ScsiUnit, long: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::with_capacity(128);
    let name = match unit.device_type().name() {
        Some(name) => Cow::from(name),
        None => Cow::from(format!("type {:02x}h", unit.device_type().0)),
    };
    let _ = write!(
        line,
        "{:<12} {name:<9} {:<8} {:<16} {:<4} ",
        unit.address().to_string(),
        unit.vendor(),
        unit.model(),
        unit.revision(),
    );
    for node in unit.nodes().filter_map(|node| node.to_str()) {
        line.push(' ');
        line.push_str(node);
    }
    line.push('\n');
    out.write_all(line.as_bytes())?;
    if long {
        let text =
            |value: Option<_>| value.map(|value: passthru::discover::TextBuf| value.to_string());
        more(
            out,
            &[
                ("serial", text(unit.serial())),
                ("wwid", text(unit.wwid())),
                ("by", Some(unit.transport().to_string())),
                ("at", text(unit.transport_address())),
                ("state", text(unit.state())),
                ("bytes", unit.size().map(|size| size.to_string())),
                (
                    "in blocks of",
                    unit.logical_block_size().map(|size| size.to_string()),
                ),
            ],
        )?;
    }
    Ok(())
}
