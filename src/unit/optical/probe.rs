//! Finding out which layouts a drive gives.

use super::{LayoutAnswer, OpticalDrive, ProbedLayout, ProbedLayouts, mark};
use crate::{
    Outcome, Result, Verdict,
    error::{Error, Failure},
    scsi::{
        SenseKey,
        mmc::{
            C2, Lba, MainChannel, QCrc, ReadCd, SectorLayout, SectorOrder, SectorRequest,
            SectorType, Sectors, SubChannels,
        },
    },
    transport::{ScsiTransport, ScsiTransportExt},
};

/// A raw sector.
const MAIN: usize = 2352;

/// What is tried, beside the main channel.
const TRIED: [(C2, SubChannels); 8] = [
    (C2::Pointers294, SubChannels::None),
    (C2::Block296, SubChannels::None),
    (C2::None, SubChannels::Raw96),
    (C2::None, SubChannels::Q16),
    (C2::Pointers294, SubChannels::Raw96),
    (C2::Block296, SubChannels::Raw96),
    (C2::Pointers294, SubChannels::Q16),
    (C2::Block296, SubChannels::Q16),
];

/// Which layouts a drive gives: a question to be put; made by
/// [`OpticalDrive::layouts`].
///
/// What a drive claims (mode page 2Ah, the CD Read feature) is often wrong, and
/// some answer GOOD to what they ignore: then C2 seems to say "no errors" of every
/// disc.
///
/// ```no_run
/// use passthru::scsi::mmc::{Lba, SubChannels};
/// use passthru::unit::OpticalDrive;
///
/// let drive = OpticalDrive::open("/dev/sg1")?;
/// let probed = drive.layouts().probe(Lba(1000))?;
/// let Some(given) = probed.with_c2(SubChannels::None) else {
///     panic!("the drive reports no C2: {:?}", probed.as_slice());
/// };
/// let mut buffer = vec![0; 100 * given.layout().sector_length()];
/// let read = drive.read_with_layout(given.request(), given.layout(), Lba(0), &mut buffer)?;
/// for sector in read.of(&buffer).iter() {
///     println!("{} bytes are marked", sector.c2().map_or(0, |c2| c2.bits().count()));
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Layouts<'a, T> {
    drive: &'a OpticalDrive<T>,
    sectors: u32,
}

impl<T: ScsiTransport> OpticalDrive<T> {
    /// Which layouts of sectors it gives; sends nothing yet.
    pub const fn layouts(&self) -> Layouts<'_, T> {
        Layouts {
            drive: self,
            sectors: 4,
        }
    }
}

