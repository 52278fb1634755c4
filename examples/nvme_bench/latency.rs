//! How long commands took.

use hdrhistogram::Histogram;
use serde_json::{Value, json};

/// The longest that is told apart, in nanoseconds: an hour.
const LONGEST: u64 = 3_600_000_000_000;
/// Three digits are right.
const DIGITS: u8 = 3;

/// Latencies of a thread. Those that are equal one after the other, as of
/// commands of one batch that ended together, are counted first.
pub(crate) struct Latency {
    histogram: Histogram<u64>,
    last: u64,
    times: u64,
    // These are exact, which the histogram is not.
    least: u64,
    most: u64,
    sum: u128,
}

impl Latency {
    pub(crate) fn new() -> Option<Self> {
        Some(Self {
            histogram: Histogram::new_with_bounds(1, LONGEST, DIGITS).ok()?,
            last: 0,
            times: 0,
            least: u64::MAX,
            most: 0,
            sum: 0,
        })
    }

    #[inline]
    pub(crate) fn record(&mut self, nanoseconds: u64) {
        if nanoseconds != self.last {
            self.flush();
            self.last = nanoseconds;
        }
        self.times += 1;
    }

    fn flush(&mut self) {
        if self.times > 0 {
            self.histogram.saturating_record_n(self.last, self.times);
            self.least = self.least.min(self.last);
            self.most = self.most.max(self.last);
            self.sum += u128::from(self.last) * u128::from(self.times);
            self.times = 0;
        }
    }

    /// Takes over those of another thread.
    pub(crate) fn add(&mut self, mut other: Self) {
        other.flush();
        self.flush();
        // Both have the same bounds.
        let _ = self.histogram.add(&other.histogram);
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.sum += other.sum;
    }

    pub(crate) fn summary(mut self) -> Summary {
        self.flush();
        let (histogram, most) = (&self.histogram, self.most);
        let least = self.least.min(most);
        let at = |quantile| histogram.value_at_quantile(quantile).clamp(least, most);
        let count = histogram.len();
        Summary {
            count,
            min: least,
            // The mean of numbers that fit.
            mean: u64::try_from(self.sum / u128::from(count.max(1))).unwrap_or(most),
            percentiles: PERCENTILES.map(|(_, _, quantile)| at(quantile)),
            max: most,
        }
    }
}

/// What of them is shown: key of JSON, words, quantile.
pub(crate) const PERCENTILES: [(&str, &str, f64); 5] = [
    ("p50", "50 %", 0.5),
    ("p90", "90 %", 0.9),
    ("p99", "99 %", 0.99),
    ("p99_9", "99.9 %", 0.999),
    ("p99_99", "99.99 %", 0.9999),
];

/// In nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) count: u64,
    pub(crate) min: u64,
    pub(crate) mean: u64,
    pub(crate) percentiles: [u64; PERCENTILES.len()],
    pub(crate) max: u64,
}

impl Summary {
    /// Null if nothing was measured.
    pub(crate) fn to_json(self) -> Value {
        if self.count == 0 {
            return Value::Null;
        }
        let mut object = json!({
            "count": self.count,
            "min": self.min,
            "mean": self.mean,
            "max": self.max,
        });
        for ((key, ..), value) in PERCENTILES.iter().zip(self.percentiles) {
            object[*key] = value.into();
        }
        object
    }

    /// In words, with units.
    pub(crate) fn text(&self) -> Vec<String> {
        if self.count == 0 {
            return Vec::new();
        }
        let mut words = vec![format!("min {}", time(self.min))];
        words.push(format!("mean {}", time(self.mean)));
        for ((_, name, _), value) in PERCENTILES.iter().zip(self.percentiles) {
            words.push(format!("{name} {}", time(value)));
        }
        words.push(format!("max {}", time(self.max)));
        words
    }
}

/// Nanoseconds in a unit that suits them.
fn time(nanoseconds: u64) -> String {
    // For people: 52 bits are enough.
    #[allow(clippy::cast_precision_loss)]
    let number = nanoseconds as f64;
    match nanoseconds {
        0..10_000 => format!("{nanoseconds} ns"),
        10_000..10_000_000 => format!("{:.1} us", number / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} ms", number / 1e6),
        _ => format!("{:.1} s", number / 1e9),
    }
}
