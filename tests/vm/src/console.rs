//! Looks for trouble in what the kernel printed.

use std::fs;
use std::path::Path;

/// How many lines of a report are shown after its first one.
const SHOWN: usize = 12;

/// Whether a line of the console says that the kernel is in trouble.
fn is_trouble(line: &str) -> bool {
    const SIGNS: [&str; 7] = [
        "BUG:",
        "------------[ cut here ]------------",
        "Oops",
        "Kernel panic",
        "general protection fault",
        "KASAN",
        "Unable to mount root",
    ];
    let stall = line.contains("INFO: rcu") && line.contains("stall");
    let blocked = line.contains("INFO: task") && line.contains("blocked");
    // Programs crash in tests; only the kernel's own faults count.
    let user_program = line.contains("traps: ");
    stall || blocked || (!user_program && SIGNS.iter().any(|sign| line.contains(sign)))
}

/// The reports of trouble in a console log, each with the lines after it; empty if all is well.
pub(crate) fn trouble(log: &str) -> Vec<String> {
    let lines: Vec<_> = log.lines().map(str::trim_end).collect();
    let mut shown_to = 0;
    let mut reports = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if number >= shown_to && is_trouble(line) {
            shown_to = (number + SHOWN).min(lines.len());
            reports.push(lines[number..shown_to].join("\n"));
        }
    }
    reports
}

/// A console log as text; what is no text is replaced.
pub(crate) fn read(path: &Path) -> String {
    fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}

/// The last lines of a log.
pub(crate) fn tail(log: &str, count: usize) -> String {
    let lines: Vec<_> = log.lines().map(str::trim_end).collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_boot_is_fine() {
        let log = "[    0.0] Linux version 6.1\n[    1.0] sr 0:0:1:0: Attached scsi CD-ROM sr0\n\
                   [    2.0] kernel[77]: segfault at 0 ip 0 sp 0 error 4\n\
                   [    2.1] traps: kernel[78] general protection fault ip:0 sp:0 error:0\n\
                   [    3.0] rcu: Hierarchical RCU implementation.\n\
                   [    3.0] Command line: rcupdate.rcu_cpu_stall_timeout=120\n[    3.1] debug: mode\n";
        assert_eq!(trouble(log), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_trouble_is_seen() {
        for line in [
            "[ 9.1] BUG: kernel NULL pointer dereference, address: 0",
            "[ 9.1] ------------[ cut here ]------------",
            "[ 9.1] Oops: 0002 [#1] PREEMPT SMP",
            "[ 9.1] Kernel panic - not syncing: sysrq triggered crash",
            "[ 9.1] general protection fault, probably for non-canonical address",
            "[ 9.1] BUG: KASAN: use-after-free",
            "[ 9.1] INFO: task kworker/0:1:12 blocked for more than 120 seconds.",
            "[ 9.1] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
        ] {
            assert_eq!(trouble(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn a_report_is_shown_once_with_its_lines() {
        let log = "fine\r\n------------[ cut here ]------------\r\nWARNING: CPU: 0 PID: 1 at x\r\nBUG: y\r\n";
        assert_eq!(
            trouble(log),
            ["------------[ cut here ]------------\nWARNING: CPU: 0 PID: 1 at x\nBUG: y"]
        );
        assert_eq!(tail(log, 1), "BUG: y");
    }
}