impl<T: ScsiTransport> Layouts<'_, T> {
    /// How many sectors each command reads: 2 to 16, 4 without this.
    pub fn sectors(mut self, sectors: u32) -> Self {
        self.sectors = sectors.clamp(2, 16);
        self
    }

    /// Reads the sectors from `lba` on nine times: the 2352 bytes of the main channel
    /// alone; with C2 in 294 and in 296 bytes; with raw subchannels and with
    /// formatted Q; and with both of each. The sectors should not be silence.
    ///
    /// All sectors of a command have their place by its layout, and a CRC in the Q
    /// subchannel: by these it is seen what really came, also where a buffer without
    /// a trace of C2 is full of zeros.
    ///
    /// # Errors
    /// Any error of the reading of the main channel alone; any other error than that
    /// the drive refuses a layout, UNIT ATTENTION and NOT READY included.
    pub fn probe(&self, lba: Lba) -> Result<ProbedLayouts> {
        let raw = SectorRequest::new(SectorType::Any, MainChannel::RAW);
        let mut main = vec![0; self.len(MAIN)];
        self.drive.read(&raw, lba, &mut main)?;
        let mut list = Vec::with_capacity(TRIED.len());
        for (c2, sub) in TRIED {
            let request = raw.c2(c2).sub_channels(sub);
            list.push(self.try_one(request, (c2, sub), lba, &main)?);
        }
        Ok(ProbedLayouts {
            lba,
            sectors: self.sectors,
            list,
        })
    }

    fn len(&self, sector: usize) -> usize {
        usize::try_from(self.sectors).unwrap_or(0) * sector
    }

    fn try_one(
        &self,
        request: SectorRequest,
        (c2, sub): (C2, SubChannels),
        lba: Lba,
        main: &[u8],
    ) -> Result<ProbedLayout> {
        let layout = SectorLayout::from_lengths(2352, c2, sub);
        let mut probed = ProbedLayout {
            request,
            layout,
            answer: LayoutAnswer::Unproven,
            valid_q: 0,
            residual: None,
        };
        let mut buffer = vec![0; self.len(layout.sector_length())];
        mark::fill(&mut buffer);
        let command = ReadCd::with_layout(lba, self.sectors, request, layout);
        match self.drive.transport().read(&command, &mut buffer) {
            Ok(outcome) => {
                probed.residual = Some(outcome.residual());
                probed.answer = match missing(&outcome, &buffer) {
                    Some(bytes) => LayoutAnswer::Missing { bytes },
                    None => look(&mut probed, &buffer, main),
                };
                Ok(probed)
            }
            Err(Error::Check(failure)) if is_refusal(&failure) => {
                probed.answer = LayoutAnswer::Refused(failure);
                Ok(probed)
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a failure is about what was asked for, and not about the drive's state.
fn is_refusal(failure: &Failure) -> bool {
    let outcome = failure.outcome();
    let of_state = matches!(
        outcome.sense().key(),
        None | Some(SenseKey::NO_SENSE | SenseKey::NOT_READY | SenseKey::UNIT_ATTENTION)
    );
    outcome.verdict() == Verdict::Check && !of_state
}

/// How many bytes did not come, if the residual or the marks tell it.
fn missing(outcome: &Outcome, buffer: &[u8]) -> Option<usize> {
    let residual = usize::try_from(outcome.residual()).unwrap_or(0);
    let kept = mark::left(buffer);
    // Nothing came, says the residual, which is a lie if something did.
    let nothing = residual >= buffer.len();
    let empty = kept == buffer.len() || buffer.iter().all(|&byte| byte == 0);
    let told = match (nothing, empty) {
        (true, true) => buffer.len(),
        (true, false) => 0,
        (false, _) => residual,
    };
    Some(told.max(kept)).filter(|&bytes| bytes > 0)
}

/// Looks where the sectors lie in a buffer that is full.
fn look(probed: &mut ProbedLayout, buffer: &[u8], main: &[u8]) -> LayoutAnswer {
    let layout = probed.layout;
    let length = layout.sector_length();
    let other = layout.order(SectorOrder::MainSubC2);
    let (mut valid, valid_other) = (valid_q(buffer, layout), valid_q(buffer, other));
    let both = layout.c2().is_some() && layout.sub().is_some();
    if both && valid_other.behind_first > valid.behind_first {
        probed.layout = other;
        valid = valid_other;
    }
    probed.valid_q = valid.all;
    if valid.behind_first > 0 || is_at(main, buffer, length) {
        return LayoutAnswer::Given;
    }
    let stride = lengths().find(|&stride| stride != length && is_at(main, buffer, stride));
    match stride {
        Some(stride) if stride < length => LayoutAnswer::Missing {
            bytes: main.len() / MAIN * (length - stride),
        },
        Some(sector_length) => LayoutAnswer::TooLong { sector_length },
        None => LayoutAnswer::Unproven,
    }
}

/// All lengths that a sector can have.
fn lengths() -> impl Iterator<Item = usize> {
    let tried = TRIED.map(|(c2, sub)| MAIN + usize::from(c2.length() + sub.length()));
    [MAIN].into_iter().chain(tried)
}

/// Whether one of the sectors of `main`, behind the first, is where it would be if
/// each had `stride` bytes. Sectors of one byte over and over are everywhere.
fn is_at(main: &[u8], buffer: &[u8], stride: usize) -> bool {
    let sectors = main.chunks_exact(MAIN).enumerate().skip(1);
    sectors
        .filter(|(_, sector)| sector.windows(2).any(|pair| pair.first() != pair.last()))
        .any(|(index, sector)| {
            let there = buffer.get(index * stride..);
            there.is_some_and(|there| there.starts_with(sector))
        })
}

/// How many sectors have a Q subchannel with a valid CRC.
#[derive(Clone, Copy)]
struct ValidQ {
    all: u32,
    /// Without the first: right behind its main channel a subchannel is also where a
    /// drive leaves out the C2 that should follow.
    behind_first: u32,
}

fn valid_q(buffer: &[u8], layout: SectorLayout) -> ValidQ {
    let sectors = Sectors::new(buffer, layout);
    let valid = |skipped: usize| {
        let valid = sectors
            .iter()
            .skip(skipped)
            .filter_map(|sector| sector.q())
            .filter(|q| q.crc() == QCrc::Valid)
            .count();
        u32::try_from(valid).unwrap_or(u32::MAX)
    };
    ValidQ {
        all: valid(0),
        behind_first: valid(1),
    }
}
