//! The values of page 05h.

/// How data is put on a disc (MMC-6 clause 7, write parameters: "Write Type").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "WRITE TYPE")]
pub struct WriteType(pub u8);

impl WriteType {
    /// In packets, or incrementally.
    pub const PACKET: Self = Self(0);
    /// Track at once.
    pub const TRACK_AT_ONCE: Self = Self(1);
    /// Session at once, or disc at once.
    pub const SESSION_AT_ONCE: Self = Self(2);
    /// Raw, with all of a sector and its subchannel given by the host.
    pub const RAW: Self = Self(3);
    /// Layer jump recording.
    pub const LAYER_JUMP: Self = Self(4);
}

/// Which parts of a sector the host sends (MMC-6 clause 7, write parameters: "Data Block Type").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "DATA BLOCK TYPE")]
pub struct DataBlockType(pub u8);

impl DataBlockType {
    /// 2352 bytes: raw data.
    pub const RAW: Self = Self(0);
    /// 2368 bytes: raw data, P and Q.
    pub const RAW_PQ: Self = Self(1);
    /// 2448 bytes: raw data, P to W packed.
    pub const RAW_PACKED: Self = Self(2);
    /// 2448 bytes: raw data, P to W raw.
    pub const RAW_SUBCHANNEL: Self = Self(3);
    /// 2048 bytes: user data of mode 1.
    pub const MODE_1: Self = Self(8);
    /// 2336 bytes: user data of mode 2, formless.
    pub const MODE_2: Self = Self(9);
    /// 2048 bytes: mode 2 form 1, with the subheader of the page.
    pub const MODE_2_FORM_1: Self = Self(10);
    /// 2056 bytes: mode 2 form 1, with its subheader.
    pub const MODE_2_FORM_1_SUBHEADER: Self = Self(11);
    /// 2324 bytes: mode 2 form 2, with the subheader of the page.
    pub const MODE_2_FORM_2: Self = Self(12);
    /// 2332 bytes: mode 2 form 1, form 2 or mixed, with its subheader.
    pub const MODE_2_MIXED: Self = Self(13);

    /// How many bytes the host sends for a sector.
    #[must_use]
    pub const fn block_length(self) -> Option<u32> {
        Some(match self {
            Self::RAW => 2352,
            Self::RAW_PQ => 2368,
            Self::RAW_PACKED | Self::RAW_SUBCHANNEL => 2448,
            Self::MODE_1 | Self::MODE_2_FORM_1 => 2048,
            Self::MODE_2 => 2336,
            Self::MODE_2_FORM_1_SUBHEADER => 2056,
            Self::MODE_2_FORM_2 => 2324,
            Self::MODE_2_MIXED => 2332,
            _ => return None,
        })
    }
}

/// Whether another session may follow (MMC-6 clause 7, write parameters: "Multi-session").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "MULTI-SESSION")]
pub struct MultiSession(pub u8);

impl MultiSession {
    /// No, and no B0 pointer.
    pub const FINAL: Self = Self(0);
    /// No; there is a B0 pointer.
    pub const FINAL_WITH_POINTER: Self = Self(1);
    /// Yes.
    pub const OPEN: Self = Self(3);
}

/// What a session is (MMC-6 clause 7, write parameters: "Session Format").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "SESSION FORMAT")]
pub struct SessionFormat(pub u8);

impl SessionFormat {
    /// CD-DA, CD-ROM, or other data discs.
    pub const CD_ROM: Self = Self(0x00);
    /// CD-i.
    pub const CD_I: Self = Self(0x10);
    /// CD-ROM XA.
    pub const CD_ROM_XA: Self = Self(0x20);
}
