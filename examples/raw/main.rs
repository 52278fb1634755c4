//! Sends one SCSI command, given as bytes, and shows everything that comes back.
//!
//! ```text
//! raw /dev/sg0 00 00 00 00 00 00                 TEST UNIT READY
//! raw --request 36 /dev/sg0 12 00 00 00 24 00    INQUIRY, shown as hex
//! raw --request 36 --json /dev/sg0 "12 0 0 0 24 0"
//! raw --request 2048 --outfile toc /dev/sr0 43 00 00 00 00 00 00 08 00 00
//! raw --send 24 --infile list --write /dev/sg0 15 10 00 00 18 00
//! raw --request 36 --outfile - /dev/sg0 12 00 00 00 24 00 | od -c
//! ```
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`JSON_KEYS`] and stay. [`problem::EXIT_CODES`] lists the exit codes.

mod arguments;
mod files;
#[path = "../common/outcome.rs"]
mod outcome;
#[path = "../common/output.rs"]
mod output;
#[path = "../common/problem.rs"]
mod problem;
mod report;

use std::{borrow::Cow, io, process::ExitCode};

use passthru::{
    Data, Error, OpenOptions, Options, Outcome, Result, ScsiDevice, ScsiTransport, Verdict,
    scsi::{Cdb, command_name},
};

use arguments::{Cli, EXAMPLES, Transfer};
use files::Sink;
use problem::{Code, ERROR_KEYS, EXIT_CODES, Problem};
use report::Report;

/// The keys of `--json`. None is renamed or removed; new ones may come.
const JSON_KEYS: &str = "\
Keys of --json:
  path       the device as given
  cdb        the command in hex
  command    its name, or null
  direction  none, in, out
  data       what came in, in hex; null with --outfile and without --request
  outcome    what came back
A failure without outcome: path, error";

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(format!(
        "{EXAMPLES}\n\n{JSON_KEYS}\n{ERROR_KEYS}\n\n{EXIT_CODES}"
    )) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(&cli) {
        Ok(code) => code,
        Err(problem) => {
            let for_programs = cli.json && problem.code != Code::Usage;
            output::fail("raw", &problem, for_programs.then_some(&*cli.device))
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Problem> {
    let cdb = cli.cdb()?;
    cli.check()?;
    // All that can fail without the device comes before it.
    let mut buffer = match (cli.transfer(), &cli.infile) {
        (Transfer::None, _) => Vec::new(),
        (Transfer::In(len), _) => vec![0; len],
        (Transfer::Out(len), Some(infile)) => files::read_exactly(infile, len)?,
        (Transfer::Out(_), None) => return Err(Problem::usage("--send needs --infile")),
    };
    let options = OpenOptions::new().write(cli.write);
    let device = ScsiDevice::open_with(&cli.device, &options)?;
    let sink = cli.outfile.as_deref().map(Sink::open).transpose()?;

    let outcome = send(cli, &device, &cdb, &mut buffer)?;
    let data = match cli.transfer() {
        Transfer::In(_) => buffer.get(..outcome.claimed()),
        _ => None,
    };
    let path = cli.device.to_string_lossy();
    let report = Report {
        path: &path,
        cdb: &cdb,
        device_type: device.device_type(),
        transfer: cli.transfer(),
        outcome: &outcome,
        data: data.filter(|_| sink.is_none()),
    };
    let saved = match (sink, data) {
        (Some(sink), Some(data)) => sink.write(data),
        _ => Ok(()),
    };
    show(cli, &report)?;
    saved?;
    Ok(judge(&report))
}

fn send(cli: &Cli, device: &ScsiDevice, cdb: &Cdb, buffer: &mut [u8]) -> Result<Outcome, Problem> {
    let data = match cli.transfer() {
        Transfer::None => Data::None,
        Transfer::In(_) => Data::In(buffer),
        Transfer::Out(_) => Data::Out(buffer),
    };
    let options = cli
        .timeout
        .map_or_else(Options::new, |timeout| Options::new().timeout(timeout));
    device.send(cdb, data, &options).map_err(explain)
}

/// An error in this program's words, where the library's are those of its API.
fn explain(error: Error) -> Problem {
    let Error::ReadOnly {
        path,
        cdb,
        device_type,
    } = &error
    else {
        return error.into();
    };
    let name = command_name(cdb.as_bytes(), device_type.map(|kind| kind.0)).map_or_else(
        || Cow::from(format!("command {:02x}h", cdb.opcode())),
        Cow::from,
    );
    let message = format!(
        "{}: {name} is not known to leave the medium and the drive as they are, and the device \
         was opened read-only; nothing was sent: add --write to send it all the same",
        path.display(),
    );
    let mut problem = Problem::from(error);
    problem.message = message;
    problem
}

fn show(cli: &Cli, report: &Report<'_>) -> Result<(), Problem> {
    if cli.data_on_stdout() {
        return report
            .print(&mut io::stderr().lock())
            .map_err(|error| Problem::file("standard error", &error));
    }
    output::result(|out| {
        if cli.json {
            output::json(out, &report.to_json())
        } else {
            report.print(out)
        }
    })
}

/// The exit code, and a line on stderr for what is no success.
fn judge(report: &Report<'_>) -> ExitCode {
    let code = match report.outcome.verdict() {
        verdict if verdict.is_success() => return ExitCode::SUCCESS,
        Verdict::Transport => Code::Transport,
        _ => Code::Device,
    };
    output::complain("raw", &format!("{}: {}", report.path, report.outcome));
    ExitCode::from(code as u8)
}
