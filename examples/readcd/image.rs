//! The output file, and the file beside it by which an interrupted one goes on.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use passthru::scsi::mmc::Sectors;
use serde_json::{Value, json};

use crate::{
    arguments::SectorRange,
    problem::{Code, Problem},
    reader::Sink,
    trouble::{BadSectors, add_bad},
};

/// How often it is noted how far the file is.
const EVERY: Duration = Duration::from_secs(1);

/// What the file is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) sector: &'static str,
    pub(crate) sector_length: usize,
    pub(crate) range: SectorRange,
    /// By which the disc is known again.
    pub(crate) disc: String,
}

impl Content {
    fn to_json(&self) -> Value {
        json!({
            "version": 1,
            "sector": self.sector,
            "sector_length": self.sector_length,
            "first": self.range.first,
            "end": self.range.end,
            "disc": self.disc,
        })
    }

    fn bytes_before(&self, lba: i32) -> u64 {
        u64::from(lba.abs_diff(self.range.first)) * self.sector_length as u64
    }
}

/// The file while it is written.
#[derive(Debug)]
pub(crate) struct Image {
    file: File,
    path: PathBuf,
    content: Content,
    /// None for what cannot be gone on with: a pipe, /dev/null.
    progress: Option<PathBuf>,
    noted: Instant,
    no_error: bool,
    /// There was no such file.
    is_new: bool,
    /// The first sector that is not in it.
    pub(crate) next: i32,
    pub(crate) bad: Vec<BadSectors>,
    /// How many sectors were there already.
    pub(crate) resumed: u64,
    /// How many sectors this run has read.
    pub(crate) good: u64,
}

impl Image {
    /// Makes the file, or goes on with one that was interrupted. Any other file is
    /// left alone.
    pub(crate) fn open(path: &Path, content: Content, no_error: bool) -> Result<Self, Problem> {
        let progress = progress_path(path);
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(file_problem(path, &error)),
        };
        let is_stream = found.as_ref().is_some_and(|found| !found.is_file());
        if found.is_none() && path.starts_with("/dev") {
            return Err(refused(path, "no such node, and no place for a file"));
        }
        let earlier = match &found {
            Some(found) if !is_stream && found.len() > 0 => {
                Some(earlier(path, &progress, &content, found.len())?)
            }
            _ => None,
        };
        let mut file = OpenOptions::new()
            .write(true)
            .create(found.is_none())
            .truncate(false)
            .open(path)
            .map_err(|error| file_problem(path, &error))?;
        let (next, bad) = earlier.unwrap_or((content.range.first, Vec::new()));
        if !is_stream {
            let len = content.bytes_before(next);
            file.set_len(len)
                .and_then(|()| file.seek(SeekFrom::Start(len)))
                .map_err(|error| file_problem(path, &error))?;
        }
        let mut image = Self {
            file,
            path: path.to_path_buf(),
            progress: (!is_stream).then_some(progress),
            noted: Instant::now(),
            no_error,
            is_new: found.is_none(),
            next,
            bad,
            resumed: next.abs_diff(content.range.first).into(),
            good: 0,
            content,
        };
        image.note()?;
        Ok(image)
    }

    /// Notes how far it is.
    pub(crate) fn note(&mut self) -> Result<(), Problem> {
        let Some(progress) = &self.progress else {
            return Ok(());
        };
        let state = json!({
            "content": self.content.to_json(),
            "next": self.next,
            "bad": self.bad.iter().map(bad_json).collect::<Vec<_>>(),
        });
        // Never half of it.
        let new = with_suffix(progress, ".new");
        fs::write(&new, format!("{state:#}\n"))
            .and_then(|()| fs::rename(&new, progress))
            .map_err(|error| file_problem(progress, &error))?;
        self.noted = Instant::now();
        Ok(())
    }

    /// All of it is there.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        let Some(progress) = self.progress.take() else {
            return Ok(());
        };
        self.file
            .sync_all()
            .map_err(|error| file_problem(&self.path, &error))?;
        fs::remove_file(&progress).map_err(|error| file_problem(&progress, &error))
    }

    /// It goes on another time; if nothing is in it, it is as if it had not been.
    pub(crate) fn leave(&mut self) -> Result<(), Problem> {
        if self.next > self.content.range.first {
            return self.note();
        }
        let Some(progress) = self.progress.take() else {
            return Ok(());
        };
        fs::remove_file(&progress).map_err(|error| file_problem(&progress, &error))?;
        if self.is_new {
            fs::remove_file(&self.path).map_err(|error| file_problem(&self.path, &error))?;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8], sectors: u32) -> Result<(), Problem> {
        self.file
            .write_all(bytes)
            .map_err(|error| file_problem(&self.path, &error))?;
        self.next = self.next.saturating_add_unsigned(sectors);
        if self.noted.elapsed() >= EVERY {
            self.note()?;
        }
        Ok(())
    }
}

