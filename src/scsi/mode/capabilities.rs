//! Page 2Ah.

use super::{LoadingMechanism, OwnedPage, PageCode, WriteSpeeds, typed_page};
use crate::scsi::{mmc::RotationControl, wire};

/// The CD capabilities and mechanical status page (2Ah, MMC-3 6.3.11; kept since for
/// old programs): what the drive can do, and how fast.
///
/// Newer ones say more in GET CONFIGURATION. The page is for reading only: drives
/// change none of it by MODE SELECT. Speeds are in kB/s (1000 bytes); see
/// [`cd_speed`](crate::scsi::mmc::cd_speed).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "MM capabilities")]
pub struct Capabilities(OwnedPage);

typed_page!(Capabilities, PageCode::CAPABILITIES);

/// What can be done.
impl Capabilities {
    /// Reads CD-R.
    #[must_use]
    #[doc(alias = "CD-R READ")]
    pub fn reads_cd_r(&self) -> Option<bool> {
        self.0.flag(2, 0x01)
    }

    /// Reads CD-RW.
    #[must_use]
    #[doc(alias = "CD-RW READ")]
    pub fn reads_cd_rw(&self) -> Option<bool> {
        self.0.flag(2, 0x02)
    }

    /// Reads CD-R with fixed packets, addressed by method 2.
    #[must_use]
    #[doc(alias = "METHOD 2")]
    pub fn reads_method_2(&self) -> Option<bool> {
        self.0.flag(2, 0x04)
    }

    /// Reads DVD-ROM.
    #[must_use]
    #[doc(alias = "DVD-ROM READ")]
    pub fn reads_dvd_rom(&self) -> Option<bool> {
        self.0.flag(2, 0x08)
    }

    /// Reads DVD-R.
    #[must_use]
    #[doc(alias = "DVD-R READ")]
    pub fn reads_dvd_r(&self) -> Option<bool> {
        self.0.flag(2, 0x10)
    }

    /// Reads DVD-RAM.
    #[must_use]
    #[doc(alias = "DVD-RAM READ")]
    pub fn reads_dvd_ram(&self) -> Option<bool> {
        self.0.flag(2, 0x20)
    }

    /// Writes CD-R.
    #[must_use]
    #[doc(alias = "CD-R WRITE")]
    pub fn writes_cd_r(&self) -> Option<bool> {
        self.0.flag(3, 0x01)
    }

    /// Writes CD-RW.
    #[must_use]
    #[doc(alias = "CD-RW WRITE")]
    pub fn writes_cd_rw(&self) -> Option<bool> {
        self.0.flag(3, 0x02)
    }

    /// Can go through the motions of writing a CD without writing.
    #[must_use]
    #[doc(alias = "TEST WRITE")]
    pub fn test_writes(&self) -> Option<bool> {
        self.0.flag(3, 0x04)
    }

    /// Writes DVD-R.
    #[must_use]
    #[doc(alias = "DVD-R WRITE")]
    pub fn writes_dvd_r(&self) -> Option<bool> {
        self.0.flag(3, 0x10)
    }

    /// Writes DVD-RAM.
    #[must_use]
    #[doc(alias = "DVD-RAM WRITE")]
    pub fn writes_dvd_ram(&self) -> Option<bool> {
        self.0.flag(3, 0x20)
    }

    /// Plays audio by itself.
    #[must_use]
    #[doc(alias = "AUDIO PLAY")]
    pub fn plays_audio(&self) -> Option<bool> {
        self.0.flag(4, 0x01)
    }

    /// Delivers composite audio and video.
    #[must_use]
    #[doc(alias = "COMPOSITE")]
    pub fn composite(&self) -> Option<bool> {
        self.0.flag(4, 0x02)
    }

    /// Has a digital output on port 1.
    #[must_use]
    #[doc(alias = "DIGITAL PORT 1")]
    pub fn digital_port_1(&self) -> Option<bool> {
        self.0.flag(4, 0x04)
    }

    /// Has a digital output on port 2.
    #[must_use]
    #[doc(alias = "DIGITAL PORT 2")]
    pub fn digital_port_2(&self) -> Option<bool> {
        self.0.flag(4, 0x08)
    }

    /// Reads sectors of mode 2 form 1.
    #[must_use]
    #[doc(alias = "MODE 2 FORM 1")]
    pub fn reads_mode_2_form_1(&self) -> Option<bool> {
        self.0.flag(4, 0x10)
    }

