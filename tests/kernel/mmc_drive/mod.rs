//! The test drive: an optical drive in user space, `tests/mmc_drive`, behind
//! the kernel's real sg and sr drivers. Here are what tests use of it, and
//! tests that it is right itself.

mod commands;
mod discs;
pub(crate) mod expected;
mod faults;
mod peer;
mod process;
mod reads;

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use passthru::{BlockDevice, Data, Options, Outcome, ScsiTransport, SgDevice, scsi::Cdb};

/// No drive is needed for so long but by an error.
const DEADLINE: Duration = Duration::from_secs(600);

/// Ends the tests if it is not dropped in time: a command that hangs cannot be
/// called off.
struct Watch {
    _alive: mpsc::Sender<()>,
}

impl Watch {
    fn new() -> Self {
        let (alive, dropped) = mpsc::channel();
        thread::spawn(move || {
            if dropped.recv_timeout(DEADLINE) == Err(RecvTimeoutError::Timeout) {
                // Past libtest, which never shows what this test has said.
                let _ = writeln!(io::stderr(), "a test drive is there for {DEADLINE:?}");
                std::process::abort();
            }
        });
        Self { _alive: alive }
    }
}

/// A drive that is there until it is dropped.
pub(crate) struct TestDrive {
    process: Child,
    folder: PathBuf,
    sg: PathBuf,
    sr: PathBuf,
    bsg: PathBuf,
    seen: usize,
    _watch: Watch,
}

/// A command that reached the drive, and what it answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// 16 bytes, zeros behind the command's own.
    pub(crate) cdb: Vec<u8>,
    /// The length of the buffer.
    pub(crate) buffer: usize,
    pub(crate) status: u8,
    pub(crate) sense: Vec<u8>,
    /// How many bytes it sent.
    pub(crate) data: usize,
}

impl TestDrive {
    /// A drive with the disc `default`, `audio`, or one that is described by
    /// lines as in `tests/mmc_drive/disc/parse.rs`, and with faults by lines as
    /// in `tests/mmc_drive/faults.rs`.
    pub(crate) fn start(disc: &str, faults: &str) -> Self {
        let watch = Watch::new();
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mmc-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut name = disc.to_owned();
        if disc.contains(' ') {
            let file = folder.join("disc");
            fs::write(&file, disc).unwrap();
            name = file.to_str().unwrap().to_owned();
        }
        let mut process = Command::new("mmc_drive")
            .arg("--disc")
            .arg(name)
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("mmc_drive runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let node = |key: &str| {
            line.split_whitespace()
                .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
                .map(PathBuf::from)
                .unwrap_or_else(|| panic!("no {key}: {line:?}"))
        };
        let mut drive = Self {
            sg: node("sg"),
            sr: node("sr"),
            bsg: node("bsg"),
            process,
            folder,
            seen: 0,
            _watch: watch,
        };
        drive.arm(faults);
        drive
    }

    pub(crate) fn sg(&self) -> &Path {
        &self.sg
    }

    pub(crate) fn sr(&self) -> &Path {
        &self.sr
    }

    pub(crate) fn bsg(&self) -> &Path {
        &self.bsg
    }

    pub(crate) fn open_sg(&self) -> SgDevice {
        SgDevice::open_rw(&self.sg).unwrap()
    }

    /// The disc drive's driver sends some commands when its node is opened:
    /// arm what the first command shall meet after that.
    pub(crate) fn open_sr(&self) -> BlockDevice {
        BlockDevice::open_rw(&self.sr).unwrap()
    }

    /// These faults instead of all others; counts begin anew. The log begins
    /// anew as well.
    pub(crate) fn arm(&mut self, faults: &str) {
        let new = self.folder.join("new");
        fs::write(&new, faults).unwrap();
        fs::rename(new, self.folder.join("faults")).unwrap();
        self.log();
    }

    /// The commands that have reached the drive since the last call of this, or
    /// of `arm`.
    pub(crate) fn log(&mut self) -> Vec<Logged> {
        let text = fs::read_to_string(self.folder.join("log")).unwrap();
        let lines: Vec<_> = text.lines().skip(self.seen).map(logged).collect();
        self.seen += lines.len();
        lines
    }
}

impl Drop for TestDrive {
    fn drop(&mut self) {
        // Its end of the input is the sign to go.
        drop(self.process.stdin.take());
        let ended = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
        if !std::thread::panicking() {
            assert!(ended.unwrap().success(), "mmc_drive");
            assert!(!self.sg.exists(), "{} is still there", self.sg.display());
        }
    }
}

fn logged(line: &str) -> Logged {
    let value = |key: &str| {
        line.split_whitespace()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
            .unwrap_or_else(|| panic!("no {key}: {line}"))
    };
    Logged {
        cdb: bytes(value("cdb")),
        buffer: value("buffer").parse().unwrap(),
        status: bytes(value("status"))[0],
        sense: bytes(value("sense")),
        data: value("data").parse().unwrap(),
    }
}

/// The bytes of a hexadecimal text, with or without spaces.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.bytes().filter(|byte| *byte != b' ').collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Sends a data-in command written in hexadecimal.
pub(crate) fn send(device: &impl ScsiTransport, cdb: &str, buffer: &mut [u8]) -> Outcome {
    let cdb = Cdb::new(&bytes(cdb)).unwrap();
    let data = if buffer.is_empty() {
        Data::None
    } else {
        Data::In(buffer)
    };
    device.send(&cdb, data, &Options::new()).unwrap()
}

/// The data of a data-in command that has to succeed, of at most `len` bytes.
pub(crate) fn get(device: &impl ScsiTransport, cdb: &str, len: usize) -> Vec<u8> {
    let mut buffer = vec![0xee; len];
    let outcome = send(device, cdb, &mut buffer);
    assert!(outcome.verdict().is_success(), "{cdb}: {outcome:?}");
    buffer.truncate(outcome.transferred());
    buffer
}

/// Key, ASC and ASCQ of a command that has to fail.
pub(crate) fn refused(device: &impl ScsiTransport, cdb: &str, len: usize) -> (u8, u8, u8) {
    let mut buffer = vec![0xee; len];
    let outcome = send(device, cdb, &mut buffer);
    assert!(!outcome.verdict().is_success(), "{cdb}: {outcome:?}");
    code(&outcome)
}

/// Key, ASC and ASCQ.
pub(crate) fn code(outcome: &Outcome) -> (u8, u8, u8) {
    let sense = outcome.sense();
    let additional = sense.additional().unwrap_or_else(|| panic!("{outcome:?}"));
    (sense.key().unwrap().0, additional.asc, additional.ascq)
}
