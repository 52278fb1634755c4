//! How far it is, for whoever looks on.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::SectorRange;

/// The bytes of a second of audio: speed 1.
const ONE_SPEED: f64 = 176_400.0;

/// What stands in place of a speed.
const SPEED_UNKNOWN: &str = "-";

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    range: SectorRange,
    begun: Instant,
    from: i32,
}

impl Progress {
    /// Begins at this sector.
    pub(crate) fn new(range: SectorRange, from: i32) -> Self {
        let bar = ProgressBar::new(range.end.abs_diff(range.first).into());
        let style = "{wide_bar} sector {pos} of {len}, {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_message(SPEED_UNKNOWN);
        bar.set_position(from.abs_diff(range.first).into());
        bar.reset_eta();
        Self {
            bar: (!bar.is_hidden()).then_some(bar),
            range,
            begun: Instant::now(),
            from,
        }
    }

    /// This sector is the next; so many errors until now.
    pub(crate) fn at(&self, next: i32, errors: impl FnOnce() -> String) {
        let Some(bar) = &self.bar else { return };
        bar.set_position(next.abs_diff(self.range.first).into());
        let speed = speed(next.abs_diff(self.from), self.begun.elapsed().as_secs_f64());
        bar.set_message(format!("{speed}, {}", errors()));
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How fast that is, by the 2352 bytes that a sector has on the disc.
pub(crate) fn speed(sectors: u32, seconds: f64) -> String {
    if seconds <= 0.0 {
        return SPEED_UNKNOWN.into();
    }
    let bytes = f64::from(sectors) * 2352.0 / seconds;
    format!("{:.0} kB/s ({:.1}x)", bytes / 1000.0, bytes / ONE_SPEED)
}