    /// Reads sectors of mode 2 form 2.
    #[must_use]
    #[doc(alias = "MODE 2 FORM 2")]
    pub fn reads_mode_2_form_2(&self) -> Option<bool> {
        self.0.flag(4, 0x20)
    }

    /// Reads discs with several sessions.
    #[must_use]
    #[doc(alias = "MULTI-SESSION")]
    pub fn reads_multi_session(&self) -> Option<bool> {
        self.0.flag(4, 0x40)
    }

    /// Can go on writing where its buffer ran empty.
    #[must_use]
    #[doc(alias = "BUF")]
    pub fn underrun_protection(&self) -> Option<bool> {
        self.0.flag(4, 0x80)
    }

    /// Reads audio sectors by READ CD.
    #[must_use]
    #[doc(alias = "CD-DA COMMANDS SUPPORTED")]
    pub fn reads_cd_da(&self) -> Option<bool> {
        self.0.flag(5, 0x01)
    }

    /// Goes on exactly where an audio read stopped.
    #[must_use]
    #[doc(alias = "CD-DA STREAM IS ACCURATE")]
    pub fn accurate_stream(&self) -> Option<bool> {
        self.0.flag(5, 0x02)
    }

    /// Reads subchannels R to W.
    #[must_use]
    #[doc(alias = "R-W SUPPORTED")]
    pub fn reads_subchannel(&self) -> Option<bool> {
        self.0.flag(5, 0x04)
    }

    /// Returns R to W in order and corrected.
    #[must_use]
    #[doc(alias = "R-W DEINTERLEAVED AND CORRECTED")]
    pub fn corrects_subchannel(&self) -> Option<bool> {
        self.0.flag(5, 0x08)
    }

    /// Claims to return C2 pointers. Drives claim it without READ CD: try before
    /// trusting it.
    #[must_use]
    #[doc(alias = "C2 POINTERS ARE SUPPORTED")]
    pub fn reports_c2_pointers(&self) -> Option<bool> {
        self.0.flag(5, 0x10)
    }

    /// Returns the ISRC of tracks.
    #[must_use]
    #[doc(alias = "ISRC")]
    pub fn reads_isrc(&self) -> Option<bool> {
        self.0.flag(5, 0x20)
    }

    /// Returns the media catalogue number.
    #[must_use]
    #[doc(alias = "UPC")]
    pub fn reads_catalogue_number(&self) -> Option<bool> {
        self.0.flag(5, 0x40)
    }

    /// Reads the bar code of a disc.
    #[must_use]
    #[doc(alias = "READ BAR CODE")]
    pub fn reads_bar_code(&self) -> Option<bool> {
        self.0.flag(5, 0x80)
    }

    /// Can be locked by PREVENT ALLOW MEDIUM REMOVAL.
    #[must_use]
    #[doc(alias = "LOCK")]
    pub fn can_lock(&self) -> Option<bool> {
        self.0.flag(6, 0x01)
    }

    /// Is locked now.
    #[must_use]
    #[doc(alias = "LOCK STATE")]
    pub fn is_locked(&self) -> Option<bool> {
        self.0.flag(6, 0x02)
    }

    /// Is not locked when switched on: the jumper is open or missing.
    #[must_use]
    #[doc(alias = "PREVENT JUMPER")]
    pub fn prevent_jumper(&self) -> Option<bool> {
        self.0.flag(6, 0x04)
    }

    /// Ejects by START STOP UNIT.
    #[must_use]
    #[doc(alias = "EJECT")]
    pub fn can_eject(&self) -> Option<bool> {
        self.0.flag(6, 0x08)
    }

    /// Has a volume for each channel.
    #[must_use]
    #[doc(alias = "SEPARATE VOLUME LEVELS")]
    pub fn separate_volume(&self) -> Option<bool> {
        self.0.flag(7, 0x01)
    }

    /// Mutes each channel by itself.
    #[must_use]
    #[doc(alias = "SEPARATE CHANNEL MUTE")]
    pub fn separate_mute(&self) -> Option<bool> {
        self.0.flag(7, 0x02)
    }

    /// Knows which slots of its changer have a disc.
    #[must_use]
    #[doc(alias = "SDP")]
    pub fn knows_discs_in_slots(&self) -> Option<bool> {
        self.0.flag(7, 0x04)
    }

