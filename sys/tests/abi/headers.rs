//! What the installed C headers define: the preprocessor lists the macros, and a small parser reads the structs.

use std::{collections::BTreeMap, fs};

use crate::probe;

/// The headers of which every item must be in the crate.
pub(crate) const WHOLE: [&str; 4] = [
    "scsi/sg.h",
    "scsi/scsi_ioctl.h",
    "linux/bsg.h",
    "linux/nvme_ioctl.h",
];

/// The headers from which the crate takes some items; whatever it takes is compared. `asm/param.h` defines `HZ`.
const ALSO: [&str; 4] = ["scsi/scsi.h", "linux/fs.h", "asm/ioctl.h", "asm/param.h"];

pub(crate) fn include_lines() -> String {
    let lines = ["stddef.h"].iter().chain(&ALSO).chain(&WHOLE);
    lines.map(|file| format!("#include <{file}>\n")).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Expands to a number.
    Value,
    /// Takes arguments.
    Function,
    /// Another name of a struct of the same header.
    Alias,
    /// The header's guard, or an empty macro: there is no value.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) meaning: Meaning,
    /// The path of the header that defines it.
    pub(crate) file: String,
    /// Which of `WHOLE` that is, if any.
    pub(crate) whole: Option<&'static str>,
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) file: &'static str,
    /// Name, and width if it is a bit-field.
    pub(crate) members: Vec<(String, Option<u32>)>,
}

#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) macros: BTreeMap<String, Macro>,
    pub(crate) structs: Vec<Struct>,
    /// The other names of structs, by `typedef` or `#define`.
    pub(crate) aliases: BTreeMap<String, String>,
}

fn whole(path: &str) -> Option<&'static str> {
    WHOLE
        .into_iter()
        .find(|file| path.ends_with(&format!("/{file}")))
}

/// The name which a header tests first, to be read only once.
fn guard(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let first = text
        .lines()
        .find(|line| line.trim_start().starts_with('#'))?;
    Some(
        first
            .trim_start()
            .strip_prefix("#ifndef")?
            .trim()
            .to_owned(),
    )
}

pub(crate) fn read() -> Headers {
    let mut headers = Headers::default();
    let mut text: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut bodies = Vec::new();
    let mut file = String::new();
    for line in probe::preprocess(&include_lines()).lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            file = marker.split('"').nth(1).unwrap_or_default().to_owned();
        } else if let Some(definition) = line.strip_prefix("#define ") {
            let end = definition.find([' ', '(']).unwrap_or(definition.len());
            let (name, rest) = definition.split_at(end);
            let meaning = match rest.trim() {
                _ if rest.starts_with('(') => Meaning::Function,
                "" => Meaning::Nothing,
                _ if whole(&file).is_some() && guard(&file).is_some_and(|g| g == name) => {
                    Meaning::Nothing
                }
                _ => Meaning::Value,
            };
            bodies.push((name.to_owned(), rest.trim().to_owned()));
            let it = Macro {
                meaning,
                file: file.clone(),
                whole: whole(&file),
            };
            headers.macros.insert(name.to_owned(), it);
        } else if let Some(name) = line.strip_prefix("#undef ") {
            headers.macros.remove(name.trim());
        } else if let Some(which) = whole(&file) {
            let part = text.entry(which).or_default();
            part.push_str(line);
            part.push('\n');
        }
    }
    for (file, text) in text {
        Parser::new(file, &text).declarations(&mut headers);
    }
    for (name, body) in bodies {
        let Some(it) = headers.macros.get_mut(&name) else {
            continue;
        };
        if it.whole.is_some() && headers.structs.iter().any(|s| s.name == body) {
            it.meaning = Meaning::Alias;
            headers.aliases.insert(name, body);
        }
    }
    // `struct sg_io_vec` is named by a typedef, and defined nowhere: a slip in the header.
    let Headers {
        aliases, structs, ..
    } = &mut headers;
    aliases.retain(|_, target| structs.iter().any(|s| s.name == *target));
    headers
}

/// Reads declarations of structs and typedefs, and stops at anything else rather than pass over it.
struct Parser {
    file: &'static str,
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn new(file: &'static str, text: &str) -> Self {
        let mut tokens: Vec<String> = Vec::new();
        let mut joins = false;
        for c in text.chars() {
            let word = c.is_alphanumeric() || c == '_';
            match tokens.last_mut() {
                Some(last) if word && joins => last.push(c),
                _ if c.is_whitespace() => {}
                _ => tokens.push(c.to_string()),
            }
            joins = word;
        }
        Self {
            file,
            tokens,
            at: 0,
        }
    }

    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn declarations(mut self, headers: &mut Headers) {
        while self.at < self.tokens.len() {
            let typedef = self.peek(0) == "typedef";
            self.at += usize::from(typedef);
            assert_eq!(
                self.next(),
                "struct",
                "{}: not a struct, at {}",
                self.file,
                self.at
            );
            let name = self.next();
            if self.peek(0) == "{" {
                let members = self.members();
                headers.structs.push(Struct {
                    name: name.clone(),
                    file: self.file,
                    members,
                });
            }
            if typedef {
                headers.aliases.insert(self.next(), name);
            }
            assert_eq!(
                self.next(),
                ";",
                "{}: no end of a declaration, at {}",
                self.file,
                self.at
            );
        }
    }

    fn members(&mut self) -> Vec<(String, Option<u32>)> {
        let mut members = Vec::new();
        assert_eq!(self.next(), "{");
        while self.peek(0) != "}" {
            if self.peek(1) == "{" {
                let kind = self.next();
                assert!(
                    kind == "union" || kind == "struct",
                    "{}: {kind} {{",
                    self.file
                );
                // The members of an unnamed union or struct are members of what contains it.
                members.extend(self.members());
                assert_eq!(self.next(), ";", "{}: a named inner struct", self.file);
            } else {
                members.push(self.member());
            }
        }
        self.at += 1;
        members
    }

    /// `type name;`, `type name[n];` or `type name : width;`
    fn member(&mut self) -> (String, Option<u32>) {
        let mut name = String::new();
        loop {
            match self.next().as_str() {
                ";" => return (name, None),
                ":" => {
                    let width = self.next().parse().expect("the width of a bit-field");
                    assert_eq!(self.next(), ";");
                    return (name, Some(width));
                }
                "[" => while self.next() != "]" {},
                "*" => {}
                word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                    word.clone_into(&mut name);
                }
                other => panic!("{}: a member with `{other}`", self.file),
            }
        }
    }
}
