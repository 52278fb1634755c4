//! Page 05h.

use super::{
    DataBlockType, MultiSession, NotInPage, OwnedPage, PageCode, SessionFormat, WriteType,
    typed_page,
};
use crate::scsi::{mmc::TrackControl, wire};

/// The write parameters page (05h, MMC-6 clause 7): how the next track or session is
/// written.
///
/// Drives refuse (05/26/00) what does not fit the medium, so start from the page
/// that the drive has now.
///
/// ```
/// use passthru::scsi::mode::{WriteParameters, WriteType};
///
/// let mut page = WriteParameters::zeroed();
/// page.set_write_type(WriteType::SESSION_AT_ONCE)?;
/// page.set_test_write(true)?;
/// assert_eq!(page.as_ref().as_bytes()[..4], [0x05, 0x32, 0x12, 0x00]);
/// # Ok::<(), passthru::scsi::mode::NotInPage>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WriteParameters(OwnedPage);

typed_page!(WriteParameters, PageCode::WRITE_PARAMETERS);

impl WriteParameters {
    /// A page of 52 zero bytes: without the vendor's 4 at its end.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(OwnedPage::zeroed(PageCode::WRITE_PARAMETERS, 0x32))
    }

    /// Whether the drive goes on where its buffer ran empty (BUFE).
    #[must_use]
    #[doc(alias("BUFE", "buffer underrun"))]
    pub fn underrun_protection(&self) -> Option<bool> {
        self.0.flag(2, 0x40)
    }

    /// Sets BUFE.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_underrun_protection(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(2, 0x40, on)
    }

    /// Whether the [link size](Self::link_size) counts (`LS_V`).
    #[must_use]
    #[doc(alias = "LS_V")]
    pub fn link_size_valid(&self) -> Option<bool> {
        self.0.flag(2, 0x20)
    }

    /// Sets `LS_V`.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_link_size_valid(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(2, 0x20, on)
    }

    /// Whether the laser stays at its reading power, so that nothing is written.
    #[must_use]
    #[doc(alias("TEST WRITE", "dummy"))]
    pub fn test_write(&self) -> Option<bool> {
        self.0.flag(2, 0x10)
    }

    /// Sets the test write bit.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_test_write(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(2, 0x10, on)
    }

    /// How data is put on the disc.
    #[must_use]
    pub fn write_type(&self) -> Option<WriteType> {
        self.0.field(2, 0x0f).map(WriteType)
    }

    /// Sets the write type, 4 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_write_type(&mut self, kind: WriteType) -> Result<(), NotInPage> {
        self.0.set_field(2, 0x0f, kind.0)
    }

    /// Whether another session may follow.
    #[must_use]
    pub fn multi_session(&self) -> Option<MultiSession> {
        self.0.field(3, 0xc0).map(MultiSession)
    }

    /// Sets the multi-session field, 2 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_multi_session(&mut self, sessions: MultiSession) -> Result<(), NotInPage> {
        self.0.set_field(3, 0xc0, sessions.0)
    }

    /// Whether packets have a fixed size (FP).
    #[must_use]
    #[doc(alias = "FP")]
    pub fn fixed_packets(&self) -> Option<bool> {
        self.0.flag(3, 0x20)
    }

    /// Sets FP.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_fixed_packets(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(3, 0x20, on)
    }

    /// The copy bit: SCMS, first generation.
    #[must_use]
    #[doc(alias("COPY", "SCMS"))]
    pub fn copy(&self) -> Option<bool> {
        self.0.flag(3, 0x10)
    }

    /// Sets the copy bit.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_copy(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(3, 0x10, on)
    }

    /// The control bits of the track, which the Q subchannel gets.
    #[must_use]
    #[doc(alias = "TRACK MODE")]
    pub fn track_mode(&self) -> Option<TrackControl> {
        self.0.field(3, 0x0f).map(TrackControl)
    }

    /// Sets the track mode, 4 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_track_mode(&mut self, mode: TrackControl) -> Result<(), NotInPage> {
        self.0.set_field(3, 0x0f, mode.0)
    }

    /// Which parts of a sector the host sends.
    #[must_use]
    pub fn data_block_type(&self) -> Option<DataBlockType> {
        self.0.field(4, 0x0f).map(DataBlockType)
    }

    /// Sets the data block type, 4 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_data_block_type(&mut self, kind: DataBlockType) -> Result<(), NotInPage> {
        self.0.set_field(4, 0x0f, kind.0)
    }

    /// The loss between two packets, in blocks.
    #[must_use]
    #[doc(alias = "LINK SIZE")]
    pub fn link_size(&self) -> Option<u8> {
        self.0.byte(5)
    }

    /// Sets the link size.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_link_size(&mut self, blocks: u8) -> Result<(), NotInPage> {
        self.0.set_field(5, 0xff, blocks)
    }

    /// For what the disc may be used: 0 without restriction.
    #[must_use]
    #[doc(alias = "HOST APPLICATION CODE")]
    pub fn application_code(&self) -> Option<u8> {
        self.0.field(7, 0x3f)
    }

    /// Sets the host application code, 6 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_application_code(&mut self, code: u8) -> Result<(), NotInPage> {
        self.0.set_field(7, 0x3f, code)
    }

    /// What the session is.
    #[must_use]
    pub fn session_format(&self) -> Option<SessionFormat> {
        self.0.byte(8).map(SessionFormat)
    }

    /// Sets the session format.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_session_format(&mut self, format: SessionFormat) -> Result<(), NotInPage> {
        self.0.set_field(8, 0xff, format.0)
    }

    /// The size of a fixed packet in blocks.
    #[must_use]
    #[doc(alias = "PACKET SIZE")]
    pub fn packet_size(&self) -> Option<u32> {
        self.0.be32(10)
    }

    /// Sets the packet size.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_packet_size(&mut self, blocks: u32) -> Result<(), NotInPage> {
        self.0.set_bytes(10, &blocks.to_be_bytes())
    }

    /// The pause before an audio track, in blocks (1/75 s); 150 is usual.
    #[must_use]
    #[doc(alias = "AUDIO PAUSE LENGTH")]
    pub fn audio_pause_length(&self) -> Option<u16> {
        self.0.be16(14)
    }

    /// Sets the audio pause length.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_audio_pause_length(&mut self, blocks: u16) -> Result<(), NotInPage> {
        self.0.set_bytes(14, &blocks.to_be_bytes())
    }

    /// The media catalogue number field: byte 0 bit 7 says that it counts, 13
    /// digits follow.
    #[must_use]
    #[doc(alias = "MEDIA CATALOG NUMBER")]
    pub fn catalogue_number(&self) -> Option<[u8; 16]> {
        wire::array(self.0.as_bytes(), 16)
    }

    /// Sets the media catalogue number field.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_catalogue_number(&mut self, field: [u8; 16]) -> Result<(), NotInPage> {
        self.0.set_bytes(16, &field)
    }

    /// The ISRC field: byte 0 bit 7 says that it counts, 12 characters follow.
    #[must_use]
    #[doc(alias("ISRC", "INTERNATIONAL STANDARD RECORDING CODE"))]
    pub fn isrc(&self) -> Option<[u8; 16]> {
        wire::array(self.0.as_bytes(), 32)
    }

    /// Sets the ISRC field.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_isrc(&mut self, field: [u8; 16]) -> Result<(), NotInPage> {
        self.0.set_bytes(32, &field)
    }

    /// The subheader of mode 2 sectors for which the host sends none.
    #[must_use]
    #[doc(alias = "SUB-HEADER")]
    pub fn subheader(&self) -> Option<[u8; 4]> {
        wire::array(self.0.as_bytes(), 48)
    }

    /// Sets the subheader.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_subheader(&mut self, subheader: [u8; 4]) -> Result<(), NotInPage> {
        self.0.set_bytes(48, &subheader)
    }

    /// What comes after the subheader: up to 4 bytes of the vendor.
    #[must_use]
    pub fn vendor_specific(&self) -> &[u8] {
        self.0.as_bytes().get(52..).unwrap_or_default()
    }
}
