//! Minutes, seconds and frames as block addresses.

/// The block address of minute, second and frame in binary (MMC-6 4.2.3.6):
/// `(60 m + s) 75 + f - 150`, and from minute 90 on, which is the lead-in, 450,000
/// less.
pub(super) fn lba([minute, second, frame]: [u8; 3]) -> i32 {
    let frames = (i32::from(minute) * 60 + i32::from(second)) * 75 + i32::from(frame);
    if minute < 90 {
        frames - 150
    } else {
        frames - 450_150
    }
}

/// Whether it is a time on a CD.
pub(super) fn is_msf([minute, second, frame]: [u8; 3]) -> bool {
    minute < 100 && second < 60 && frame < 75
}

/// The number in a BCD byte.
pub(super) fn bcd(byte: u8) -> Option<u8> {
    let (tens, ones) = (byte >> 4, byte & 0x0f);
    (tens < 10 && ones < 10).then_some(tens * 10 + ones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_addresses() {
        assert_eq!(lba([0, 2, 0]), 0);
        assert_eq!(lba([0, 0, 0]), -150);
        assert_eq!(lba([0, 4, 25]), 175);
        assert_eq!(lba([79, 59, 74]), 359_849);
        assert_eq!(lba([89, 59, 74]), 404_849);
        assert_eq!(lba([90, 0, 0]), -45_150);
        assert_eq!(lba([97, 26, 66]), -11_634);
        assert_eq!(lba([99, 59, 74]), -151);
        // Not a time, and no panic.
        assert_eq!(lba([255; 3]), 255 * 4500 + 255 * 75 + 255 - 450_150);
    }

    #[test]
    fn what_is_a_time_and_what_a_bcd_number() {
        assert!(is_msf([99, 59, 74]) && is_msf([0; 3]));
        assert!(!is_msf([100, 0, 0]) && !is_msf([0, 60, 0]) && !is_msf([0, 0, 75]));
        assert_eq!(bcd(0x99), Some(99));
        assert_eq!(bcd(0x10), Some(10));
        assert_eq!((bcd(0x0a), bcd(0xa0)), (None, None));
        assert_eq!((0..=255).filter_map(bcd).count(), 100);
    }
}
