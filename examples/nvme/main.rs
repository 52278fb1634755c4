//! Asks NVMe controllers and namespaces, and reads and writes their blocks.
//!
//! ```text
//! nvme list                                   controllers and namespaces
//! nvme id-ctrl /dev/nvme0                     what a controller is and can do
//! nvme smart --json /dev/nvme0 | jq .percent_used
//! nvme features --fid 6 /dev/nvme0            the write cache
//! nvme get-log --lid 0xc0 --len 512 /dev/nvme0
//! nvme read --slba 0 --blocks 8 --output FILE /dev/ng0n1
//! nvme id-ns --namespace 1 /dev/nvme0         the same as that of its node, /dev/ng0n1
//! ```
//!
//! The text is for people and may change; programs use `--json`, whose keys
//! `nvme SUBCOMMAND --help` lists ([`keys`]) and which stay.
//! [`keys::EXIT_CODES`] lists the exit codes.

mod admin_raw;
mod arguments;
mod ask;
mod blocks;
mod device;
mod features;
mod guard;
mod id_ctrl;
mod id_ns;
#[path = "../common/json_string.rs"]
mod json_string;
mod keys;
mod list;
mod logs;
mod meaning;
#[path = "../common/outcome.rs"]
mod outcome;
#[path = "../common/output.rs"]
#[allow(dead_code)]
mod output;
mod print;
#[path = "../common/problem.rs"]
#[allow(dead_code)]
mod problem;
mod sink;
mod value;

use std::{path::Path, process::ExitCode};

use arguments::{Cli, Common, What};
use problem::Problem;
use value::{Fields, Value, field};

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(keys::EXIT_CODES.to_owned()) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let (path, json) = target(&cli.what);
    match run(&cli.what) {
        Ok(code) => code,
        Err(problem) => output::fail("nvme", &problem, Some(path).filter(|_| json)),
    }
}

/// The node, or what is in its place, and whether JSON is wanted.
fn target(what: &What) -> (&Path, bool) {
    let common = match what {
        What::List { json } => return (Path::new("/sys"), *json),
        What::IdCtrl(common) | What::FwLog(common) => common,
        What::IdNs(of) | What::NsDescs(of) | What::Smart(of) => &of.common,
        What::ErrorLog(of) => &of.common,
        What::Effects(of) => &of.common,
        What::Features(of) => &of.of.common,
        What::GetLog(of) => &of.of.common,
        What::Read(of) => &of.common,
        What::Write(of) => &of.common,
        What::Zones(of) => &of.common,
        What::AdminRaw(of) => &of.common,
    };
    (&common.device, common.json)
}

fn run(what: &What) -> Result<ExitCode, Problem> {
    match what {
        What::List { json } => {
            let found =
                passthru::discover::nvme().map_err(|error| Problem::file("/sys", &error))?;
            let fields = list::fields(&found);
            output::result(|out| {
                if *json {
                    print::json(out, &fields)
                } else {
                    list::print(out, &fields)
                }
            })?;
        }
        What::IdCtrl(common) => show(common, ask::id_ctrl(common)?)?,
        What::IdNs(of) => show(&of.common, ask::id_ns(of)?)?,
        What::NsDescs(of) => show(&of.common, ask::ns_descs(of)?)?,
        What::Smart(of) => show(&of.common, ask::smart(of)?)?,
        What::ErrorLog(of) => show(&of.common, ask::error_log(of)?)?,
        What::FwLog(common) => show(common, ask::fw_log(common)?)?,
        What::Effects(of) => show(&of.common, ask::effects(of)?)?,
        What::Features(of) => show(&of.of.common, features::fields(of)?)?,
        What::GetLog(of) => maybe(&of.of.common, ask::get_log(of)?)?,
        What::Read(of) => maybe(&of.common, blocks::read(of)?)?,
        What::Write(of) => {
            let (fields, failed) = blocks::write(of)?;
            return with_problem(&of.common, Some(fields), failed);
        }
        What::Zones(of) => {
            let fields = blocks::zones(of)?;
            if of.common.json {
                show(&of.common, fields)?;
            } else {
                output::result(|out| blocks::print_zones(out, &fields))?;
            }
        }
        What::AdminRaw(of) => {
            let (fields, failed) = admin_raw::send(of)?;
            return with_problem(&of.common, fields, failed);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn maybe(common: &Common, fields: Option<Fields>) -> Result<(), Problem> {
    fields.map_or(Ok(()), |fields| show(common, fields))
}

/// What was done, and what then went wrong: in JSON, in one object.
fn with_problem(
    common: &Common,
    mut fields: Option<Fields>,
    failed: Option<Problem>,
) -> Result<ExitCode, Problem> {
    if let (true, Some(fields), Some(problem)) = (common.json, &mut fields, &failed) {
        fields.push(field("error", problem.to_json()));
    }
    maybe(common, fields)?;
    Ok(failed.map_or(ExitCode::SUCCESS, |problem| {
        output::fail("nvme", &problem, None)
    }))
}

/// Prints the answer, with the path for programs.
fn show(common: &Common, mut fields: Fields) -> Result<(), Problem> {
    output::result(|out| {
        if common.json {
            let path = common.device.to_string_lossy().into_owned();
            fields.insert(0, field("path", Value::text(path)));
            print::json(out, &fields)
        } else {
            print::text(out, &fields)
        }
    })
}
