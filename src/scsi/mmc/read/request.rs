//! A request of READ CD, and the layout that follows from it.

use super::{C2, MainChannel, SectorLayout, SectorType, SubChannels};

/// Why a [`SectorRequest`] has no layout. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SectorRequestError {
    /// The parts do not lie side by side in a sector of this type: a drive
    /// refuses them (05/24/00).
    #[error("the parts of {main:?} do not lie side by side in a {sector} sector")]
    NotContiguous {
        /// What was selected.
        main: MainChannel,
        /// The type of sector.
        sector: SectorType,
    },
    /// What is selected is not there in a sector of this type, and drives do
    /// not agree on what they send instead.
    #[error("a {sector} sector has not what {main:?} selects, and drives differ in what they send")]
    Undefined {
        /// What was selected.
        main: MainChannel,
        /// The type of sector.
        sector: SectorType,
    },
    /// With any type of sector the length depends on what is on the disc: name
    /// the type, take [`MainChannel::RAW`], or say what it is by
    /// [`SectorRequest::layout_for`].
    #[error("how long {main:?} is depends on the sector: name its type")]
    DependsOnSector {
        /// What was selected.
        main: MainChannel,
    },
    /// The end of a range lies before its start.
    #[error("the range ends before it starts")]
    EndBeforeStart,
}

/// Which parts of each sector READ CD shall return.
///
/// ```
/// use passthru::scsi::mmc::{C2, MainChannel, SectorRequest, SectorType, SubChannels};
///
/// let scan = SectorRequest::new(SectorType::Any, MainChannel::RAW)
///     .c2(C2::Pointers294)
///     .sub_channels(SubChannels::Raw96);
/// assert_eq!(scan.layout()?.sector_length(), 2742);
///
/// let data = SectorRequest::new(SectorType::Mode1, MainChannel::USER_DATA);
/// assert_eq!(data.layout()?.sector_length(), 2048);
///
/// // A header and user data, but not the subheader between them.
/// let hole = MainChannel::USER_DATA.header(true);
/// assert!(SectorRequest::new(SectorType::Form1, hole).layout().is_err());
/// # Ok::<(), passthru::scsi::mmc::SectorRequestError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SectorRequest {
    pub(super) sector: SectorType,
    pub(super) main: MainChannel,
    pub(super) c2: C2,
    pub(super) sub: SubChannels,
}

impl SectorRequest {
    /// These parts of the main channel; no C2, no subchannel.
    #[must_use]
    pub const fn new(sector: SectorType, main: MainChannel) -> Self {
        Self {
            sector,
            main,
            c2: C2::None,
            sub: SubChannels::None,
        }
    }

    /// With C2 error information.
    #[must_use]
    pub const fn c2(mut self, c2: C2) -> Self {
        self.c2 = c2;
        self
    }

    /// With subchannels.
    #[must_use]
    pub const fn sub_channels(mut self, sub: SubChannels) -> Self {
        self.sub = sub;
        self
    }

    /// How each sector arrives, in the order of the specification.
    ///
    /// | of the main channel | CD-DA | mode 1 | formless | form 1 | form 2 |
    /// |---|---|---|---|---|---|
    /// | 00h nothing | 0 | 0 | 0 | 0 | 0 |
    /// | 10h user data | 2352 | 2048 | 2336 | 2048 | 2328 |
    /// | 18h with EDC and ECC | 2352 | 2336 | 2336 | 2328 | 2328 |
    /// | 20h header | - | 4 | 4 | 4 | 4 |
    /// | 30h header, user data | 2352 | 2052 | 2340 | - | - |
    /// | 38h with EDC and ECC | 2352 | 2340 | 2340 | - | - |
    /// | 40h subheader | - | - | - | 8 | 8 |
    /// | 50h subheader, user data | 2352 | 2048 | 2336 | 2056 | 2336 |
    /// | 58h with EDC and ECC | 2352 | 2336 | 2336 | 2336 | 2336 |
    /// | 60h both headers | - | - | - | 12 | 12 |
    /// | 70h both headers, user data | 2352 | 2052 | 2340 | 2060 | 2340 |
    /// | 78h with EDC and ECC | 2352 | 2340 | 2340 | 2340 | 2340 |
    /// | A0h sync, header | - | 16 | 16 | 16 | 16 |
    /// | B0h sync, header, user data | 2352 | 2064 | 2352 | - | - |
    /// | B8h with EDC and ECC | 2352 | 2352 | 2352 | - | - |
    /// | E0h sync, both headers | - | - | - | 24 | 24 |
    /// | F0h sync, both headers, user data | 2352 | 2064 | 2352 | 2072 | 2352 |
    /// | F8h everything | 2352 | 2352 | 2352 | 2352 | 2352 |
    ///
    /// For [`SectorType::Any`] there is a layout if all types agree.
    ///
    /// # Errors
    /// [`SectorRequestError`] if the drive would refuse the selection, or if
    /// its length is not known. For a drive that is known to differ there is
    /// [`ReadCd::with_layout`](super::ReadCd::with_layout).
    pub fn layout(&self) -> Result<SectorLayout, SectorRequestError> {
        self.layout_for(self.sector)
    }

    /// How sectors of type `actual` arrive, whichever type the request names.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn layout_for(&self, actual: SectorType) -> Result<SectorLayout, SectorRequestError> {
        let parts = match actual {
            SectorType::Any => self.agreed()?,
            sector => self.main.lengths(sector)?,
        };
        Ok(SectorLayout::of_parts(parts, self.c2, self.sub))
    }

    /// The length for any type of sector, if all are equally long. Where the
    /// parts lie depends on the sector all the same, so all is user data.
    fn agreed(&self) -> Result<[u16; 5], SectorRequestError> {
        let all = SectorType::REAL.map(|sector| {
            let parts = self.main.lengths(sector)?;
            Ok(parts.iter().sum::<u16>())
        });
        let [first, ..] = all;
        if all.iter().all(|length| *length == first) {
            return Ok([0, 0, 0, first?, 0]);
        }
        if all.iter().any(Result::is_ok) {
            return Err(SectorRequestError::DependsOnSector { main: self.main });
        }
        Err(SectorRequestError::NotContiguous {
            main: self.main,
            sector: SectorType::Any,
        })
    }

    /// Byte 9 of the CDB.
    pub(super) const fn main_bits(&self) -> u8 {
        self.main.bits() | self.c2.bits()
    }
}
