//! Sectors in a buffer.

use super::{
    C2Bits, C2Field, RawSector, RawSubChannels, SectorLayout, SubChannels, SubQ, c2::POINTERS,
};

/// The sectors in a buffer that READ CD filled, or a command like it.
///
/// Give it what has arrived and not what was asked for: a drive may stop early.
///
/// ```
/// use passthru::scsi::mmc::{C2, SectorLayout, Sectors, SubChannels};
///
/// let layout = SectorLayout::from_lengths(2352, C2::Pointers294, SubChannels::None);
/// let mut buffer = vec![0; 2 * 2646];
/// buffer[2646 + 2352 + 3] = 0x14;
///
/// let sectors = Sectors::new(&buffer, layout);
/// assert_eq!(sectors.len(), 2);
/// let errors: Vec<_> = sectors
///     .iter()
///     .filter_map(|sector| Some(sector.c2()?.bits().count()))
///     .collect();
/// assert_eq!(errors, [0, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sectors<'a> {
    bytes: &'a [u8],
    layout: SectorLayout,
}

impl<'a> Sectors<'a> {
    /// The bytes that arrived, as sectors in this layout.
    #[must_use]
    pub const fn new(bytes: &'a [u8], layout: SectorLayout) -> Self {
        Self { bytes, layout }
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> SectorLayout {
        self.layout
    }

    /// All of the bytes, those of an [incomplete](Self::incomplete) sector too.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many whole sectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.sectors_within(self.bytes.len())
    }

    /// Whether there is not even one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sector with this index, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Sector<'a>> {
        let length = self.layout.sector_length();
        let start = index.checked_mul(length)?;
        let bytes = self.bytes.get(start..start.checked_add(length)?)?;
        (length != 0).then_some(Sector {
            bytes,
            layout: self.layout,
        })
    }

    /// All whole sectors, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Sector<'a>> + use<'a> {
        let layout = self.layout;
        // Without length there is no whole sector, and any length finds none.
        let length = layout.sector_length();
        let bytes = if length == 0 { &[] } else { self.bytes };
        bytes
            .chunks_exact(length.max(1))
            .map(move |bytes| Sector { bytes, layout })
    }

    /// What is left behind the last whole sector; empty as a rule.
    #[must_use]
    pub fn incomplete(&self) -> &'a [u8] {
        let whole = self.len().saturating_mul(self.layout.sector_length());
        self.bytes.get(whole..).unwrap_or_default()
    }

    /// The C2 pointers of sector `index` on a drive that sends them `late`
    /// bytes too late, put together in `pointers`.
    ///
    /// Some drives (Plextor: 294 or 295) send the pointers of a sector with the
    /// next ones, as if all pointers were one stream that runs late. The last
    /// sectors of a buffer cannot be told then: read one or two more.
    ///
    /// `None` if the buffer ends before the pointers, or has none.
    pub fn late_c2<'p>(
        &self,
        index: usize,
        late: usize,
        pointers: &'p mut [u8; POINTERS],
    ) -> Option<C2Bits<'p>> {
        let mut at = index.checked_mul(POINTERS)?.checked_add(late)?;
        let mut rest: &mut [u8] = pointers;
        while !rest.is_empty() {
            let field = self.get(at / POINTERS)?.c2()?;
            let source = field.bits().as_bytes().get(at % POINTERS..)?;
            let length = source.len().min(rest.len());
            let (filled, left) = rest.split_at_mut_checked(length)?;
            filled.copy_from_slice(source.get(..length)?);
            at += length;
            rest = left;
        }
        Some(C2Bits::new(pointers))
    }
}

/// One sector in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sector<'a> {
    /// As many bytes as the layout has.
    bytes: &'a [u8],
    layout: SectorLayout,
}

impl<'a> Sector<'a> {
    /// All bytes of the sector, in the drive's order.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The main channel; empty if it was not asked for.
    #[must_use]
    pub fn main(&self) -> &'a [u8] {
        self.bytes.get(self.layout.main()).unwrap_or_default()
    }

    /// The sync, if the layout knows where it is.
    #[must_use]
    pub fn sync(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.sync()?)
    }

    /// The header, if the layout knows where it is.
    #[must_use]
    pub fn header(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.header()?)
    }

    /// The subheader, if the layout knows where it is.
    #[must_use]
    pub fn subheader(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.subheader()?)
    }

    /// The user data; all of the main channel if the layout does not know more.
    #[must_use]
    pub fn user_data(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.user_data()?)
    }

    /// EDC and ECC, if the layout knows where they are.
    #[must_use]
    pub fn edc_ecc(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.edc_ecc()?)
    }

    /// The main channel as a raw sector, if it has 2352 bytes.
    #[must_use]
    pub fn raw(&self) -> Option<RawSector<'a>> {
        RawSector::new(self.main())
    }

    /// C2 error information, if it was asked for.
    #[must_use]
    pub fn c2(&self) -> Option<C2Field<'a>> {
        let bytes = self.bytes.get(self.layout.c2()?)?;
        C2Field::new(
            bytes,
            self.layout.c2_kind(),
            self.layout.block_error_place(),
        )
    }

    /// The bytes of the subchannels, 16 or 96, if they were asked for.
    #[must_use]
    pub fn sub(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.layout.sub()?)
    }

    /// The Q subchannel, if [`SubChannels::Raw96`] or [`SubChannels::Q16`] was
    /// asked for.
    #[must_use]
    pub fn q(&self) -> Option<SubQ> {
        match self.layout.sub_kind() {
            SubChannels::Raw96 => Some(RawSubChannels::new(self.sub()?)?.q()),
            SubChannels::Q16 => SubQ::parse(self.sub()?).ok(),
            _ => None,
        }
    }
}
