//! The arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use passthru::nvme::{Nsid, features::Select, log::MAX_LENGTH};

use crate::keys;

/// Asks NVMe controllers and namespaces, and reads and writes their blocks.
///
/// DEVICE is a controller (/dev/nvmeX) or a namespace (/dev/ngXnY,
/// /dev/nvmeXnY). Nodes are opened read-only, and only commands are sent that
/// change nothing, unless --write is given. Each command is sent once and never
/// again.
///
/// The text is made for people and may change. Programs use --json; `nvme
/// SUBCOMMAND --help` lists the keys.
#[derive(Parser)]
#[command(name = "nvme", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) what: What,
}

/// What all that send a command take.
#[derive(Args)]
pub(crate) struct Common {
    /// Print one JSON object and nothing else, also when the device fails
    #[arg(long, short = 'j')]
    pub(crate) json: bool,

    /// The node: /dev/nvmeX, /dev/ngXnY or /dev/nvmeXnY
    #[arg(value_name = "DEVICE")]
    pub(crate) device: PathBuf,
}

/// The same for what is about a namespace.
#[derive(Args)]
pub(crate) struct OfNamespace {
    /// The namespace identifier, for a controller's node
    #[arg(long, short = 'n', value_name = "N", value_parser = nsid)]
    pub(crate) namespace: Option<Nsid>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Subcommand)]
pub(crate) enum What {
    /// Every controller and namespace, from sysfs: no node is opened
    #[command(after_long_help = keys::LIST)]
    List {
        /// Print one JSON object and nothing else
        #[arg(long, short = 'j')]
        json: bool,
    },
    /// What the controller is and can do (Identify Controller)
    #[command(after_long_help = keys::ID_CTRL)]
    IdCtrl(Common),
    /// What the namespace is and can do (Identify Namespace)
    #[command(after_long_help = keys::ID_NS)]
    IdNs(OfNamespace),
    /// The identifiers of the namespace
    #[command(after_long_help = keys::NS_DESCS)]
    NsDescs(OfNamespace),
    /// How the drive is (SMART / Health Information)
    ///
    /// That of the controller, also for a namespace's node: few controllers
    /// have it for a namespace, which --namespace asks for.
    #[command(after_long_help = keys::SMART)]
    Smart(OfNamespace),
    /// The commands that failed, the last one first (Error Information)
    #[command(after_long_help = keys::ERROR_LOG)]
    ErrorLog(ErrorLog),
    /// The firmware in each slot (Firmware Slot Information)
    #[command(after_long_help = keys::FW_LOG)]
    FwLog(Common),
    /// What each command changes (Commands Supported and Effects)
    #[command(after_long_help = keys::EFFECTS)]
    Effects(Effects),
    /// Settings (Get Features)
    ///
    /// Without --fid all that have a name; those that the controller does not
    /// have are listed with their status in JSON, and left out of the text.
    #[command(after_long_help = keys::FEATURES)]
    Features(Features),
    /// The bytes of any log page (Get Log Page)
    #[command(after_long_help = keys::GET_LOG)]
    GetLog(GetLog),
    /// Blocks of a namespace
    #[command(after_long_help = keys::READ)]
    Read(Read),
    /// Overwrites blocks of a namespace
    ///
    /// Nothing is written without --write. A namespace that is mounted or used
    /// by the kernel otherwise is refused, as long as it has a block node.
    #[command(after_long_help = keys::WRITE)]
    Write(Write),
    /// The zones of a zoned namespace
    #[command(after_long_help = keys::ZONES)]
    Zones(Zones),
    /// Any admin command
    ///
    /// Nobody checks what the command moves. You promise that it moves no more
    /// than --data-len bytes, in the direction that bits 1:0 of its opcode say,
    /// and that the controller keeps no address beyond its end. Otherwise it can
    /// overwrite memory, of this program or of others. The memory is whole pages,
    /// since there are controllers that move a page whatever they are asked for.
    /// Commands that surely keep addresses, and those that move data both ways,
    /// are refused. DEVICE is a controller: /dev/nvmeX.
    #[command(after_long_help = keys::ADMIN_RAW)]
    AdminRaw(AdminRaw),
}

#[derive(Args)]
pub(crate) struct ErrorLog {
    /// How many entries to ask for; no more than the controller keeps
    #[arg(long, short = 'e', value_name = "N", default_value = "64", value_parser = integer::<u16>)]
    pub(crate) entries: u16,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args)]
pub(crate) struct Effects {
    /// The command set: 0 NVM, 1 key value, 2 zoned
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u8>)]
    pub(crate) csi: u8,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Which value of a feature.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Sel {
    Current,
    Default,
    Saved,
    Supported,
}

impl Sel {
    pub(crate) const fn select(self) -> Select {
        match self {
            Self::Current => Select::Current,
            Self::Default => Select::Default,
            Self::Saved => Select::Saved,
            Self::Supported => Select::Supported,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Default => "default",
            Self::Saved => "saved",
            Self::Supported => "supported",
        }
    }
}

#[derive(Args)]
pub(crate) struct Features {
    /// Only this feature
    #[arg(long, short = 'f', value_name = "N", value_parser = integer::<u8>)]
    pub(crate) fid: Option<u8>,

    /// Which value
    #[arg(long, short = 's', value_name = "SEL", default_value = "current")]
    pub(crate) sel: Sel,

    /// Command dword 11, which for some features says which of several values
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw11: u32,

    #[command(flatten)]
    pub(crate) of: OfNamespace,
}

#[derive(Args)]
pub(crate) struct GetLog {
    /// The log page
    #[arg(long, short = 'i', value_name = "N", value_parser = integer::<u8>)]
    pub(crate) lid: u8,

