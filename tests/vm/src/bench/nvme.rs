//! What asking an NVMe drive costs: the library beside an ioctl in C, and the example `nvme` as a whole program beside
//! nvme-cli.

use std::process::ExitCode;

use anyhow::Result;

use super::gate::{Gate, Limit};
use super::{Figures, run_job};
use crate::cargo;
use crate::cc::{GUEST_TIME, IDENTIFY_LOOP};
use crate::job::Job;
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../../guest/bench_nvme.sh");

/// The bare call, and the programs that are judged.
const EXAMPLES: [&str; 2] = ["bench_nvme", "nvme"];

const PEERS: [&str; 1] = ["nvme"];

const REPETITIONS: u32 = 5;

/// Sections with the row that the others are compared with.
const SECTIONS: [(&str, &str, &str); 4] = [
    ("identify", "c", "Identify Controller, one call"),
    ("id-ctrl", "nvme-cli", "`id-ctrl`, the whole program"),
    ("smart", "nvme-cli", "`smart`, the whole program"),
    (
        "list",
        "nvme-cli",
        "`list` of NVMe drives, the whole program",
    ),
];

const fn at_most(
    section: &'static str,
    ours: &'static str,
    base: &'static str,
    limit: f64,
) -> Gate {
    Gate {
        section,
        ours,
        base,
        limit: Limit::AtMost(limit),
    }
}

const GATES: [Gate; 4] = [
    at_most("identify", "rust", "c", 1.05),
    at_most("id-ctrl", "passthru", "nvme-cli", 0.5),
    at_most("smart", "passthru", "nvme-cli", 0.5),
    at_most("list", "passthru", "nvme-cli", 0.5),
];

/// Runs both sides in one boot and judges. Only kernel 6.12 has a controller inside it.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Default::default()], &PEERS)?;
    let mut job = Job {
        script: format!("repetitions={REPETITIONS}\n{SCRIPT}"),
        count_instructions: true,
        // Clearing and copying a page is 4096 instructions by bytes, and one page is what most of this moves.
        copy_by_words: true,
        peers: PEERS.to_vec(),
        ..Job::default()
    };
    for source in [GUEST_TIME, IDENTIFY_LOOP] {
        job.program(source.name, &source.build(workspace)?);
    }
    for (name, file) in cargo::examples(workspace, &EXAMPLES, true)? {
        // nvme-cli has the same name.
        let name = if name == "nvme" { "pt_nvme" } else { &name };
        job.program(name, &file);
    }
    let ended = run_job(workspace, &packages, &job)?;
    println!(
        "nvme-loop with null_blk, kernel {}; medians of {REPETITIONS}",
        ended.kernel
    );
    if judge(&ended.stdout) {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

fn judge(text: &str) -> bool {
    for (section, base, title) in SECTIONS {
        println!("\n{title}");
        print!("{}", Figures::of(text, section).table(base));
    }
    println!();
    let mut good = true;
    for gate in GATES {
        let (holds, line) = gate.judge(&Figures::of(text, gate.section));
        println!("{line}");
        good &= holds;
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_and_missing_figures_are_seen() {
        let mut good = String::new();
        for gate in GATES {
            let Limit::AtMost(limit) = gate.limit else {
                panic!("{gate:?}")
            };
            good.push_str(&format!("{} {} 1000\n", gate.section, gate.base));
            good.push_str(&format!(
                "{} {} {}\n",
                gate.section,
                gate.ours,
                1000.0 * limit
            ));
        }
        assert!(judge(&good));
        assert!(!judge(
            &good.replace("identify rust 1050", "identify rust 1051")
        ));
        assert!(!judge(&good.replace("list passthru 500\n", "")));
        assert!(!judge(
            &good.replace("smart passthru 500", "smart failed: x")
        ));
    }
}
