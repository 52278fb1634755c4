//! Where data goes, and where it comes from.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use crate::problem::Problem;

/// A place for data. It is opened before a command is sent, so that no data is
/// lost for want of one.
pub(crate) enum Sink {
    Stdout,
    File(File, String),
}

impl Sink {
    /// `-` is stdout, which JSON wants for itself.
    pub(crate) fn open(path: Option<&Path>, json: bool) -> Result<Option<Self>, Problem> {
        let Some(path) = path else {
            return Ok(None);
        };
        if path.as_os_str() == "-" {
            return match json {
                true => Err(Problem::usage("--json and a file `-` both want stdout")),
                false => Ok(Some(Self::Stdout)),
            };
        }
        let name = path.display().to_string();
        match File::create(path) {
            Ok(file) => Ok(Some(Self::File(file, name))),
            Err(error) => Err(Problem::file(&name, &error)),
        }
    }

    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Problem> {
        match self {
            Self::Stdout => crate::output::result(|out| out.write_all(data)),
            Self::File(file, name) => file
                .write_all(data)
                .map_err(|error| Problem::file(name, &error)),
        }
    }

    pub(crate) const fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }
}

/// All of a file; `-` is stdin.
pub(crate) fn input(path: &Path) -> Result<Vec<u8>, Problem> {
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| Problem::file(&path.display().to_string(), &error))
}
