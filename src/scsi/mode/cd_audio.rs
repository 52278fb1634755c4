//! Page 0Eh.

use super::{NotInPage, OwnedPage, PageCode, typed_page};

/// The CD audio control page (0Eh, MMC-6 clause 7): how the drive plays audio by itself.
///
/// ```
/// use passthru::scsi::mode::{AudioPort, CdAudioControl};
///
/// let mut page = CdAudioControl::zeroed();
/// page.set_port(0, AudioPort { channels: 0x01, volume: 0xff })?;
/// page.set_port(1, AudioPort { channels: 0x02, volume: 0xff })?;
/// assert_eq!(page.as_ref().as_bytes()[8..12], [1, 0xff, 2, 0xff]);
/// # Ok::<(), passthru::scsi::mode::NotInPage>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CdAudioControl(OwnedPage);

typed_page!(CdAudioControl, PageCode::CD_AUDIO_CONTROL);

/// What an output port plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AudioPort {
    /// Which channels, a bit for each, 4 bits: 01h left, 02h right; 0 is silence.
    pub channels: u8,
    /// How loud: 0 is silence, FFh all.
    pub volume: u8,
}

/// Where a port's two bytes are.
fn place(port: u8) -> usize {
    usize::from(port & 3) * 2 + 8
}

impl CdAudioControl {
    /// A page of 16 zero bytes.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(OwnedPage::zeroed(PageCode::CD_AUDIO_CONTROL, 0x0e))
    }

    /// Whether PLAY AUDIO ends when it has begun to play (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub fn immediate(&self) -> Option<bool> {
        self.0.flag(2, 0x04)
    }

    /// Sets IMMED.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_immediate(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(2, 0x04, on)
    }

    /// Whether playing goes on over the end of a track (SOTC 0), or stops there (1).
    #[must_use]
    #[doc(alias = "SOTC")]
    pub fn stops_at_track_end(&self) -> Option<bool> {
        self.0.flag(2, 0x02)
    }

    /// Sets SOTC.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_stops_at_track_end(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(2, 0x02, on)
    }

    /// What port 0 to 3 plays; of `port` the low 2 bits count.
    #[must_use]
    #[doc(alias("OUTPUT PORT CHANNEL SELECT", "OUTPUT PORT VOLUME"))]
    pub fn port(&self, port: u8) -> Option<AudioPort> {
        Some(AudioPort {
            channels: self.0.field(place(port), 0x0f)?,
            volume: self.0.byte(place(port) + 1)?,
        })
    }

    /// Sets what port 0 to 3 plays; of `port` the low 2 bits count.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_port(&mut self, port: u8, value: AudioPort) -> Result<(), NotInPage> {
        self.0.set_field(place(port) + 1, 0xff, value.volume)?;
        self.0.set_field(place(port), 0x0f, value.channels)
    }
}
