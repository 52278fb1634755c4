//! `cargo vm`: boots real kernels with emulated drives and runs passthru's tests, examples and benchmarks in them.
//!
//! Nothing on the machine is changed: QEMU, the kernels and the guest's tools come from Debian's packages, unpacked
//! below `target/vm`. One command is one file here (`test_cmd`, `demo`, `run_cmd`, `shell`, `bench`); they share
//! `vm::run`, which builds an initrd, boots QEMU, streams what the guest prints and says how the guest ended.

#![allow(clippy::print_stdout)]

mod apt;
mod bench;
mod cargo;
mod cc;
mod console;
mod cpio;
mod demo;
mod emulator;
mod initrd;
mod job;
mod kernel;
mod libraries;
mod libtest;
mod modules;
mod nvme;
mod output;
mod packages;
mod peers;
mod qemu;
mod run_cmd;
mod sanitizer;
mod shell;
mod test_cmd;
mod vm;
mod workspace;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::emulator::Emulator;
use crate::kernel::Series;
use crate::test_cmd::Choice;
use crate::workspace::Workspace;

/// Boots Debian's kernels in QEMU and runs passthru's tests, examples and benchmarks there.
///
/// It needs no KVM and no root. What is missing (QEMU, kernels, busybox, programs to compare with) is fetched with apt and unpacked
/// into target/vm; nothing is installed.
#[derive(Debug, Parser)]
#[command(name = "cargo vm", bin_name = "cargo vm", version)]
struct Arguments {
    /// Kill the guest and fail after this many minutes, counted for each boot
    #[arg(long, global = true, default_value_t = 15, value_name = "MINUTES")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Run the host tests, then the device tests in each kernel
    Test {
        /// Which kernel to boot
        #[arg(long, default_value = "all")]
        kernel: KernelChoice,
        /// In which emulator: all tests in QEMU 7.2, those of NVMe in QEMU 10 too
        #[arg(long, default_value = "all")]
        qemu: QemuChoice,
        /// Run only the device tests whose name contains this, and no host tests
        #[arg(long, value_name = "SUBSTRING")]
        only: Option<String>,
        /// Run only the tests under `AddressSanitizer`
        #[arg(long, conflicts_with = "only")]
        only_asan: bool,
        /// Arguments for the test program in the guest
        #[arg(last = true, value_name = "LIBTEST ARGUMENTS")]
        libtest: Vec<String>,
    },
    /// Run the example `list`, and `inquiry` and `raw` on every SCSI node of a guest
    Demo {
        #[command(flatten)]
        kernel: OneKernel,
    },
    /// Run one example in a guest, with its output and exit code
    Run {
        #[command(flatten)]
        kernel: OneKernel,
        #[command(flatten)]
        qemu: OneQemu,
        /// More parameters for the simulated disk, `opts=2` (medium errors at blocks 4660 to 4669) for one
        #[arg(long, value_name = "PARAMETERS")]
        scsi_debug: Option<String>,
        #[command(flatten)]
        drive: run_cmd::TestDrive,
        /// An example of the package passthru
        example: String,
        /// Its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Give a shell in a guest
    Shell {
        #[command(flatten)]
        kernel: OneKernel,
        #[command(flatten)]
        qemu: OneQemu,
    },
    /// Compare speed with C programs, counted in instructions
    Bench {
        /// What to compare
        bench: bench::Bench,
        #[command(flatten)]
        kernel: OneKernel,
    },
    /// Only fetch what the other commands need, but not fio: `bench ring` alone needs it, and fetches it
    Fetch,
}

#[derive(Debug, clap::Args)]
struct OneKernel {
    /// Which kernel to boot
    #[arg(long = "kernel", default_value = "6.12")]
    series: Series,
}

#[derive(Debug, clap::Args)]
struct OneQemu {
    /// Which emulator to boot in
    #[arg(long = "qemu", default_value = "7.2")]
    emulator: Emulator,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QemuChoice {
    #[value(name = "7.2")]
    V7_2,
    #[value(name = "10")]
    V10,
    All,
}

impl QemuChoice {
    fn emulators(self) -> &'static [Emulator] {
        match self {
            Self::V7_2 => &[Emulator::V7_2],
            Self::V10 => &[Emulator::V10],
            Self::All => &[Emulator::V7_2, Emulator::V10],
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KernelChoice {
    #[value(name = "6.1")]
    V6_1,
    #[value(name = "6.12")]
    V6_12,
    All,
}

impl KernelChoice {
    fn series(self) -> &'static [Series] {
        match self {
            Self::V6_1 => &[Series::V6_1],
            Self::V6_12 => &[Series::V6_12],
            Self::All => &[Series::V6_1, Series::V6_12],
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match dispatch(arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        anyhow::bail!(
            "cargo vm boots x86_64 kernels with programs built here, so it needs an x86_64 Linux machine"
        );
    }
    let workspace = Workspace::find(Duration::from_secs(arguments.timeout.saturating_mul(60)))?;
    match arguments.command {
        Subcommands::Test {
            kernel,
            qemu,
            only,
            only_asan,
            libtest,
        } => {
            let part = match &only {
                Some(name) => test_cmd::Part::Named(name),
                None if only_asan => test_cmd::Part::Sanitized,
                None => test_cmd::Part::All,
            };
            let choice = Choice {
                series: kernel.series(),
                emulators: qemu.emulators(),
                part,
                libtest: &libtest,
            };
            test_cmd::test(&workspace, &choice)
        }
        Subcommands::Demo { kernel } => demo::demo(&workspace, kernel.series),
        Subcommands::Run {
            kernel,
            qemu,
            scsi_debug,
            drive,
            example,
            arguments,
        } => run_cmd::run(
            &workspace,
            kernel.series,
            qemu.emulator,
            scsi_debug.as_deref(),
            &drive,
            &example,
            &arguments,
        ),
        Subcommands::Shell { kernel, qemu } => {
            shell::shell(&workspace, kernel.series, qemu.emulator)
        }
        Subcommands::Bench { bench, kernel } => bench.run(&workspace, kernel.series),
        Subcommands::Fetch => {
            packages::Packages::ensure(
                &workspace,
                KernelChoice::All.series(),
                QemuChoice::All.emulators(),
                &peers::usual(),
            )?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
