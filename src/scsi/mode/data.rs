//! What MODE SENSE returns: a header, block descriptors, pages.

use super::{ModePage, ModePages, PageCode, TypedPage};
use crate::scsi::{LengthLie, Malformed, ReplyBytes, lengths, wire};

/// Which of the two mode parameter headers is there: that of the 6-byte or that
/// of the 10-byte commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModeForm {
    /// Four bytes: MODE SENSE(6) and MODE SELECT(6).
    Six,
    /// Eight bytes: MODE SENSE(10) and MODE SELECT(10).
    Ten,
}

impl ModeForm {
    /// The header's length in bytes: 4 or 8.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::Six => 4,
            Self::Ten => 8,
        }
    }
}

/// The reply of MODE SENSE (SPC-4 7.5): a header, block descriptors if the device
/// has any, and the mode pages.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mode::{Capabilities, ModeSense10, PageCode}};
///
/// let reply = ReplyBytes::borrowed(&[
///     0x00, 0x0e, 0x70, 0x00, 0x00, 0x00, 0x00, 0x00, // header
///     0x2a, 0x06, 0x3b, 0x00, 0x71, 0x13, 0x29, 0x23, // page 2Ah, cut short
/// ]);
/// let data = ModeSense10::new(PageCode::CAPABILITIES).parse(reply)?;
/// let page: Capabilities = data.find()?.expect("the page is there");
/// assert_eq!(page.reads_dvd_rom(), Some(true));
/// assert_eq!(page.reports_c2_pointers(), Some(true));
/// assert_eq!(page.buffer_kib(), None, "the page ends before it");
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "mode parameter list")]
pub struct ModeData<'a> {
    form: ModeForm,
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> ModeData<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there is no whole header.
    pub fn parse(form: ModeForm, bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(form, bytes, asked)
    }

    pub(super) fn asked(
        form: ModeForm,
        bytes: ReplyBytes<'a>,
        asked: usize,
    ) -> Result<Self, Malformed> {
        lengths::enough(&bytes, form.header())?;
        Ok(Self { form, bytes, asked })
    }

    /// The same data, free of the borrow.
    #[must_use]
    pub fn into_owned(self) -> ModeData<'static> {
        ModeData {
            form: self.form,
            bytes: self.bytes.into_owned(),
            asked: self.asked,
        }
    }

    /// Which header it has.
    #[must_use]
    pub const fn form(&self) -> ModeForm {
        self.form
    }

    /// All bytes that arrived.
    #[must_use]
    pub fn arrived(&self) -> &[u8] {
        &self.bytes
    }

    /// The mode data length as the device has it: how many bytes follow the field
    /// itself.
    #[must_use]
    #[doc(alias = "MODE DATA LENGTH")]
    pub fn data_length(&self) -> u16 {
        match self.form {
            ModeForm::Six => wire::byte(&self.bytes, 0).unwrap_or(0).into(),
            ModeForm::Ten => wire::be16(&self.bytes, 0).unwrap_or(0),
        }
    }

    fn claimed(&self) -> usize {
        let field = match self.form {
            ModeForm::Six => 1,
            ModeForm::Ten => 2,
        };
        usize::from(self.data_length()).saturating_add(field)
    }

    /// The medium type; reserved on optical drives.
    #[must_use]
    #[doc(alias = "MEDIUM TYPE")]
    pub fn medium_type(&self) -> u8 {
        let offset = self.form.header() / 4;
        wire::byte(&self.bytes, offset).unwrap_or(0)
    }

    /// The device-specific parameter: on disks WP (80h) and DPOFUA (10h), on tapes
    /// WP, buffered mode and speed.
    #[must_use]
    #[doc(alias("DEVICE-SPECIFIC PARAMETER", "WP", "DPOFUA"))]
    pub fn device_specific(&self) -> u8 {
        let offset = self.form.header() / 4 + 1;
        wire::byte(&self.bytes, offset).unwrap_or(0)
    }

    /// Whether block descriptors have 16 bytes instead of 8 (LONGLBA).
    #[must_use]
    #[doc(alias = "LONGLBA")]
    pub fn long_lba(&self) -> bool {
        self.form == ModeForm::Ten && wire::flag(&self.bytes, 4, 0x01) == Some(true)
    }

    /// How long the block descriptors are, in bytes, as the device has it.
    #[must_use]
    #[doc(alias = "BLOCK DESCRIPTOR LENGTH")]
    pub fn block_descriptor_length(&self) -> u16 {
        match self.form {
            ModeForm::Six => wire::byte(&self.bytes, 3).unwrap_or(0).into(),
            ModeForm::Ten => wire::be16(&self.bytes, 6).unwrap_or(0),
        }
    }

    /// What is there: up to where the length field says, or up to where the bytes
    /// end that came.
    fn present(&self) -> &[u8] {
        wire::head(&self.bytes, self.claimed())
    }

    fn pages_start(&self) -> usize {
        usize::from(self.block_descriptor_length()).saturating_add(self.form.header())
    }

    /// The bytes of the block descriptors that are there.
    #[must_use]
    pub fn block_descriptor_bytes(&self) -> &[u8] {
        wire::part(self.present(), self.form.header(), self.pages_start()).unwrap_or_default()
    }

    /// The whole block descriptors.
    pub fn block_descriptors(&self) -> impl Iterator<Item = BlockDescriptor<'_>> {
        let long = self.long_lba();
        self.block_descriptor_bytes()
            .chunks_exact(if long { 16 } else { 8 })
            .map(move |bytes| BlockDescriptor { bytes, long })
    }

    /// The pages, in the device's order. None if the block descriptors are said to
    /// reach past the end.
    #[must_use]
    pub fn pages(&self) -> ModePages<'_> {
        ModePages::new(self.present().get(self.pages_start()..).unwrap_or_default())
    }

    /// The first page with this code and subpage (0 for a page that has none).
    #[must_use]
    pub fn page(&self, code: PageCode, subpage: u8) -> Option<ModePage<'_>> {
        self.pages()
            .find(|page| page.code() == code && page.subpage() == Some(subpage))
    }

    /// The first page of this type.
    ///
    /// # Errors
    /// [`Malformed::OtherPage`] if there are pages, and none of them is it: some
    /// bridges answer with the page that they like.
    pub fn find<P: TypedPage>(&self) -> Result<Option<P>, Malformed> {
        match (self.page(P::CODE, 0), self.pages().next()) {
            (Some(page), _) => P::read(&page).map(Some),
            (None, None) => Ok(None),
            (None, Some(other)) => Err(Malformed::OtherPage {
                asked: P::CODE.0,
                got: other.code().0,
            }),
        }
    }

    /// The allocation length that fetches all of it, if what was asked for cut it;
    /// with MODE SENSE(6) it may be 256, which only MODE SENSE(10) can ask for.
    #[must_use]
    pub fn needed_length(&self) -> Option<usize> {
        lengths::needed(self.claimed(), self.bytes.len(), self.asked)
    }

    /// Whether the mode data length cannot be: more than came, though more was
    /// asked for, or less than the header.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let least = self.form.header();
        lengths::lie(self.claimed(), least, self.bytes.len(), self.asked)
    }
}

