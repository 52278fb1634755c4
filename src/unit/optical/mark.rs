//! Marks in a buffer, by which is seen what was not written over.

/// How many bytes at the end of each sector are a mark. A drive's data is equal to
/// one by chance once in 2^64.
const MARK: usize = 8;

/// How many marked bytes at the end count: three may be equal by chance.
const LEAST: usize = 4;

/// The mark with this number; no two neighbours are equal.
const fn mark(number: usize) -> [u8; MARK] {
    let mixed = (number as u64 ^ 0x5bd1_e995_9d1b_54a5).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).to_le_bytes()
}

/// Puts a mark at the end of each sector of `length` bytes.
pub(super) fn put(buffer: &mut [u8], length: usize) {
    for (number, sector) in buffer.chunks_exact_mut(length.max(1)).enumerate() {
        let mark = mark(number);
        match sector.last_chunk_mut() {
            Some(last) => *last = mark,
            None => {
                let both = sector.iter_mut().rev().zip(mark.iter().rev());
                both.for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// How many sectors, from the first on, were written over.
///
/// Data ends anywhere, within a mark too. So where the next sector has its mark,
/// not even one byte may be left, and at the end of the buffer fewer than
/// [`LEAST`].
pub(super) fn written(buffer: &[u8], length: usize) -> usize {
    let sectors = buffer.chunks_exact(length.max(1));
    let all = sectors.len();
    let whole = length.min(MARK);
    let marked = sectors
        .clone()
        .enumerate()
        .position(|(number, sector)| run(sector, number) == whole);
    let (first, allowed) = marked.map_or((all, LEAST), |first| (first, 1));
    let doubtful = |last: &usize| {
        let sector = sectors.clone().nth(*last).unwrap_or_default();
        run(sector, *last) >= allowed
    };
    first.checked_sub(1).filter(doubtful).unwrap_or(first)
}

/// How many bytes at the end of a sector are as its mark is.
fn run(sector: &[u8], number: usize) -> usize {
    let mark = mark(number);
    let bytes = sector.iter().rev().zip(mark.iter().rev());
    bytes.take_while(|(is, was)| is == was).count()
}

/// The same for every byte of a buffer.
pub(super) fn fill(buffer: &mut [u8]) {
    for (number, piece) in buffer.chunks_mut(MARK).enumerate() {
        for (to, from) in piece.iter_mut().zip(mark(number)) {
            *to = from;
        }
    }
}

/// How many bytes at the end are as [`fill`] left them.
pub(super) fn left(buffer: &[u8]) -> usize {
    let marks = (0..buffer.len().div_ceil(MARK)).flat_map(mark);
    let marks: Vec<u8> = marks.take(buffer.len()).collect();
    let same = buffer.iter().rev().zip(marks.iter().rev());
    let run = same.take_while(|(is, was)| is == was).count();
    if run >= LEAST { run } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_has_no_mark() {
        for length in [1, 4, 8, 16, 2352, 2744] {
            let mut buffer = vec![0; 5 * length];
            put(&mut buffer, length);
            assert_eq!(written(&buffer, length), 0, "{length}");
            buffer[..3 * length].fill(0);
            assert_eq!(written(&buffer, length), 3, "{length}");
            buffer.fill(0);
            assert_eq!(written(&buffer, length), 5, "{length}");
            // Part of a mark: before another sector's, and at the end.
            for (kept, before, last) in [(1, 3, 5), (3, 3, 5), (4, 3, 4), (8, 3, 4)] {
                let kept = length.min(kept);
                for (sectors, complete) in [(4, before), (5, last)] {
                    put(&mut buffer, length);
                    buffer[..sectors * length - kept].fill(0);
                    let short = length < LEAST && kept == length;
                    let complete = if short { sectors - 1 } else { complete };
                    assert_eq!(written(&buffer, length), complete, "{length} {kept}");
                }
            }
        }
        assert_eq!(written(&[], 0), 0);
        put(&mut [], 0);
    }

    #[test]
    fn what_is_left_at_the_end_is_counted() {
        for len in [0, 3, 4, 8, 100, 10_583] {
            let mut buffer = vec![0; len];
            fill(&mut buffer);
            assert_eq!(left(&buffer), if len < LEAST { 0 } else { len });
            for kept in [4, 7, 8, 1176].into_iter().filter(|kept| *kept <= len) {
                let mut buffer = buffer.clone();
                buffer[..len - kept]
                    .iter_mut()
                    .for_each(|byte| *byte ^= 0xff);
                assert_eq!(left(&buffer), kept);
            }
            buffer.fill(0);
            assert_eq!(left(&buffer), 0);
        }
    }
}
