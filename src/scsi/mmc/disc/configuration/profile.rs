//! Profiles: kinds of discs, and what a drive must do for them.

use core::fmt;

use super::wire;

/// The number of a profile (MMC-5 5.3, profile list): which kind of disc it is.
///
/// ```
/// use passthru::scsi::mmc::Profile;
///
/// assert_eq!(Profile(0x0043), Profile::BD_RE);
/// assert_eq!(Profile(0x0043).to_string(), "BD-RE");
/// assert!(Profile::CD_RW.is_cd() && Profile::DVD_PLUS_R_DL.is_dvd());
/// assert_eq!(Profile(0x0123).to_string(), "profile 0123h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Profile(pub u16);

impl Profile {
    /// No disc, or one that the drive does not know.
    pub const NONE: Self = Self(0x0000);
    /// A disk that cannot be removed (obsolete).
    pub const FIXED_DISK: Self = Self(0x0001);
    /// A removable disk.
    pub const REMOVABLE_DISK: Self = Self(0x0002);
    /// A magneto-optical disk (obsolete).
    pub const MO_ERASABLE: Self = Self(0x0003);
    /// A write-once optical disk (obsolete).
    pub const MO_WRITE_ONCE: Self = Self(0x0004);
    /// Advanced storage magneto-optical (obsolete).
    pub const AS_MO: Self = Self(0x0005);
    /// A pressed CD.
    pub const CD_ROM: Self = Self(0x0008);
    /// CD-R.
    pub const CD_R: Self = Self(0x0009);
    /// CD-RW.
    pub const CD_RW: Self = Self(0x000a);
    /// A pressed DVD.
    pub const DVD_ROM: Self = Self(0x0010);
    /// DVD-R, written in sequence.
    pub const DVD_R: Self = Self(0x0011);
    /// DVD-RAM.
    pub const DVD_RAM: Self = Self(0x0012);
    /// DVD-RW in restricted overwrite mode.
    pub const DVD_RW_OVERWRITE: Self = Self(0x0013);
    /// DVD-RW, written in sequence.
    pub const DVD_RW_SEQUENTIAL: Self = Self(0x0014);
    /// DVD-R of two layers, written in sequence.
    pub const DVD_R_DL: Self = Self(0x0015);
    /// DVD-R of two layers, written with layer jumps.
    pub const DVD_R_DL_JUMP: Self = Self(0x0016);
    /// DVD-RW of two layers.
    pub const DVD_RW_DL: Self = Self(0x0017);
    /// A DVD for downloads, with CSS.
    pub const DVD_DOWNLOAD: Self = Self(0x0018);
    /// DVD+RW.
    pub const DVD_PLUS_RW: Self = Self(0x001a);
    /// DVD+R.
    pub const DVD_PLUS_R: Self = Self(0x001b);
    /// A pressed double density CD (obsolete).
    pub const DDCD_ROM: Self = Self(0x0020);
    /// A recordable double density CD (obsolete).
    pub const DDCD_R: Self = Self(0x0021);
    /// A rewritable double density CD (obsolete).
    pub const DDCD_RW: Self = Self(0x0022);
    /// DVD+RW of two layers.
    pub const DVD_PLUS_RW_DL: Self = Self(0x002a);
    /// DVD+R of two layers.
    pub const DVD_PLUS_R_DL: Self = Self(0x002b);
    /// A pressed BD.
    pub const BD_ROM: Self = Self(0x0040);
    /// BD-R in sequential recording mode.
    #[doc(alias = "SRM")]
    pub const BD_R_SEQUENTIAL: Self = Self(0x0041);
    /// BD-R in random recording mode.
    #[doc(alias = "RRM")]
    pub const BD_R_RANDOM: Self = Self(0x0042);
    /// BD-RE.
    pub const BD_RE: Self = Self(0x0043);
    /// A pressed HD DVD.
    pub const HD_DVD_ROM: Self = Self(0x0050);
    /// HD DVD-R.
    pub const HD_DVD_R: Self = Self(0x0051);
    /// HD DVD-RAM.
    pub const HD_DVD_RAM: Self = Self(0x0052);
    /// HD DVD-RW.
    pub const HD_DVD_RW: Self = Self(0x0053);
    /// HD DVD-R of two layers.
    pub const HD_DVD_R_DL: Self = Self(0x0058);
    /// HD DVD-RW of two layers.
    pub const HD_DVD_RW_DL: Self = Self(0x005a);
    /// What conforms to none of them.
    pub const NONCONFORMING: Self = Self(0xffff);

