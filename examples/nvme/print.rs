//! Fields as JSON and as lines for people.

use std::io::{self, Write};

use crate::{
    json_string::push_json_string,
    output::escaped,
    value::{Field, Fields, Value},
};

/// One JSON object, in ASCII: a string of a device cannot hold what a terminal
/// would obey.
pub(crate) fn json(out: &mut dyn Write, fields: &Fields) -> io::Result<()> {
    object(out, fields, 0)?;
    out.write_all(b"\n")
}

fn object(out: &mut dyn Write, fields: &Fields, depth: usize) -> io::Result<()> {
    let mut before = "{";
    for field in fields {
        out.write_all(before.as_bytes())?;
        before = ",";
        line(out, depth + 1)?;
        quoted(out, &field.key)?;
        out.write_all(b": ")?;
        value(out, &field.value, depth + 1)?;
    }
    if fields.is_empty() {
        return out.write_all(b"{}");
    }
    line(out, depth)?;
    out.write_all(b"}")
}

fn list(out: &mut dyn Write, values: &[Value], depth: usize) -> io::Result<()> {
    let mut before = "[";
    for item in values {
        out.write_all(before.as_bytes())?;
        before = ",";
        line(out, depth + 1)?;
        value(out, item, depth + 1)?;
    }
    if values.is_empty() {
        return out.write_all(b"[]");
    }
    line(out, depth)?;
    out.write_all(b"]")
}

fn line(out: &mut dyn Write, depth: usize) -> io::Result<()> {
    let blanks = b"\n                ";
    let end = (1 + 2 * depth).min(blanks.len());
    out.write_all(blanks.get(..end).unwrap_or(blanks))
}

fn value(out: &mut dyn Write, value: &Value, depth: usize) -> io::Result<()> {
    match value {
        Value::Null => out.write_all(b"null"),
        Value::Flag(true) => out.write_all(b"true"),
        Value::Flag(false) => out.write_all(b"false"),
        Value::Number(number) | Value::Bits(number) => match u64::try_from(*number) {
            Ok(number) => write!(out, "{number}"),
            // Most readers of JSON would round it.
            Err(_) => write!(out, "\"{number}\""),
        },
        Value::Text(text) => quoted(out, text),
        Value::List(values) => list(out, values, depth),
        Value::Object(fields) => object(out, fields, depth),
    }
}

fn quoted(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut quoted = String::with_capacity(text.len() + 2);
    push_json_string(&mut quoted, text);
    out.write_all(quoted.as_bytes())
}

/// Lines of key, value and meaning.
pub(crate) fn text(out: &mut dyn Write, fields: &Fields) -> io::Result<()> {
    indented(out, fields, 0)
}

fn indented(out: &mut dyn Write, fields: &Fields, depth: usize) -> io::Result<()> {
    let width = fields
        .iter()
        .map(|field| field.key.len())
        .max()
        .unwrap_or(0)
        .min(24);
    for field in fields {
        one(out, field, width, depth)?;
    }
    Ok(())
}

fn one(out: &mut dyn Write, field: &Field, width: usize, depth: usize) -> io::Result<()> {
    let key = escaped(&field.key);
    let blanks = 2 * depth;
    let text = match &field.value {
        Value::List(values) => {
            head(out, &key, field, depth)?;
            return values.iter().try_for_each(|value| match value {
                Value::Object(fields) => {
                    indented(out, fields, depth + 1)?;
                    writeln!(out)
                }
                other => writeln!(out, "{:blanks$}  {}", "", plain(other)),
            });
        }
        Value::Object(fields) => {
            head(out, &key, field, depth)?;
            return indented(out, fields, depth + 1);
        }
        other => plain(other),
    };
    if field.meaning.is_empty() {
        writeln!(out, "{:blanks$}{key:<width$}  {text}", "")
    } else {
        let meaning = escaped(&field.meaning);
        writeln!(out, "{:blanks$}{key:<width$}  {text:<12}  {meaning}", "")
    }
}

/// The line above a list or an object.
fn head(out: &mut dyn Write, key: &str, field: &Field, depth: usize) -> io::Result<()> {
    let blanks = 2 * depth;
    match &*field.meaning {
        "" => writeln!(out, "{:blanks$}{key}", ""),
        meaning => writeln!(out, "{:blanks$}{key}: {}", "", escaped(meaning)),
    }
}

/// A long string, such as what a vendor put behind a structure, is cut.
const LONGEST: usize = 256;

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Flag(true) => "yes".to_owned(),
        Value::Flag(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bits(number) => format!("0x{number:x}"),
        Value::Text(text) if text.chars().count() > LONGEST => {
            let head: String = text.chars().take(LONGEST).collect();
            format!("{}... (all of it with --json)", escaped(&head))
        }
        Value::Text(text) => escaped(text),
        Value::List(_) | Value::Object(_) => String::new(),
    }
}
