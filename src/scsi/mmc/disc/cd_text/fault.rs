//! What is wrong with CD-TEXT.

use super::{CdText, CdTextPack, HEADER, LengthLie, PACK, PackType};

/// Something in CD-TEXT that cannot be. `pack` counts the packs in the reply
/// from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CdTextFault {
    /// The reply's length field contradicts the transfer.
    #[error("{0}")]
    Length(LengthLie),
    /// The list is no whole number of packs.
    #[error("the list ends with {bytes} of the 18 bytes of a pack")]
    PartialPack {
        /// How many bytes are left over.
        bytes: usize,
    },
    /// A checksum is wrong.
    #[error("the checksum of pack {pack} is {stored:04x}h and should be {computed:04x}h")]
    Crc {
        /// The pack.
        pack: usize,
        /// The checksum in it.
        stored: u16,
        /// The checksum of its bytes.
        computed: u16,
    },
    /// The type is none of 80h to 8Fh.
    #[error("pack {pack} has the type {value:02x}h")]
    PackType {
        /// The pack.
        pack: usize,
        /// Its byte 0.
        value: u8,
    },
    /// There is no such track, or the size information says that there is none.
    #[error("pack {pack} is of track {track}")]
    Track {
        /// The pack.
        pack: usize,
        /// Its byte 1.
        track: u8,
    },
    /// A block's packs are not numbered in their order.
    #[error("pack {pack} has number {got} in block {block}, where {expected} comes next")]
    Sequence {
        /// The pack.
        pack: usize,
        /// Its block.
        block: u8,
        /// The number that comes next.
        expected: u8,
        /// The number in it.
        got: u8,
    },
    /// A block has no size information: what characters and language it has is
    /// not known.
    #[error("block {block} has no size information")]
    NoSizes {
        /// The block.
        block: u8,
    },
    /// The size information counts another number of packs than there are. A
    /// lost pack is one cause.
    #[error("block {block} has {found} packs of type {kind}, and says {claimed}")]
    PackCount {
        /// The block.
        block: u8,
        /// The type of packs.
        kind: PackType,
        /// What the size information says.
        claimed: u8,
        /// How many there are.
        found: usize,
    },
}

pub(super) fn faults(text: &CdText<'_>) -> Vec<CdTextFault> {
    let mut faults: Vec<_> = text
        .reply()
        .length_field_lies()
        .map(CdTextFault::Length)
        .into_iter()
        .collect();
    let bytes = text.reply().list(HEADER).len() % PACK;
    if bytes != 0 && !text.reply().is_truncated() {
        faults.push(CdTextFault::PartialPack { bytes });
    }
    let last_track = last_tracks(text);
    let mut next = [0u8; 8];
    for (index, pack) in text.packs().enumerate() {
        let block = pack.block();
        let counter = next.get_mut(usize::from(block));
        let expected = counter.as_deref().copied().unwrap_or(0);
        if let Some(counter) = counter {
            *counter = pack.sequence().wrapping_add(1);
        }
        let last = last_track.get(usize::from(block)).copied().unwrap_or(99);
        faults.extend(pack_faults(index, pack, expected, last));
    }
    if !text.reply().is_truncated() {
        block_faults(text, &mut faults);
    }
    faults
}

/// The last track of every block, as its size information has it.
fn last_tracks(text: &CdText<'_>) -> [u8; 8] {
    let mut tracks = [99; 8];
    for block in text.blocks() {
        let said = block
            .sizes()
            .and_then(super::CdTextSizes::last_track)
            .filter(|track| (1..=99).contains(track));
        if let (Some(slot), Some(said)) = (tracks.get_mut(usize::from(block.number())), said) {
            *slot = said;
        }
    }
    tracks
}

fn pack_faults(
    pack: usize,
    bytes: CdTextPack,
    expected: u8,
    last_track: u8,
) -> impl Iterator<Item = CdTextFault> {
    let [value, track, ..] = *bytes.as_bytes();
    let crc = (!bytes.crc_matches()).then(|| CdTextFault::Crc {
        pack,
        stored: bytes.crc(),
        computed: bytes.computed_crc(),
    });
    let kind = bytes.pack_type();
    let wrong_type = (!kind.is_known()).then_some(CdTextFault::PackType { pack, value });
    let last = if kind == PackType::SIZES {
        2
    } else {
        last_track
    };
    let wrong_track =
        (kind.is_known() && track > last).then_some(CdTextFault::Track { pack, track });
    let sequence = (bytes.sequence() != expected).then(|| CdTextFault::Sequence {
        pack,
        block: bytes.block(),
        expected,
        got: bytes.sequence(),
    });
    [crc, wrong_type, wrong_track, sequence]
        .into_iter()
        .flatten()
}

fn block_faults(text: &CdText<'_>, faults: &mut Vec<CdTextFault>) {
    for block in text.blocks() {
        let number = block.number();
        let Some(sizes) = block.sizes() else {
            faults.push(CdTextFault::NoSizes { block: number });
            continue;
        };
        for kind in (0x80..=0x8f).map(PackType) {
            let found = block
                .packs()
                .iter()
                .filter(|pack| pack.pack_type() == kind)
                .count();
            if let Some(claimed) = sizes
                .packs(kind)
                .filter(|&claimed| usize::from(claimed) != found)
            {
                faults.push(CdTextFault::PackCount {
                    block: number,
                    kind,
                    claimed,
                    found,
                });
            }
        }
    }
}
