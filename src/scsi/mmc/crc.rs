//! The checksum of the subchannels.

/// CRC-16 with the polynomial 1021h from 0 on, inverted: what the Q subchannel
/// and CD-TEXT packs end with, high byte first.
pub(super) const fn crc16(bytes: &[u8]) -> u16 {
    let mut rest = bytes;
    let mut crc = 0_u16;
    while let [byte, tail @ ..] = rest {
        crc ^= (*byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            let carry = crc & 0x8000 != 0;
            crc <<= 1;
            if carry {
                crc ^= 0x1021;
            }
            bit += 1;
        }
        rest = tail;
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(crc16(b""), 0xffff);
        // CRC-16/GSM of the usual test text.
        assert_eq!(crc16(b"123456789"), 0xce3c);
        // A Q subchannel of a real disc.
        assert_eq!(
            crc16(&[0x41, 1, 1, 6, 0x37, 0x72, 0, 6, 0x39, 0x72]),
            0x02c5
        );
    }
}
