//! The CONTROL field of a track.

use core::fmt;

/// The four CONTROL bits of a track (MMC-6 4.2.3.5, Q subchannel).
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
    /// Whether it is a data track (bit 2) and not one of audio.
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
