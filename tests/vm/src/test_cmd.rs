//! `cargo vm test`: the host's tests, then the device tests in each kernel.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::cargo;
use crate::cc::SG_IO_LOOP;
use crate::emulator::Emulator;
use crate::job::{Job, quote};
use crate::kernel::{Kernel, Series};
use crate::libtest::Counts;
use crate::output::{capture_text, step};
use crate::packages::Packages;
use crate::sanitizer;
use crate::vm::{self, Show};
use crate::workspace::{Workspace, clean_command};

/// How the names of those tests end that have `scsi_debug` inject errors, which it does from kernel 6.7 on.
const BY_INJECTION: &str = "_by_injection";

/// Which tests to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// The host's, the kernels', and those under `AddressSanitizer`.
    All,
    /// The kernels' whose names contain this.
    Named(&'a str),
    /// Those under `AddressSanitizer`.
    Sanitized,
}

impl<'a> Part<'a> {
    const fn name(self) -> Option<&'a str> {
        match self {
            Self::Named(name) => Some(name),
            Self::All | Self::Sanitized => None,
        }
    }
}

/// How the device tests are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suite {
    Plain,
    Sanitized,
}

/// How the names of those tests end that need the drives of QEMU 10.
const QEMU_10: &str = "_qemu10";

/// Programs of other projects that the tests run.
const PEERS: [&str; 3] = ["nvme", "lsscsi", "readom"];

/// What the tests that run in QEMU 10 too have in their names.
const NVME: &str = "nvme";

/// What to run where.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    /// The kernels.
    pub(crate) series: &'a [Series],
    /// The emulators: all tests in the usual one, and those of NVMe in QEMU 10.
    pub(crate) emulators: &'a [Emulator],
    /// Which tests.
    pub(crate) part: Part<'a>,
    /// More arguments for the test program.
    pub(crate) libtest: &'a [String],
}

