//! Compares every item of this crate with the C headers installed on this machine, and every item of those headers with
//! this crate.
//!
//! - `abi/headers.rs` lets the C preprocessor list the macros of the headers, and reads their structs. There is no list
//!   of names to compare: what the headers define is what is compared.
//! - `abi/probe.rs` writes a C program that prints the value or the layout of each of these items, and
//!   compiles and runs it.
//! - `abi/items.rs` is the crate's side, and `abi/source.rs` reads the crate's own source, so that no public item of
//!   the crate escapes the comparison.
//! - `abi/kernel.rs` has the items which the installed headers lack, with the kernel file that they come from.
//!
//! The test needs a C compiler and the C headers, and **fails** without them. `CC` names another compiler; `ABI_RUNNER`
//! a program (with arguments) that runs the probe when it is built for another architecture. `CC="cc -I DIRECTORY"`
//! compares with other headers.

#[path = "abi/headers.rs"]
mod headers;
#[path = "abi/items.rs"]
mod items;
#[path = "abi/kernel.rs"]
mod kernel;
#[path = "abi/probe.rs"]
mod probe;
#[path = "abi/source.rs"]
mod source;

use std::sync::LazyLock;

use headers::{Headers, Meaning};
use probe::{Answers, same_number};

static HEADERS: LazyLock<Headers> = LazyLock::new(headers::read);
static C: LazyLock<Answers> = LazyLock::new(|| probe::run(&HEADERS));

