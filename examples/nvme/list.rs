//! `list`: every controller and namespace, from sysfs.

use std::io::{self, Write};

use passthru::discover::{NvmeController, NvmeNamespace, NvmeSubsystem, TextBuf};

use crate::{
    meaning::bytes,
    output::escaped,
    value::{Fields, Value, field},
};

/// What is read once for all namespaces of a controller.
struct Controller<'s> {
    found: &'s NvmeController,
    model: Value,
    serial: Value,
    firmware: Value,
}

fn said(text: Option<TextBuf>) -> Value {
    text.map_or(Value::Null, |text| Value::text(text.trimmed().into_owned()))
}

fn path(path: Option<&std::path::Path>) -> Value {
    path.map_or(Value::Null, |path| {
        Value::text(path.to_string_lossy().into_owned())
    })
}

/// The whole list.
pub(crate) fn fields(subsystems: &[NvmeSubsystem]) -> Fields {
    let mut controllers = Vec::new();
    let mut namespaces = Vec::new();
    for subsystem in subsystems {
        let known: Vec<_> = subsystem
            .controllers()
            .iter()
            .map(|found| Controller {
                found,
                model: said(found.model()),
                serial: said(found.serial()),
                firmware: said(found.firmware()),
            })
            .collect();
        for controller in &known {
            controllers.push(Value::Object(one_controller(controller)));
        }
        for namespace in subsystem.namespaces() {
            namespaces.push(Value::Object(one_namespace(namespace, &known)));
        }
    }
    vec![
        field("controllers", Value::List(controllers)),
        field("namespaces", Value::List(namespaces)),
    ]
}

fn one_controller(controller: &Controller<'_>) -> Fields {
    let found = controller.found;
    vec![
        field("name", found.name().to_owned()),
        field("node", path(Some(found.node()))),
        field("model", controller.model.clone()),
        field("serial", controller.serial.clone()),
        field("firmware", controller.firmware.clone()),
        field("transport", said(found.transport())),
        field("address", said(found.address())),
        field("state", said(found.state())),
    ]
}

fn one_namespace(namespace: &NvmeNamespace, known: &[Controller<'_>]) -> Fields {
    let names = namespace.paths().iter().map(|path| path.controller());
    let first = names.clone().next().and_then(|name| {
        known
            .iter()
            .find(|controller| controller.found.name() == name)
    });
    let of = |pick: fn(&Controller<'_>) -> Value| first.map_or(Value::Null, pick);
    vec![
        field("node", path(namespace.block())),
        field("generic", path(namespace.generic())),
        field("nsid", Value::or_null(namespace.nsid())),
        field("model", of(|controller| controller.model.clone())),
        field("serial", of(|controller| controller.serial.clone())),
        field("firmware", of(|controller| controller.firmware.clone())),
        field("size", Value::or_null(namespace.size())),
        field("block_size", Value::or_null(namespace.logical_block_size())),
        field(
            "controllers",
            Value::List(names.map(|name| Value::text(name.to_owned())).collect()),
        ),
    ]
}

/// One line for each, controllers first.
pub(crate) fn print(out: &mut dyn Write, fields: &Fields) -> io::Result<()> {
    let rows: Vec<_> = fields
        .iter()
        .filter_map(|field| match &field.value {
            Value::List(rows) => Some(rows),
            _ => None,
        })
        .flatten()
        .filter_map(|row| match row {
            Value::Object(fields) => Some(fields),
            _ => None,
        })
        .collect();
    if rows.is_empty() {
        return writeln!(out, "no NVMe devices");
    }
    writeln!(
        out,
        "{:<14} {:>10} {:<20} {:<24} {:<8}  size and format",
        "node", "namespace", "serial", "model", "firmware",
    )?;
    for row in rows {
        let text = |key: &str| match row.iter().find(|field| field.key == key) {
            Some(field) => match &field.value {
                Value::Text(text) => escaped(text),
                Value::Number(number) => number.to_string(),
                _ => "-".to_owned(),
            },
            None => "-".to_owned(),
        };
        let number = |key: &str| match row.iter().find(|field| field.key == key) {
            Some(field) => match field.value {
                Value::Number(number) => Some(number),
                _ => None,
            },
            None => None,
        };
        let node = match text("node") {
            node if node == "-" => text("generic"),
            node => node,
        };
        write!(
            out,
            "{node:<14} {:>10} {:<20} {:<24} {:<8}",
            text("nsid"),
            text("serial"),
            text("model"),
            text("firmware"),
        )?;
        match (number("size"), number("block_size")) {
            (Some(size), Some(block)) => writeln!(out, "  {}, blocks of {block}", bytes(size))?,
            (Some(size), None) => writeln!(out, "  {}", bytes(size))?,
            _ => writeln!(out, "  {} {}", text("transport"), text("address"))?,
        }
    }
    Ok(())
}
