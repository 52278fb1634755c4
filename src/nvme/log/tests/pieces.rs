use proptest::prelude::*;

use crate::nvme::log::Pieces;

fn all(length: u64, most: usize) -> Vec<(u64, usize)> {
    Pieces::new(length, most).collect()
}

#[test]
fn pieces_are_whole_dwords() {
    assert_eq!(all(0, 4096), []);
    assert_eq!(all(1, 4096), [(0, 4)]);
    assert_eq!(all(4096, 4096), [(0, 4096)]);
    assert_eq!(all(4100, 4096), [(0, 4096), (4096, 4)]);
    assert_eq!(all(10, 6), [(0, 4), (4, 4), (8, 4)]);
    assert_eq!(all(8, 0), [(0, 4), (4, 4)]);
}

/// nvme-cli#1447: a loop that kept its rest in the length lost what came after
/// the first pieces.
#[test]
fn a_long_page_comes_as_a_whole() {
    let pieces = all(1 << 20, 4096);
    assert_eq!(pieces.len(), 256);
    assert!(pieces.iter().all(|(_, length)| *length == 4096));
    assert_eq!(pieces.last(), Some(&(1_044_480, 4096)));
}

#[test]
fn the_longest_length_does_not_wrap() {
    let mut pieces = Pieces::new(u64::MAX, usize::MAX);
    assert!(
        pieces
            .by_ref()
            .take(8)
            .all(|(offset, length)| offset % 4 == 0 && length > 0)
    );
}

proptest! {
    #[test]
    fn no_gaps_no_overlaps(length in 0_u64..200_000, most in 0_usize..9000) {
        let mut next = 0;
        for (offset, piece) in Pieces::new(length, most) {
            prop_assert_eq!(offset, next);
            prop_assert!(piece > 0 && piece % 4 == 0 && piece <= most.max(4));
            next = offset + piece as u64;
        }
        prop_assert_eq!(next, length.div_ceil(4) * 4);
    }
}