/// Fails with all differences at once.
fn report(differences: &[String]) {
    assert!(
        differences.is_empty(),
        "{} difference(s):\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn every_header_gives_items() {
    for file in headers::WHOLE {
        let macros = HEADERS.macros.values().filter(|m| m.whole == Some(file));
        let values = macros.filter(|m| m.meaning == Meaning::Value).count();
        let structs = HEADERS.structs.iter().filter(|s| s.file == file).count();
        assert!(values > 2, "only {values} constants found in {file}");
        let none = file == "scsi/scsi_ioctl.h"; // glibc's defines none
        assert!(structs > 0 || none, "no structs found in {file}");
    }
}

#[test]
fn constants() {
    let mut differences = Vec::new();
    let ours = items::constants();
    for (name, it) in &HEADERS.macros {
        let known = ours.iter().any(|c| c.name == name);
        if it.whole.is_some() && it.meaning == Meaning::Value && !known {
            differences.push(format!("{name} of {} is not in the crate", it.file));
        }
    }
    for constant in &ours {
        let name = constant.name;
        let kernel = kernel::CONSTANTS.iter().find(|k| k.name == name);
        let different = kernel::DIFFERENT.iter().find(|d| d.name == name);
        if let Some(k) = kernel.filter(|k| !same_number(k.value, constant.value)) {
            differences.push(format!(
                "{name}: {:#x} here, {:#x} in {}",
                constant.value, k.value, k.file
            ));
        }
        let installed = match (C.values.get(name), different) {
            (Some(&c), Some(d)) if [d.installed, d.kernel].contains(&c) => d.kernel,
            (Some(&c), _) => c,
            (None, _) => {
                if kernel.is_none() {
                    differences.push(format!("{name}: neither the headers nor kernel.rs have it"));
                }
                continue;
            }
        };
        if !same_number(constant.value, installed) {
            differences.push(format!(
                "{name}: {:#x} here, {installed:#x} in C",
                constant.value
            ));
        }
    }
    for name in kernel::CONSTANTS.iter().map(|k| k.name) {
        if !ours.iter().any(|c| c.name == name) {
            differences.push(format!("{name} of the kernel is not in the crate"));
        }
    }
    report(&differences);
}

#[test]
fn structs() {
    let mut differences = Vec::new();
    let ours = items::structs();
    for it in &HEADERS.structs {
        if !ours.iter().any(|s| s.name == it.name) {
            differences.push(format!(
                "struct {} of {} is not in the crate",
                it.name, it.file
            ));
        }
    }
    for it in &ours {
        let expected = C.structs.get(it.name).copied().or(kernel::layout(it.name));
        match expected {
            Some(c) if c == (it.size, it.align) => {}
            Some(c) => differences.push(format!(
                "struct {}: size and alignment {:?} here, {c:?} in C",
                it.name,
                (it.size, it.align)
            )),
            None => differences.push(format!("struct {}: compared with nothing", it.name)),
        }
    }
    report(&differences);
}

#[test]
fn fields() {
    let mut differences = Vec::new();
    let ours = items::fields();
    for (name, c) in &C.fields {
        let Some(it) = ours.iter().find(|f| f.name() == *name) else {
            differences.push(format!("field {name} is not in the crate"));
            continue;
        };
        let here = (it.offset, it.size);
        if here != (c.offset, c.size) {
            differences.push(format!(
                "field {name}: offset and size {here:?} here, {:?} in C",
                (c.offset, c.size)
            ));
        }
        // C leaves the sign of a plain char to the machine: u8 stands for it.
        if it.kind != c.kind && !(c.kind == 'c' && it.kind == 'u') {
            differences.push(format!("field {name}: {} here, {} in C", it.kind, c.kind));
        }
    }
    for it in ours.iter().filter(|f| !C.fields.contains_key(&f.name())) {
        let storage = items::BIT_FIELDS.iter().any(|b| b.storage == it.name());
        match kernel::field(&it.name()) {
            Some(k) if k == (it.offset, it.size) => {}
            None if storage => {}
            other => differences.push(format!(
                "field {}: {:?} here, {other:?} in the kernel",
                it.name(),
                (it.offset, it.size)
            )),
        }
    }
    report(&differences);
}

#[test]
fn bit_fields() {
    let mut differences = Vec::new();
    for (name, bytes) in &C.bit_fields {
        let Some(it) = items::BIT_FIELDS.iter().find(|b| b.name == name) else {
            differences.push(format!("bit-field {name} is not in the crate"));
            continue;
        };
        let here = (it.all_ones)();
        if here != *bytes {
            differences.push(format!(
                "bit-field {name} with all bits set: {here:x?} here, {bytes:x?} in C"
            ));
        }
        if !(it.reads_back)() {
            differences.push(format!(
                "bit-field {name}: the getter does not see what was set"
            ));
        }
    }
    for it in items::BIT_FIELDS
        .iter()
        .filter(|b| !C.bit_fields.contains_key(b.name))
    {
        differences.push(format!("bit-field {} is not in the headers", it.name));
    }
    report(&differences);
}

#[test]
fn functions() {
    let mut differences = Vec::new();
    let ours = items::calls();
    for (name, it) in &HEADERS.macros {
        let known = ours.iter().any(|c| c.name() == name);
        if it.whole.is_some() && it.meaning == Meaning::Function && !known {
            differences.push(format!("{name}() of {} is not in the crate", it.file));
        }
    }
    for call in &ours {
        let literal = kernel::CALLS
            .iter()
            .find(|(expression, ..)| *expression == call.expression);
        match C
            .calls
            .get(call.expression)
            .or(literal.map(|(_, value, _)| value))
        {
            Some(&c) if same_number(c, call.value) => {}
            Some(c) => {
                differences.push(format!(
                    "{}: {:#x} here, {c:#x} in C",
                    call.expression, call.value
                ));
            }
            None => differences.push(format!("{}: compared with nothing", call.expression)),
        }
    }
    report(&differences);
}

#[test]
fn type_aliases() {
    let mut differences = Vec::new();
    let ours = items::aliases();
    for (alias, target) in &HEADERS.aliases {
        match ours.iter().find(|a| a.name == alias) {
            Some(it) if it.target() == target => {}
            Some(it) => differences.push(format!("{alias}: {} here, {target} in C", it.target())),
            None => differences.push(format!("{alias}, a name of {target}, is not in the crate")),
        }
    }
    for it in ours
        .iter()
        .filter(|a| !HEADERS.aliases.contains_key(a.name))
    {
        if !kernel::ALIASES.contains(&(it.name, it.target())) {
            differences.push(format!(
                "{} = {}: compared with nothing",
                it.name,
                it.target()
            ));
        }
    }
    report(&differences);
}

#[test]
fn no_public_item_of_the_crate_is_left_out() {
    let mut differences = Vec::new();
    let (constants, structs, fields) = (items::constants(), items::structs(), items::fields());
    let (calls, aliases) = (items::calls(), items::aliases());
    let found = source::read();
    for item in &found {
        let compared = match item {
            source::Item::Constant(name) => constants.iter().any(|c| c.name == name),
            source::Item::Function(name) => calls.iter().any(|c| c.name() == name),
            source::Item::Struct(name) => structs.iter().any(|s| s.name == name),
            source::Item::Field(name) => fields.iter().any(|f| f.name() == *name),
            // The C library's own type: there is no header to compare it with.
            source::Item::Alias(name) => name == "Ioctl" || aliases.iter().any(|a| a.name == name),
        };
        if !compared {
            differences.push(format!("{item:?} is public, and not in items.rs"));
        }
    }
    assert!(
        found.len() > 300,
        "only {} public items found in the source",
        found.len()
    );
    report(&differences);
}
