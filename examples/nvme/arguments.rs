//! The arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use passthru::nvme::Nsid;

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