    /// Whether it is a CD of some kind (0008h to 000Ah).
    #[must_use]
    pub const fn is_cd(self) -> bool {
        matches!(self.0, 0x0008..=0x000a)
    }

    /// Whether it is a DVD of some kind.
    #[must_use]
    pub const fn is_dvd(self) -> bool {
        matches!(self.0, 0x0010..=0x001b | 0x002a | 0x002b)
    }

    /// Whether it is a BD of some kind (0040h to 0043h).
    #[must_use]
    pub const fn is_bd(self) -> bool {
        matches!(self.0, 0x0040..=0x0043)
    }

    /// The name, for the profiles that have one.
    #[must_use]
    #[rustfmt::skip]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NONE => "no current profile",
            Self::FIXED_DISK => "non-removable disk",
            Self::REMOVABLE_DISK => "removable disk",
            Self::MO_ERASABLE => "MO erasable",
            Self::MO_WRITE_ONCE => "MO write once",
            Self::AS_MO => "AS-MO",
            Self::CD_ROM => "CD-ROM",
            Self::CD_R => "CD-R",
            Self::CD_RW => "CD-RW",
            Self::DVD_ROM => "DVD-ROM",
            Self::DVD_R => "DVD-R sequential recording",
            Self::DVD_RAM => "DVD-RAM",
            Self::DVD_RW_OVERWRITE => "DVD-RW restricted overwrite",
            Self::DVD_RW_SEQUENTIAL => "DVD-RW sequential recording",
            Self::DVD_R_DL => "DVD-R dual layer sequential recording",
            Self::DVD_R_DL_JUMP => "DVD-R dual layer jump recording",
            Self::DVD_RW_DL => "DVD-RW dual layer",
            Self::DVD_DOWNLOAD => "DVD download disc",
            Self::DVD_PLUS_RW => "DVD+RW",
            Self::DVD_PLUS_R => "DVD+R",
            Self::DDCD_ROM => "DDCD-ROM",
            Self::DDCD_R => "DDCD-R",
            Self::DDCD_RW => "DDCD-RW",
            Self::DVD_PLUS_RW_DL => "DVD+RW dual layer",
            Self::DVD_PLUS_R_DL => "DVD+R dual layer",
            Self::BD_ROM => "BD-ROM",
            Self::BD_R_SEQUENTIAL => "BD-R sequential recording",
            Self::BD_R_RANDOM => "BD-R random recording",
            Self::BD_RE => "BD-RE",
            Self::HD_DVD_ROM => "HD DVD-ROM",
            Self::HD_DVD_R => "HD DVD-R",
            Self::HD_DVD_RAM => "HD DVD-RAM",
            Self::HD_DVD_RW => "HD DVD-RW",
            Self::HD_DVD_R_DL => "HD DVD-R dual layer",
            Self::HD_DVD_RW_DL => "HD DVD-RW dual layer",
            Self::NONCONFORMING => "no standard profile",
            _ => return None,
        })
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "profile {:04X}h", self.0),
        }
    }
}

/// A profile that a drive knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ProfileEntry {
    /// The profile.
    pub profile: Profile,
    /// Whether the disc in the drive is of it. Several can be.
    pub current: bool,
}

/// The profiles that a drive knows (feature 0000h), in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profiles<'a>(&'a [u8]);

impl<'a> Profiles<'a> {
    pub(super) const fn of(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// The profiles. Bytes at the end that are no whole entry are left out.
    pub fn entries(&self) -> impl Iterator<Item = ProfileEntry> + 'a {
        self.0.chunks_exact(4).filter_map(|entry| {
            Some(ProfileEntry {
                profile: Profile(wire::be16(entry, 0)?),
                current: wire::flag(entry, 2, 0x01)?,
            })
        })
    }

    /// Whether this profile is among them.
    #[must_use]
    pub fn contains(&self, profile: Profile) -> bool {
        self.entries().any(|entry| entry.profile == profile)
    }
}
