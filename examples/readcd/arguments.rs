//! What the arguments mean, checked before anything is opened.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, ValueEnum};

use crate::problem::Problem;

/// Commands to copy, for `-h` and `--help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  readcd /dev/sr0 --info                            what drive and disc are
  readcd /dev/sr0 --c2scan --speed 8                how well the disc can be read
  readcd /dev/sr0 --output disc.iso                 a disc of data
  readcd /dev/sg2 --output disc.bin --sector raw --no-error
  readcd /dev/sr0 --fulltoc disc.toc";

/// Reads CDs sector by sector, and tells what could not be read.
///
/// A command that fails is tried again sector by sector, with reads far away
/// between the tries. Sectors that stay unreadable are listed at the end. What a
/// drive answers with GOOD and without all the bytes counts as not read, never as
/// good.
///
/// The output of a run that was interrupted is continued: give the same arguments
/// again. Until it is complete a file FILE.readcd beside it says how far it is. A few
/// sectors are compared first, and the tracks at the end, so that no file has sectors of
/// two discs.
///
/// What lies between the sessions of a disc is left out: zeros in the output, so that all
/// sectors are at their places.
///
/// Ctrl-C ends after the command that is under way, and leaves the drive as it was
/// found; a second one ends at once.
#[derive(Debug, Parser)]
#[command(
    name = "readcd",
    version,
    after_help = EXAMPLES,
    group = ArgGroup::new("task").required(true)
)]
pub(crate) struct Cli {
    /// The drive: /dev/srN, /dev/sgN or /dev/bsg/H:C:T:L
    pub(crate) device: PathBuf,

    /// Read sectors to this file, which must not be there unless a run was interrupted;
    /// - is standard output, and then the report goes to standard error
    #[arg(long, value_name = "FILE", group = "task")]
    pub(crate) output: Option<PathBuf>,

    /// Count the C2 errors that the drive reports, sector by sector
    ///
    /// The drive is told to try 10 times at most and to deliver what it has (page
    /// 01h), and set back at the end. If it does not send C2 pointers, that is said
    /// and nothing is counted.
    #[arg(long, group = "task")]
    pub(crate) c2scan: bool,

    /// Write the full table of contents to this file, as the drive sends it
    /// (READ TOC format 2, header included); the file must not be there
    #[arg(long, value_name = "FILE", group = "task")]
    pub(crate) fulltoc: Option<PathBuf>,

    /// Tell what drive and disc are, and what the drive really sends; what cannot be
    /// found out is told, and is no failure
    #[arg(long, group = "task")]
    pub(crate) info: bool,

    /// From the first sector up to, but not including, the second; without this
    /// all of the disc
    #[arg(long, value_name = "A-B", value_parser = sectors, allow_hyphen_values = true)]
    pub(crate) sectors: Option<SectorRange>,

    /// How fast to read: 1 is 176.4 kB/s; without this as fast as it is
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=371))]
    pub(crate) speed: Option<u16>,

    /// How fast to read a sector that is tried again, in times as for --speed; without
    /// this as fast as the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=371))]
    pub(crate) retry_speed: Option<u16>,

    /// How often a sector is tried again; without this 128, for --c2scan 10
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,

    /// What to read of each sector; without this data if there is nothing else in
    /// the range, audio likewise, and otherwise raw
    #[arg(long, value_name = "KIND")]
    pub(crate) sector: Option<SectorKind>,

    /// Go on after unreadable sectors: write zeros for them (exit code 2);
    /// --c2scan always does
    #[arg(long)]
    pub(crate) no_error: bool,

    /// Print one JSON object instead, and nothing else
    #[arg(long, short = 'j')]
    pub(crate) json: bool,
}

/// Sectors from `first` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectorRange {
    pub(crate) first: i32,
    pub(crate) end: i32,
}

/// What is read of each sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectorKind {
    /// 2048 bytes: the user data of mode 1 and of mode 2 form 1; other sectors are an error
    Data,
    /// 2352 bytes of audio; other sectors are an error
    Audio,
    /// 2352 bytes of any sector
    Raw,
    /// 2448 bytes: raw, and the subchannels P to W
    #[value(name = "raw+sub")]
    RawSub,
    /// 2646 bytes: raw, and the C2 pointers
    #[value(name = "raw+c2")]
    RawC2,
    /// 2648 bytes: raw, the C2 pointers, and behind or before them the two block error
    /// bytes, as the drive sends them
    #[value(name = "raw+c2-296")]
    RawC2Block,
}

impl Cli {
    /// What clap cannot check.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let reads = self.output.is_some() || self.c2scan;
        let given = [
            ("--sectors", self.sectors.is_some()),
            ("--speed", self.speed.is_some()),
            ("--retry-speed", self.retry_speed.is_some()),
            ("--retries", self.retries.is_some()),
            ("--no-error", self.no_error),
        ];
        for (name, given) in given {
            if given && !reads {
                return Err(Problem::usage(format!(
                    "{name} is for --output and --c2scan"
                )));
            }
        }
        if self.sector.is_some() && self.output.is_none() {
            return Err(Problem::usage("--sector is for --output"));
        }
        Ok(())
    }

    /// How often a sector is tried again.
    pub(crate) fn retries(&self) -> u32 {
        let usual = if self.c2scan { 10 } else { 128 };
        self.retries.unwrap_or(usual)
    }

    /// In the words of `--json`.
    pub(crate) fn task(&self) -> &'static str {
        match self {
            _ if self.c2scan => "c2scan",
            _ if self.info => "info",
            _ if self.fulltoc.is_some() => "fulltoc",
            _ => "output",
        }
    }
}

impl SectorKind {
    /// As it is given.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Audio => "audio",
            Self::Raw => "raw",
            Self::RawSub => "raw+sub",
            Self::RawC2 => "raw+c2",
            Self::RawC2Block => "raw+c2-296",
        }
    }
}

/// `0-100`, `-150-0`.
fn sectors(text: &str) -> Result<SectorRange, String> {
    let range = || {
        // A minus before the first number is its sign.
        let dash = text.get(1..)?.find('-')? + 1;
        let (first, end) = (text.get(..dash)?, text.get(dash + 1..)?);
        Some((first.parse().ok()?, end.parse().ok()?))
    };
    match range() {
        Some((first, end)) if first < end => Ok(SectorRange { first, end }),
        Some(_) => Err("there is no sector in it: the second number is the end".into()),
        None => Err("no range of sectors, as 0-1000".into()),
    }
}
