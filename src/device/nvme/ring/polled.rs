//! Kernels that must not be asked to poll.

use std::fs;

/// Why a ring must not be polled on this machine, if so.
pub(super) fn refusal() -> Option<&'static str> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease");
    polling_is_fatal(&release.unwrap_or_default()).then_some(
        "Linux 6.1 to 6.4 crash when they poll for commands of io_uring: make a ring that is not \
         polled, or use Linux 6.5",
    )
}

/// Linux 6.1 (seen with 6.1.192), and 6.2 to 6.4 by their source: a command without
/// data that has ended, or one of another ring on the same queue, has the address of
/// a function where the ring, if it polls for it once more, looks for its bio
/// (`nvme_ns_chr_uring_cmd_iopoll`, `bio_poll`). Linux 6.5 polls otherwise.
fn polling_is_fatal(release: &str) -> bool {
    ["6.1.", "6.2.", "6.3.", "6.4."]
        .iter()
        .any(|series| release.starts_with(series))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_told_apart() {
        for release in ["6.1.0-57-amd64", "6.1.192", "6.2.16", "6.3.0-rc1", "6.4.16"] {
            assert!(polling_is_fatal(release), "{release}");
        }
        let good = [
            "6.5.0",
            "6.10.1",
            "6.12.117+deb12-amd64",
            "16.1.2",
            "5.19.0",
            "",
        ];
        for release in good {
            assert!(!polling_is_fatal(release), "{release}");
        }
    }
}
