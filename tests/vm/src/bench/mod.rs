//! `cargo vm bench`: speed compared with C programs in the same boot.
//!
//! QEMU counts instructions and the guest's clock follows the count (`-icount shift=0,sleep=off`, one processor), so a
//! nanosecond in the guest is one instruction, whatever the machine is doing otherwise. Only ratios within one boot
//! are compared. Each bench is a file of this folder. `ring` and `readcd` also have a part by the clock, and say so.

mod copy;
mod copy_tables;
mod gate;
mod list;
mod nvme;
mod readcd;
mod ring;
mod sync;

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::job::Job;
use crate::kernel::Series;
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

/// What can be compared.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Bench {
    /// One command after the other on a sg node
    Sync,
    /// A drive to a drive, beside the programs of sg3-utils and dd; ways to read a block node
    Copy,
    /// A list of 1,024 drives, beside lsscsi
    List,
    /// Asking an NVMe drive, beside C and nvme-cli (kernel 6.12)
    Nvme,
    /// Optical discs read and scanned, beside readom
    Readcd,
    /// Reads through an `io_uring` ring, beside C and fio (kernel 6.12)
    Ring,
}

impl Bench {
    /// Runs it; fails if we are slower than allowed.
    pub(crate) fn run(self, workspace: &Workspace, series: Series) -> Result<ExitCode> {
        match self {
            Self::Sync => sync::run(workspace, series),
            Self::Copy => copy::run(workspace, series),
            Self::List => list::run(workspace, series),
            Self::Nvme => nvme::run(workspace, series),
            Self::Readcd => readcd::run(workspace, series),
            Self::Ring => ring::run(workspace, series),
        }
    }
}

/// A boot that came to its end.
#[derive(Debug)]
struct Ended {
    /// The version of the kernel.
    kernel: String,
    stdout: String,
}

/// Boots and has the job done; an error if it was not done to its end.
fn run_job(workspace: &Workspace, packages: &Packages, job: &Job) -> Result<Ended> {
    let kernel = packages
        .kernels
        .first()
        .context("one kernel was asked for")?;
    let ended = vm::run(workspace, packages, kernel, job, Show::Collected)?;
    if !ended.report(kernel) || ended.code != Some(0) {
        bail!(
            "the bench did not run to its end (exit code {:?}); it printed:\n{}",
            ended.code,
            ended.stdout
        );
    }
    Ok(Ended {
        kernel: kernel.version.to_string(),
        stdout: ended.stdout,
    })
}

/// Figures by name, one for each repetition.
#[derive(Debug, Default)]
struct Figures(BTreeMap<String, Vec<f64>>);

impl Figures {
    /// Reads lines of the form `name number`; other lines are left alone.
    fn read(text: &str) -> Self {
        let mut figures = Self::default();
        for line in text.lines() {
            if let Some((name, value)) = line.trim().rsplit_once(' ') {
                if let Ok(value) = value.parse() {
                    figures
                        .0
                        .entry(name.trim().to_owned())
                        .or_default()
                        .push(value);
                }
            }
        }
        figures
    }

    /// Those of the lines that begin with this word, without it.
    fn of(text: &str, word: &str) -> Self {
        let lines = text.lines().filter_map(|line| {
            let (first, rest) = line.split_once(' ')?;
            (first == word).then(|| format!("{rest}\n"))
        });
        Self::read(&lines.collect::<String>())
    }

    fn median(&self, name: &str) -> Option<f64> {
        let mut values = self.0.get(name)?.clone();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        if values.len() % 2 == 1 {
            Some(values[middle])
        } else {
            Some((values[middle - 1] + values[middle]) / 2.0)
        }
    }

    /// The least: what else the kernel does meanwhile only adds to a count of instructions.
    fn least(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.iter().copied().min_by(f64::total_cmp)
    }

    /// A table with each name's median, its spread, and its ratio to one of them; the smallest first.
    fn table(&self, base: &str) -> String {
        self.table_in("guest ns", base)
    }

    /// The same for figures in another unit.
    fn table_in(&self, unit: &str, base: &str) -> String {
        let mut table = format!(
            "{:<22} {unit:>14} {:>10}   ratio to `{base}`\n",
            "", "spread"
        );
        let mut rows: Vec<_> = self
            .0
            .iter()
            .map(|(name, values)| (self.median(name).unwrap_or(f64::NAN), name, values))
            .collect();
        rows.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (median, name, values) in rows {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(0.0, f64::max);
            let ratio = median / self.median(base).unwrap_or(f64::NAN);
            let spread = (high - low) / median * 100.0;
            table.push_str(&format!(
                "{name:<22} {median:>14.0} {spread:>9.2}% {ratio:>10.4}\n"
            ));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_compared() {
        let figures = Figures::read("c wr 100\nnoise\nrust 130\nc wr 300\nrust 110\nc wr 200\n");
        assert_eq!(figures.median("c wr"), Some(200.0));
        assert_eq!(figures.median("rust"), Some(120.0));
        assert_eq!(figures.median("noise"), None);
        assert_eq!(figures.least("c wr"), Some(100.0));
        assert_eq!(figures.least("noise"), None);
        let table = figures.table("c wr");
        let rows: Vec<_> = table.lines().skip(1).collect();
        assert!(rows[0].starts_with("rust ") && rows[0].ends_with("0.6000"));
        assert!(rows[1].starts_with("c wr ") && rows[1].ends_with("1.0000"));
    }

    #[test]
    fn lines_are_told_apart_by_their_first_word() {
        let text = "64k c loop 5\n256k c loop 7\n64k rest failed: no 3 ways\n";
        let figures = Figures::of(text, "64k");
        assert_eq!(figures.median("c loop"), Some(5.0));
        assert_eq!(figures.0.len(), 1);
    }
}
