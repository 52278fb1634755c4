//! Reads through an `io_uring` ring: the crate beside C with the same flags, and beside fio. The first boot counts
//! instructions; the second, with more reads in flight, goes by the clock, and its figures differ from run to run.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Result;

use super::gate::{Gate, Limit};
use super::{Figures, run_job};
use crate::cargo;
use crate::cc::RING_LOOP;
use crate::job::Job;
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../../guest/bench_ring.sh");

/// `bench_ring` has the arguments of `ring_loop`. `bench_lookup COUNT` prints a line `lookup NUMBER nanoseconds` for each
/// number of commands in flight.
const EXAMPLES: [&str; 2] = ["bench_ring", "bench_lookup"];

const PEERS: [&str; 1] = ["fio"];

const REPETITIONS: u32 = 5;

/// Sections with their unit and the row that the others are compared with.
const SECTIONS: [(&str, &str, &str, &str); 7] = [
    ("b1", NANOSECONDS, "c", "One read at a time"),
    (
        "b1-fixed",
        NANOSECONDS,
        "c",
        "One read at a time, registered memory",
    ),
    ("b16", NANOSECONDS, "c", "16 reads at a time"),
    (
        "b16-fixed",
        NANOSECONDS,
        "c",
        "16 reads at a time, registered memory",
    ),
    (
        "lookup",
        NANOSECONDS,
        "100",
        "A completion, with so many commands in flight",
    ),
    (
        "iops",
        RATE,
        "fio",
        "By the clock: 64 in flight, 32 at a time, registered memory",
    ),
    (
        "iops-qemu",
        RATE,
        "fio",
        "The same on QEMU's drive, not judged",
    ),
];

const NANOSECONDS: &str = "guest ns";
const RATE: &str = "reads/s";

const fn gate(section: &'static str, ours: &'static str, base: &'static str, limit: Limit) -> Gate {
    Gate {
        section,
        ours,
        base,
        limit,
    }
}

/// Within a section.
const GATES: [Gate; 6] = [
    gate("b1", "rust", "c", Limit::AtMost(1.02)),
    gate("b1-fixed", "rust", "c", Limit::AtMost(1.02)),
    gate("b16", "rust", "c", Limit::AtMost(1.02)),
    gate("b16-fixed", "rust", "c", Limit::AtMost(1.02)),
    gate("b16-fixed", "rust", "fio", Limit::FasterBy(1.2)),
    gate("lookup", "100000", "100", Limit::AtMost(1.1)),
];

/// By the clock.
const RATE_GATE: Gate = gate("iops", "rust", "fio", Limit::AtLeast(1.0));

/// What gates across sections are headed by; their rows are `SECTION NAME`.
const ACROSS: &str = "ways";

/// Across sections. Registered memory saves 1,000 ns with 16 reads at a time; with one, no program can: C saves 900.
const GATES_ACROSS: [Gate; 3] = [
    gate(ACROSS, "b16-fixed rust", "b16 rust", Limit::Saves(1000.0)),
    gate(ACROSS, "b1-fixed rust", "b1 rust", Limit::Saves(800.0)),
    gate(ACROSS, "b16 rust", "b1 rust", Limit::AtMost(0.5)),
];

/// Runs both boots and judges. Only kernel 6.12 has a controller inside it. The processor is the usual one: `null_blk` moves
/// no data, and with a processor that copies by words the figures are the same within 0.1 %.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Default::default()], &PEERS)?;
    let mut programs = vec![(RING_LOOP.name.to_owned(), RING_LOOP.build(workspace)?)];
    let known = cargo::targets(workspace, "example")?;
    // One that is not there has no figures, so its gates fail; the others are shown all the same.
    for name in EXAMPLES
        .iter()
        .filter(|&&name| known.iter().any(|known| known == name))
    {
        programs.extend(cargo::examples(workspace, &[name], true)?);
    }
    let part = |name: &str| {
        let job = Job {
            script: format!("part={name} repetitions={REPETITIONS}\n{SCRIPT}"),
            count_instructions: name == "count",
            programs: programs.clone(),
            peers: PEERS.to_vec(),
            ..Job::default()
        };
        run_job(workspace, &packages, &job).map(|ended| ended.stdout)
    };
    let counted = part("count")?;
    let timed = part("time")?;
    println!("nvme-loop with null_blk, kernel {series}; medians of {REPETITIONS}");
    let (report, good) = judge(&(counted + &timed));
    print!("{report}");
    if good {
        return Ok(ExitCode::SUCCESS);
    }
    step("FAILED: see above");
    Ok(ExitCode::FAILURE)
}