/// A block descriptor (SPC-4 7.5.6, SBC-4 6.5.2): how many blocks of which length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockDescriptor<'a> {
    bytes: &'a [u8],
    long: bool,
}

impl<'a> BlockDescriptor<'a> {
    /// Its 8 or 16 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The density code, byte 0 of a short descriptor. On disks the number of
    /// blocks begins there instead.
    #[must_use]
    #[doc(alias = "DENSITY CODE")]
    pub fn density_code(&self) -> Option<u8> {
        if self.long {
            return None;
        }
        wire::byte(self.bytes, 0)
    }

    /// The number of blocks in a descriptor of SPC or MMC: bytes 1 to 3, or 8 bytes
    /// of a long one.
    #[must_use]
    #[doc(alias = "NUMBER OF BLOCKS")]
    pub fn blocks(&self) -> Option<u64> {
        if self.long {
            return wire::be64(self.bytes, 0);
        }
        Some(u64::from(wire::be32(self.bytes, 0)? & 0x00ff_ffff))
    }

    /// The number of blocks in a disk's descriptor: bytes 0 to 3, FFFFFFFFh if it
    /// does not fit, or 8 bytes of a long one.
    #[must_use]
    pub fn disk_blocks(&self) -> Option<u64> {
        if self.long {
            return wire::be64(self.bytes, 0);
        }
        Some(u64::from(wire::be32(self.bytes, 0)?))
    }

    /// The length of a block in bytes: 24 bits, or 32 in a long descriptor.
    #[must_use]
    #[doc(alias = "BLOCK LENGTH")]
    pub fn block_length(&self) -> Option<u32> {
        if self.long {
            return wire::be32(self.bytes, 12);
        }
        Some(wire::be32(self.bytes, 4)? & 0x00ff_ffff)
    }
}
