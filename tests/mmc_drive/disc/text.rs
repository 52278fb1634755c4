//! CD-TEXT: the packs of one block, in ISO 8859-1 and English.

use super::{Disc, crc};

const TITLE: u8 = 0x80;
const PERFORMER: u8 = 0x81;
const CODES: u8 = 0x8e;
const SIZES: u8 = 0x8f;

/// All packs, 18 bytes each; none if the disc has no title.
pub(crate) fn packs(disc: &Disc) -> Vec<u8> {
    if disc.title.is_none() {
        return Vec::new();
    }
    let mut packs: Vec<[u8; 18]> = Vec::new();
    let of = |album: &Option<String>, track: fn(&super::Track) -> Option<String>| {
        let tracks = disc.tracks.iter().map(track);
        std::iter::once(album.clone())
            .chain(tracks)
            .map(Option::unwrap_or_default)
            .collect::<Vec<_>>()
    };
    let lists = [
        (TITLE, of(&disc.title, |track| track.title.clone())),
        (
            PERFORMER,
            of(&disc.performer, |track| track.performer.clone()),
        ),
        (CODES, of(&disc.catalog, |track| track.isrc.clone())),
    ];
    for (kind, texts) in lists {
        if texts.iter().any(|text| !text.is_empty()) {
            add(&mut packs, kind, &texts);
        }
    }
    add_sizes(&mut packs, disc);
    packs.concat()
}

/// The texts one after another, each with a zero behind it, in pieces of 12 bytes.
fn add(packs: &mut Vec<[u8; 18]>, kind: u8, texts: &[String]) {
    let stream: Vec<(u8, u8, u8)> = texts
        .iter()
        .zip(0_u8..)
        .flat_map(|(text, track)| {
            text.bytes()
                .chain([0])
                .zip(0_u8..)
                .map(move |(byte, place)| (track, place, byte))
        })
        .collect();
    for piece in stream.chunks(12) {
        let mut body = [0; 12];
        for (to, from) in body.iter_mut().zip(piece) {
            *to = from.2;
        }
        // Beyond 15 letters of a text before this pack, the count stays.
        let (track, place, _) = piece[0];
        add_pack(packs, kind, track, place.min(15), body);
    }
}

fn add_pack(packs: &mut Vec<[u8; 18]>, kind: u8, track: u8, place: u8, body: [u8; 12]) {
    let mut pack = [0; 18];
    pack[..4].copy_from_slice(&[kind, track, packs.len() as u8, place]);
    pack[4..16].copy_from_slice(&body);
    let crc = !crc(&pack[..16]);
    pack[16..].copy_from_slice(&crc.to_be_bytes());
    packs.push(pack);
}

/// How many packs of each kind there are, and what they are about: three packs.
fn add_sizes(packs: &mut Vec<[u8; 18]>, disc: &Disc) {
    let mut sizes = [0_u8; 36];
    sizes[1] = disc.first();
    sizes[2] = disc.last();
    for pack in packs.iter() {
        sizes[4 + usize::from(pack[0] & 0xf)] += 1;
    }
    sizes[4 + 0xf] = 3;
    sizes[20] = packs.len() as u8 + 2;
    sizes[28] = 9;
    for (part, number) in sizes.chunks_exact(12).zip(0_u8..) {
        let mut body = [0; 12];
        body.copy_from_slice(part);
        add_pack(packs, SIZES, number, 0, body);
    }
}
