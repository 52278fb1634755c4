//! The numbers of features.

use core::fmt;

/// The code of a feature (MMC-5 5.3).
///
/// ```
/// use passthru::scsi::mmc::FeatureCode;
///
/// assert_eq!(FeatureCode(0x001e), FeatureCode::CD_READ);
/// assert_eq!(FeatureCode(0x001e).to_string(), "CD read (001Eh)");
/// assert_eq!(FeatureCode(0xff40).to_string(), "feature FF40h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeatureCode(pub u16);

impl FeatureCode {
    /// The profiles that the drive knows.
    pub const PROFILE_LIST: Self = Self(0x0000);
    /// What every drive has.
    pub const CORE: Self = Self(0x0001);
    /// The drive tells when its features change.
    pub const MORPHING: Self = Self(0x0002);
    /// Discs go in and out.
    pub const REMOVABLE_MEDIUM: Self = Self(0x0003);
    /// Discs can be write protected.
    pub const WRITE_PROTECT: Self = Self(0x0004);
    /// Blocks can be read in any order.
    pub const RANDOM_READABLE: Self = Self(0x0010);
    /// All kinds of CD can be read.
    pub const MULTI_READ: Self = Self(0x001d);
    /// READ CD works.
    pub const CD_READ: Self = Self(0x001e);
    /// DVDs can be read.
    pub const DVD_READ: Self = Self(0x001f);
    /// Blocks can be written in any order.
    pub const RANDOM_WRITABLE: Self = Self(0x0020);
    /// Blocks can be written one after the other.
    pub const INCREMENTAL_STREAMING: Self = Self(0x0021);
    /// Sectors can be erased (obsolete).
    pub const SECTOR_ERASABLE: Self = Self(0x0022);
    /// Discs can be formatted.
    pub const FORMATTABLE: Self = Self(0x0023);
    /// The drive replaces bad blocks.
    pub const DEFECT_MANAGEMENT: Self = Self(0x0024);
    /// Write-once discs can be written at random.
    pub const WRITE_ONCE: Self = Self(0x0025);
    /// Blocks can be overwritten within limits.
    pub const RESTRICTED_OVERWRITE: Self = Self(0x0026);
    /// CD-RW can be written at constant angular velocity.
    pub const CD_RW_CAV_WRITE: Self = Self(0x0027);
    /// Mount Rainier.
    pub const MRW: Self = Self(0x0028);
    /// Defects are reported to the host.
    pub const DEFECT_REPORTING: Self = Self(0x0029);
    /// DVD+RW.
    pub const DVD_PLUS_RW: Self = Self(0x002a);
    /// DVD+R.
    pub const DVD_PLUS_R: Self = Self(0x002b);
    /// DVD-RW can be overwritten by whole blocks.
    pub const RIGID_RESTRICTED_OVERWRITE: Self = Self(0x002c);
    /// CDs can be written track by track.
    pub const CD_TRACK_AT_ONCE: Self = Self(0x002d);
    /// CDs can be written a session or a disc at once.
    pub const CD_MASTERING: Self = Self(0x002e);
    /// DVD-R and DVD-RW can be written.
    pub const DVD_R_RW_WRITE: Self = Self(0x002f);
    /// Double density CDs can be read (obsolete).
    pub const DDCD_READ: Self = Self(0x0030);
    /// Double density CD-R can be written (obsolete).
    pub const DDCD_R_WRITE: Self = Self(0x0031);
    /// Double density CD-RW can be written (obsolete).
    pub const DDCD_RW_WRITE: Self = Self(0x0032);
    /// DVD-R of two layers can be written jumping between them.
    pub const LAYER_JUMP_RECORDING: Self = Self(0x0033);
    /// The same, overwriting.
    pub const LAYER_JUMP_OVERWRITE: Self = Self(0x0034);
    /// Long operations can be stopped.
    pub const STOP_LONG_OPERATION: Self = Self(0x0035);
    /// Which kinds of CD-RW can be written.
    pub const CD_RW_WRITE: Self = Self(0x0037);
    /// BD-R can be overwritten in appearance.
    pub const BD_R_POW: Self = Self(0x0038);
    /// DVD+RW of two layers.
    pub const DVD_PLUS_RW_DL: Self = Self(0x003a);
    /// DVD+R of two layers.
    pub const DVD_PLUS_R_DL: Self = Self(0x003b);
    /// BDs can be read.
    pub const BD_READ: Self = Self(0x0040);
    /// BDs can be written.
    pub const BD_WRITE: Self = Self(0x0041);
    /// Timely safe recording.
    pub const TSR: Self = Self(0x0042);
    /// HD DVDs can be read.
    pub const HD_DVD_READ: Self = Self(0x0050);
    /// HD DVDs can be written.
    pub const HD_DVD_WRITE: Self = Self(0x0051);
    /// HD DVD-RW can be written in fragments.
    pub const HD_DVD_RW_FRAGMENT: Self = Self(0x0052);
    /// Discs with several formats.
    pub const HYBRID_DISC: Self = Self(0x0080);
    /// The drive can save power.
    pub const POWER_MANAGEMENT: Self = Self(0x0100);
    /// The drive predicts failures.
    pub const SMART: Self = Self(0x0101);
    /// The drive has a changer.
    pub const EMBEDDED_CHANGER: Self = Self(0x0102);
    /// The drive plays audio by itself (obsolete).
    pub const CD_AUDIO_PLAY: Self = Self(0x0103);
    /// The firmware can be replaced.
    pub const MICROCODE_UPGRADE: Self = Self(0x0104);
    /// Commands end within a time.
    pub const TIMEOUT: Self = Self(0x0105);
    /// DVDs with CSS.
    pub const DVD_CSS: Self = Self(0x0106);
    /// Reads and writes keep a speed.
    pub const REAL_TIME_STREAMING: Self = Self(0x0107);
    /// The drive's serial number.
    pub const SERIAL_NUMBER: Self = Self(0x0108);
    /// The disc's serial number.
    pub const MEDIA_SERIAL_NUMBER: Self = Self(0x0109);
    /// Disc control blocks.
    pub const DISC_CONTROL_BLOCKS: Self = Self(0x010a);
    /// DVDs with CPRM.
    pub const DVD_CPRM: Self = Self(0x010b);
    /// The date of the firmware.
    pub const FIRMWARE_INFORMATION: Self = Self(0x010c);
    /// AACS.
    pub const AACS: Self = Self(0x010d);
    /// DVDs with CSS can be written.
    pub const DVD_CSS_RECORDING: Self = Self(0x010e);
    /// Video content protection.
    pub const VCPS: Self = Self(0x0110);
    /// `SecurDisc`.
    pub const SECUR_DISC: Self = Self(0x0113);
    /// BD copy protection.
    pub const BD_CPS: Self = Self(0x0120);
    /// Optical security subsystem.
    pub const OSSC: Self = Self(0x0142);

