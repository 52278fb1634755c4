//! What the arguments mean, checked before anything is opened.

use std::{path::PathBuf, time::Duration};

use clap::Parser;
use passthru::scsi::Cdb;

use crate::problem::Problem;

/// Commands to copy, for `-h` and `--help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  raw /dev/sg0 00 00 00 00 00 00                     TEST UNIT READY
  raw --request 36 /dev/sg0 12 00 00 00 24 00        INQUIRY
  raw --request 36 /dev/sg0 '12,0,0,0,0x24,0'        the same
  raw --request 512 --outfile block0 /dev/sda 28 00 00 00 00 00 00 00 01 00
  raw --write --send 512 --infile block0 /dev/sdX 2a 00 00 00 00 00 00 00 01 00
The last one overwrites the first block of a disk.";

/// Sends one SCSI command, given as bytes, and shows everything that comes
/// back.
///
/// The command is sent once and never again. Without --write only commands are
/// let through that surely change nothing; vendor commands need --write.
///
/// On stdout: the data as a hex dump, then the outcome of every layer. Data is
/// also shown (or written) when the device reports an error, as much as the
/// residual claims; then it may be that none of it came from the device.
#[derive(Parser)]
#[command(name = "raw", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Send N bytes of data to the device; N in decimal, or hex as 0x200
    #[arg(long, short = 's', value_name = "N", value_parser = length,
          requires = "infile", conflicts_with = "request")]
    send: Option<usize>,

    /// Where the data for --send is: a file of exactly N bytes, `-` for stdin
    #[arg(long, short = 'i', value_name = "FILE", requires = "send")]
    pub(crate) infile: Option<PathBuf>,

    /// Ask for up to N bytes of data from the device; N in decimal, or hex as
    /// 0x200
    ///
    /// The command's own length field is not changed: it must fit.
    #[arg(long, short = 'r', value_name = "N", value_parser = length)]
    request: Option<usize>,

    /// Write the data to this file instead of showing it; `-` for stdout,
    /// where nothing else is written then: the outcome goes to stderr
    #[arg(long, short = 'o', value_name = "FILE", requires = "request")]
    pub(crate) outfile: Option<PathBuf>,

    /// Let every command through, also those that change the medium, the drive
    /// or its settings
    #[arg(long, short = 'w')]
    pub(crate) write: bool,

    /// How long the command may take, in seconds (0.5, 120)
    ///
    /// Without this, the longest time that a healthy device may need for this
    /// operation code. When it ends, the kernel aborts the command and may
    /// reset the device. Block and bsg nodes raise it to 7 seconds.
    #[arg(long, short = 't', value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Print one JSON object instead, and nothing else
    #[arg(long, short = 'j')]
    pub(crate) json: bool,

    /// The device: /dev/sgN, /dev/sdX, /dev/srN or /dev/bsg/H:C:T:L
    #[arg(value_name = "DEVICE")]
    pub(crate) device: PathBuf,

    /// The command: 6 to 32 bytes in hex, each an argument or all in one,
    /// separated by blanks or commas; 0x before a byte is optional
    #[arg(value_name = "CDB-BYTES", required = true)]
    cdb: Vec<String>,
}

/// The direction of the data and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    None,
    In(usize),
    Out(usize),
}

impl Cli {
    pub(crate) const fn transfer(&self) -> Transfer {
        match (self.send, self.request) {
            (Some(len), _) => Transfer::Out(len),
            (None, Some(len)) => Transfer::In(len),
            (None, None) => Transfer::None,
        }
    }

    pub(crate) fn cdb(&self) -> Result<Cdb, Problem> {
        let bytes = hex_bytes(&self.cdb).map_err(Problem::usage)?;
        Cdb::new(&bytes).map_err(|error| Problem::usage(error.to_string()))
    }

    /// Whether the data goes to stdout, so that nothing else may.
    pub(crate) fn data_on_stdout(&self) -> bool {
        self.outfile
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    }

    /// What clap cannot check.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.json && self.data_on_stdout() {
            return Err(Problem::usage(
                "--json and --outfile - both want stdout: give --outfile a file",
            ));
        }
        Ok(())
    }
}

/// Bytes in hex: separated, or in groups of two digits each.
pub(crate) fn hex_bytes(arguments: &[String]) -> Result<Vec<u8>, String> {
    let words = arguments
        .iter()
        .flat_map(|argument| argument.split(|c: char| c == ',' || c.is_whitespace()))
        .filter(|word| !word.is_empty());
    let mut bytes = Vec::new();
    for word in words {
        let digits = word
            .strip_prefix("0x")
            .or_else(|| word.strip_prefix("0X"))
            .unwrap_or(word);
        let wrong = || format!("{word:?} is no byte in hex (00 to ff)");
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        // A single digit is a byte, any other odd number is a typing error.
        if digits.len() > 1 && digits.len() % 2 != 0 {
            return Err(format!("{word:?} has an odd number of hex digits"));
        }
        for pair in digits.as_bytes().chunks(2) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            bytes.push(u8::from_str_radix(pair, 16).map_err(|_| wrong())?);
        }
    }
    Ok(bytes)
}

/// The kernel takes no longer transfers.
const MAX_TRANSFER: usize = (256 << 20) - 1;

fn length(text: &str) -> Result<usize, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => text.parse(),
    };
    match parsed {
        Ok(len @ 1..=MAX_TRANSFER) => Ok(len),
        _ => Err(format!("no number of bytes between 1 and {MAX_TRANSFER}")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_millis(u32::MAX.into());
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|timeout| !timeout.is_zero() && *timeout <= longest)
        .ok_or_else(|| "no number of seconds above 0 and up to 4294967".to_owned())
}
