//! What benchmarks and comparisons need: the controller inside the kernel, and
//! programs of other projects.

use std::process::{Command, Output};

use passthru_sys::nvme::{self, nvme_passthru_cmd};

use crate::{
    lab::kernel,
    nvme_lab::{Format, controller, format, namespace, send},
};

fn shell(script: &str) -> Output {
    Command::new("sh").args(["-c", script]).output().unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_controller_inside_the_kernel() {
    let started = shell(". /job/nvme_loop.sh; nvme_loop_start 4096");
    let said = String::from_utf8_lossy(&started.stderr);
    if kernel() == "6.1" {
        assert!(!started.status.success());
        assert!(said.contains("has no nvme-loop"), "{said}");
        return;
    }
    assert!(started.status.success(), "{said}");
    let node = String::from_utf8_lossy(&started.stdout);
    assert_eq!(controller("PTLOOP").to_str(), Some(node.trim()));
    assert_eq!(format("PTLOOP", 1), Format(4096, 0, false, 0));
    let (generic, block) = namespace("PTLOOP", 1);
    for node in [generic, block] {
        let read = nvme_passthru_cmd {
            opcode: 0x02,
            nsid: 1,
            ..nvme_passthru_cmd::ZERO
        };
        let mut data = [0; 4096];
        assert_eq!(send(&node, nvme::NVME_IOCTL_IO_CMD, read, &mut data), 0);
    }
    let stopped = shell(". /job/nvme_loop.sh; nvme_loop_stop");
    assert!(stopped.status.success(), "{stopped:?}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn programs_of_other_projects_run() {
    // The shell has an lsscsi of its own, and the tests have an example called nvme.
    let output = shell(
        "/usr/bin/nvme id-ctrl /dev/nvme0 && /usr/bin/nvme id-ns /dev/ng0n1 && /usr/bin/lsscsi --generic",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for expected in ["sn        : PTPLAIN", "nsze    : 0x20000", "/dev/sg0"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
