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
    /// `None` if there is one already and the kernel crashes with two.
    pub(super) fn new() -> Option<Self> {
        Self::on(&fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default())
    }

    fn on(release: &str) -> Option<Self> {
        let polled = Self(());
        let others = RINGS.fetch_add(1, Ordering::AcqRel);
        (others == 0 || !two_are_fatal(release)).then_some(polled)
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        RINGS.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Linux 6.1 to 6.4 (seen with 6.1.192; 6.5 polls otherwise): a ring that polls a queue of the drive finishes
/// the commands of others there, too, and leaves in them what their own ring then
/// takes for the number of a queue (`nvme_ns_chr_uring_cmd_iopoll`, `bio_poll`).
fn two_are_fatal(release: &str) -> bool {
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
            assert!(two_are_fatal(release), "{release}");
        }
        for release in [
            "6.5.0",
            "6.10.1",
            "6.12.117+deb12-amd64",
            "16.1.2",
            "5.19.0",
            "",
        ] {
            assert!(!two_are_fatal(release), "{release}");
        }
        let first = Polled::on("6.1.0-57-amd64").unwrap();
        assert!(Polled::on("6.1.0-57-amd64").is_none());
        let other = Polled::on("6.12.1").unwrap();
        drop((first, other));
        assert!(Polled::on("6.1.0-57-amd64").is_some());
        one_that_does_not_end_is_there();
    }

    /// One that leaves commands in flight counts for good.
    fn one_that_does_not_end_is_there() {
        let mut ring = NvmeRing::builder().polled(true).build().unwrap();
        let before = RINGS.load(Ordering::Acquire);
        ring.leave_all();
        drop(ring);
        assert_eq!(RINGS.load(Ordering::Acquire), before);
    }
}
