//! Counting C2 errors.

use passthru::scsi::mmc::C2Bits;
use serde_json::{Value, json};

/// From so many on a sector counts as one with many errors, as readom has it.
const MANY: u32 = 100;

/// The bytes of a sector's main channel, each of which has a pointer.
const SECTOR: u64 = 2352;

/// A sector with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct C2Sector {
    pub(crate) lba: i32,
    /// How many bytes of the sector are wrong: bits that are set.
    pub(crate) errors: u32,
    /// The first of them.
    pub(crate) first_byte: usize,
}

/// All that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct C2Count {
    /// Sectors whose pointers really came.
    pub(crate) scanned: u64,
    /// Bits that are set: wrong bytes of the main channel.
    pub(crate) errors: u64,
    /// Pointer bytes that are not zero.
    pub(crate) pointer_bytes: u64,
    pub(crate) worst: Option<C2Sector>,
    pub(crate) many: u64,
    pub(crate) sectors: Vec<C2Sector>,
}

impl C2Count {
    pub(crate) fn add(&mut self, lba: i32, bits: C2Bits<'_>) {
        self.scanned += 1;
        if bits.is_clean() {
            return;
        }
        let sector = C2Sector {
            lba,
            errors: bits.count(),
            first_byte: bits.first().unwrap_or(0),
        };
        self.errors += u64::from(sector.errors);
        self.pointer_bytes += bits.marked_bytes() as u64;
        self.many += u64::from(sector.errors >= MANY);
        if self.worst.is_none_or(|worst| worst.errors < sector.errors) {
            self.worst = Some(sector);
        }
        self.sectors.push(sector);
    }

    /// How many of a hundred bytes that were scanned are wrong; `None` if none
    /// were.
    #[allow(clippy::cast_precision_loss)] // for people
    pub(crate) fn rate(&self) -> Option<f64> {
        let bytes = self.scanned * SECTOR;
        (bytes > 0).then(|| self.errors as f64 * 100.0 / bytes as f64)
    }

    pub(crate) fn to_json(&self) -> Value {
        let sector = |sector: &C2Sector| {
            json!({
                "lba": sector.lba,
                "errors": sector.errors,
                "first_byte": sector.first_byte,
            })
        };
        json!({
            "errors": self.errors,
            "pointer_bytes": self.pointer_bytes,
            "sectors": self.sectors.len(),
            "worst": self.worst.as_ref().map(sector),
            "sectors_over_100": self.many,
            "rate_percent": self.rate(),
            "sectors_scanned": self.scanned,
            "list": self.sectors.iter().map(sector).collect::<Vec<_>>(),
        })
    }
}
