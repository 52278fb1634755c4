//! The tests of commands in flight once more, under `AddressSanitizer`.
//!
//! What it watches is the crate's own side of a queue or ring: that no slot is used, or given back, after it has been given
//! back. What the kernel writes it does not see; the tests have guards for that.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::cargo;
use crate::job::{Job, quote};
use crate::output::{capture_text, step};
use crate::workspace::{Workspace, clean_command};

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The tests whose names contain one of these.
const TESTS: [&str; 6] = [
    "queue::",
    "queue_lost::",
    "ring_lifetimes::buffers::",
    "ring_lifetimes::churn::",
    "ring_lifetimes::dropped::",
    "ring_lifetimes::forked::",
];

/// What every report begins with, after the number of the process.
pub(crate) const REPORT: &str = "ERROR: AddressSanitizer";

/// The exit code is not one that a test's own child may end with. Tests leak on purpose. The reports of children would
/// be lost between the lines of the tests.
const OPTIONS: &str = "detect_leaks=0:exitcode=86:log_path=/tmp/asan";

/// The job that runs them.
pub(crate) fn job(workspace: &Workspace) -> Result<Job> {
    let test = build(workspace)?;
    let mut words = vec!["kernel", "--include-ignored", "--test-threads=1"];
    words.extend(TESTS);
    let words: Vec<_> = words.into_iter().map(quote).collect();
    let mut job = Job {
        script: format!(
            "export ASAN_OPTIONS={OPTIONS}\n{}\ncode=$?\n\
             for report in /tmp/asan.*; do [ -f \"$report\" ] && cat \"$report\"; done\nexit $code",
            words.join(" ")
        ),
        ..Job::default()
    };
    job.program("kernel", &test);
    Ok(job)
}

/// Builds the test program `kernel` so, in a folder of its own: the flags would have everything else built anew each
/// time. `--target` keeps them from build scripts and procedural macros.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = capture_text(clean_command(rustc).current_dir(&workspace.root).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]))?;
    needs_runtime(Path::new(libraries.trim()))?;
    step("building the device tests with AddressSanitizer");
    let folder = workspace.vm.with_file_name("asan");
    let mut cargo = cargo::command(&workspace.root);
    cargo
        // The flag is an unstable one; the toolchain has what it takes.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_TARGET_DIR", folder);
    let arguments = ["test", "--no-run", "--test", "kernel", "--target", TARGET];
    let test = cargo::build_by(cargo, &arguments)?
        .remove("kernel")
        .context("cargo built no test program `kernel`")?;
    let mut help = clean_command(&test);
    help.arg("--list").env("ASAN_OPTIONS", "help=1");
    if !says(help)?.contains("flags for AddressSanitizer") {
        bail!("{} was built without AddressSanitizer", test.display());
    }
    Ok(test)
}

fn needs_runtime(libraries: &Path) -> Result<()> {
    let has_runtime = fs::read_dir(libraries)
        .with_context(|| format!("cannot read {}", libraries.display()))?
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().contains("rt.asan"));
    if !has_runtime {
        bail!(
            "this Rust toolchain has no AddressSanitizer: there is no librustc*rt.asan.a in {}. \
             rustup's toolchains for {TARGET} have it",
            libraries.display()
        );
    }
    Ok(())
}

/// All that a program prints.
fn says(mut program: Command) -> Result<String> {
    let output = program.stdin(Stdio::null()).output()?;
    let both = [output.stdout, output.stderr].concat();
    Ok(String::from_utf8_lossy(&both).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_without_the_runtime_is_an_error() {
        let folder = std::env::temp_dir().join(format!("passthru-asan-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("libstd-0.rlib"), "").unwrap();
        let error = needs_runtime(&folder).unwrap_err().to_string();
        assert!(error.contains("no AddressSanitizer"), "{error}");
        fs::write(folder.join("librustc-stable_rt.asan.a"), "").unwrap();
        needs_runtime(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(needs_runtime(&folder).is_err());
    }
}
