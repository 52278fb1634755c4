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
    /// One with `depth` commands in flight, or why the kernel must not be given it.
    pub(super) fn new(depth: u32) -> Result<Self, &'static str> {
        let release = fs::read_to_string("/proc/sys/kernel/osrelease");
        Self::on(&release.unwrap_or_default(), depth)
    }

    fn on(release: &str, depth: u32) -> Result<Self, &'static str> {
        let polled = Self(());
        let others = RINGS.fetch_add(1, Ordering::AcqRel);
        if depth > 1 && two_commands_are_fatal(release) {
            return Err(
                "Linux 6.1 crashes when more than one command is polled for: make the ring of \
                 depth 1, or not polled, or use Linux 6.5",
            );
        }
        if others > 0 && two_rings_are_fatal(release) {
            return Err(
                "there is a polled ring in this process, and Linux 6.1 to 6.4 crash when two poll \
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

/// Linux 6.1 (seen with 6.1.192): to poll for one command may end another one,
/// which then has the address of a function where the ring, which polls for it
/// next, looks for its bio (`nvme_ns_chr_uring_cmd_iopoll`, `bio_poll`).
fn two_commands_are_fatal(release: &str) -> bool {
    release.starts_with("6.1.")
}

/// Linux 6.1 to 6.4 (6.5 polls otherwise): the same for commands of another ring
/// on the same queue.
fn two_rings_are_fatal(release: &str) -> bool {
    ["6.1.", "6.2.", "6.3.", "6.4."]
        .iter()
        .any(|series| release.starts_with(series))
}

#[cfg(test)]
mod tests {
    use super::{super::NvmeRing, *};

    #[test]
    fn a_second_one_is_refused_where_it_is_fatal() {
        for release in ["6.1.192", "6.2.16", "6.3.0-rc1", "6.4.16"] {
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
            assert!(!two_commands_are_fatal(release), "{release}");
        }
        let first = Polled::on("6.1.0-57-amd64", 1).unwrap();
        let refusal = |release, depth| Polled::on(release, depth).unwrap_err();
        assert!(refusal("6.1.0-57-amd64", 1).contains("when two poll"));
        assert!(refusal("6.3.1", 64).contains("when two poll"));
        assert!(refusal("6.1.0-57-amd64", 2).contains("depth 1"));
        let other = Polled::on("6.12.1", 64).unwrap();
        drop((first, other));
        Polled::on("6.1.0-57-amd64", 1).unwrap();
        assert!(refusal("6.1.192", 2).contains("depth 1"));
        one_that_does_not_end_is_there();
    }

    /// One that leaves commands in flight counts for good.
    fn one_that_does_not_end_is_there() {
        let mut ring = NvmeRing::builder().depth(1).polled(true).build().unwrap();
        let before = RINGS.load(Ordering::Acquire);
        ring.leave_all();
        drop(ring);
        assert_eq!(RINGS.load(Ordering::Acquire), before);
    }
}
