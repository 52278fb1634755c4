//! A machine with 1,024 simulated drives beside its own: the example `list` beside `lsscsi`, each the whole program.

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::gate::{Gate, Limit};
use super::{Figures, run_job};
use crate::cargo;
use crate::cc::GUEST_TIME;
use crate::emulator::Emulator;
use crate::job::Job;
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../../guest/bench_list.sh");

const EXAMPLE: &str = "list";

const PEER: &str = "lsscsi";

const REPETITIONS: u32 = 3;

/// `lsscsi -g` shows what `list` shows without being asked for more.
const BASE: &str = "lsscsi -g";

const SECTION: &str = "list";

const GATES: [Gate; 2] = [gate("list"), gate("list --json")];

const fn gate(ours: &'static str) -> Gate {
    Gate {
        section: SECTION,
        ours,
        base: BASE,
        limit: Limit::AtMost(0.15),
    }
}

/// Runs both programs in one boot, and once more in another that copies and clears memory by words.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Emulator::default()], &[PEER])?;
    let mut job = Job {
        peers: vec![PEER],
        script: format!("repetitions={REPETITIONS}\n{SCRIPT}"),
        count_instructions: true,
        ..Job::default()
    };
    job.program(GUEST_TIME.name, &GUEST_TIME.build(workspace)?);
    for (name, file) in cargo::examples(workspace, &[EXAMPLE], true)? {
        job.program(&name, &file);
    }
    let mut good = true;
    for by_words in [false, true] {
        job.copy_by_words = by_words;
        good &= boot(workspace, &packages, &job)?;
    }
    if good {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

/// One boot, its table, and whether the gates hold.
fn boot(workspace: &Workspace, packages: &Packages, job: &Job) -> Result<bool> {
    let ended = run_job(workspace, packages, job)?;
    let units = ended
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("units "));
    let copies = if job.copy_by_words {
        "8 bytes"
    } else {
        "one byte"
    };
    println!(
        "\n{} logical units, kernel {}; the kernel copies {copies} with each instruction; medians of {REPETITIONS}",
        units.context("the script says how many there are")?,
        ended.kernel
    );
    let (report, good) = judge(&ended.stdout);
    print!("{report}");
    Ok(good)
}

fn judge(text: &str) -> (String, bool) {
    let figures = Figures::of(text, SECTION);
    let mut report = figures.table(BASE);
    let mut good = true;
    for gate in GATES {
        let (holds, line) = gate.judge(&figures);
        report.push_str(&line);
        report.push('\n');
        good &= holds;
    }
    (report, good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_both_and_a_missing_figure_does_not() {
        let text = "list lsscsi -g 100\nlist list 15\nlist list --json 15\n";
        assert!(judge(text).1);
        assert!(!judge(&text.replace("--json 15", "--json 16")).1);
        assert!(!judge(&text.replace("list list 15\n", "list list failed: gone\n")).1);
        assert!(!judge("list list 1\nlist list --json 1\n").1);
    }
}
