//! Features of writing.

use super::{read::classes, wire};

/// Blocks can be written in any order (0020h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RandomWritable {
    /// The last block.
    pub last_lba: Option<u32>,
    /// The length of a block in bytes.
    pub block_size: Option<u32>,
    /// How many blocks the drive writes at once.
    pub blocking: Option<u16>,
    /// Whether there is mode page 01h, read/write error recovery.
    #[doc(alias = "PP")]
    pub error_recovery_page: Option<bool>,
}

impl RandomWritable {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            last_lba: wire::be32(data, 0),
            block_size: wire::be32(data, 4),
            blocking: wire::be16(data, 8),
            error_recovery_page: wire::flag(data, 10, 0x01),
        }
    }
}

/// Blocks can be written one after the other (0021h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct IncrementalStreaming<'a> {
    /// The data block types that can be written, a bit for each of the values of
    /// the write parameters mode page.
    pub data_types: Option<u16>,
    /// Whether READ DISC INFORMATION tells of track resources (TRIO).
    #[doc(alias = "TRIO")]
    pub track_resources: Option<bool>,
    /// Whether RESERVE TRACK can go by an address (ARSV).
    #[doc(alias = "ARSV")]
    pub address_reservation: Option<bool>,
    /// Whether linking without loss works, so that the buffer may run empty.
    #[doc(alias = "BUF")]
    pub zero_loss_linking: Option<bool>,
    /// The link sizes in blocks: as many as the drive says it has, or fewer if
    /// the data ends before.
    pub link_sizes: &'a [u8],
}

impl<'a> IncrementalStreaming<'a> {
    pub(super) fn of(data: &'a [u8]) -> Self {
        let count = wire::byte(data, 3).map_or(0, usize::from);
        Self {
            data_types: wire::be16(data, 0),
            track_resources: wire::flag(data, 2, 0x04),
            address_reservation: wire::flag(data, 2, 0x02),
            zero_loss_linking: wire::flag(data, 2, 0x01),
            link_sizes: wire::part(data, 4, 4 + count).unwrap_or_default(),
        }
    }
}

/// CDs can be written track by track (002Dh).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CdTrackAtOnce {
    /// Whether linking without loss works, so that the buffer may run empty.
    #[doc(alias = "BUF")]
    pub zero_loss_linking: Option<bool>,
    /// Whether subchannels R to W can be written raw.
    pub raw_subchannel: Option<bool>,
    /// Whether subchannels R to W can be written in packs.
    pub packed_subchannel: Option<bool>,
    /// Whether writing can be tried without the laser.
    pub test_write: Option<bool>,
    /// Whether CD-RW can be overwritten so.
    pub cd_rw: Option<bool>,
    /// Whether subchannels R to W can be written with user data.
    pub subchannel: Option<bool>,
    /// The data block types that can be written, a bit for each.
    pub data_types: Option<u16>,
}

impl CdTrackAtOnce {
    pub(super) fn of(data: &[u8]) -> Self {
        let flag = |mask| wire::flag(data, 0, mask);
        Self {
            zero_loss_linking: flag(0x40),
            raw_subchannel: flag(0x10),
            packed_subchannel: flag(0x08),
            test_write: flag(0x04),
            cd_rw: flag(0x02),
            subchannel: flag(0x01),
            data_types: wire::be16(data, 2),
        }
    }
}

/// CDs can be written a session at once, or raw (002Eh).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CdMastering {
    /// Whether linking without loss works, so that the buffer may run empty.
    #[doc(alias = "BUF")]
    pub zero_loss_linking: Option<bool>,
    /// Whether a session can be written at once (SAO).
    #[doc(alias("SAO", "DAO"))]
    pub session_at_once: Option<bool>,
    /// Whether several sessions can be written raw.
    pub raw_multi_session: Option<bool>,
    /// Whether a disc can be written raw.
    pub raw: Option<bool>,
    /// Whether writing can be tried without the laser.
    pub test_write: Option<bool>,
    /// Whether CD-RW can be overwritten so.
    pub cd_rw: Option<bool>,
    /// Whether subchannels R to W can be written.
    pub subchannel: Option<bool>,
    /// The longest cue sheet in bytes.
    pub max_cue_sheet: Option<u32>,
}

impl CdMastering {
    pub(super) fn of(data: &[u8]) -> Self {
        let flag = |mask| wire::flag(data, 0, mask);
        Self {
            zero_loss_linking: flag(0x40),
            session_at_once: flag(0x20),
            raw_multi_session: flag(0x10),
            raw: flag(0x08),
            test_write: flag(0x04),
            cd_rw: flag(0x02),
            subchannel: flag(0x01),
            // Byte 0 has the flags, the 24 bits after it the length.
            max_cue_sheet: wire::be32(data, 0).map(|field| field & 0x00ff_ffff),
        }
    }
}

/// DVD-R and DVD-RW can be written (002Fh).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DvdRwWrite {
    /// Whether linking without loss works, so that the buffer may run empty.
    #[doc(alias = "BUF")]
    pub zero_loss_linking: Option<bool>,
    /// Whether DVD-R of two layers can be written.
    #[doc(alias = "RDL")]
    pub dual_layer_r: Option<bool>,
    /// Whether writing can be tried without the laser.
    pub test_write: Option<bool>,
    /// Whether DVD-RW of one layer can be written.
    pub rw: Option<bool>,
}

impl DvdRwWrite {
    pub(super) fn of(data: &[u8]) -> Self {
        let flag = |mask| wire::flag(data, 0, mask);
        Self {
            zero_loss_linking: flag(0x40),
            dual_layer_r: flag(0x08),
            test_write: flag(0x04),
            rw: flag(0x02),
        }
    }
}

/// BDs can be written (0041h): bitmaps of the versions of each class 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BdWrite {
    /// Whether the drive can write without verifying (SVNR: verify not
    /// required).
    #[doc(alias = "SVNR")]
    pub verify_not_required: Option<bool>,
    /// The versions of BD-RE, by class.
    pub re: [Option<u16>; 4],
    /// The versions of BD-R, by class.
    pub r: [Option<u16>; 4],
}

impl BdWrite {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            verify_not_required: wire::flag(data, 0, 0x01),
            re: classes(data, 4),
            r: classes(data, 12),
        }
    }
}
