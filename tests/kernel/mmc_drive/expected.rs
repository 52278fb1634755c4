//! What is on the drive's discs, computed apart from the drive: the words of
//! audio and data sectors by their formula, the codes by their definition.

/// The bytes of an audio sector.
pub(crate) fn audio(lba: i32) -> Vec<u8> {
    words(lba, 588, 0x9e37_79b1)
}

/// The 2048 bytes of a data sector.
pub(crate) fn data(lba: i32) -> Vec<u8> {
    words(lba, 512, 0x85eb_ca6b)
}

/// The 2324 bytes of a sector of mode 2 form 2.
pub(crate) fn form2(lba: i32) -> Vec<u8> {
    words(lba, 581, 0x85eb_ca6b)
}

/// The 2336 bytes of a sector of mode 2 without a form.
pub(crate) fn mode2(lba: i32) -> Vec<u8> {
    words(lba, 584, 0x85eb_ca6b)
}

fn words(lba: i32, count: i32, factor: u32) -> Vec<u8> {
    let first = lba.wrapping_mul(count) as u32;
    (0..count as u32)
        .flat_map(|number| {
            first
                .wrapping_add(number)
                .wrapping_mul(factor)
                .to_le_bytes()
        })
        .collect()
}

/// The start of a data sector.
pub(crate) fn sync_and_header(lba: i32, mode: u8) -> Vec<u8> {
    let frames = lba + 150;
    let bcd = |number: i32| (number / 10 * 16 + number % 10) as u8;
    let mut bytes = vec![0xff; 16];
    bytes[0] = 0;
    bytes[11] = 0;
    bytes[12] = bcd(frames / 4500);
    bytes[13] = bcd(frames / 75 % 60);
    bytes[14] = bcd(frames % 75);
    bytes[15] = mode;
    bytes
}

/// The remainder of bytes, lowest bit first, by x^32+x^31+x^16+x^15+x^4+x^3+x+1:
/// zero over data with its EDC.
pub(crate) fn edc_remainder(bytes: &[u8]) -> u32 {
    let mut rest = 0_u64;
    let bits = bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    for bit in bits {
        rest = rest << 1 | u64::from(bit);
        if rest >> 32 != 0 {
            rest ^= 0x1_8001_801b;
        }
    }
    rest as u32
}

/// The two checks of a code word with parities at its end, in the field of 256
/// elements with x^8+x^4+x^3+x^2+1: zero each.
pub(crate) fn checks(word: &[u8]) -> (u8, u8) {
    let twice = |byte: u8| byte << 1 ^ if byte > 127 { 0x1d } else { 0 };
    word.iter().fold((0, 0), |(sum, weighted), byte| {
        (sum ^ byte, twice(weighted) ^ byte)
    })
}

/// The code words of a data sector: 86 columns, 52 diagonals.
pub(crate) fn code_words(sector: &[u8]) -> Vec<Vec<u8>> {
    let bytes = &sector[12..];
    let columns = (0..86).map(|column| (0..26).map(|row| bytes[86 * row + column]).collect());
    let diagonals = (0..52).map(|diagonal| {
        let word = |step: usize| 2 * ((44 * step + 43 * (diagonal / 2)) % 1118) + diagonal % 2;
        let places = (0..43).map(word);
        let places = places.chain([2236 + diagonal, 2288 + diagonal]);
        places.map(|place| bytes[place]).collect()
    });
    columns.chain(diagonals).collect()
}

/// The CRC of Q and of CD-TEXT packs, which have it inverted: the remainder by
/// x^16+x^12+x^5+1.
pub(crate) fn crc(bytes: &[u8]) -> u16 {
    let mut rest = 0_u32;
    for byte in bytes.iter().chain(&[0, 0]) {
        for bit in (0..8).rev() {
            rest = rest << 1 | u32::from(byte >> bit & 1);
            if rest >> 16 != 0 {
                rest ^= 0x1_1021;
            }
        }
    }
    rest as u16
}

/// Bit 6 of 96 symbols.
pub(crate) fn q_of(raw: &[u8]) -> Vec<u8> {
    raw.chunks(8)
        .map(|symbols| {
            symbols
                .iter()
                .fold(0, |byte, symbol| byte << 1 | symbol >> 6 & 1)
        })
        .collect()
}
