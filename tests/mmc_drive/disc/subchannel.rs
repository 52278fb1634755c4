//! The subchannels of a sector.
//!
//! P is set in pregaps. Q has the position, but the catalog number where the address is 60 more than a multiple of 100, and
//! the ISRC where it is 80 more, if there are such. R to W of symbol `i` are the low six bits of `lba + i`.

use super::{Disc, Track, bcd, msf};

/// The 12 bytes of Q, with the CRC inverted as on the disc.
pub(crate) fn q(disc: &Disc, lba: i32) -> [u8; 12] {
    let Some(track) = disc.at(lba) else {
        return [0; 12];
    };
    let mut bytes = [0; 12];
    match (lba.rem_euclid(100), &disc.catalog, &track.isrc) {
        (60, Some(catalog), _) => {
            bytes[0] = track.control << 4 | 2;
            for (index, digit) in catalog.bytes().take(13).enumerate() {
                bytes[1 + index / 2] |= (digit & 0xf) << if index % 2 == 0 { 4 } else { 0 };
            }
            bytes[9] = bcd(msf(lba)[2]);
        }
        (80, _, Some(isrc)) => {
            bytes[0] = track.control << 4 | 3;
            bytes[1..9].copy_from_slice(&isrc_bytes(isrc));
            bytes[9] = bcd(msf(lba)[2]);
        }
        _ => bytes = position(disc, track, lba),
    }
    let crc = !crc(&bytes[..10]);
    bytes[10..].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn position(disc: &Disc, track: &Track, lba: i32) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[0] = track.control << 4 | 1;
    let lead_out = lba >= disc.lead_out();
    bytes[1] = if lead_out { 0xaa } else { bcd(track.number) };
    bytes[2] = u8::from(lba >= track.start);
    let relative = if lead_out {
        lba - disc.lead_out()
    } else if lba < track.start {
        track.start - lba
    } else {
        lba - track.start
    };
    bytes[3..6].copy_from_slice(&msf(relative - 150).map(bcd));
    bytes[7..10].copy_from_slice(&msf(lba).map(bcd));
    bytes
}

/// Five letters of six bits, two bits of nothing, seven digits of four bits, four bits of nothing.
fn isrc_bytes(isrc: &str) -> [u8; 8] {
    let mut bits = 0_u64;
    for (index, letter) in isrc.bytes().take(12).enumerate() {
        let six = letter.wrapping_sub(b'0') & 0x3f;
        bits = if index < 5 {
            bits << 6 | u64::from(six)
        } else if index == 5 {
            bits << 6 | u64::from(six & 0xf)
        } else {
            bits << 4 | u64::from(six & 0xf)
        };
    }
    (bits << 4).to_be_bytes()
}

/// The CRC of Q and of CD-TEXT: x^16+x^12+x^5+1, from zero, not inverted.
pub(crate) fn crc(bytes: &[u8]) -> u16 {
    let mut crc = 0_u16;
    for &byte in bytes {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            crc = (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 };
        }
    }
    crc
}

/// How a drive may give Q.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QFormat {
    /// Numbers in binary instead of BCD.
    pub(crate) binary: bool,
    /// Zeros instead of the CRC.
    pub(crate) no_crc: bool,
}

/// The 16 bytes of "formatted Q". P is the highest bit of the last.
pub(crate) fn q_bytes(disc: &Disc, lba: i32, format: QFormat) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..12].copy_from_slice(&q(disc, lba));
    if format.binary && bytes[0] & 0xf == 1 {
        for place in [1, 2, 3, 4, 5, 7, 8, 9] {
            if bytes[place] != 0xaa {
                bytes[place] = (bytes[place] >> 4) * 10 + (bytes[place] & 0xf);
            }
        }
    }
    if format.no_crc {
        bytes[10..12].fill(0);
    }
    bytes[15] = u8::from(p(disc, lba)) << 7;
    bytes
}

fn p(disc: &Disc, lba: i32) -> bool {
    disc.at(lba).is_some_and(|track| lba < track.start)
}

/// The 96 symbols, P in bit 7 to W in bit 0.
pub(crate) fn raw(disc: &Disc, lba: i32) -> [u8; 96] {
    let q = q(disc, lba);
    let p = u8::from(p(disc, lba)) << 7;
    let mut bytes = rw(lba);
    for (index, byte) in bytes.iter_mut().enumerate() {
        let bit = q[index / 8] >> (7 - index % 8) & 1;
        *byte |= p | bit << 6;
    }
    bytes
}

/// R to W of the 96 symbols, without P and Q.
pub(crate) fn rw(lba: i32) -> [u8; 96] {
    std::array::from_fn(|index| (lba as u8).wrapping_add(index as u8) & 0x3f)
}
