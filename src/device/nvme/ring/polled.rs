//! Polled rings, of which some kernels take one only.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

/// How many polled rings this process has.
static RINGS: AtomicUsize = AtomicUsize::new(0);

/// A polled ring of this process.
#[derive(Debug)]
pub(super) struct Polled(());

impl Polled {
    /// Why not, if the kernel must not be given it.
    pub(super) fn new() -> Result<Self, &'static str> {
        let release = fs::read_to_string("/proc/sys/kernel/osrelease");
        Self::on(&release.unwrap_or_default())
    }

    fn on(release: &str) -> Result<Self, &'static str> {
        let polled = Self(());
        let others = RINGS.fetch_add(1, Ordering::AcqRel);
        if polling_is_fatal(release) {
            return Err(
                "Linux 6.1 crashes when it polls for commands of io_uring: make a ring that is \
                 not polled, or use Linux 6.5",
            );
        }
        if others > 0 && two_rings_are_fatal(release) {
            return Err(
                "there is a polled ring in this process, and Linux 6.2 to 6.4 crash when two poll \
                 one drive: drop that one first, or make one that is not polled",
            );
        }
        Ok(polled)
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        RINGS.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Linux 6.1 (seen with 6.1.192, also with one command at a time): one that has
/// ended has the address of a function where the ring, if it polls for it once more,
/// looks for its bio (`nvme_ns_chr_uring_cmd_iopoll`, `bio_poll`).
fn polling_is_fatal(release: &str) -> bool {
    release.starts_with("6.1.")
}

/// Linux 6.2 to 6.4, by their source (6.5 polls otherwise): a ring that polls a queue
/// may end commands of another ring there, with the same effect.
fn two_rings_are_fatal(release: &str) -> bool {
    ["6.2.", "6.3.", "6.4."]
        .iter()
        .any(|series| release.starts_with(series))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_one_is_refused_where_it_is_fatal() {
        for release in ["6.2.16", "6.3.0-rc1", "6.4.16"] {
            assert!(two_rings_are_fatal(release), "{release}");
        }
        for release in [
            "6.5.0",
            "6.10.1",
            "6.12.117+deb12-amd64",
            "16.1.2",
            "5.19.0",
            "",
        ] {
            assert!(!two_rings_are_fatal(release), "{release}");
            assert!(!polling_is_fatal(release), "{release}");
        }
        let refusal = |release| Polled::on(release).unwrap_err();
        assert!(refusal("6.1.0-57-amd64").contains("not polled"));
        let first = Polled::on("6.2.16").unwrap();
        assert!(refusal("6.3.1").contains("when two poll"));
        let other = Polled::on("6.12.1").unwrap();
        drop((first, other));
        Polled::on("6.2.16").unwrap();
    }
}