impl Sink for Image {
    fn good(&mut self, _: i32, sectors: Sectors<'_>) -> Result<(), Problem> {
        let count = u32::try_from(sectors.len()).unwrap_or(0);
        for sector in sectors.iter() {
            self.put(sector.as_bytes(), 1)?;
        }
        self.good += u64::from(count);
        Ok(())
    }

    fn bad(&mut self, bad: BadSectors, problem: Problem) -> Result<(), Problem> {
        if !self.no_error {
            add_bad(&mut self.bad, bad);
            return Err(problem);
        }
        let sectors = bad.sectors;
        let zeros = vec![0; self.content.sector_length];
        add_bad(&mut self.bad, bad);
        for _ in 0..sectors {
            self.put(&zeros, 1)?;
        }
        Ok(())
    }
}

/// How far an interrupted file is; anything else that is there is an error.
fn earlier(
    path: &Path,
    progress: &Path,
    content: &Content,
    len: u64,
) -> Result<(i32, Vec<BadSectors>), Problem> {
    let text = match fs::read_to_string(progress) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(refused(
                path,
                "is there already, and is no output that was interrupted: remove it, or name \
                 another file",
            ));
        }
        Err(error) => return Err(file_problem(progress, &error)),
    };
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    let wanted = content.to_json();
    let here = state.get("content").cloned().unwrap_or_default();
    for (key, value) in wanted.as_object().into_iter().flatten() {
        let other = here.get(key).unwrap_or(&Value::Null);
        if other != value {
            return Err(refused(
                path,
                &format!(
                    "is an output that was interrupted, with another `{key}` ({other}, now \
                     {value}): give the same arguments and disc, or name another file"
                ),
            ));
        }
    }
    let next = state.get("next").and_then(Value::as_i64);
    let next = next
        .and_then(|next| i32::try_from(next).ok())
        .filter(|next| (content.range.first..=content.range.end).contains(next))
        .filter(|&next| content.bytes_before(next) <= len);
    let list = state.get("bad").and_then(Value::as_array);
    let bad: Option<Vec<_>> = list.map(|list| list.iter().filter_map(bad_of).collect());
    match (next, bad) {
        (Some(next), Some(mut bad)) => {
            // Where it stopped at a sector, that is tried again.
            bad.retain(|bad| bad.lba < next);
            Ok((next, bad))
        }
        _ => Err(refused(
            path,
            &format!("cannot be gone on with: {} is damaged", progress.display()),
        )),
    }
}

/// For `--json` and for the file beside the output.
pub(crate) fn bad_json(bad: &BadSectors) -> Value {
    json!({
        "lba": bad.lba,
        "sectors": bad.sectors,
        "reason": bad.reason,
        "not_sent": bad.missing,
    })
}

fn bad_of(value: &Value) -> Option<BadSectors> {
    Some(BadSectors {
        lba: i32::try_from(value.get("lba")?.as_i64()?).ok()?,
        sectors: u32::try_from(value.get("sectors")?.as_u64()?).ok()?,
        reason: value.get("reason")?.as_str()?.to_owned(),
        missing: value.get("not_sent")?.as_bool()?,
    })
}

fn progress_path(path: &Path) -> PathBuf {
    with_suffix(path, ".readcd")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

pub(crate) fn refused(path: &Path, what: &str) -> Problem {
    Problem::own(
        Code::System,
        "refused",
        format!("{} {what}", path.display()),
    )
}

pub(crate) fn file_problem(path: &Path, error: &io::Error) -> Problem {
    Problem::file(&path.display().to_string(), error)
}
