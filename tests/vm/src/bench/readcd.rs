//! A disc read, and another scanned for C2 errors: the example `readcd` beside readom of cdrkit, with the same transfer
//! size, each the whole program, on the test drive. The first boot counts instructions; the second goes by the clock,
//! where the time outside the kernel is mostly the emulator's: it translates code, and looks every page up again after
//! each system call. So that is shown there and not judged.

use std::process::ExitCode;

use anyhow::Result;

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

const SCRIPT: &str = include_str!("../../guest/bench_readcd.sh");

const EXAMPLES: [&str; 2] = ["readcd", "mmc_drive"];

const PEER: &str = "readom";

const REPETITIONS: u32 = 5;

/// How many sectors the discs have: the one of data, whose sectors the drive takes longer to make, and the audio one.
const SECTORS: [u32; 2] = [10_000, 40_000];

/// What the sections of the time outside the kernel begin with.
const USER: &str = "user-";

/// Section, title, and how much of readom's figure is allowed.
const SECTIONS: [(&str, &str, f64); 4] = [
    ("read", "A data disc into a file", 1.0),
    ("user-read", "The same, outside the kernel", 0.5),
    ("scan", "An audio disc scanned for C2 errors", 1.0),
    ("user-scan", "The same, outside the kernel", 0.5),
];

/// Runs both boots and judges.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Emulator::default()], &[PEER])?;
    let [data, audio] = SECTORS;
    let mut job = Job {
        script: format!("repetitions={REPETITIONS} data={data} audio={audio}\n{SCRIPT}"),
        peers: vec![PEER],
        ..Job::default()
    };
    job.program(GUEST_TIME.name, &GUEST_TIME.build(workspace)?);
    for (name, file) in cargo::examples(workspace, &EXAMPLES, true)? {
        job.program(&name, &file);
    }
    let mut good = true;
    for count_instructions in [true, false] {
        job.count_instructions = count_instructions;
        good &= boot(workspace, &packages, &job)?;
    }
    if good {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

/// One boot, its tables, and whether the gates hold.
fn boot(workspace: &Workspace, packages: &Packages, job: &Job) -> Result<bool> {
    let ended = run_job(workspace, packages, job)?;
    let by = if job.count_instructions {
        "instructions counted"
    } else {
        "by the clock, two processors"
    };
    let [data, audio] = SECTORS;
    println!(
        "\n{data} and {audio} sectors, kernel {}, {by}; medians of {REPETITIONS}",
        ended.kernel
    );
    let (report, good) = judge(&ended.stdout, !job.count_instructions);
    print!("{report}");
    Ok(good)
}

fn judge(text: &str, by_the_clock: bool) -> (String, bool) {
    let mut report = String::new();
    let mut verdicts = String::new();
    let mut good = true;
    for (section, title, limit) in SECTIONS {
        let figures = Figures::of(text, section);
        report.push_str(&format!("\n{title}\n{}", figures.table(PEER)));
        if by_the_clock && section.starts_with(USER) {
            continue;
        }
        let gate = Gate {
            section,
            ours: "readcd",
            base: PEER,
            limit: Limit::AtMost(limit),
        };
        let (holds, line) = gate.judge(&figures);
        verdicts.push_str(&format!("{line}\n"));
        good &= holds;
    }
    (format!("{report}\n{verdicts}"), good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_holds_and_a_missing_figure_does_not() {
        let text = "read readom 100\nuser-read readom 100\nscan readom 100\nuser-scan readom 100\n\
            read readcd 100\nuser-read readcd 50\nscan readcd 100\nuser-scan readcd 50\n";
        assert!(judge(text, false).1);
        for (good, bad) in [
            ("\nread readcd 100\n", "\nread readcd 101\n"),
            ("user-read readcd 50\n", "user-read readcd 51\n"),
            ("\nscan readcd 100\n", "\nscan readcd failed: gone\n"),
            ("user-scan readom 100\n", ""),
        ] {
            let text = text.replace(good, bad);
            assert!(!judge(&text, false).1, "{text}");
            let judged = !good.contains(USER);
            assert_eq!(judge(&text, true).1, !judged, "{text}");
        }
    }
}
