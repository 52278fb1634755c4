//! The entries of formats 2 and 3, which are what the Q subchannel of the
//! lead-in and of the program memory area holds.

use core::fmt;

use super::{HEADER, Lba, Msf, NumberEncoding, SizedReply, TrackControl, wire};

/// The POINT field (MMC-5 6.26, format 0010b): what an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "POINT")]
pub struct TocPoint(pub u8);

impl TocPoint {
    /// A0h: PMIN is the session's first track, PSEC the disc type.
    pub const FIRST_TRACK: Self = Self(0xa0);
    /// A1h: PMIN is the session's last track.
    pub const LAST_TRACK: Self = Self(0xa1);
    /// A2h: PMIN, PSEC and PFRAME are where the session's lead-out begins.
    pub const LEAD_OUT: Self = Self(0xa2);
    /// B0h (ADR 5): MIN, SEC and FRAME are where the next session's program area
    /// begins, PMIN, PSEC and PFRAME the last possible lead-out.
    pub const NEXT_SESSION: Self = Self(0xb0);
    /// B1h (ADR 5): PMIN is how many skip intervals, PSEC how many skip tracks there
    /// are.
    pub const SKIPS: Self = Self(0xb1);
    /// C0h (ADR 5): PMIN, PSEC and PFRAME are where the first lead-in begins, MIN is the
    /// writing power, both from the ATIP.
    pub const ATIP: Self = Self(0xc0);
    /// C1h (ADR 5): a copy of the A1 values of the ATIP.
    pub const ATIP_A1: Self = Self(0xc1);

    /// The name, for the points that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::FIRST_TRACK => "first track",
            Self::LAST_TRACK => "last track",
            Self::LEAD_OUT => "lead-out",
            Self::NEXT_SESSION => "next session",
            Self::SKIPS => "skip intervals",
            Self::ATIP => "ATIP",
            Self::ATIP_A1 => "ATIP A1",
            _ => return None,
        })
    }
}

impl fmt::Display for TocPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "point {:02x}h", self.0),
        }
    }
}

/// The length of an entry in bytes.
pub(super) const ENTRY: usize = 11;

/// One entry of [`FullToc`](super::FullToc) or [`Pma`](super::Pma).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TocQEntry {
    bytes: [u8; ENTRY],
    encoding: NumberEncoding,
}

impl TocQEntry {
    pub(super) const fn new(bytes: [u8; ENTRY], encoding: NumberEncoding) -> Self {
        Self { bytes, encoding }
    }

    /// The eleven bytes as they came.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; ENTRY] {
        &self.bytes
    }

    /// The session; 0 in a program memory area.
    #[must_use]
    pub const fn session(&self) -> u8 {
        self.bytes[0]
    }

    /// The ADR field: 1 for tracks and the points A0h to A2h, 5 for the other
    /// points.
    #[must_use]
    #[doc(alias = "ADR")]
    pub const fn adr(&self) -> u8 {
        self.bytes[1] >> 4
    }

    /// What kind of track it is.
    #[must_use]
    pub const fn control(&self) -> TrackControl {
        TrackControl(self.bytes[1] & 0x0f)
    }

    /// The TNO field: 0 in a lead-in.
    #[must_use]
    #[doc(alias = "TNO")]
    pub const fn tno(&self) -> u8 {
        self.bytes[2]
    }

    /// What the entry is about: a track, or one of the points above 99.
    #[must_use]
    pub const fn point(&self) -> TocPoint {
        TocPoint(self.bytes[3])
    }

    /// The number of the track that it is about, 1 to 99, if it is about one: if
    /// ADR is 1 and the point is such a number.
    #[must_use]
    pub fn track(&self) -> Option<u8> {
        let number = self.encoding.number(self.point().0)?;
        (self.adr() == 1 && matches!(number, 1..=99)).then_some(number)
    }

    /// MIN, SEC and FRAME as they came.
    #[must_use]
    pub const fn time(&self) -> [u8; 3] {
        let [_, _, _, _, minute, second, frame, ..] = self.bytes;
        [minute, second, frame]
    }

    /// PMIN, PSEC and PFRAME as they came.
    #[must_use]
    #[doc(alias("PMIN", "PSEC", "PFRAME"))]
    pub const fn point_time(&self) -> [u8; 3] {
        let [.., minute, second, frame] = self.bytes;
        [minute, second, frame]
    }

    /// PMIN as a number: the track of A0h and A1h.
    #[must_use]
    pub fn point_number(&self) -> Option<u8> {
        let [number, _, _] = self.point_time();
        self.encoding.number(number)
    }

    /// PMIN, PSEC and PFRAME as a time; `None` if they are none.
    #[must_use]
    pub fn point_msf(&self) -> Option<Msf> {
        self.encoding.time(self.point_time())
    }

    /// The block address of the point, of a track's start say. It is in the
    /// program area, also from minute 90 on, but for that of
    /// [`ATIP`](TocPoint::ATIP), which is in the lead-in.
    #[must_use]
    pub fn point_lba(&self) -> Option<Lba> {
        let time = self.point_msf()?;
        Some(if self.is(TocPoint::ATIP) {
            time.to_lba()
        } else {
            time.to_program_lba()
        })
    }

    /// The block address of MIN, SEC and FRAME, where they are a place in the
    /// program area: the next session's start ([`NEXT_SESSION`]), or a track's end
    /// in a [`Pma`](super::Pma).
    ///
    /// [`NEXT_SESSION`]: TocPoint::NEXT_SESSION
    #[must_use]
    pub fn time_lba(&self) -> Option<Lba> {
        self.encoding.time(self.time()).map(Msf::to_program_lba)
    }

    /// Whether it is this point, with the ADR that goes with it.
    pub(super) fn is(&self, point: TocPoint) -> bool {
        let adr = if point.0 < 0xb0 { 1 } else { 5 };
        self.point() == point && self.adr() == adr
    }
}

/// All whole entries behind a reply's header.
pub(super) fn entries(
    reply: &SizedReply<'_>,
    encoding: NumberEncoding,
) -> impl Iterator<Item = TocQEntry> {
    reply
        .list(HEADER)
        .chunks_exact(ENTRY)
        .filter_map(move |entry| Some(TocQEntry::new(wire::array(entry, 0)?, encoding)))
}
