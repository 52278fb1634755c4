//! Counting C2 errors.

use passthru::scsi::mmc::{BlockErrorPlace, C2, C2Bits, C2Field};
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

/// A count of pointers that may come with block error bytes, at either end: MMC-6 does
/// not say at which. So both are counted, until it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct C2Scan {
    last: C2Count,
    /// With the block error bytes before the pointers; none for 294 bytes.
    first: Option<C2Count>,
    /// How many sectors with errors have all pointers in one byte at that end.
    fit_last: usize,
    fit_first: usize,
}

impl C2Scan {
    pub(crate) fn add(&mut self, lba: i32, field: C2Field<'_>) {
        self.last.add(lba, field.bits());
        let at = |place| C2Field::new(field.as_bytes(), C2::Block296, place);
        let Some((first, last)) = at(BlockErrorPlace::First).zip(at(BlockErrorPlace::Last)) else {
            return;
        };
        let count = self.first.get_or_insert_default();
        count.add(lba, first.bits());
        self.fit_first += usize::from(fits(first));
        self.fit_last += usize::from(fits(last));
    }

    /// Only if all sectors speak for it, and not all for the other: a drive that sends
    /// zeros there speaks for neither.
    fn is_first(&self) -> bool {
        let Some(first) = &self.first else {
            return false;
        };
        let with_errors = first.sectors.len().max(self.last.sectors.len());
        self.fit_first > self.fit_last && self.fit_first == with_errors
    }

    fn best(&self) -> &C2Count {
        match &self.first {
            Some(first) if self.is_first() => first,
            _ => &self.last,
        }
    }

    pub(crate) fn result(&self) -> C2Count {
        self.best().clone()
    }

    pub(crate) fn block_error(&self) -> Option<&'static str> {
        self.first.as_ref()?;
        Some(if self.is_first() { "first" } else { "last" })
    }

    pub(crate) fn scanned(&self) -> u64 {
        self.last.scanned
    }

    pub(crate) fn errors(&self) -> u64 {
        self.best().errors
    }

    pub(crate) fn sectors(&self) -> usize {
        self.best().sectors.len()
    }
}

/// Whether the block error byte is all pointers in one, which are not all zero.
fn fits(field: C2Field<'_>) -> bool {
    let bits = field.bits();
    let all = bits.as_bytes().iter().fold(0, |all, byte| all | byte);
    let told = field.block_error();
    all != 0 && told.is_some_and(|told| told == [all, 0] || told == [0, all])
}
