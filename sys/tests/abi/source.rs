//! Reads the crate's own source for its public items, so that none can be added without a comparison.

use std::{fs, path::Path};

#[derive(Debug)]
pub(crate) enum Item {
    Constant(String),
    Function(String),
    Struct(String),
    /// `struct.field`
    Field(String),
    Alias(String),
}

pub(crate) fn read() -> Vec<Item> {
    let mut items = Vec::new();
    directory(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut items,
    );
    items
}

fn directory(path: &Path, items: &mut Vec<Item>) {
    for entry in fs::read_dir(path).expect("the source is there") {
        let path = entry.expect("the source is there").path();
        if path.is_dir() {
            directory(&path, items);
        } else {
            file(&fs::read_to_string(&path).expect("a source file"), items);
        }
    }
}

fn name(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Items stand at the left margin and fields one step in, as rustfmt has them.
fn file(text: &str, items: &mut Vec<Item>) {
    let mut inside = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pub const fn ") {
            items.push(Item::Function(name(rest)));
        } else if let Some(rest) = line.strip_prefix("pub const ") {
            items.push(Item::Constant(name(rest)));
        } else if let Some(rest) = line.strip_prefix("pub type ") {
            items.push(Item::Alias(name(rest)));
        } else if let Some(rest) = line.strip_prefix("pub struct ") {
            items.push(Item::Struct(name(rest)));
            inside = Some(name(rest));
        } else if line == "}" {
            inside = None;
        } else if let (Some(owner), Some(rest)) = (&inside, line.strip_prefix("    pub ")) {
            items.push(Item::Field(format!("{owner}.{}", name(rest))));
        } else {
            let known = ["pub mod ", "pub use "]
                .iter()
                .any(|start| line.starts_with(start));
            assert!(
                known || !line.starts_with("pub "),
                "an item which this test does not know: {line}"
            );
        }
    }
}