    /// Can be told a slot before a disc is inserted.
    #[must_use]
    #[doc(alias = "SSS")]
    pub fn software_slot_selection(&self) -> Option<bool> {
        self.0.flag(7, 0x08)
    }

    /// Can turn a disc around.
    #[must_use]
    #[doc(alias = "SIDE CHANGE CAPABLE")]
    pub fn changes_sides(&self) -> Option<bool> {
        self.0.flag(7, 0x10)
    }

    /// Reads subchannels P to W in the lead-in.
    #[must_use]
    #[doc(alias = "P-W IN LEAD-IN")]
    pub fn reads_subchannel_in_lead_in(&self) -> Option<bool> {
        self.0.flag(7, 0x20)
    }
}

/// Mechanism, buffer and speeds.
impl Capabilities {
    /// How discs get into the drive.
    #[must_use]
    pub fn loading_mechanism(&self) -> Option<LoadingMechanism> {
        self.0.field(6, 0xe0).map(LoadingMechanism)
    }

    /// The highest reading speed in kB/s.
    #[must_use]
    #[doc(alias = "MAXIMUM READ SPEED SUPPORTED")]
    pub fn max_read_speed(&self) -> Option<u16> {
        self.0.be16(8)
    }

    /// How many volume levels there are.
    #[must_use]
    #[doc(alias = "NUMBER OF VOLUME LEVELS SUPPORTED")]
    pub fn volume_levels(&self) -> Option<u16> {
        self.0.be16(10)
    }

    /// The size of the drive's buffer in KiB; 0 if it does not say.
    #[must_use]
    #[doc(alias = "BUFFER SIZE SUPPORTED")]
    pub fn buffer_kib(&self) -> Option<u16> {
        self.0.be16(12)
    }

    /// The reading speed now, in kB/s.
    #[must_use]
    #[doc(alias = "CURRENT READ SPEED SELECTED")]
    pub fn current_read_speed(&self) -> Option<u16> {
        self.0.be16(14)
    }

    /// The format of the digital output, byte 17: bits 5 and 4 LENGTH, 3 LSBF, 2
    /// RCK, 1 BCKF.
    #[must_use]
    #[doc(alias("LSBF", "RCK", "BCKF"))]
    pub fn digital_output(&self) -> Option<u8> {
        self.0.byte(17)
    }

    /// The highest writing speed in kB/s.
    #[must_use]
    #[doc(alias = "MAXIMUM WRITE SPEED SUPPORTED")]
    pub fn max_write_speed(&self) -> Option<u16> {
        self.0.be16(18)
    }

    /// The writing speed now, in kB/s, where pages before MMC-3 have it.
    #[must_use]
    pub fn old_current_write_speed(&self) -> Option<u16> {
        self.0.be16(20)
    }

    /// Which revision of copy management (CSS) there is.
    #[must_use]
    #[doc(alias = "COPY MANAGEMENT REVISION SUPPORTED")]
    pub fn copy_management_revision(&self) -> Option<u16> {
        self.0.be16(22)
    }

    /// How the disc turns when written.
    #[must_use]
    #[doc(alias = "ROTATION CONTROL SELECTED")]
    pub fn rotation_control(&self) -> Option<RotationControl> {
        self.0.field(27, 0x03).map(RotationControl)
    }

    /// The writing speed now, in kB/s; `None` if the page is older than MMC-3.
    #[must_use]
    #[doc(alias = "CURRENT WRITE SPEED SELECTED")]
    pub fn current_write_speed(&self) -> Option<u16> {
        self.0.be16(28)
    }

    /// How many writing speeds are listed, as the device has it.
    #[must_use]
    #[doc(alias = "NUMBER OF LOGICAL UNIT WRITE SPEED PERFORMANCE DESCRIPTOR TABLES")]
    pub fn write_speed_count(&self) -> Option<u16> {
        self.0.be16(30)
    }

    /// The writing speeds that are listed for the disc in the drive, as many as are
    /// there.
    #[must_use]
    pub fn write_speeds(&self) -> WriteSpeeds<'_> {
        let count = usize::from(self.write_speed_count().unwrap_or(0));
        let end = count.saturating_mul(4).saturating_add(32);
        WriteSpeeds::new(wire::part(self.0.as_bytes(), 32, end).unwrap_or_default())
    }
}
