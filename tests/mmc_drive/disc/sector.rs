//! What is in a sector: 2352 bytes, by its address.
//!
//! Audio: the 588 samples of a sector are little-endian words, `588 * lba + k` times [`AUDIO`]. Data: the 512 words of the
//! user data are `512 * lba + k` times [`DATA`]. Both multiplications wrap at 32 bits, and no two words of a disc are the
//! same. Form 2 of mode 2 has 581 words in a sector, mode 2 without a form 584. Data sectors have sync, header, EDC and ECC as ECMA-130 says.

use super::{Kind, msf};

/// What a number of an audio sample is multiplied by.
pub(crate) const AUDIO: u32 = 0x9e37_79b1;
/// What a number of a word of user data is multiplied by.
pub(crate) const DATA: u32 = 0x85eb_ca6b;

pub(crate) const SECTOR: usize = 2352;

/// The whole main channel of a sector.
pub(crate) fn sector(kind: Kind, lba: i32) -> [u8; SECTOR] {
    let mut bytes = [0; SECTOR];
    match kind {
        Kind::Audio => words(&mut bytes, lba, AUDIO),
        Kind::Mode1 => {
            header(&mut bytes, lba, 1);
            words(&mut bytes[16..2064], lba, DATA);
            let edc = edc(&bytes[..2064]);
            bytes[2064..2068].copy_from_slice(&edc.to_le_bytes());
            ecc(&mut bytes);
        }
        Kind::Mode2Form1 => {
            header(&mut bytes, lba, 2);
            // File 0, channel 0, the submode "data", twice.
            bytes[18] = 8;
            bytes[22] = 8;
            words(&mut bytes[24..2072], lba, DATA);
            let edc = edc(&bytes[16..2072]);
            bytes[2072..2076].copy_from_slice(&edc.to_le_bytes());
            // The header takes no part in this mode's ECC.
            let head: [u8; 4] = [bytes[12], bytes[13], bytes[14], bytes[15]];
            bytes[12..16].fill(0);
            ecc(&mut bytes);
            bytes[12..16].copy_from_slice(&head);
        }
        Kind::Mode2Form2 => {
            header(&mut bytes, lba, 2);
            // The submode "form 2", twice.
            bytes[18] = 0x20;
            bytes[22] = 0x20;
            words(&mut bytes[24..2348], lba, DATA);
            let edc = edc(&bytes[16..2348]);
            bytes[2348..].copy_from_slice(&edc.to_le_bytes());
        }
        Kind::Mode2 => {
            header(&mut bytes, lba, 2);
            words(&mut bytes[16..], lba, DATA);
        }
    }
    bytes
}

fn words(bytes: &mut [u8], lba: i32, factor: u32) {
    let count = (bytes.len() / 4) as u32;
    let first = (lba as u32).wrapping_mul(count);
    for (word, number) in bytes.chunks_exact_mut(4).zip(0..) {
        let value = first.wrapping_add(number).wrapping_mul(factor);
        word.copy_from_slice(&value.to_le_bytes());
    }
}

fn header(bytes: &mut [u8; SECTOR], lba: i32, mode: u8) {
    bytes[1..11].fill(0xff);
    bytes[12..15].copy_from_slice(&msf(lba).map(super::bcd));
    bytes[15] = mode;
}

/// The error detection code: a CRC with the polynomial `(x^16+x^15+x^2+1)(x^16+x^2+x+1)`, lowest bit first.
fn edc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| crc >> 8 ^ EDC[(crc as u8 ^ byte) as usize];
    bytes.iter().fold(0, step)
}

/// What each byte adds to the code.
const EDC: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xd801_8001 } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// The P and Q parities of the bytes from the header on: two Reed-Solomon codes over columns and diagonals.
fn ecc(bytes: &mut [u8; SECTOR]) {
    let bytes = &mut bytes[12..];
    for column in 0..86 {
        let places = (0..24).map(|row| column + 86 * row);
        let [first, second] = parity(places.map(|place| bytes[place]));
        bytes[2064 + column] = first;
        bytes[2064 + 86 + column] = second;
    }
    for diagonal in 0..52 {
        let (number, plane) = (diagonal / 2, diagonal % 2);
        let places = (0..43).map(|step| 2 * ((44 * step + 43 * number) % 1118) + plane);
        let [first, second] = parity(places.map(|place| bytes[place]));
        bytes[2236 + diagonal] = first;
        bytes[2236 + 52 + diagonal] = second;
    }
}

/// The two bytes that make the sum of a code word, and its sum weighted with powers of x, zero.
fn parity(data: impl Iterator<Item = u8>) -> [u8; 2] {
    let mut sum = 0;
    let mut weighted = 0;
    for byte in data {
        sum ^= byte;
        weighted = twice(weighted) ^ byte;
    }
    weighted = twice(twice(weighted));
    // first + second = sum and x * first + second = weighted.
    let first = by_three(sum ^ weighted);
    [first, first ^ sum]
}

/// A product with x in the field of 256 elements with the polynomial x^8+x^4+x^3+x^2+1.
const fn twice(byte: u8) -> u8 {
    (byte << 1) ^ if byte & 0x80 == 0 { 0 } else { 0x1d }
}

/// The quotient by x+1: the product with its inverse.
fn by_three(byte: u8) -> u8 {
    let mut power = byte;
    let mut product = 0;
    for bit in 0..8 {
        if 0xf4 >> bit & 1 == 1 {
            product ^= power;
        }
        power = twice(power);
    }
    product
}