    /// The name, for the features that have one.
    #[must_use]
    #[rustfmt::skip]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::PROFILE_LIST => "profile list",
            Self::CORE => "core",
            Self::MORPHING => "morphing",
            Self::REMOVABLE_MEDIUM => "removable medium",
            Self::WRITE_PROTECT => "write protect",
            Self::RANDOM_READABLE => "random readable",
            Self::MULTI_READ => "multi-read",
            Self::CD_READ => "CD read",
            Self::DVD_READ => "DVD read",
            Self::RANDOM_WRITABLE => "random writable",
            Self::INCREMENTAL_STREAMING => "incremental streaming writable",
            Self::SECTOR_ERASABLE => "sector erasable",
            Self::FORMATTABLE => "formattable",
            Self::DEFECT_MANAGEMENT => "hardware defect management",
            Self::WRITE_ONCE => "write once",
            Self::RESTRICTED_OVERWRITE => "restricted overwrite",
            Self::CD_RW_CAV_WRITE => "CD-RW CAV write",
            Self::MRW => "MRW",
            Self::DEFECT_REPORTING => "enhanced defect reporting",
            Self::DVD_PLUS_RW => "DVD+RW",
            Self::DVD_PLUS_R => "DVD+R",
            Self::RIGID_RESTRICTED_OVERWRITE => "rigid restricted overwrite",
            Self::CD_TRACK_AT_ONCE => "CD track at once",
            Self::CD_MASTERING => "CD mastering",
            Self::DVD_R_RW_WRITE => "DVD-R/-RW write",
            Self::DDCD_READ => "DDCD read",
            Self::DDCD_R_WRITE => "DDCD-R write",
            Self::DDCD_RW_WRITE => "DDCD-RW write",
            Self::LAYER_JUMP_RECORDING => "layer jump recording",
            Self::LAYER_JUMP_OVERWRITE => "layer jump rigid restricted overwrite",
            Self::STOP_LONG_OPERATION => "stop long operation",
            Self::CD_RW_WRITE => "CD-RW media write support",
            Self::BD_R_POW => "BD-R pseudo-overwrite",
            Self::DVD_PLUS_RW_DL => "DVD+RW dual layer",
            Self::DVD_PLUS_R_DL => "DVD+R dual layer",
            Self::BD_READ => "BD read",
            Self::BD_WRITE => "BD write",
            Self::TSR => "timely safe recording",
            Self::HD_DVD_READ => "HD DVD read",
            Self::HD_DVD_WRITE => "HD DVD write",
            Self::HD_DVD_RW_FRAGMENT => "HD DVD-RW fragment recording",
            Self::HYBRID_DISC => "hybrid disc",
            Self::POWER_MANAGEMENT => "power management",
            Self::SMART => "SMART",
            Self::EMBEDDED_CHANGER => "embedded changer",
            Self::CD_AUDIO_PLAY => "CD audio external play",
            Self::MICROCODE_UPGRADE => "microcode upgrade",
            Self::TIMEOUT => "timeout",
            Self::DVD_CSS => "DVD CSS",
            Self::REAL_TIME_STREAMING => "real time streaming",
            Self::SERIAL_NUMBER => "drive serial number",
            Self::MEDIA_SERIAL_NUMBER => "media serial number",
            Self::DISC_CONTROL_BLOCKS => "disc control blocks",
            Self::DVD_CPRM => "DVD CPRM",
            Self::FIRMWARE_INFORMATION => "firmware information",
            Self::AACS => "AACS",
            Self::DVD_CSS_RECORDING => "DVD CSS managed recording",
            Self::VCPS => "VCPS",
            Self::SECUR_DISC => "SecurDisc",
            Self::BD_CPS => "BD CPS",
            Self::OSSC => "OSSC",
            _ => return None,
        })
    }
}

impl fmt::Display for FeatureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:04X}h)", self.0),
            None => write!(f, "feature {:04X}h", self.0),
        }
    }
}
