//! Lists the SCSI and NVMe devices of the machine.
//!
//! ```text
//! list                       all of them, one in a line
//! list --scsi --long         SCSI logical units, with serial numbers and more
//! list --json | jq -r '.[] | select(.device_type_name == "CD/DVD") | .sg'
//! ```
//!
//! Nothing is sent to a device and no node is opened: the kernel tells it all in
//! sysfs, to any user.
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`JSON_KEYS`] and stay.

mod json;
#[path = "../common/json_string.rs"]
mod json_string;
mod nvme;
#[path = "../common/outcome.rs"]
#[allow(dead_code)]
mod outcome;
#[path = "../common/output.rs"]
#[allow(dead_code)]
mod output;
#[path = "../common/problem.rs"]
#[allow(dead_code)]
mod problem;
mod scsi;

use std::{io::Write, path::PathBuf, process::ExitCode};

use clap::Parser;
use passthru::discover::Sysfs;

use json::Array;
use problem::{ERROR_KEYS, Problem};

/// The keys of `--json`. None is renamed or removed; new ones may come.
const JSON_KEYS: &str = "\
Keys of --json, one array with an object for each unit (null: it has none, or
the kernel does not say):
  kind       scsi, nvme
  address    H:C:T:L; nvmeN for an NVMe controller; nvmeN:NSID for a namespace,
             by the number in the name of its node, which for a namespace with
             several paths is that of the subsystem
  device_type        peripheral device type, a number; null for NVMe
  device_type_name   its name; controller or namespace for NVMe
  vendor     null for NVMe
  model, revision    of a namespace: those of its first controller
  sg, bsg, block     nodes: /dev/sgN, /dev/bsg/H:C:T:L, and /dev/sdX, /dev/srN
             or /dev/nvmeXnY
  tape, tape_no_rewind, changer   nodes: /dev/stN, /dev/nstN, /dev/schN
  controller node of an NVMe controller: /dev/nvmeN
  generic    node of a namespace: /dev/ngXnY
  nsid       namespace identifier
  controllers        of a namespace: array of the names of those that reach it
With --long also:
  serial, wwid
  uuid, nguid, eui   of a namespace
  nqn        of the NVMe subsystem
  transport  ata, sas, fc, iscsi, srp, spi, usb, sbp, ufs, virtio, or the name
             of the host adapter's driver; for NVMe pcie, tcp, rdma, fc, loop
  transport_address  where on it
  state      what the kernel thinks of the unit
  size       bytes; null for a namespace that is no block device for the kernel
  logical_block_size   bytes
  removable  whether the medium can be taken out
  multipath  of a namespace: whether its nodes are those of the kernel's own
             multipath
  paths      of a namespace: array of controller, name, ana_state
A failure: path, error";

const EXIT_CODES: &str = "\
Exit codes:
  0  good, also if there is no device
  1  the arguments make no sense
  4  the system refused: sysfs not readable, output not written";

/// Lists the SCSI logical units and the NVMe controllers and namespaces of the
/// machine, with their nodes.
///
/// Nothing is sent to a device and no node is opened: the kernel tells it all
/// in sysfs, to any user. Units are in the order of their addresses, SCSI
/// first.
///
/// The text is made for people and may change. Programs use --json.
#[derive(Parser)]
#[command(name = "list", version)]
struct Cli {
    /// Print one JSON array and nothing else
    #[arg(long, short = 'j')]
    json: bool,

    /// List SCSI; NVMe only if --nvme is given too
    #[arg(long)]
    scsi: bool,

    /// List NVMe; SCSI only if --scsi is given too
    #[arg(long)]
    nvme: bool,

    /// Show also serial number, identifiers, transport, state and size
    #[arg(long, short = 'l')]
    long: bool,

    /// Where sysfs is: that of another machine, or a copy
    #[arg(long, value_name = "FOLDER", default_value = "/sys")]
    sysfs: PathBuf,
}

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(format!("{JSON_KEYS}\n{ERROR_KEYS}\n\n{EXIT_CODES}")) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => output::fail("list", &problem, cli.json.then_some(&*cli.sysfs)),
    }
}

fn run(cli: &Cli) -> Result<(), Problem> {
    let sysfs = Sysfs::at(&cli.sysfs);
    let place = |error| Problem::file(&cli.sysfs.display().to_string(), &error);
    let all = cli.scsi == cli.nvme;
    let mut units = Vec::new();
    if all || cli.scsi {
        units = sysfs.scsi().map_err(place)?;
    }
    let mut subsystems = Vec::new();
    if all || cli.nvme {
        subsystems = sysfs.nvme().map_err(place)?;
    }
    output::result(|out| {
        if cli.json {
            let mut array = Array::new(out)?;
            for unit in &units {
                array.object(|object| scsi::to_json(unit, cli.long, object))?;
            }
            for subsystem in &subsystems {
                nvme::to_json(subsystem, cli.long, &mut array)?;
            }
            return array.end();
        }
        for unit in &units {
            scsi::print(unit, cli.long, out)?;
        }
        for subsystem in &subsystems {
            nvme::print(subsystem, cli.long, out)?;
        }
        Ok(())
    })
}

/// A line of what `--long` adds, of those that there are.
fn more(out: &mut dyn Write, values: &[(&str, Option<String>)]) -> std::io::Result<()> {
    let mut before = "    ";
    for (name, value) in values {
        if let Some(value) = value {
            write!(out, "{before}{name} {value}")?;
            before = ", ";
        }
    }
    if before == ", " {
        writeln!(out)?;
    }
    Ok(())
}