/// The tables, what failed, and whether all gates hold.
fn judge(text: &str) -> (String, bool) {
    let mut report = String::new();
    for (section, unit, base, title) in SECTIONS {
        let table = Figures::of(text, section).table_in(unit, base);
        report.push_str(&format!("\n{title} ({section})\n{table}"));
    }
    report.push('\n');
    let failed: BTreeSet<_> = text
        .lines()
        .filter(|line| line.contains(" failed: "))
        .collect();
    for line in failed {
        report.push_str(&format!("{line}\n"));
    }
    let mut good = true;
    let all = Figures::read(text);
    let within = |gate: &Gate| gate.judge(&Figures::of(text, gate.section));
    let judged = GATES
        .iter()
        .map(within)
        .chain(GATES_ACROSS.iter().map(|gate| gate.judge(&all)))
        .chain([within(&RATE_GATE)]);
    for (holds, line) in judged {
        report.push_str(&format!("{line}\n"));
        good &= holds;
    }
    (report, good)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "b1 c 19000\nb1 rust 19380\nb1-fixed c 18100\nb1-fixed rust 18462\n\
                        b16 c 9400\nb16 rust 9588\nb16-fixed c 8340\nb16-fixed rust 8506\n\
                        b16-fixed fio 10390\nb16-fixed fio, no clocks 9780\n\
                        lookup 100 300\nlookup 100000 330\n\
                        iops rust 100\niops fio 100\niops rust 90\niops fio 99\niops rust 110\niops fio 102\n\
                        iops-qemu fio 1000\n";

    #[test]
    fn what_is_good_enough_passes() {
        let (report, good) = judge(GOOD);
        assert!(good, "{report}");
        assert_eq!(
            report.matches("holds ").count(),
            GATES.len() + GATES_ACROSS.len() + 1
        );
        assert!(
            report.contains("`rust` does 1.000 times what `fio` does"),
            "{report}"
        );
    }

    #[test]
    fn each_bad_figure_is_seen() {
        for (line, bad) in [
            ("b1 rust 19380", "b1 rust 19390"),
            ("b1-fixed rust 18462", "b1-fixed rust 18463"),
            ("b16 rust 9588", "b16 rust 9589"),
            ("b16-fixed rust 8506", "b16-fixed rust 8507"),
            ("b16-fixed fio 10390", "b16-fixed fio 10207"),
            ("lookup 100000 330", "lookup 100000 331"),
            ("iops rust 100", "iops rust 98"),
            ("b16 rust 9588", "b16 rust 9505"),
            ("b1 rust 19380", "b1 rust 19261"),
            ("b1 rust 19380", "b1 rust 19175"),
        ] {
            let text = GOOD.replace(line, bad);
            assert_ne!(text, GOOD, "{line}");
            let (report, good) = judge(&text);
            assert!(!good, "{bad}:\n{report}");
        }
    }

    #[test]
    fn each_missing_figure_is_seen() {
        for line in GOOD.lines() {
            let (row, _) = line.rsplit_once(' ').unwrap();
            let text: String = GOOD
                .lines()
                .map(|other| match other.rsplit_once(' ') {
                    Some((name, _)) if name == row => format!("{row} failed: no such file\n"),
                    _ => format!("{other}\n"),
                })
                .collect();
            let (report, good) = judge(&text);
            let information = ["b16-fixed fio, no clocks", "iops-qemu fio"].contains(&row);
            assert_eq!(good, information, "{row}:\n{report}");
            assert!(report.contains(&format!("{row} failed: no such file")));
        }
        assert!(!judge("").1);
    }
}
