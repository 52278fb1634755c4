//! Which flags of `io_uring` the kernel takes.

use std::io;

/// Flags that older kernels do not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tuning {
    pub(crate) single_issuer: bool,
    pub(crate) defer_taskrun: bool,
    pub(crate) coop_taskrun: bool,
}

impl Tuning {
    /// What to try, the best first. A ring with a submitting thread has no task
    /// of ours that completions could wait for.
    fn ladder(sqpoll: bool) -> [Self; 4] {
        let none = Self::default();
        let single = Self {
            single_issuer: true,
            ..none
        };
        if sqpoll {
            return [single, single, none, none];
        }
        [
            Self {
                defer_taskrun: true,
                ..single
            },
            Self {
                coop_taskrun: true,
                ..single
            },
            Self {
                coop_taskrun: true,
                ..none
            },
            none,
        ]
    }
}

/// The first rung that the kernel takes: EINVAL is what it says to flags that it
/// does not know.
pub(super) fn climb<T>(
    sqpoll: bool,
    mut make: impl FnMut(Tuning) -> io::Result<T>,
) -> io::Result<(T, Tuning)> {
    let mut last = io::Error::from_raw_os_error(libc::EINVAL);
    for tuning in Tuning::ladder(sqpoll) {
        match make(tuning) {
            Ok(ring) => return Ok((ring, tuning)),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a kernel takes that knows none of some flags.
    fn found(sqpoll: bool, known: impl Fn(Tuning) -> bool) -> Option<Tuning> {
        let made = climb(sqpoll, |tuning| match known(tuning) {
            true => Ok(()),
            false => Err(io::Error::from_raw_os_error(libc::EINVAL)),
        });
        made.ok().map(|((), tuning)| tuning)
    }

    #[test]
    fn older_kernels_get_fewer_flags() {
        let of = |single_issuer, defer_taskrun, coop_taskrun| {
            Some(Tuning {
                single_issuer,
                defer_taskrun,
                coop_taskrun,
            })
        };
        assert_eq!(found(false, |_| true), of(true, true, false), "6.1");
        let before_6_1 = |tuning: Tuning| !tuning.defer_taskrun;
        assert_eq!(found(false, before_6_1), of(true, false, true));
        let before_6_0 = |tuning: Tuning| !tuning.defer_taskrun && !tuning.single_issuer;
        assert_eq!(found(false, before_6_0), of(false, false, true));
        let nothing = |tuning| tuning == Tuning::default();
        assert_eq!(found(false, nothing), of(false, false, false));
        assert_eq!(found(false, |_| false), None);
        // A submitting thread and a task of ours exclude each other.
        let thread = |tuning: Tuning| !tuning.defer_taskrun && !tuning.coop_taskrun;
        assert_eq!(found(true, thread), of(true, false, false));
        assert_eq!(found(true, before_6_0), of(false, false, false));
    }

    #[test]
    fn other_errors_end_the_search() {
        let mut tries = 0;
        let refused = climb::<()>(false, |_| {
            tries += 1;
            Err(io::Error::from_raw_os_error(libc::EPERM))
        });
        assert_eq!(refused.unwrap_err().raw_os_error(), Some(libc::EPERM));
        assert_eq!(tries, 1);
    }
}
