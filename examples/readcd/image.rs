//! The output file.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use nix::fcntl::Flock;
use passthru::scsi::mmc::Sectors;

use crate::{
    noted::{Content, earlier, is_foreign, note},
    place::{Place, lock, real},
    problem::{Code, Problem},
    reader::Sink,
    trouble::{BadSectors, add_bad, bad_count, cut_bad},
};

/// How often it is noted how far the file is.
const EVERY: Duration = Duration::from_secs(1);

/// How many zeros are written at once.
const ZEROS: [u8; 4096] = [0; 4096];

/// The file while it is written.
#[derive(Debug)]
pub(crate) struct Image {
    file: File,
    _lock: Option<Flock<File>>,
    path: PathBuf,
    content: Content,
    /// The file beside it; none for what cannot be gone on with: a pipe, /dev/null.
    noted_in: Option<PathBuf>,
    noted: Instant,
    no_error: bool,
    /// There was no such file.
    is_new: bool,
    /// The first sector that is not in it.
    pub(crate) next: i32,
    /// The sectors before this one are of the right disc.
    sure: i32,
    pub(crate) bad: Vec<BadSectors>,
    /// Where this run began.
    begun: i32,
}

impl Image {
    /// Makes the file, or goes on with one that was interrupted. Any other file is
    /// left alone.
    pub(crate) fn open(path: &Path, content: Content, no_error: bool) -> Result<Self, Problem> {
        let place = Place::of(path)?;
        let noted_in = (!place.is_stream()).then(|| with_suffix(path, ".readcd"));
        let file = place.open(path)?;
        let mut image = Self {
            file,
            _lock: None,
            path: path.to_path_buf(),
            noted_in: None,
            noted: Instant::now(),
            no_error,
            is_new: place.is_new(),
            next: content.range.first,
            sure: content.range.first,
            bad: Vec::new(),
            begun: content.range.first,
            content,
        };
        if let Some(noted_in) = noted_in {
            let begun = image.begin(noted_in);
            if begun.is_err() && image.is_new {
                // Nothing is in it.
                let _ = fs::remove_file(real(path));
            }
            begun?;
        }
        Ok(image)
    }

    /// Finds out where it stopped, if anything is in it.
    fn begin(&mut self, noted_in: PathBuf) -> Result<(), Problem> {
        self._lock = lock(&self.path, &self.file)?;
        let found = self.file.metadata();
        let len = found
            .map_err(|error| file_problem(&self.path, &error))?
            .len();
        if len > 0 {
            (self.next, self.bad) = earlier(&self.path, &noted_in, &self.content, len)?;
        } else if is_foreign(&noted_in) {
            return Err(refused(
                &noted_in,
                "is needed to note how far the output is, and is something else: remove it, or \
                 name another file",
            ));
        }
        (self.begun, self.sure) = (self.next, self.next);
        self.noted_in = Some(noted_in);
        Ok(())
    }

    /// Makes ready for the first sector. What is behind the noted ones is cut off.
    pub(crate) fn start(&mut self) -> Result<(), Problem> {
        let started = self.cut().and_then(|()| self.note());
        if started.is_err() && self.next == self.content.range.first {
            let _ = self.leave();
        }
        started
    }

    /// How many sectors were there already.
    pub(crate) fn resumed(&self) -> u64 {
        self.begun.abs_diff(self.content.range.first).into()
    }

    /// How many sectors this run has read.
    pub(crate) fn good(&self) -> u64 {
        let all = u64::from(self.next.abs_diff(self.begun));
        // A sector at which it stopped is listed, and is not in it.
        let bad_before = |end| {
            let mut before = self.bad.clone();
            cut_bad(&mut before, end);
            bad_count(&before)
        };
        let bad = bad_before(self.next) - bad_before(self.begun);
        let gaps = &self.content.gaps;
        let left_out = gaps.sectors_before(self.next) - gaps.sectors_before(self.begun);
        all.saturating_sub(bad + left_out)
    }

    fn cut(&mut self) -> Result<(), Problem> {
        if self.noted_in.is_none() {
            return Ok(());
        }
        let len = self.content.bytes_before(self.next);
        self.file
            .set_len(len)
            .and_then(|()| self.file.seek(SeekFrom::Start(len)))
            .map_err(|error| file_problem(&self.path, &error))?;
        Ok(())
    }

    /// Notes how far it is.
    fn note(&mut self) -> Result<(), Problem> {
        let Some(noted_in) = &self.noted_in else {
            return Ok(());
        };
        // What is noted must be in the file whatever happens to the machine.
        synced(self.file.sync_data()).map_err(|error| file_problem(&self.path, &error))?;
        note(noted_in, &self.content, self.next, &self.bad)?;
        self.noted = Instant::now();
        Ok(())
    }

    /// All of it is there.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        let Some(noted_in) = self.noted_in.take() else {
            return Ok(());
        };
        synced(self.file.sync_all()).map_err(|error| file_problem(&self.path, &error))?;
        fs::remove_file(&noted_in).map_err(|error| file_problem(&noted_in, &error))
    }

    /// It goes on another time; if nothing is in it, it is as if it had not been.
    pub(crate) fn leave(&mut self) -> Result<(), Problem> {
        if self.next > self.content.range.first {
            return self.note();
        }
        let Some(noted_in) = self.noted_in.take() else {
            return Ok(());
        };
        let file = self.is_new.then(|| real(&self.path));
        let mut result = Ok(());
        for path in file.iter().chain([&noted_in]) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    result = result.and(Err(file_problem(path, &error)));
                }
                _ => {}
            }
        }
        result
    }

    /// All sectors before this one are of the right disc.
    pub(crate) const fn is_sure(&mut self, before: i32) {
        self.sure = before;
    }

    /// Those behind may be of another.
    pub(crate) fn take_back(&mut self) -> Result<(), Problem> {
        self.next = self.sure;
        cut_bad(&mut self.bad, self.sure);
        self.cut()
    }

    /// Has zeros up to this sector.
    pub(crate) fn skip(&mut self, end: i32) -> Result<(), Problem> {
        let sectors = end.abs_diff(self.next);
        if self.noted_in.is_some() {
            // A hole, which reads as zeros.
            self.next = end;
            return self.cut();
        }
        for _ in 0..sectors {
            self.zeros()?;
        }
        Ok(())
    }

    fn zeros(&mut self) -> Result<(), Problem> {
        let zeros = ZEROS.get(..self.content.sector_length).unwrap_or(&ZEROS);
        self.put(zeros, 1)
    }

    /// So many sectors.
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
        // One call for all of them.
        self.put(sectors.as_bytes(), count)
    }

    fn bad(&mut self, bad: BadSectors, problem: Problem) -> Result<(), Problem> {
        let sectors = bad.sectors;
        add_bad(&mut self.bad, bad);
        if !self.no_error {
            return Err(problem);
        }
        for _ in 0..sectors {
            self.zeros()?;
        }
        Ok(())
    }
}

/// Some file systems have no such call; that is no error of the data.
pub(crate) fn synced(result: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    match result {
        Err(error) if matches!(error.kind(), InvalidInput | Unsupported) => Ok(()),
        result => result,
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
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
