//! Asks NVMe controllers and namespaces, and reads and writes their blocks.
//!
//! ```text
//! nvme list                                   controllers and namespaces
//! nvme id-ctrl /dev/nvme0                     what a controller is and can do
//! nvme smart --json /dev/nvme0 | jq .percent_used
//! nvme id-ns --namespace 1 /dev/nvme0         the same as that of its node, /dev/ng0n1
//! ```
//!
//! The text is for people and may change; programs use `--json`, whose keys
//! `nvme SUBCOMMAND --help` lists ([`keys`]) and which stay.
//! [`problem::EXIT_CODES`] lists the exit codes.

mod arguments;
mod ask;
mod device;
mod id_ctrl;
mod id_ns;
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
mod problem;
mod value;

use std::{path::Path, process::ExitCode};

use arguments::{Cli, What};
use problem::{EXIT_CODES, Problem};
use value::{Fields, Value, field};

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(EXIT_CODES.to_owned()) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let (path, json) = target(&cli.what);
    match run(&cli.what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => output::fail("nvme", &problem, path.filter(|_| json)),
    }
}

/// The node, if there is one, and whether JSON is wanted.
fn target(what: &What) -> (Option<&Path>, bool) {
    let common = match what {
        What::List { json } => return (Some(Path::new("/sys")), *json),
        What::IdCtrl(common) => common,
        What::IdNs(of) | What::NsDescs(of) | What::Smart(of) => &of.common,
    };
    (Some(&common.device), common.json)
}

fn run(what: &What) -> Result<(), Problem> {
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
            })
        }
        What::IdCtrl(common) => show(common, ask::id_ctrl(common)?),
        What::IdNs(of) => show(&of.common, ask::id_ns(of)?),
        What::NsDescs(of) => show(&of.common, ask::ns_descs(of)?),
        What::Smart(of) => show(&of.common, ask::smart(of)?),
    }
}

/// Prints the answer, with the path for programs.
fn show(common: &arguments::Common, mut fields: Fields) -> Result<(), Problem> {
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
