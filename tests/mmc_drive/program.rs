//! An optical drive for tests: a program that answers SCSI commands, behind the kernel's own sg and sr drivers.
//!
//! ```text
//! mmc_drive [--disc default|audio|FILE] FOLDER [COMMAND ARGUMENT...]
//! ```
//!
//! The kernel's `target_core_user` hands the commands of a `tcm_loop` host to this program, which needs root and the
//! folder of configfs. FOLDER has the files `faults`, which says what goes wrong (`faults.rs`), and `log`, with all
//! commands that came. Without a command the nodes are printed (`sg=.. sr=.. bsg=..`) and the drive is there until the
//! standard input ends; otherwise as long as the command runs, which has the nodes in `MMC_SG`, `MMC_SR` and `MMC_BSG`.
//!
//! What the kernel does not pass on as it was: bits 7 to 5 of byte 1 are cleared, and commands of the groups 6 and 7 are
//! cut to 10 bytes.

#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod commands;
mod configfs;
mod disc;
mod faults;
mod log;
mod ring;
mod sense;
mod words;

use std::{
    io::{self, Read as _, Write as _},
    path::PathBuf,
    process::{Command, ExitCode},
    thread,
};

use clap::Parser;

use crate::{
    commands::Drive,
    configfs::{Names, Nodes},
    disc::Disc,
    log::Log,
    ring::Ring,
};

/// An optical drive in user space, for tests
#[derive(Parser)]
struct Arguments {
    /// The disc: `default` (200 data sectors, two audio tracks of 100), `audio` (two tracks of 200), or a file
    #[arg(long, default_value = "default")]
    disc: String,
    /// Where the files `faults` and `log` are
    folder: PathBuf,
    /// What to run while the drive is there
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("mmc_drive: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let disc = Disc::named(&arguments.disc).map_err(io::Error::other)?;
    std::fs::create_dir_all(&arguments.folder)?;
    let mut log = Log::new(&arguments.folder.join("log"))?;
    let names = Names::make_device(disc.lead_out() as u32)?;
    let (file, size) = names.ring()?;
    let ring = Ring::new(file, size)?;
    let mut drive = Drive::new(disc, arguments.folder.join("faults"));
    let server = thread::spawn(move || {
        ring.serve(|call| {
            let answer = drive.answer(call);
            log.add(call, &answer);
            answer
        })
    });
    let code = names
        .attach()
        .and_then(|nodes| until_the_end(&nodes, &arguments.command));
    names.remove()?;
    // The ring ends when the kernel has taken the device away.
    match server.join() {
        Ok(result) => result?,
        Err(_) => return Err(io::Error::other("the drive broke down")),
    }
    code
}

fn until_the_end(nodes: &Nodes, command: &[String]) -> io::Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        let (sg, sr, bsg) = (nodes.sg.display(), nodes.sr.display(), nodes.bsg.display());
        println!("sg={sg} sr={sr} bsg={bsg}");
        io::stdout().flush()?;
        io::stdin().read_to_end(&mut Vec::new())?;
        return Ok(ExitCode::SUCCESS);
    };
    let status = Command::new(program)
        .args(arguments)
        .env("MMC_SG", &nodes.sg)
        .env("MMC_SR", &nodes.sr)
        .env("MMC_BSG", &nodes.bsg)
        .status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
