//! What the arguments mean, checked before anything is opened.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::problem::Problem;

/// Commands to copy, for `-h` and `--help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  copy --if /dev/sg1 --of /dev/sdX                  a disk to a disk
  copy --if /dev/sg1 --of /dev/sdX --of /dev/sdY    to two at once
  copy --if /dev/sg1 --of image                     to a file
  copy --if image --of /dev/sdX --sync --verify     back, and compared
  copy --if /dev/sg1 --of - --count 2048 | sha256sum
Each of them but the third and the last overwrites a disk.";

/// Copies blocks from one device to others, as fast as the kernel allows.
///
/// From an sg node to block nodes no byte is copied in memory: the target reads
/// the pages that the source filled. Several workers copy at once, each with
/// pages of its own.
///
/// A target is refused if it is mounted or otherwise in use, if it is the
/// source, or if it is too small. Ctrl-C ends after the commands that are under
/// way, and the report says what has been copied; a second one ends at once.
/// A UNIT ATTENTION is counted and the command sent once more.
#[derive(Parser)]
#[command(name = "copy", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// From where: a DEVICE (/dev/sgN, /dev/sdX, /dev/srN, /dev/bsg/H:C:T:L), a
    /// file, or `-` for stdin
    #[arg(long = "if", value_name = "DEVICE")]
    pub(crate) source: PathBuf,

    /// To where: as --if, `-` for stdout; may be given several times
    ///
    /// A file is cut off where the copy begins and made if there is none.
    #[arg(long = "of", value_name = "DEVICE", required = true)]
    pub(crate) targets: Vec<PathBuf>,

    /// How many bytes a command moves: a multiple of the block length, as 65536,
    /// 64K or 1M
    ///
    /// Without this 512 KiB, or less if source or targets say that they take
    /// less.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) block_size: Option<usize>,

    /// How many blocks to copy; without this all there are
    #[arg(long, value_name = "BLOCKS")]
    pub(crate) count: Option<u64>,

    /// At which block of the source to begin
    #[arg(long, value_name = "LBA", default_value_t = 0)]
    pub(crate) skip: u64,

    /// At which block of the targets to begin
    #[arg(long, value_name = "LBA", default_value_t = 0)]
    pub(crate) seek: u64,

    /// How many commands are under way at once; 1 for stdin, stdout and pipes
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) workers: u16,

    /// Read source and targets again afterwards and compare them
    #[arg(long)]
    pub(crate) verify: bool,

    /// Have the targets bring their caches to the medium at the end
    #[arg(long)]
    pub(crate) sync: bool,

    /// Go on after unreadable blocks of the source: write zeros for them, and
    /// list them at the end (exit code 2)
    #[arg(long)]
    pub(crate) no_error: bool,

    /// Show no progress bar
    #[arg(long)]
    pub(crate) no_progress: bool,

    /// Write also to a target that is in use or is the source, and as much as
    /// fits to one that is too small
    #[arg(long)]
    pub(crate) force: bool,

    /// Print one JSON object instead, and nothing else
    #[arg(long, short = 'j')]
    pub(crate) json: bool,
}

impl Cli {
    /// What clap cannot check.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let to_stdout = self.targets.iter().filter(|path| is_dash(path)).count();
        if to_stdout > 1 {
            return Err(Problem::usage("there is one stdout: give --of - once"));
        }
        if to_stdout == 1 && self.json {
            return Err(Problem::usage(
                "--json and --of - both want stdout: copy to a file",
            ));
        }
        if self.verify && (is_dash(&self.source) || to_stdout == 1) {
            return Err(Problem::usage("--verify cannot read stdin or stdout again"));
        }
        if self.count == Some(0) {
            return Err(Problem::usage("--count 0 copies nothing"));
        }
        Ok(())
    }

    /// Whether stdout is a target, so that nothing else may go there.
    pub(crate) fn to_stdout(&self) -> bool {
        self.targets.iter().any(|path| is_dash(path))
    }
}

/// Whether it stands for stdin or stdout.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The kernel takes no longer transfers.
const MAX_TRANSFER: usize = (256 << 20) - 1;

fn bytes(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (text.get(..text.len() - 1), 1 << 10),
        Some(b'M' | b'm') => (text.get(..text.len() - 1), 1 << 20),
        _ => (Some(text), 1),
    };
    digits
        .and_then(|digits| digits.parse::<usize>().ok())
        .and_then(|number| number.checked_mul(unit))
        .filter(|bytes| (1..=MAX_TRANSFER).contains(bytes))
        .ok_or_else(|| format!("no number of bytes between 1 and {MAX_TRANSFER}"))
}
