//! Cutting what is long into what one command moves.

/// The pieces (offset, length) in which something long is fetched, in order,
/// without gaps or overlaps.
///
/// All are whole dwords, since Get Log Page moves nothing else: `most` is
/// rounded down to a multiple of 4, but not to 0, and the whole length up.
///
/// ```
/// use passthru::nvme::log::Pieces;
///
/// let pieces: Vec<_> = Pieces::new(10_000, 4096).collect();
/// assert_eq!(pieces, [(0, 4096), (4096, 4096), (8192, 1808)]);
/// ```
///
/// A page that is too long to be kept:
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt};
/// use passthru::nvme::log::{GetLog, LogId, Pieces};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let log = GetLog::new(LogId::TELEMETRY_HOST).retain_event(true);
/// for (offset, length) in Pieces::new(3 << 30, 128 << 10) {
///     let mut bytes = vec![0; length];
///     drive.read(&log.offset(offset), &mut bytes)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pieces {
    done: u64,
    left: u64,
    most: usize,
}

impl Pieces {
    /// Those of `length` bytes, each of at most `most` bytes.
    #[must_use]
    pub const fn new(length: u64, most: usize) -> Self {
        Self {
            done: 0,
            left: length.div_ceil(4),
            most: if most < 4 { 1 } else { most / 4 },
        }
    }
}

impl Iterator for Pieces {
    type Item = (u64, usize);

    fn next(&mut self) -> Option<(u64, usize)> {
        if self.left == 0 {
            return None;
        }
        // All of these count dwords.
        let piece = usize::try_from(self.left).map_or(self.most, |left| left.min(self.most));
        let offset = self.done;
        self.done += piece as u64;
        self.left -= piece as u64;
        Some((offset * 4, piece * 4))
    }
}
