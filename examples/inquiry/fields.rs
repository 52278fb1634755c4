//! Fields with a name and a value: one list from which both the text and the
//! JSON are made, so that they cannot differ.

use std::{
    fmt::Display,
    io::{self, Write},
};

use passthru::scsi::VpdCode;
use serde_json::{Map, Value};

use crate::output;

/// The value of a field.
pub(crate) enum Item {
    /// A string, a number, a flag, or null when the device did not say.
    Value(Value),
    /// A number that stands for something, if the device said it: `key` and
    /// `key_name` in JSON.
    Code {
        number: Option<u8>,
        name: Option<String>,
    },
    /// A string that the text only has when there is one.
    Remark(Option<String>),
    /// Page codes with their names; in JSON the codes alone.
    Pages(Vec<(VpdCode, Option<&'static str>)>),
    /// Fields within a field; null in JSON when there are none.
    Group(Option<Fields>),
    /// Several of them.
    List(Vec<Fields>),
}

/// Fields in the order of the text.
#[derive(Default)]
pub(crate) struct Fields(Vec<(&'static str, Item)>);

impl Fields {
    pub(crate) fn item(mut self, key: &'static str, item: Item) -> Self {
        self.0.push((key, item));
        self
    }

    pub(crate) fn value(self, key: &'static str, value: impl Into<Value>) -> Self {
        self.item(key, Item::Value(value.into()))
    }

    pub(crate) fn code(
        self,
        key: &'static str,
        number: impl Into<Option<u8>>,
        name: Option<impl Display>,
    ) -> Self {
        let (number, name) = (number.into(), name.map(|name| name.to_string()));
        self.item(key, Item::Code { number, name })
    }

    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        for (key, item) in &self.0 {
            let value = match item {
                Item::Value(value) => value.clone(),
                Item::Remark(text) => text.clone().into(),
                Item::Code { number, name } => {
                    object.insert(format!("{key}_name"), name.clone().into());
                    (*number).into()
                }
                Item::Pages(pages) => pages.iter().map(|(code, _)| code.0).collect(),
                Item::Group(fields) => fields.as_ref().map(Self::to_json).into(),
                Item::List(list) => list.iter().map(Self::to_json).collect(),
            };
            object.insert((*key).to_owned(), value);
        }
        object
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        self.print_at(out, 2)
    }

    fn print_at(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        let width = self.0.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
        for (key, item) in &self.0 {
            let key = key.replace('_', " ");
            match item {
                Item::Value(value) => {
                    writeln!(out, "{:indent$}{key:<width$}  {}", "", shown(value))?;
                }
                Item::Code { number, name } => {
                    let value = match (number, name) {
                        (Some(number), Some(name)) => {
                            format!("{} ({number:02x}h)", output::escaped(name))
                        }
                        (Some(number), None) => format!("{number:02x}h"),
                        (None, _) => "-".to_owned(),
                    };
                    writeln!(out, "{:indent$}{key:<width$}  {value}", "")?;
                }
                Item::Remark(None) => {}
                Item::Remark(Some(text)) => {
                    let text = output::escaped(text);
                    writeln!(out, "{:indent$}{key:<width$}  {text}", "")?;
                }
                Item::Pages(pages) => {
                    for (code, name) in pages {
                        let name = name.unwrap_or_default();
                        writeln!(
                            out,
                            "{}",
                            format!("{:indent$}{:02x}h  {name}", "", code.0).trim_end()
                        )?;
                    }
                }
                Item::Group(None) => writeln!(out, "{:indent$}{key:<width$}  -", "")?,
                Item::Group(Some(fields)) => {
                    writeln!(out, "{:indent$}{key}:", "")?;
                    fields.print_at(out, indent + 2)?;
                }
                Item::List(list) => {
                    let key = key.trim_end_matches('s');
                    for (index, fields) in list.iter().enumerate() {
                        writeln!(out, "{:indent$}{key} {}:", "", index + 1)?;
                        fields.print_at(out, indent + 2)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// `-` stands for what the device did not say.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) if text.is_empty() => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => output::escaped(text),
        Value::Array(values) if values.is_empty() => "-".to_owned(),
        Value::Array(values) => {
            let parts: Vec<_> = values.iter().map(shown).collect();
            parts.join(", ")
        }
        other => other.to_string(),
    }
}
