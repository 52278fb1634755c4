//! Features of queues, interrupts and the host's own bookkeeping.

use super::{DwordFeature, GetFeature, dword::dword_feature};
use crate::nvme::bits;

dword_feature! {
    /// Arbitration (01h): how submission queues take turns. NVMe Base 2.1,
    /// 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::features::{Arbitration, DwordFeature};
    ///
    /// let value = Arbitration::default().burst(3).weights(16, 8, 1);
    /// assert_eq!(value.dword(), 0x0f07_0003);
    /// assert_eq!((value.high_weight(), value.low_weight()), (16, 1));
    /// ```
    #[doc(alias = "nvme_feat_arbitration")]
    Arbitration = ARBITRATION
}

impl Arbitration {
    /// How many commands of a queue may be begun at a time, as a power of two;
    /// 7 is no limit. Higher bits are dropped.
    #[doc(alias = "AB")]
    pub const fn burst(self, exponent: u8) -> Self {
        Self(bits::with(self.0, 0, 3, exponent as u32))
    }

    /// The weights of the queues of high, medium and low priority, 1 to 256
    /// each; others are made the nearest of these.
    #[doc(alias("HPW", "MPW", "LPW"))]
    pub fn weights(self, high: u16, medium: u16, low: u16) -> Self {
        let less_one = |weight: u16| u32::from(weight.clamp(1, 256)) - 1;
        let dword = bits::with(self.0, 8, 8, less_one(low));
        let dword = bits::with(dword, 16, 8, less_one(medium));
        Self(bits::with(dword, 24, 8, less_one(high)))
    }

    /// The greatest burst: `None` for no limit.
    #[must_use]
    pub const fn burst_commands(self) -> Option<u32> {
        match bits::get(self.0, 0, 3) {
            7 => None,
            exponent => Some(1 << exponent),
        }
    }

    /// The weight of low priority, 1 to 256.
    #[must_use]
    #[doc(alias = "LPW")]
    pub const fn low_weight(self) -> u16 {
        bits::byte(self.0, 8) as u16 + 1
    }

    /// The weight of medium priority, 1 to 256.
    #[must_use]
    #[doc(alias = "MPW")]
    pub const fn medium_weight(self) -> u16 {
        bits::byte(self.0, 16) as u16 + 1
    }

    /// The weight of high priority, 1 to 256.
    #[must_use]
    #[doc(alias = "HPW")]
    pub const fn high_weight(self) -> u16 {
        bits::byte(self.0, 24) as u16 + 1
    }
}

dword_feature! {
    /// Number of Queues (07h): I/O queues. The kernel sets it when it finds the
    /// controller; kernels such as 6.12 refuse to let anybody else do that.
    /// NVMe Base 2.1, 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::features::{DwordFeature, NumberOfQueues};
    ///
    /// let value = NumberOfQueues::from_dword(0x003f_003f);
    /// assert_eq!((value.submission(), value.completion()), (64, 64));
    /// ```
    #[doc(alias = "nvme_feat_num_queues")]
    NumberOfQueues = NUMBER_OF_QUEUES
}

impl NumberOfQueues {
    /// I/O submission queues, 1 to 65536.
    #[must_use]
    #[doc(alias("NSQA", "NSQR"))]
    pub const fn submission(self) -> u32 {
        bits::get(self.0, 0, 16) + 1
    }

    /// I/O completion queues, 1 to 65536.
    #[must_use]
    #[doc(alias("NCQA", "NCQR"))]
    pub const fn completion(self) -> u32 {
        bits::get(self.0, 16, 16) + 1
    }
}

dword_feature! {
    /// Interrupt Coalescing (08h): when I/O completions interrupt. NVMe over
    /// PCIe Transport 1.1, 3.9.
    #[doc(alias = "nvme_feat_irq_coalesce")]
    InterruptCoalescing = INTERRUPT_COALESCING
}

