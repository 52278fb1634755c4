//! What a device said: fields with a key for programs and a meaning for people,
//! read from the bytes of a reply by a table.

pub(crate) use crate::output::hex_string as hex;
use std::borrow::Cow;

/// A value as programs get it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Number(u128),
    /// The same for programs; in hex for people.
    Bits(u128),
    Text(Cow<'static, str>),
    List(Vec<Value>),
    Object(Fields),
}

impl Value {
    pub(crate) fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Null for what is not there.
    pub(crate) fn or_null<V: Into<Self>>(value: Option<V>) -> Self {
        value.map_or(Self::Null, Into::into)
    }

    /// The bytes in hex; null if all are zero.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        if bytes.iter().all(|byte| *byte == 0) {
            Self::Null
        } else {
            Self::text(hex(bytes))
        }
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for Value {
            fn from(number: $number) -> Self {
                Self::Number(number.into())
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, u128);

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// What the common parts of the examples say.
impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match value {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Flag(flag),
            Json::Number(number) => number
                .as_u64()
                .map_or_else(|| Self::text(number.to_string()), Self::from),
            Json::String(text) => Self::text(text),
            Json::Array(values) => Self::List(values.into_iter().map(Self::from).collect()),
            Json::Object(fields) => {
                let fields = fields.into_iter();
                Self::Object(fields.map(|(key, value)| field(key, value)).collect())
            }
        }
    }
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) key: Cow<'static, str>,
    pub(crate) value: Value,
    /// For people: what it is and what the value means.
    pub(crate) meaning: Cow<'static, str>,
}

pub(crate) type Fields = Vec<Field>;

/// A field that needs no explanation.
pub(crate) fn field(key: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Field {
    explained(key, value, "")
}

/// A field with its meaning.
pub(crate) fn explained(
    key: impl Into<Cow<'static, str>>,
    value: impl Into<Value>,
    meaning: impl Into<Cow<'static, str>>,
) -> Field {
    Field {
        key: key.into(),
        value: value.into(),
        meaning: meaning.into(),
    }
}

/// How the bytes of a field become a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Little endian.
    Number,
    Bits,
    /// ASCII, without the blanks and zeros around it.
    Text,
    Hex,
    Uuid,
}

/// A field of a data structure: where it is, and what a `V`, the library's view
/// of the structure, says about it.
pub(crate) struct Row<V: 'static> {
    pub(crate) key: &'static str,
    kind: Kind,
    at: usize,
    len: usize,
    what: &'static str,
    meaning: Option<fn(&V) -> String>,
}

impl<V> Row<V> {
    const fn new(kind: Kind, key: &'static str, at: usize, len: usize, what: &'static str) -> Self {
        Self {
            key,
            kind,
            at,
            len,
            what,
            meaning: None,
        }
    }

    /// What the value means.
    pub(crate) const fn means(mut self, meaning: fn(&V) -> String) -> Self {
        self.meaning = Some(meaning);
        self
    }

    fn value(&self, bytes: &[u8]) -> Value {
        let Some(bytes) = bytes.get(self.at..).and_then(|rest| rest.get(..self.len)) else {
            return Value::Null;
        };
        match self.kind {
            Kind::Number => Value::Number(number(bytes)),
            Kind::Bits => Value::Bits(number(bytes)),
            Kind::Text => Value::text(ascii(bytes)),
            Kind::Hex => Value::text(hex(bytes)),
            Kind::Uuid => Value::text(uuid(bytes)),
        }
    }
}

/// A number.
pub(crate) const fn num<V>(key: &'static str, at: usize, len: usize, what: &'static str) -> Row<V> {
    Row::new(Kind::Number, key, at, len, what)
}

/// A number of which each bit means something.
pub(crate) const fn bits<V>(
    key: &'static str,
    at: usize,
    len: usize,
    what: &'static str,
) -> Row<V> {
    Row::new(Kind::Bits, key, at, len, what)
}

/// A string.
pub(crate) const fn text<V>(
    key: &'static str,
    at: usize,
    len: usize,
    what: &'static str,
) -> Row<V> {
    Row::new(Kind::Text, key, at, len, what)
}

/// An identifier in hex.
pub(crate) const fn id<V>(key: &'static str, at: usize, len: usize, what: &'static str) -> Row<V> {
    Row::new(Kind::Hex, key, at, len, what)
}

/// An identifier of 16 bytes in the form of a UUID.
pub(crate) const fn uuid_at<V>(key: &'static str, at: usize, what: &'static str) -> Row<V> {
    Row::new(Kind::Uuid, key, at, 16, what)
}

/// The fields that the rows name. Meanings are worked out only `for_people`.
pub(crate) fn read<V>(rows: &[Row<V>], bytes: &[u8], view: &V, for_people: bool) -> Fields {
    let mut fields = Fields::with_capacity(rows.len() + 4);
    fields.extend(rows.iter().map(|row| Field {
        key: Cow::Borrowed(row.key),
        value: row.value(bytes),
        meaning: match row.meaning {
            Some(meaning) if for_people => match meaning(view) {
                said if said.is_empty() => Cow::Borrowed(row.what),
                said => Cow::Owned(format!("{}: {said}", row.what)),
            },
            _ => Cow::Borrowed(row.what),
        },
    }));
    fields
}

/// At most 16 bytes, little endian; more are left out.
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .take(16)
        .rev()
        .fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// 16 bytes as a UUID is written.
fn uuid(bytes: &[u8]) -> String {
    let mut text = hex(bytes);
    for at in [20, 16, 12, 8] {
        if at < text.len() {
            text.insert(at, '-');
        }
    }
    text
}

/// Bytes of a device that shall be ASCII, without what fills them up.
pub(crate) fn ascii(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .trim_matches([' ', '\0'])
        .to_owned()
}
