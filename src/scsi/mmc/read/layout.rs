//! Where the parts of a sector lie in the buffer.

use core::ops::Range;

use super::{BlockErrorPlace, C2, SubChannels};

/// In which order a drive sends the parts of a sector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SectorOrder {
    /// Main channel, C2, subchannel, as MMC-6 says.
    #[default]
    MainC2Sub,
    /// Main channel, subchannel, C2, as some drives do (ASUS DRW-24D5MT, for
    /// one).
    MainSubC2,
}

/// Where the parts of each sector lie in a buffer of sectors.
///
/// A [`SectorRequest`](super::SectorRequest) computes it for READ CD.
///
/// | | alone | Q16 | raw P-W | C2 294 | C2 296 | 294 + P-W | 296 + P-W |
/// |---|---|---|---|---|---|---|---|
/// | 2352 bytes | 2352 | 2368 | 2448 | 2646 | 2648 | 2742 | 2744 |
///
/// # Commands of vendors
///
/// Other commands send the same parts, so this describes their buffers too.
/// Plextor's READ CD-DA (D8h) has 12 bytes: an LBA in bytes 2 to 5, a count in
/// bytes 6 to 9, and in byte 10 what comes with the 2352 bytes of the main
/// channel: 0 nothing, 1 Q, 2 P to W, 3 P to W alone, 8 C2 and P to W. Makers differ
/// in it, so look at what comes.
/// Unlike READ CD it reads the lead-in, where addresses are negative:
///
/// ```
/// use passthru::{Result, ScsiTransport, ScsiTransportExt};
/// use passthru::scsi::RawCdb;
/// use passthru::scsi::mmc::{C2, Lba, SectorLayout, Sectors, SubChannels};
///
/// fn read_cd_da(lba: Lba, sectors: u32, sub_code: u8) -> RawCdb {
///     let [a, b, c, d] = lba.0.to_be_bytes();
///     let [e, f, g, h] = sectors.to_be_bytes();
///     RawCdb::from_array([0xd8, 0, a, b, c, d, e, f, g, h, sub_code, 0])
/// }
///
/// let command = read_cd_da(Lba(-20_149), 1, 2);
/// assert_eq!(command.cdb().to_string(), "d8 00 ff ff b1 4b 00 00 00 01 02 00");
///
/// /// Prints what the Q subchannel of four sectors says.
/// fn show_q(drive: &impl ScsiTransport, lba: Lba) -> Result<()> {
///     let layout = SectorLayout::from_lengths(2352, C2::None, SubChannels::Raw96);
///     let mut buffer = vec![0; 4 * layout.sector_length()];
///     // The length of a vendor's CDB is that of the array: always 12 here.
///     let outcome = drive.read(&read_cd_da(lba, 4, 2), &mut buffer)?;
///     buffer.truncate(outcome.transferred());
///     for sector in Sectors::new(&buffer, layout).iter() {
///         println!("{:?}", sector.q());
///     }
///     Ok(())
/// }
/// ```
///
/// The kernel lets nobody send D8h to a block node (`/dev/sr0`) without
/// `CAP_SYS_RAWIO`; the sg node takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SectorLayout {
    /// Sync, header, subheader, user data, EDC and ECC.
    parts: [u16; 5],
    c2: C2,
    sub: SubChannels,
    order: SectorOrder,
    block_error: BlockErrorPlace,
}

impl SectorLayout {
    pub(super) const fn of_parts(parts: [u16; 5], c2: C2, sub: SubChannels) -> Self {
        Self {
            parts,
            c2,
            sub,
            order: SectorOrder::MainC2Sub,
            block_error: BlockErrorPlace::Last,
        }
    }

    /// A layout of which only the length of the main channel is known, in bytes
    /// for each sector; all of it counts as user data.
    #[must_use]
    pub const fn from_lengths(main: u16, c2: C2, sub: SubChannels) -> Self {
        Self::of_parts([0, 0, 0, main, 0], c2, sub)
    }

