//! Data from and to files.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use crate::problem::Problem;

/// The bytes of a file (`-`: stdin) that has neither less nor more than `len`.
pub(crate) fn read_exactly(path: &Path, len: usize) -> Result<Vec<u8>, Problem> {
    let from_stdin = path.as_os_str() == "-";
    let name = if from_stdin {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    };
    let unreadable = |error| Problem::file(&name, &error);
    let mut bytes = Vec::new();
    // One byte more shows that there is more.
    let limit = (len as u64).saturating_add(1);
    if from_stdin {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        let file = File::open(path).map_err(unreadable)?;
        file.take(limit).read_to_end(&mut bytes)
    }
    .map_err(unreadable)?;
    if bytes.len() == len {
        return Ok(bytes);
    }
    let found = if bytes.len() > len {
        "more".to_owned()
    } else {
        format!("only {} bytes", bytes.len())
    };
    Err(Problem::usage(format!("--send {len}: {name} has {found}")))
}

/// Where the data goes; opened before the command is sent, so that no data is
/// lost for want of a place.
pub(crate) enum Sink {
    Stdout,
    File(File, String),
}

impl Sink {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let name = path.display().to_string();
        match File::create(path) {
            Ok(file) => Ok(Self::File(file, name)),
            Err(error) => Err(Problem::file(&name, &error)),
        }
    }

    pub(crate) fn write(self, data: &[u8]) -> Result<(), Problem> {
        match self {
            Self::Stdout => crate::output::result(|out| out.write_all(data)),
            Self::File(mut file, name) => file
                .write_all(data)
                .map_err(|error| Problem::file(&name, &error)),
        }
    }
}