/// Runs them and closes with `N passed, N failed`.
pub(crate) fn test(workspace: &Workspace, choice: &Choice<'_>) -> Result<ExitCode> {
    let mut suites = Vec::new();
    if choice.part != Part::Sanitized {
        suites.push((Suite::Plain, jobs(workspace, choice)));
    }
    if choice.part.name().is_some() {
        step("only the tests of that name, and none under AddressSanitizer");
    } else {
        suites.push((
            Suite::Sanitized,
            sanitizer::job(workspace).map(|job| vec![job]),
        ));
    }
    // Only what will be booted is fetched.
    let emulators: Vec<_> = suites
        .iter()
        .filter_map(|(_, jobs)| jobs.as_ref().ok())
        .flatten()
        .map(|job| job.emulator)
        .collect();
    let packages = Packages::ensure(workspace, choice.series, &emulators, &PEERS)?;
    let mut total = Counts::default();
    let mut summary = Vec::new();
    if choice.part == Part::All {
        let host = host_tests(workspace)?;
        summary.push(("host".to_owned(), host));
        total += host;
    }
    for (suite, jobs) in suites {
        match jobs {
            Ok(jobs) => {
                for job in &jobs {
                    for kernel in &packages.kernels {
                        let counts = kernel_tests(workspace, &packages, kernel, job, suite)?;
                        let how = match suite {
                            Suite::Plain => "",
                            Suite::Sanitized => " with AddressSanitizer",
                        };
                        summary.push((format!("{}{how}", name(kernel, job)), counts));
                        total += counts;
                    }
                }
            }
            Err(error) => {
                step(format!("FAILED: {error:#}"));
                total.failed += 1;
            }
        }
    }
    for (name, counts) in summary {
        step(format!(
            "{name}: {} passed, {} failed",
            counts.passed, counts.failed
        ));
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn name(kernel: &Kernel, job: &Job) -> String {
    format!("kernel {}{}", kernel.series, job.emulator.suffix())
}

/// Runs `cargo test` and passes its output on. A run that fails without a failed test (a crash, an error of the
/// compiler) counts as one failure.
fn host_tests(workspace: &Workspace) -> Result<Counts> {
    step("running the host's tests (cargo test --workspace --all-features)");
    let mut cargo = cargo::command(&workspace.root);
    cargo.args(["test", "--workspace", "--all-features", "--no-fail-fast"]);
    let mut child = cargo
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo test")?;
    let mut output = String::new();
    let mut reader = BufReader::new(child.stdout.take().context("cargo test has an output")?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        std::io::stdout().write_all(&line)?;
        output.push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
    let status = child.wait()?;
    let (mut counts, _) = Counts::read(&output);
    if !status.success() && counts.failed == 0 {
        step(format!("FAILED: cargo test ended with {status}"));
        counts.failed = 1;
    }
    Ok(counts)
}

/// The device tests, with the examples and C programs they may run: a job for each emulator.
fn jobs(workspace: &Workspace, choice: &Choice<'_>) -> Result<Vec<Job>> {
    let test = cargo::kernel_test(workspace)?;
    let listed = capture_text(clean_command(&test).args(["--list", "--format=terse"]))?;
    let names: Vec<_> = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .collect();
    let mut template = Job {
        peers: PEERS.to_vec(),
        ..Job::default()
    };
    template.program("kernel", &test);
    for (name, file) in cargo::examples(workspace, &[], false)? {
        template.program(&name, &file);
    }
    template.program(SG_IO_LOOP.name, &SG_IO_LOOP.build(workspace)?);
    let mut jobs = Vec::new();
    for &emulator in choice.emulators {
        let Some(filters) = filters(&names, emulator, choice.part.name())? else {
            step(format!(
                "{emulator}: not booted, for no test that runs there has `{}` in its name",
                choice.part.name().unwrap_or_default()
            ));
            continue;
        };
        let mut words = vec!["kernel", "--include-ignored", "--test-threads=1"];
        words.extend(choice.libtest.iter().map(String::as_str));
        words.extend(filters);
        let words: Vec<_> = words.into_iter().map(quote).collect();
        jobs.push(Job {
            script: words.join(" "),
            emulator,
            ..template.clone()
        });
    }
    if jobs.is_empty() {
        bail!("no test was selected");
    }
    Ok(jobs)
}

/// The names to give to the test program for an emulator; none if its tests are not among those wished for. That there
/// are no tests for it at all is an error.
fn filters<'a>(
    names: &[&'a str],
    emulator: Emulator,
    only: Option<&'a str>,
) -> Result<Option<Vec<&'a str>>> {
    let here = |name: &str| match emulator {
        Emulator::V7_2 => !name.ends_with(QEMU_10),
        Emulator::V10 => name.contains(NVME),
    };
    let there: Vec<_> = names.iter().copied().filter(|name| here(name)).collect();
    if there.is_empty() {
        bail!("there is no test for {emulator}");
    }
    let Some(only) = only else {
        return Ok(Some(match emulator {
            Emulator::V7_2 => Vec::new(),
            Emulator::V10 => vec![NVME],
        }));
    };
    let wished: Vec<_> = there
        .into_iter()
        .filter(|name| name.contains(only))
        .collect();
    Ok(match (wished.is_empty(), emulator) {
        (true, _) => None,
        (false, Emulator::V7_2) => Some(vec![only]),
        // A test whose name contains one of these has both words in its name too.
        (false, Emulator::V10) => Some(wished),
    })
}

/// Boots one kernel and runs the tests in it. Whatever is wrong counts as at least one failure.
fn kernel_tests(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    job: &Job,
    suite: Suite,
) -> Result<Counts> {
    let mut job = job.clone();
    if kernel.series == Series::V6_1 && suite == Suite::Plain {
        step(format!(
            "{}: leaves out the tests named ..{BY_INJECTION}: its scsi_debug cannot inject errors",
            name(kernel, &job)
        ));
        job.script.push_str(&format!(" --skip {BY_INJECTION}"));
    }
    if job.emulator == Emulator::V7_2 {
        step(format!(
            "{}: leaves out the tests named ..{QEMU_10}: their drives need QEMU 10",
            name(kernel, &job)
        ));
        job.script.push_str(&format!(" --skip {QEMU_10}"));
    }
    let ended = vm::run(workspace, packages, kernel, &job, Show::Headed)?;
    let healthy = ended.report(kernel);
    let (mut counts, programs) = Counts::read(&ended.stdout);
    let fault = if !healthy {
        None
    } else if ended.stdout.contains(sanitizer::REPORT) {
        Some("AddressSanitizer has reported something".to_owned())
    } else if programs == 0 {
        Some(format!(
            "the test program ended with {} and no result",
            ended.code.unwrap_or_default()
        ))
    } else if counts.passed + counts.failed == 0 {
        Some("no test ran".to_owned())
    } else if counts.ignored > 0 {
        Some(format!(
            "{} test(s) were ignored; inside the VM nothing may be skipped",
            counts.ignored
        ))
    } else if ended.stdout.contains("SKIPPED") {
        Some("a test said SKIPPED; inside the VM nothing may be skipped".to_owned())
    } else if ended.code != Some(0) && counts.failed == 0 {
        Some(format!(
            "all tests passed, but the test program ended with {}",
            ended.code.unwrap_or_default()
        ))
    } else {
        None
    };
    if let Some(fault) = &fault {
        step(format!("{}: FAILED: {fault}", name(kernel, &job)));
    }
    if (fault.is_some() || !healthy) && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = [
        "open::a",
        "nvme_lab::a",
        "nvme_lab::b_qemu10",
        "open::c_nvme",
    ];

    #[test]
    fn each_emulator_has_its_tests() {
        let of = |emulator, only| filters(&NAMES, emulator, only).unwrap();
        assert_eq!(of(Emulator::V7_2, None), Some(vec![]));
        assert_eq!(of(Emulator::V10, None), Some(vec!["nvme"]));
        assert_eq!(of(Emulator::V7_2, Some("a")), Some(vec!["a"]));
        assert_eq!(of(Emulator::V10, Some("open")), Some(vec!["open::c_nvme"]));
        assert_eq!(
            of(Emulator::V10, Some("::b")),
            Some(vec!["nvme_lab::b_qemu10"])
        );
        assert_eq!(of(Emulator::V7_2, Some("::b")), None);
        assert_eq!(of(Emulator::V10, Some("open::a")), None);
    }

    #[test]
    fn an_emulator_without_tests_is_an_error() {
        assert!(filters(&NAMES[..1], Emulator::V10, None).is_err());
        assert!(filters(&NAMES[..1], Emulator::V10, Some("a")).is_err());
        assert!(filters(&[], Emulator::V7_2, None).is_err());
    }
}
