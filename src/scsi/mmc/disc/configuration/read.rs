//! Features of reading.

use super::wire;

/// Blocks can be read in any order (0010h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RandomReadable {
    /// The length of a block in bytes.
    pub block_size: Option<u32>,
    /// How many blocks the drive reads at once: 1 on a CD, 16 on a DVD, 32 on a
    /// BD.
    pub blocking: Option<u16>,
    /// Whether there is mode page 01h, read/write error recovery.
    #[doc(alias = "PP")]
    pub error_recovery_page: Option<bool>,
}

impl RandomReadable {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            block_size: wire::be32(data, 0),
            blocking: wire::be16(data, 4),
            error_recovery_page: wire::flag(data, 6, 0x01),
        }
    }
}

/// READ CD works (001Eh). A drive that claims it need not have it: QEMU's SCSI
/// drive claims C2 pointers and refuses the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CdRead {
    /// Whether the DAP bit of READ CD works.
    #[doc(alias = "DAP")]
    pub digital_audio_play: Option<bool>,
    /// Whether READ CD gives C2 pointers.
    #[doc(alias = "C2")]
    pub c2_pointers: Option<bool>,
    /// Whether READ TOC/PMA/ATIP gives CD-TEXT.
    pub cd_text: Option<bool>,
}

impl CdRead {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            digital_audio_play: wire::flag(data, 0, 0x80),
            c2_pointers: wire::flag(data, 0, 0x02),
            cd_text: wire::flag(data, 0, 0x01),
        }
    }
}

/// DVDs can be read (001Fh).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DvdRead {
    /// Whether the drive reads all that the DVD Multi specification 1.1 wants.
    #[doc(alias = "MULTI110")]
    pub multi_110: Option<bool>,
    /// Whether it reads DVD-RW of two layers.
    pub dual_layer_rw: Option<bool>,
    /// Whether it reads DVD-R of two layers, however they were written.
    pub dual_layer_r: Option<bool>,
}

impl DvdRead {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            multi_110: wire::flag(data, 0, 0x01),
            dual_layer_rw: wire::flag(data, 2, 0x02),
            dual_layer_r: wire::flag(data, 2, 0x01),
        }
    }
}

/// Four bitmaps of a kind of BD, for the classes 0 to 3. Bit n is version n
/// of that class of discs.
pub(super) fn classes(data: &[u8], offset: usize) -> [Option<u16>; 4] {
    [0, 2, 4, 6].map(|class| wire::be16(data, offset + class))
}

/// BDs can be read (0040h): bitmaps of the versions of each class 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BdRead {
    /// The versions of BD-RE, by class.
    pub re: [Option<u16>; 4],
    /// The versions of BD-R, by class.
    pub r: [Option<u16>; 4],
    /// The versions of BD-ROM, by class.
    pub rom: [Option<u16>; 4],
}

impl BdRead {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            re: classes(data, 4),
            r: classes(data, 12),
            rom: classes(data, 20),
        }
    }
}
