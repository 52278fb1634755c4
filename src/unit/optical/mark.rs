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

/// The bytes of `sector` that are its mark: the last ones.
fn tail(len: usize) -> usize {
    len.min(MARK)
}

/// Puts a mark at the end of each sector of `length` bytes.
pub(super) fn put(buffer: &mut [u8], length: usize) {
    for (number, sector) in buffer.chunks_exact_mut(length.max(1)).enumerate() {
        for (to, from) in sector.iter_mut().rev().zip(mark(number)) {
            *to = from;
        }
    }
}

/// How many sectors, from the first on, have no mark any more.
pub(super) fn written(buffer: &[u8], length: usize) -> usize {
    let is_marked = |(number, sector): (usize, &[u8])| {
        let marks = mark(number);
        let marks = marks.iter().take(tail(sector.len()));
        sector.iter().rev().zip(marks).all(|(is, was)| is == was)
    };
    let sectors = buffer.chunks_exact(length.max(1));
    let all = sectors.len();
    sectors.enumerate().position(is_marked).unwrap_or(all)
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
            // A byte less is no whole sector as long as the mark tells it.
            put(&mut buffer, length);
            buffer[..5 * length - tail(length)].fill(0x11);
            assert_eq!(written(&buffer, length), 4, "{length}");
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
