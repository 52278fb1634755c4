//! Shows what a SCSI device says about itself: its standard INQUIRY data and its
//! vital product data (VPD) pages.
//!
//! ```text
//! inquiry /dev/sg0                      the standard data
//! inquiry --vpd serial /dev/sda         one page, by its name ...
//! inquiry --vpd 0x83 /dev/bsg/0:0:0:0   ... or by its code
//! inquiry --all /dev/sr0                everything the device lists
//! inquiry --all --json /dev/sda | jq -r '.vpd."80".serial'
//! inquiry --vpd c0 --hex /dev/sda       the bytes
//! ```
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`JSON_KEYS`] and stay. [`problem::EXIT_CODES`] lists the exit codes.

mod decode;
mod fetch;
mod fields;
#[path = "../common/outcome.rs"]
mod outcome;
#[path = "../common/output.rs"]
mod output;
mod page;
#[path = "../common/problem.rs"]
mod problem;
mod report;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use passthru::ScsiDevice;

use page::PageArgument;
use problem::{ERROR_KEYS, EXIT_CODES, Problem};
use report::Report;

/// The keys of `--json`. None is renamed or removed; new ones may come.
const JSON_KEYS: &str = "\
Keys of --json (null: the device did not say; identifiers and bytes are hex):
  path       the device as given, in every object
  received   bytes that came      complete   whether that is all there is
  warnings   strings: what is odd about the reply
  bytes      the reply; with --hex, and for pages that are not listed here
Standard data:
  vendor, product, revision, device_type, device_type_name,
  peripheral_qualifier, peripheral_qualifier_name, version, version_name,
  removable, conglomerate, response_data_format, additional_length, normal_aca,
  hierarchical_addressing, storage_array_controller, target_port_groups (none,
  implicit, explicit, both), third_party_copy, protection, enclosure_services,
  multi_port, command_queueing, vendor_specific, version_descriptors
Every page: page, page_name, device_type, device_type_name, page_length
  00h  pages: array of page codes
  80h  serial
  83h  designators: array of name, type, type_name, association,
       association_name, code_set, code_set_name, protocol, protocol_name,
       identifier, text; stopped_by: why the list could not be read to its end
  B0h  (disks) write_same_non_zero, maximum_compare_and_write_length,
       optimal_transfer_length_granularity, maximum_transfer_length,
       optimal_transfer_length, maximum_prefetch_length,
       maximum_unmap_lba_count, maximum_unmap_descriptor_count,
       optimal_unmap_granularity, unmap_granularity_alignment,
       maximum_write_same_length, maximum_atomic_transfer_length,
       atomic_alignment, atomic_transfer_length_granularity,
       maximum_atomic_transfer_length_with_boundary,
       maximum_atomic_boundary_size; all in logical blocks
  B1h  (disks) rotation (not reported, not rotating, rotating, reserved), rpm,
       product_type, form_factor, form_factor_name, zoned (not reported, host
       aware, device managed, reserved), write_after_block_erase_required,
       write_after_crypto_erase_required, background_operation_control,
       fua_behavior, verify_of_unmapped_supported, depopulation_time_s
  B2h  (disks) provisioning_type, provisioning_type_name, unmap_supported,
       write_same_16_unmaps, write_same_10_unmaps, unmapped_reads (not
       reported, zeros, pattern, reserved), anchor_supported,
       descriptor_present, threshold_exponent, threshold_set_size,
       threshold_percentage, minimum_percentage, group (a designator)
--all: standard (as above), vpd (an object: the page code as two hex digits,
  lower case, to the page), errors (array of page, error)
A failure: path, error";

/// Shows what a SCSI device says about itself: INQUIRY and its vital product
/// data pages.
///
/// Only INQUIRY commands are sent, each at most twice: once for what every
/// device has (36 bytes; 252 of a page), and once more if the reply says that
/// there is more. Nothing else is asked, nothing is retried, and the device is
/// not changed.
///
/// The text is made for people and may change. Programs use --json.
#[derive(Parser)]
#[command(name = "inquiry", version)]
struct Cli {
    /// Show this vital product data page
    ///
    /// A code in hex (80, 0x80, 80h), or a name: supported (sv), serial (sn),
    /// designators (di), block-limits (bl), block-characteristics (bdc),
    /// provisioning (lbpv). Pages without a name are shown as bytes.
    #[arg(long, short = 'p', value_name = "PAGE")]
    vpd: Option<PageArgument>,

    /// Show the standard data and every page that the device lists
    ///
    /// A page that cannot be fetched is reported, and the rest goes on; the
    /// exit code is then that of the first such page.
    #[arg(long, short = 'a', conflicts_with = "vpd")]
    all: bool,

    /// Print one JSON object and nothing else, also when the device fails
    #[arg(long, short = 'j')]
    json: bool,

    /// Show the bytes instead of their meaning; with --json, beside it
    #[arg(long, short = 'H')]
    hex: bool,

    /// The device: /dev/sgN, /dev/sdX, /dev/srN or /dev/bsg/H:C:T:L
    #[arg(value_name = "DEVICE")]
    device: PathBuf,
}

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(format!("{JSON_KEYS}\n{ERROR_KEYS}\n\n{EXIT_CODES}")) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(&cli) {
        Ok(code) => code,
        Err(problem) => output::fail("inquiry", &problem, cli.json.then_some(&*cli.device)),
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Problem> {
    let device = ScsiDevice::open(&cli.device)?;
    let report = match cli.vpd {
        Some(PageArgument(code)) => Report::page(&device, code)?,
        None if cli.all => Report::all(&device)?,
        None => Report::standard(&device)?,
    };
    let path = cli.device.to_string_lossy();
    output::result(|out| {
        if cli.json {
            output::json(out, &report.to_json(&path, cli.hex))
        } else {
            report.print(out, &path, cli.hex)
        }
    })?;
    for warning in report.warnings() {
        output::complain("inquiry", &format!("warning: {warning}"));
    }
    for (code, problem) in report.errors() {
        output::complain(
            "inquiry",
            &format!("page {:02x}h: {}", code.0, problem.message),
        );
    }
    Ok(report
        .errors()
        .first()
        .map_or(ExitCode::SUCCESS, |(_, problem)| problem.exit_code()))
}