    /// For a drive that sends the parts in this order.
    #[must_use]
    pub const fn order(mut self, order: SectorOrder) -> Self {
        self.order = order;
        self
    }

    /// For a drive that has the block error byte at this place.
    #[must_use]
    pub const fn block_error(mut self, place: BlockErrorPlace) -> Self {
        self.block_error = place;
        self
    }

    /// Which C2 information there is.
    #[must_use]
    pub const fn c2_kind(&self) -> C2 {
        self.c2
    }

    /// Which subchannels there are.
    #[must_use]
    pub const fn sub_kind(&self) -> SubChannels {
        self.sub
    }

    /// Where the block error byte is taken to be.
    #[must_use]
    pub const fn block_error_place(&self) -> BlockErrorPlace {
        self.block_error
    }

    /// How many bytes of the main channel each sector has.
    #[must_use]
    pub fn main_length(&self) -> usize {
        self.parts.iter().map(|&length| usize::from(length)).sum()
    }

    /// How many bytes each sector has.
    #[must_use]
    pub fn sector_length(&self) -> usize {
        self.main_length() + self.c2_length() + self.sub_length()
    }

    fn c2_length(&self) -> usize {
        usize::from(self.c2.length())
    }

    fn sub_length(&self) -> usize {
        usize::from(self.sub.length())
    }

    /// Where the main channel lies in a sector.
    #[must_use]
    pub fn main(&self) -> Range<usize> {
        0..self.main_length()
    }

    /// Where C2 lies in a sector; `None` if there is none.
    #[must_use]
    pub fn c2(&self) -> Option<Range<usize>> {
        let before = match self.order {
            SectorOrder::MainC2Sub => 0,
            SectorOrder::MainSubC2 => self.sub_length(),
        };
        range(self.main_length() + before, self.c2_length())
    }

    /// Where the subchannels lie in a sector; `None` if there are none.
    #[must_use]
    pub fn sub(&self) -> Option<Range<usize>> {
        let before = match self.order {
            SectorOrder::MainC2Sub => self.c2_length(),
            SectorOrder::MainSubC2 => 0,
        };
        range(self.main_length() + before, self.sub_length())
    }

    /// The part with this index, if it is there.
    fn part(&self, index: usize) -> Option<Range<usize>> {
        let before = self.parts.iter().take(index).map(|&n| usize::from(n));
        range(before.sum(), usize::from(*self.parts.get(index)?))
    }

    /// Where the sync lies in a sector; `None` if it is not there, or if it
    /// depends on the sector's type.
    #[must_use]
    pub fn sync(&self) -> Option<Range<usize>> {
        self.part(0)
    }

    /// Where the header lies; `None` as for [`sync`](Self::sync).
    #[must_use]
    pub fn header(&self) -> Option<Range<usize>> {
        self.part(1)
    }

    /// Where the subheader lies; `None` as for [`sync`](Self::sync).
    #[must_use]
    pub fn subheader(&self) -> Option<Range<usize>> {
        self.part(2)
    }

    /// Where the user data lies; all of the main channel if more is not known.
    #[must_use]
    pub fn user_data(&self) -> Option<Range<usize>> {
        self.part(3)
    }

    /// Where EDC and ECC lie; `None` as for [`sync`](Self::sync).
    #[must_use]
    pub fn edc_ecc(&self) -> Option<Range<usize>> {
        self.part(4)
    }

    /// How many whole sectors fit into so many bytes; none if a sector has no
    /// bytes.
    ///
    /// ```
    /// use passthru::scsi::mmc::{C2, SectorLayout, SubChannels};
    ///
    /// let layout = SectorLayout::from_lengths(2352, C2::Pointers294, SubChannels::None);
    /// assert_eq!(layout.sectors_within(128 * 1024), 49);
    /// ```
    #[must_use]
    pub fn sectors_within(&self, bytes: usize) -> usize {
        bytes.checked_div(self.sector_length()).unwrap_or(0)
    }
}

fn range(start: usize, length: usize) -> Option<Range<usize>> {
    (length != 0).then_some(start..start + length)
}