    /// How many bytes, a multiple of 4
    #[arg(long, short = 'l', value_name = "N", default_value = "512", value_parser = log_length)]
    pub(crate) len: usize,

    /// Log specific parameter, 0 to 127
    #[arg(long, value_name = "N", default_value = "0", value_parser = seven_bits)]
    pub(crate) lsp: u8,

    /// Log specific identifier
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u16>)]
    pub(crate) lsi: u16,

    /// Where in the page to begin, in bytes, a multiple of 4
    #[arg(long, short = 'o', value_name = "N", default_value = "0", value_parser = log_offset)]
    pub(crate) offset: u64,

    /// The command set
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u8>)]
    pub(crate) csi: u8,

    /// Index in the UUID list, 0 to 127
    #[arg(long, value_name = "N", default_value = "0", value_parser = seven_bits)]
    pub(crate) uuid: u8,

    /// Let also a page be read whose reading makes the controller take a new
    /// snapshot
    #[arg(long, short = 'w')]
    pub(crate) write: bool,

    /// Write the page to this file, `-` for stdout, instead of showing it
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) of: OfNamespace,
}

#[derive(Args)]
pub(crate) struct Read {
    /// The first block
    #[arg(long, value_name = "LBA", default_value = "0", value_parser = integer::<u64>)]
    pub(crate) slba: u64,

    /// How many blocks
    #[arg(long, short = 'b', value_name = "N", default_value = "1", value_parser = integer::<u64>)]
    pub(crate) blocks: u64,

    /// Write the data to this file, `-` for stdout, instead of showing it
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write the separate metadata to this file instead of showing it
    #[arg(long, value_name = "FILE")]
    pub(crate) metadata_file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args)]
pub(crate) struct Write {
    /// The first block
    #[arg(long, value_name = "LBA", value_parser = integer::<u64>)]
    pub(crate) slba: u64,

    /// The data: whole blocks, with what is interleaved
    #[arg(long, short = 'i', value_name = "FILE")]
    pub(crate) input: PathBuf,

    /// The separate metadata, if the format has it
    #[arg(long, value_name = "FILE")]
    pub(crate) metadata_file: Option<PathBuf>,

    /// Really open the node for writing
    #[arg(long, short = 'w')]
    pub(crate) write: bool,

    /// Also a namespace that is in use
    #[arg(long, requires = "write")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args)]
pub(crate) struct Zones {
    /// Begin with the zone of this block
    #[arg(long, value_name = "LBA", default_value = "0", value_parser = integer::<u64>)]
    pub(crate) slba: u64,

    /// How many zones at most
    #[arg(long, value_name = "N", value_parser = integer::<u64>)]
    pub(crate) limit: Option<u64>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args)]
pub(crate) struct AdminRaw {
    /// The opcode
    #[arg(long, short = 'o', value_name = "N", value_parser = integer::<u8>)]
    pub(crate) opcode: u8,

    /// The namespace identifier
    #[arg(long, short = 'n', value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) nsid: u32,

    /// Command dword 2
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw2: u32,

    /// Command dword 3
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw3: u32,

    /// Command dword 10
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw10: u32,

    /// Command dword 11
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw11: u32,

    /// Command dword 12
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw12: u32,

    /// Command dword 13
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw13: u32,

    /// Command dword 14
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw14: u32,

    /// Command dword 15
    #[arg(long, value_name = "N", default_value = "0", value_parser = integer::<u32>)]
    pub(crate) cdw15: u32,

    /// How many bytes of data the command moves, 0 if none
    #[arg(long, short = 'l', value_name = "N", value_parser = raw_length)]
    pub(crate) data_len: Option<usize>,

    /// The data for the controller: a file of --data-len bytes
    #[arg(long, short = 'i', value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,

    /// Write the data to this file, `-` for stdout, instead of showing it
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Let also commands through that are not known to change nothing
    #[arg(long, short = 'w')]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

fn log_length(text: &str) -> Result<usize, String> {
    match integer(text)? {
        0 => Err("a log page has at least 4 bytes".to_owned()),
        length if length % 4 != 0 => Err("no multiple of 4".to_owned()),
        length if length as u64 > MAX_LENGTH => Err(format!("more than {MAX_LENGTH}")),
        length => Ok(length),
    }
}

fn log_offset(text: &str) -> Result<u64, String> {
    match integer(text)? {
        offset if offset % 4 != 0 => Err("no multiple of 4".to_owned()),
        offset => Ok(offset),
    }
}

fn seven_bits(text: &str) -> Result<u8, String> {
    integer(text)
        .ok()
        .filter(|number| *number < 128)
        .ok_or_else(|| "no number from 0 to 127".to_owned())
}

/// More than any controller takes.
const MOST_RAW: usize = 64 << 20;

fn raw_length(text: &str) -> Result<usize, String> {
    integer(text)
        .ok()
        .filter(|length| *length <= MOST_RAW)
        .ok_or_else(|| format!("no number of bytes up to {MOST_RAW}"))
}

fn nsid(text: &str) -> Result<Nsid, String> {
    integer(text)
        .ok()
        .and_then(Nsid::new)
        .ok_or_else(|| "no namespace identifier: 1 to 4294967295, or 0x1 to 0xffffffff".to_owned())
}

/// A number in decimal, or in hex behind 0x.
pub(crate) fn integer<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // from_str_radix would take a sign.
        Some(digits) if digits.starts_with('+') => None,
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    };
    parsed
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| "no number in decimal, or hex as 0x1f, or too large".to_owned())
}