impl InterruptCoalescing {
    /// At how many completions, 1 to 256; others are made the nearest of these.
    #[doc(alias = "THR")]
    pub fn threshold(self, completions: u16) -> Self {
        let value = u32::from(completions.clamp(1, 256)) - 1;
        Self(bits::with(self.0, 0, 8, value))
    }

    /// After how long at the latest, in units of 100 µs; 0 for at once.
    #[doc(alias = "TIME")]
    pub const fn time(self, hundred_microseconds: u8) -> Self {
        Self(bits::with(self.0, 8, 8, hundred_microseconds as u32))
    }

    /// At how many completions, 1 to 256.
    #[must_use]
    pub const fn completions(self) -> u16 {
        bits::byte(self.0, 0) as u16 + 1
    }

    /// After how long at the latest, in units of 100 µs.
    #[must_use]
    pub const fn hundred_microseconds(self) -> u8 {
        bits::byte(self.0, 8)
    }
}

dword_feature! {
    /// Interrupt Vector Configuration (09h): whether a vector coalesces. NVMe
    /// over PCIe Transport 1.1, 3.9.
    #[doc(alias = "nvme_feat_irq_config")]
    InterruptVector = INTERRUPT_VECTOR_CONFIGURATION
}

impl InterruptVector {
    /// Asks for the value of a vector.
    pub fn get_of(vector: u16) -> GetFeature {
        Self::get().dword11(u32::from(vector))
    }

    /// A vector, and whether its interrupts are sent at once.
    pub const fn new(vector: u16, disable_coalescing: bool) -> Self {
        Self(vector as u32 | (disable_coalescing as u32) << 16)
    }

    /// The vector (IV).
    #[must_use]
    #[doc(alias = "IV")]
    pub const fn vector(self) -> u16 {
        bits::word(self.0, 0)
    }

    /// Whether its interrupts are sent at once (CD).
    #[must_use]
    #[doc(alias = "CD")]
    pub const fn is_coalescing_disabled(self) -> bool {
        bits::get(self.0, 16, 1) != 0
    }
}

dword_feature! {
    /// Keep Alive Timer (0Fh). The kernel (6.12) lets nobody set it, but for
    /// fabrics. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias("KATO", "nvme_feat_kato"))]
    KeepAliveTimer = KEEP_ALIVE_TIMER
}

impl KeepAliveTimer {
    /// Within so many milliseconds; 0 turns it off. The controller rounds up.
    pub const fn new(milliseconds: u32) -> Self {
        Self(milliseconds)
    }

    /// The time in milliseconds, 0 if it is off.
    #[must_use]
    pub const fn milliseconds(self) -> u32 {
        self.0
    }
}

dword_feature! {
    /// I/O Command Set Profile (19h): which combination of command sets is in
    /// use, an index into the Identify I/O Command Set data structure. NVMe Base
    /// 2.1, 5.1.25.1.
    #[doc(alias("IOCSP", "nvme_feat_iocs_profile"))]
    CommandSetProfile = COMMAND_SET_PROFILE
}

impl CommandSetProfile {
    /// The combination `index`, 0 to 511. Higher bits are dropped.
    pub const fn new(index: u16) -> Self {
        Self(bits::with(0, 0, 9, index as u32))
    }

    /// The combination's index.
    #[must_use]
    #[doc(alias = "IOCSCI")]
    pub const fn index(self) -> u16 {
        bits::word(self.0, 0) & 0x1ff
    }
}

dword_feature! {
    /// Software Progress Marker (80h): how often software before the operating
    /// system has started without success. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias("SPM", "nvme_feat_sw_progress"))]
    SoftwareProgress = SOFTWARE_PROGRESS_MARKER
}

impl SoftwareProgress {
    /// So many starts; an operating system that is up sets 0.
    pub const fn new(load_count: u8) -> Self {
        Self(load_count as u32)
    }

    /// How many starts (PBSLC), at most 255.
    #[must_use]
    #[doc(alias = "PBSLC")]
    pub const fn load_count(self) -> u8 {
        bits::byte(self.0, 0)
    }
}
