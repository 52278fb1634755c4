//! What was found, for people and for programs.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use passthru::{
    ScsiTransport,
    scsi::{StandardInquiry, Vpd, VpdCode, VpdPage, vpd::SupportedPages},
};
use serde_json::{Map, Value, json};

use crate::{
    decode,
    fetch::{self, Fetched},
    fields::Fields,
    output,
    problem::{Code, Problem},
};

/// One reply.
pub(crate) struct Section {
    title: String,
    /// Fields that the text does not show.
    header: Fields,
    /// `None` for a page that is not known here.
    fields: Option<Fields>,
    bytes: Vec<u8>,
    pub(crate) warnings: Vec<String>,
}

impl Section {
    pub(crate) fn standard(fetched: Fetched<StandardInquiry<'_>>) -> Self {
        let Fetched { reply, warnings } = fetched;
        let bytes = reply.as_bytes();
        Self {
            title: reply.to_string(),
            header: Fields::default()
                .value("received", bytes.len())
                .value(
                    "complete",
                    bytes.len() >= 5 + usize::from(reply.additional_length()),
                )
                .value("warnings", warnings.clone()),
            fields: Some(decode::standard(&reply)),
            bytes: bytes.to_vec(),
            warnings,
        }
    }

    pub(crate) fn page(fetched: Fetched<VpdPage<'_>>) -> Self {
        let Fetched {
            reply,
            mut warnings,
        } = fetched;
        let (code, device_type) = (reply.code(), reply.device_type());
        let fields = decode::page(&reply).unwrap_or_else(|error| {
            warnings.push(format!("only its bytes can be shown: {error}"));
            None
        });
        let name = code.name_for(device_type);
        let title = match name {
            Some(name) => format!("{name} ({:02x}h)", code.0),
            None => format!("page {:02x}h", code.0),
        };
        let received = reply.arrived().len();
        let complete = received >= usize::from(reply.page_length()) + 4;
        if !complete && warnings.is_empty() {
            warnings.push("the page is longer than what came".to_owned());
        }
        Self {
            title,
            header: Fields::default()
                .code("page", code.0, name)
                .code("device_type", device_type.0, device_type.name())
                .value("page_length", reply.page_length())
                .value("received", received)
                .value("complete", complete)
                .value("warnings", warnings.clone()),
            fields,
            bytes: reply.as_bytes().to_vec(),
            warnings,
        }
    }

    fn to_json(&self, with_bytes: bool) -> Map<String, Value> {
        let mut object = self.header.to_json();
        object.extend(self.fields.iter().flat_map(Fields::to_json));
        if with_bytes || self.fields.is_none() {
            object.insert("bytes".to_owned(), output::hex_string(&self.bytes).into());
        }
        object
    }

    fn print(&self, out: &mut dyn Write, hex: bool) -> io::Result<()> {
        match &self.fields {
            Some(fields) if !hex => fields.print(out),
            _ => output::dump(out, &self.bytes),
        }
    }
}

/// All replies.
pub(crate) enum Report {
    One(Section),
    All {
        standard: Section,
        pages: Vec<(VpdCode, Section)>,
        errors: Vec<(VpdCode, Problem)>,
    },
}

impl Report {
    /// The standard data.
    pub(crate) fn standard(device: &impl ScsiTransport) -> Result<Self, Problem> {
        Ok(Self::One(Section::standard(fetch::standard(device)?)))
    }

    /// One page.
    pub(crate) fn page(device: &impl ScsiTransport, code: VpdCode) -> Result<Self, Problem> {
        Ok(Self::One(Section::page(fetch::page(device, code)?)))
    }

    /// The standard data, and every page that page 00h lists. A page that the
    /// device refuses is noted and the rest goes on; when the system refuses
    /// (the device is gone, say) there is no rest.
    pub(crate) fn all(device: &impl ScsiTransport) -> Result<Self, Problem> {
        let standard = Section::standard(fetch::standard(device)?);
        let (mut pages, mut errors) = (Vec::new(), Vec::new());
        let mut todo = vec![VpdCode::SUPPORTED_PAGES];
        let mut seen = BTreeSet::from([VpdCode::SUPPORTED_PAGES]);
        let mut next = 0;
        while let Some(&code) = todo.get(next) {
            next += 1;
            match fetch::page(device, code) {
                Ok(fetched) => {
                    if code == VpdCode::SUPPORTED_PAGES {
                        todo.extend(
                            listed(&fetched.reply)
                                .into_iter()
                                .filter(|page| seen.insert(*page)),
                        );
                    }
                    pages.push((code, Section::page(fetched)));
                }
                Err(error) => {
                    let problem = Problem::from(error);
                    let over = problem.code == Code::System;
                    errors.push((code, problem));
                    if over {
                        break;
                    }
                }
            }
        }
        Ok(Self::All {
            standard,
            pages,
            errors,
        })
    }

    pub(crate) fn to_json(&self, path: &str, with_bytes: bool) -> Value {
        let mut object = match self {
            Self::One(section) => section.to_json(with_bytes),
            Self::All {
                standard,
                pages,
                errors,
            } => {
                let vpd: Map<_, _> = pages
                    .iter()
                    .map(|(code, section)| {
                        (
                            format!("{:02x}", code.0),
                            section.to_json(with_bytes).into(),
                        )
                    })
                    .collect();
                let errors: Vec<_> = errors
                    .iter()
                    .map(|(code, problem)| json!({"page": code.0, "error": problem.to_json()}))
                    .collect();
                Map::from_iter([
                    ("standard".to_owned(), standard.to_json(with_bytes).into()),
                    ("vpd".to_owned(), vpd.into()),
                    ("errors".to_owned(), errors.into()),
                ])
            }
        };
        object.insert("path".to_owned(), path.into());
        object.into()
    }

    pub(crate) fn print(&self, out: &mut dyn Write, path: &str, hex: bool) -> io::Result<()> {
        let path = output::escaped(path);
        for (index, section) in self.sections().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{path}: {}", section.title)?;
            section.print(out, hex)?;
        }
        Ok(())
    }

    /// Everything in the order in which it was fetched.
    fn sections(&self) -> impl Iterator<Item = &Section> {
        let (first, pages) = match self {
            Self::One(section) => (section, [].as_slice()),
            Self::All {
                standard, pages, ..
            } => (standard, pages.as_slice()),
        };
        std::iter::once(first).chain(pages.iter().map(|(_, section)| section))
    }

    /// What is odd about the replies.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self.sections().flat_map(|section| {
            let title = &section.title;
            section
                .warnings
                .iter()
                .map(move |warning| format!("{title}: {warning}"))
        })
    }

    /// The pages that could not be fetched.
    pub(crate) fn errors(&self) -> &[(VpdCode, Problem)] {
        match self {
            Self::One(_) => &[],
            Self::All { errors, .. } => errors,
        }
    }
}

fn listed(page: &VpdPage<'_>) -> Vec<VpdCode> {
    SupportedPages
        .read(page.clone())
        .map(|list| list.pages().collect())
        .unwrap_or_default()
}
