//! JSON written as it is made: a machine may have thousands of units.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::Path,
};

use passthru::discover::TextBuf;

use crate::json_string::push_json_string;

/// An array of objects, each in a line of its own.
pub(crate) struct Array<'o> {
    out: &'o mut dyn Write,
    line: String,
    empty: bool,
}

impl<'o> Array<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self {
            out,
            line: String::new(),
            empty: true,
        })
    }

    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Object<'_>)) -> io::Result<()> {
        self.line.clear();
        self.line.push_str(if self.empty { "\n" } else { ",\n" });
        self.empty = false;
        Object::write(&mut self.line, fill);
        self.out.write_all(self.line.as_bytes())
    }

    pub(crate) fn end(self) -> io::Result<()> {
        self.out
            .write_all(if self.empty { b"]\n" } else { b"\n]\n" })
    }
}

/// An object, in ASCII: a string of a device cannot hold what a terminal would
/// obey.
pub(crate) struct Object<'t> {
    text: &'t mut String,
    empty: bool,
}

impl Object<'_> {
    fn write(text: &mut String, fill: impl FnOnce(&mut Object<'_>)) {
        text.push('{');
        let mut object = Object { text, empty: true };
        fill(&mut object);
        text.push('}');
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.text.push_str(", ");
        }
        self.empty = false;
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\": ");
    }

    pub(crate) fn text(&mut self, key: &str, value: Option<&str>) {
        self.key(key);
        match value {
            Some(value) => push_json_string(self.text, value),
            None => self.text.push_str("null"),
        }
    }

    /// A string of a device, without what fills it up.
    pub(crate) fn value(&mut self, key: &str, value: Option<&TextBuf>) {
        self.text(key, value.map(TextBuf::trimmed).as_deref());
    }

    pub(crate) fn node(&mut self, key: &str, node: Option<&Path>) {
        self.text(key, node.and_then(Path::to_str));
    }

    pub(crate) fn number(&mut self, key: &str, value: Option<u64>) {
        self.key(key);
        match value {
            Some(value) => {
                let _ = write!(self.text, "{value}");
            }
            None => self.text.push_str("null"),
        }
    }

    pub(crate) fn flag(&mut self, key: &str, value: Option<bool>) {
        self.key(key);
        self.text.push_str(match value {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        });
    }

    pub(crate) fn null(&mut self, keys: &[&str]) {
        for key in keys {
            self.text(key, None);
        }
    }

    pub(crate) fn texts<'v>(&mut self, key: &str, values: impl IntoIterator<Item = &'v str>) {
        self.key(key);
        self.text.push('[');
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            push_json_string(self.text, value);
        }
        self.text.push(']');
    }

    pub(crate) fn objects<V>(
        &mut self,
        key: &str,
        values: &[V],
        fill: impl Fn(&V, &mut Object<'_>),
    ) {
        self.key(key);
        self.text.push('[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            Object::write(self.text, |object| fill(value, object));
        }
        self.text.push(']');
    }
}
