//! The CONTROL field of a track.

use core::fmt;

/// The four CONTROL bits of a track, as a Q subchannel, a table of contents and
/// READ TRACK INFORMATION have them (ECMA-130 22.3.1).
///
/// ```
/// use passthru::scsi::mmc::TrackControl;
///
/// assert!(TrackControl(0x4).is_data());
/// assert_eq!(TrackControl(0x4).to_string(), "data");
/// assert_eq!(TrackControl(0x3).to_string(), "audio, pre-emphasis, copy permitted");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("CONTROL", "CTRL"))]
pub struct TrackControl(pub u8);

impl TrackControl {
    /// Whether it is a data track (bit 2) and not one of audio. 11xxb is reserved;
    /// it counts as data, so that nobody plays it.
    #[must_use]
    pub const fn is_data(self) -> bool {
        self.0 & 0x4 != 0
    }

    /// Whether digital copies are permitted (bit 1).
    #[must_use]
    #[doc(alias = "DCP")]
    pub const fn copy_permitted(self) -> bool {
        self.0 & 0x2 != 0
    }

    /// Whether an audio track was recorded with pre-emphasis (bit 0).
    #[must_use]
    pub const fn has_pre_emphasis(self) -> bool {
        self.0 & 0x5 == 0x1
    }

    /// Whether a data track was recorded in packets (bit 0).
    #[must_use]
    pub const fn is_incremental(self) -> bool {
        self.0 & 0x5 == 0x5
    }

    /// Whether an audio track has four channels (bit 3), which no disc has.
    #[must_use]
    pub const fn has_four_channels(self) -> bool {
        self.0 & 0xc == 0x8
    }
}

impl fmt::Display for TrackControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_data() { "data" } else { "audio" })?;
        let notes = [
            (self.has_four_channels(), ", four channels"),
            (self.has_pre_emphasis(), ", pre-emphasis"),
            (self.is_incremental(), ", incremental"),
            (self.copy_permitted(), ", copy permitted"),
        ];
        for (said, note) in notes {
            if said {
                f.write_str(note)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_what_it_means_on_audio_and_on_data() {
        let data: Vec<u8> = (0..16).filter(|&c| TrackControl(c).is_data()).collect();
        assert_eq!(data, [4, 5, 6, 7, 12, 13, 14, 15]);
        let copy = (0..16).filter(|&c| TrackControl(c).copy_permitted());
        assert_eq!(copy.collect::<Vec<_>>(), [2, 3, 6, 7, 10, 11, 14, 15]);
        let emphasis = (0..16).filter(|&c| TrackControl(c).has_pre_emphasis());
        assert_eq!(emphasis.collect::<Vec<_>>(), [1, 3, 9, 11]);
        let packets = (0..16).filter(|&c| TrackControl(c).is_incremental());
        assert_eq!(packets.collect::<Vec<_>>(), [5, 7, 13, 15]);
        let four = (0..16).filter(|&c| TrackControl(c).has_four_channels());
        assert_eq!(four.collect::<Vec<_>>(), [8, 9, 10, 11]);
    }

    #[test]
    fn in_words() {
        assert_eq!(TrackControl(0).to_string(), "audio");
        assert_eq!(
            TrackControl(0x9).to_string(),
            "audio, four channels, pre-emphasis"
        );
        assert_eq!(
            TrackControl(0x7).to_string(),
            "data, incremental, copy permitted"
        );
        assert_eq!(TrackControl(0xc).to_string(), "data");
    }
}
