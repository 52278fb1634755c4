//! Which format an answer has.

use super::super::wire;

/// The number of the format that the list after the header has, if that is
/// surely another than what was asked for.
///
/// Entries of format 0 and 1 are 8 bytes, of which the first and the fourth
/// are 0, and the third is a track. In the 11 bytes of formats 2 and 3 the third
/// is 0 (TNO in a lead-in), an ATIP has bit 7 of its first byte set, and a pack
/// of CD-TEXT begins with 80h to 8Fh: so none of them looks like format 0.
pub(super) fn other_format(asked: u8, list: &[u8]) -> Option<u8> {
    if asked == 0 {
        return is_full_toc(list).then_some(2);
    }
    if !is_tracks(list) {
        return None;
    }
    let alone = list.len() == 8 && wire::byte(list, 2) != Some(0xaa);
    let got = u8::from(alone);
    (got != asked).then_some(got)
}

fn is_tracks(list: &[u8]) -> bool {
    let mut last = 0;
    let entries = list.chunks_exact(8);
    let is_track = |entry: &[u8]| {
        let &[0, _, number, 0, ..] = entry else {
            return false;
        };
        let follows = number > last && (number <= 99 || number == 0xaa);
        last = number;
        follows
    };
    entries.len() > 0 && entries.remainder().is_empty() && list.chunks_exact(8).all(is_track)
}

fn is_full_toc(list: &[u8]) -> bool {
    let mut entries = list.chunks_exact(11);
    let points = |point: u8| {
        list.chunks_exact(11)
            .any(|entry| wire::byte(entry, 3) == Some(point))
    };
    entries.remainder().is_empty()
        && entries.all(|entry| !matches!(entry, [0, ..]) && wire::byte(entry, 2) == Some(0))
        && [0xa0, 0xa1, 0xa2].into_iter().all(points)
}
