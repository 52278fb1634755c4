//! `cargo vm test`: the host's tests, then the device tests in each kernel.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::cargo;
use crate::cc::SG_IO_LOOP;
use crate::job::{Job, quote};
use crate::kernel::{Kernel, Series};
use crate::libtest::Counts;
use crate::output::step;
use crate::packages::{Emulator, Packages};
use crate::vm::{self, Show};
use crate::workspace::Workspace;

/// How the names of those tests end that have `scsi_debug` inject errors, which it does from kernel 6.7 on.
const BY_INJECTION: &str = "_by_injection";

/// How the names of those tests end that need the drives of QEMU 10.
const QEMU_10: &str = "_qemu10";

/// Runs everything and closes with `N passed, N failed`.
pub(crate) fn test(
    workspace: &Workspace,
    series: &[Series],
    only: Option<&str>,
    libtest: &[String],
) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, series)?;
    let mut total = Counts::default();
    let mut summary = Vec::new();
    if only.is_none() {
        let host = host_tests(workspace)?;
        summary.push(("host".to_owned(), host));
        total += host;
    }
    match job(workspace, only, libtest) {
        Ok(job) => {
            for kernel in &packages.kernels {
                let counts = kernel_tests(workspace, &packages, kernel, &job)?;
                summary.push((format!("kernel {}", kernel.series), counts));
                total += counts;
            }
        }
        Err(error) => {
            step(format!("FAILED: {error:#}"));
            total.failed += 1;
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

/// The device tests, with the examples and C programs they may run.
fn job(workspace: &Workspace, only: Option<&str>, libtest: &[String]) -> Result<Job> {
    let test = cargo::kernel_test(workspace)?;
    let mut words = vec!["kernel", "--include-ignored", "--test-threads=1"];
    words.extend(libtest.iter().map(String::as_str));
    words.extend(only);
    let words: Vec<_> = words.into_iter().map(quote).collect();
    let mut job = Job {
        script: words.join(" "),
        ..Job::default()
    };
    job.program("kernel", &test);
    for (name, file) in cargo::examples(workspace, &[], false)? {
        job.program(&name, &file);
    }
    job.program(SG_IO_LOOP.name, &SG_IO_LOOP.build(workspace)?);
    Ok(job)
}

/// Boots one kernel and runs the tests in it. Whatever is wrong counts as at least one failure.
fn kernel_tests(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    job: &Job,
) -> Result<Counts> {
    let mut job = job.clone();
    if kernel.series == Series::V6_1 {
        step(format!(
            "kernel {}: leaves out the tests named ..{BY_INJECTION}: its scsi_debug cannot inject errors",
            kernel.series
        ));
        job.script.push_str(&format!(" --skip {BY_INJECTION}"));
    }
    if job.emulator == Emulator::V7_2 {
        step(format!(
            "kernel {}: leaves out the tests named ..{QEMU_10}: this QEMU has not their drives",
            kernel.series
        ));
        job.script.push_str(&format!(" --skip {QEMU_10}"));
    }
    let ended = vm::run(workspace, packages, kernel, &job, Show::Headed)?;
    let healthy = ended.report(kernel);
    let (mut counts, programs) = Counts::read(&ended.stdout);
    let fault = if !healthy {
        None
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
        step(format!("kernel {}: FAILED: {fault}", kernel.series));
    }
    if (fault.is_some() || !healthy) && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}
