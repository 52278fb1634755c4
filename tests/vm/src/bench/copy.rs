//! A drive copied to one or two others: the example `copy` beside the same calls in C, the programs of sg3-utils, and dd;
//! then ways to read a disk by its block node. These are the tables of docs/performance.md.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::copy_tables::{GATES, MAY_FAIL, SECTIONS};
use super::gate::Gate;
use super::{Figures, run_job};
use crate::cargo;
use crate::cc::{COPY_LOOP, GUEST_TIME, READ_LOOP};
use crate::emulator::Emulator;
use crate::job::Job;
use crate::kernel::Series;
use crate::output::{capture_text, step};
use crate::packages::Packages;
use crate::workspace::{Workspace, clean_command, which};

const SCRIPT: &str = include_str!("../../guest/bench_copy.sh");

/// The program that is judged, and the bare loop of its library calls.
const EXAMPLES: [&str; 2] = ["copy", "bench_copy"];

/// Programs of sg3-utils.
const PEERS: [&str; 3] = ["sg_dd", "sgm_dd", "sgp_dd"];

const REPETITIONS: u32 = 3;
const TOTAL: u32 = 64 << 20;

/// Runs everything twice, prints the tables, and judges the first run.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Emulator::default()], &PEERS)?;
    let mut job = Job {
        peers: PEERS.to_vec(),
        script: format!("repetitions={REPETITIONS}\ntotal={TOTAL}\n{SCRIPT}"),
        count_instructions: true,
        ..Job::default()
    };
    job.program("dd.coreutils", &coreutils_dd()?);
    for source in [GUEST_TIME, COPY_LOOP, READ_LOOP] {
        job.program(source.name, &source.build(workspace)?);
    }
    for (name, file) in cargo::examples(workspace, &EXAMPLES, true)? {
        job.program(&name, &file);
    }
    let good = boot(workspace, &packages, &job, true)?;
    // Copying a byte is one instruction in the first run, which flatters whatever copies none. So the same again with a
    // processor on which the kernel copies by words.
    job.copy_by_words = true;
    if boot(workspace, &packages, &job, false)? && good {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

/// One boot, its tables, and whether all was well.
fn boot(workspace: &Workspace, packages: &Packages, job: &Job, gates: bool) -> Result<bool> {
    let ended = run_job(workspace, packages, job)?;
    let copies = if job.copy_by_words {
        "8 bytes"
    } else {
        "one byte"
    };
    println!(
        "\nscsi_debug with fake_rw, kernel {}; the kernel copies {copies} with each instruction; medians of {REPETITIONS}",
        ended.kernel
    );
    let (report, good) = judge(&ended.stdout, if gates { &GATES } else { &[] });
    print!("{report}");
    Ok(good)
}

/// The tables, and what is wrong: rows without figures, and gates that do not hold.
fn judge(text: &str, gates: &[Gate]) -> (String, bool) {
    let mut report = String::new();
    let mut good = true;
    for section in &SECTIONS {
        let figures = Figures::of(text, section.name);
        let table = figures.table(section.base);
        report.push_str(&format!("\n{}\n{table}", section.title));
        for row in section.rows {
            if let Some(reason) = failure(text, section.name, row) {
                report.push_str(&format!("{row:<22} failed: {reason}\n"));
                good &= *row == MAY_FAIL;
            } else if figures.median(row).is_none() {
                report.push_str(&format!("{row:<22} FAILED: no figure\n"));
                good = false;
            }
        }
    }
    report.push('\n');
    for gate in gates {
        let (holds, line) = gate.judge(&Figures::of(text, gate.section));
        report.push_str(&line);
        report.push('\n');
        good &= holds;
    }
    (report, good)
}

/// Why a row has no figure, if its program said so.
fn failure<'a>(text: &'a str, section: &str, row: &str) -> Option<&'a str> {
    let prefix = format!("{section} {row} failed: ");
    text.lines().find_map(|line| line.strip_prefix(&prefix))
}

/// This machine's dd, for busybox's has no direct I/O.
fn coreutils_dd() -> Result<PathBuf> {
    let dd = which("dd").context("there is no dd on this machine: apt-get install coreutils")?;
    let version = capture_text(clean_command(&dd).arg("--version")).unwrap_or_default();
    check_dd(&dd, &version)?;
    Ok(dd)
}

fn check_dd(dd: &Path, version: &str) -> Result<()> {
    if !version.contains("(coreutils)") {
        bail!(
            "{} is not that of GNU coreutils, which the bench compares with",
            dd.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures for all rows, as the guest prints them.
    fn output(figure: impl Fn(&str, &str) -> u32) -> String {
        let mut text = String::new();
        for section in &SECTIONS {
            for row in section.rows {
                let figure = figure(section.name, row);
                text.push_str(&format!("{} {row} {figure}\n", section.name));
            }
        }
        text
    }

    fn good(_: &str, row: &str) -> u32 {
        match row {
            "sgm_dd" | "sgp_dd, 4 threads" => 600,
            _ => 100,
        }
    }

    #[test]
    fn all_figures_are_needed() {
        let text = output(good);
        assert!(judge(&text, &GATES).1, "{}", judge(&text, &GATES).0);
        let without = |line: &str| judge(&text.replace(&format!("{line} 100\n"), ""), &[]);
        assert!(!without("256k dd direct").1);
        assert!(without("256k dd direct").0.contains("FAILED: no figure"));
        assert!(!without("lock one buffer").1);
    }

    #[test]
    fn only_one_program_may_fail() {
        let text = output(good);
        let failing = |row: &str| {
            let (line, failed) = (
                format!("64k {row} 100\n"),
                format!("64k {row} failed: Bad address\n"),
            );
            judge(&text.replace(&line, &failed), &GATES)
        };
        let (report, holds) = failing(MAY_FAIL);
        assert!(holds && report.contains("failed: Bad address"), "{report}");
        assert!(!failing("sg_dd dio").1);
    }

    #[test]
    fn what_is_too_slow_is_seen() {
        let slow = |name: &'static str, slow_row: &'static str, figure: u32| {
            let text = output(|section, row| {
                if section == name && row == slow_row {
                    figure
                } else {
                    good(section, row)
                }
            });
            judge(&text, &GATES).1
        };
        assert!(slow("64k", "copy", 105));
        assert!(!slow("64k", "copy", 106));
        assert!(!slow("64k", "sgm_dd", 299));
        assert!(!slow("256k", "sgm_dd", 439));
        assert!(!slow("64k", "copy, 2 targets", 171));
        assert!(!slow("slow-64k", "sgm_dd", 449));
        assert!(!slow("slow-64k", "sgp_dd, 4 threads", 429));
        assert!(!slow("slow-256k", "sgm_dd", 519));
    }

    #[test]
    fn other_dds_are_refused() {
        let dd = Path::new("/usr/bin/dd");
        assert!(check_dd(dd, "dd (coreutils) 9.1\n").is_ok());
        assert!(check_dd(dd, "dd (uutils coreutils) 0.0.30\n").is_err());
    }
}
