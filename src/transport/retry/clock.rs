//! What tells the time between two tries.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Tells the time and passes it, for the pauses and deadlines of a
/// [`RetryPolicy`](super::RetryPolicy).
///
/// A clock of one's own can end a wait early, when a user has pressed Ctrl-C for instance, or show
/// that it is waited.
pub trait Clock {
    /// The time now.
    fn now(&self) -> Instant;

    /// Lets `time` pass. `false` ends the trying: the last outcome is returned.
    fn sleep(&self, time: Duration) -> bool;
}

/// The system's clock; sleeps in the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> bool {
        thread::sleep(time);
        true
    }
}

/// Pauses that double until they are a second long, up to a deadline.
#[derive(Debug)]
pub(super) struct Pauses {
    begin: Option<Instant>,
    next: Duration,
}

const LONGEST: Duration = Duration::from_secs(1);

impl Pauses {
    pub(super) const fn from(first: Duration) -> Self {
        Self {
            begin: None,
            next: first,
        }
    }

    /// Pauses, at most until `longest` after the first call. `false` when that is over
    /// already, or the clock wants an end.
    pub(super) fn pause(&mut self, clock: &dyn Clock, longest: Duration) -> bool {
        let now = clock.now();
        let begin = *self.begin.get_or_insert(now);
        let left = longest.saturating_sub(now.saturating_duration_since(begin));
        if left.is_zero() {
            return false;
        }
        let pause = self.next.min(left);
        self.next = (self.next * 2).min(LONGEST);
        clock.sleep(pause)
    }
}
