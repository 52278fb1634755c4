//! A drive copied to one or two others: the example `copy` beside the same calls in C, the programs of sg3-utils, and dd;
//! then ways to read a disk by its block node. These are the tables of docs/performance.md.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::Figures;
use super::gate::{Gate, Limit};
use crate::cargo;
use crate::cc::{COPY_LOOP, GUEST_TIME, READ_LOOP};
use crate::job::Job;
use crate::kernel::Series;
use crate::output::{capture_text, step};
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::{Workspace, clean_command, which};

const SCRIPT: &str = include_str!("../../guest/bench_copy.sh");

/// The program that is judged, and the bare loop of its library calls.
const EXAMPLES: [&str; 2] = ["copy", "bench_copy"];

/// Programs of sg3-utils.
const PEERS: [&str; 3] = ["sg_dd", "sgm_dd", "sgp_dd"];

const REPETITIONS: u32 = 3;
const TOTAL: u32 = 64 << 20;

/// The one that cannot do its job: a block, bsg or sg node takes pages of a mapping only if they have been touched, and
/// it touches none. Its row says how it failed.
const MAY_FAIL: &str = "sgm_dd dio";

const COPIES: &[&str] = &[
    "copy",
    "copy, 2 targets",
    "c loop",
    "c loop, 2 targets",
    "rust loop",
    "rust loop, 2 targets",
    "sgm_dd",
    "sg_dd",
    "sgp_dd, 4 threads",
    MAY_FAIL,
    "sg_dd dio",
    "dd buffered",
    "dd direct",
];

const SLOW_COPIES: &[&str] = &[
    "copy, 4 workers",
    "copy, 1 worker",
    "c loop, 4 workers",
    "rust loop, 4 workers",
    "sgm_dd",
    "sgp_dd, 4 threads",
];

/// A table: the first word of its lines, its title, its rows, and the row that the others are compared with.
struct Section {
    name: &'static str,
    title: &'static str,
    rows: &'static [&'static str],
    base: &'static str,
}

const SECTIONS: [Section; 6] = [
    Section {
        name: "64k",
        title: "Copy of 64 MiB, 64 KiB in a command",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "256k",
        title: "Copy of 64 MiB, 256 KiB in a command",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "slow-64k",
        title: "The same from and to drives that take 100 us for a command, 64 KiB in a command",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "slow-256k",
        title: "The same, 256 KiB in a command",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "read",
        title: "Reading 64 MiB from a block node, 64 KiB at a time",
        rows: &[
            "buffered",
            "O_DIRECT",
            "SG_IO, odd",
            "SG_IO, 8 bytes off",
            "SG_IO aligned",
            "passthru",
        ],
        base: "passthru",
    },
    Section {
        name: "lock",
        title: "The same by SG_IO into anonymous pages, locked or not",
        rows: &[
            "one buffer",
            "one, MAP_LOCKED",
            "new each time",
            "new, MAP_LOCKED",
        ],
        base: "one buffer",
    },
];

const fn gate(section: &'static str, ours: &'static str, base: &'static str, limit: Limit) -> Gate {
    Gate {
        section,
        ours,
        base,
        limit,
    }
}

const GATES: [Gate; 9] = [
    gate("64k", "copy", "sgm_dd", Limit::FasterBy(3.0)),
    gate("256k", "copy", "sgm_dd", Limit::FasterBy(4.4)),
    gate("64k", "copy", "c loop", Limit::AtMost(1.05)),
    gate("256k", "copy", "c loop", Limit::AtMost(1.05)),
    gate("64k", "copy, 2 targets", "copy", Limit::AtMost(1.7)),
    gate("256k", "copy, 2 targets", "copy", Limit::AtMost(1.7)),
    gate(
        "slow-64k",
        "copy, 4 workers",
        "sgm_dd",
        Limit::FasterBy(4.5),
    ),
    gate(
        "slow-64k",
        "copy, 4 workers",
        "sgp_dd, 4 threads",
        Limit::FasterBy(4.3),
    ),
    gate(
        "slow-256k",
        "copy, 4 workers",
        "sgm_dd",
        Limit::FasterBy(5.2),
    ),
];

/// Runs everything in one boot, prints the tables, and judges.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series])?;
    require_peers(&packages.peers)?;
    let mut job = Job {
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
    let kernel = packages
        .kernels
        .first()
        .context("one kernel was asked for")?;
    let ended = vm::run(workspace, &packages, kernel, &job, Show::Collected)?;
    if !ended.report(kernel) || ended.code != Some(0) {
        bail!(
            "the bench did not run to its end (exit code {:?}); it printed:\n{}",
            ended.code,
            ended.stdout
        );
    }
    println!(
        "scsi_debug with fake_rw, kernel {}, {REPETITIONS} repetitions, medians",
        kernel.version
    );
    let (report, good) = judge(&ended.stdout);
    print!("{report}");
    if good {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

/// The tables, and what is wrong: rows without figures, and gates that do not hold.
fn judge(text: &str) -> (String, bool) {
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
    for gate in &GATES {
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

fn require_peers(found: &[PathBuf]) -> Result<()> {
    let missing: Vec<_> = PEERS
        .into_iter()
        .filter(|peer| !found.iter().any(|path| path.ends_with(peer)))
        .collect();
    if !missing.is_empty() {
        bail!(
            "nothing to compare with: {} could not be fetched; apt-get install sg3-utils",
            missing.join(", ")
        );
    }
    Ok(())
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
        assert!(judge(&text).1, "{}", judge(&text).0);
        let without = |line: &str| judge(&text.replace(&format!("{line} 100\n"), ""));
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
            judge(&text.replace(&line, &failed))
        };
        let (report, holds) = failing(MAY_FAIL);
        assert!(holds && report.contains("failed: Bad address"), "{report}");
        assert!(!failing("sg_dd dio").1);
    }

    #[test]
    fn what_is_too_slow_is_seen() {
        let slow = |name: &'static str, slow_row: &'static str, figure: u32| {
            judge(&output(|section, row| {
                if section == name && row == slow_row {
                    figure
                } else {
                    good(section, row)
                }
            }))
            .1
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
    fn peers_are_asked_for() {
        let all = PEERS.map(|peer| Path::new("/usr/bin").join(peer));
        assert!(require_peers(&all).is_ok());
        let error = require_peers(&all[..2]).unwrap_err().to_string();
        assert!(error.contains("sgp_dd") && !error.contains("sgm_dd"));
    }

    #[test]
    fn other_dds_are_refused() {
        let dd = Path::new("/usr/bin/dd");
        assert!(check_dd(dd, "dd (coreutils) 9.1\n").is_ok());
        assert!(check_dd(dd, "dd (uutils coreutils) 0.0.30\n").is_err());
    }
}
