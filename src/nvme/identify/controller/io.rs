//! Fields of Identify Controller: I/O queues and commands.

use super::{ControllerData, FormatAttributes, IoCommands, WriteProtection, text};

/// The sizes of queue entries: two powers of two.
fn sizes(field: u8) -> (u32, u32) {
    (1 << (field & 0x0f), 1 << (field >> 4))
}

impl ControllerData {
    /// Whether there is a volatile write cache (VWC).
    #[must_use]
    #[doc(alias = "VWC")]
    pub fn has_write_cache(&self) -> bool {
        self.0.vwc & 1 != 0
    }

    /// Whether one Flush can be for all namespaces (VWC); `None` if it is not
    /// reported.
    #[must_use]
    #[doc(alias = "VWC")]
    pub fn flushes_all(&self) -> Option<bool> {
        match self.0.vwc >> 1 & 0x03 {
            2 => Some(false),
            3 => Some(true),
            _ => None,
        }
    }

    /// Whether I/O commands may describe their memory by SGLs (SGLS). If not,
    /// the kernel uses PRPs, and a wrong length is not noticed by the
    /// controller.
    #[must_use]
    #[doc(alias = "SGLS")]
    pub fn has_sgls(&self) -> bool {
        self.0.sgls.get() & 0x03 != 0
    }

    /// Least and greatest size of a submission queue entry (SQES), in bytes.
    #[must_use]
    #[doc(alias = "SQES")]
    pub fn submission_entry_sizes(&self) -> (u32, u32) {
        sizes(self.0.sqes)
    }

    /// Least and greatest size of a completion queue entry (CQES), in bytes.
    #[must_use]
    #[doc(alias = "CQES")]
    pub fn completion_entry_sizes(&self) -> (u32, u32) {
        sizes(self.0.cqes)
    }

    /// How many commands of one queue it processes at a time (MAXCMD); 0 if not
    /// reported.
    #[must_use]
    #[doc(alias = "MAXCMD")]
    pub fn max_outstanding(&self) -> u16 {
        self.0.maxcmd.get()
    }

    /// Greatest namespace identifier of the subsystem (NN), and how many namespaces
    /// there can be if MNAN is 0.
    #[must_use]
    #[doc(alias = "NN")]
    pub fn namespaces(&self) -> u32 {
        self.0.nn.get()
    }

    /// Optional I/O commands (ONCS).
    #[must_use]
    #[doc(alias = "ONCS")]
    pub fn io_commands(&self) -> IoCommands {
        IoCommands::from_bits_retain(self.0.oncs.get())
    }

    /// Whether Compare and Write can be fused (FUSES).
    #[must_use]
    #[doc(alias = "FUSES")]
    pub fn fused_compare_write(&self) -> bool {
        self.0.fuses.get() & 1 != 0
    }

    /// What Format NVM goes for (FNA).
    #[must_use]
    #[doc(alias = "FNA")]
    pub fn format_attributes(&self) -> FormatAttributes {
        FormatAttributes::from_bits_retain(self.0.fna)
    }

    /// VWC as it is. See [`has_write_cache`](Self::has_write_cache).
    #[must_use]
    #[doc(alias = "VWC")]
    pub fn write_cache_raw(&self) -> u8 {
        self.0.vwc
    }

    /// Blocks that are written atomically in normal operation, in any format
    /// (AWUN).
    #[must_use]
    #[doc(alias = "AWUN")]
    pub fn atomic_write_normal(&self) -> u32 {
        u32::from(self.0.awun.get()) + 1
    }

    /// Blocks that are written atomically even if power fails, in any format
    /// (AWUPF).
    #[must_use]
    #[doc(alias = "AWUPF")]
    pub fn atomic_write_power_fail(&self) -> u32 {
        u32::from(self.0.awupf.get()) + 1
    }

    /// Whether all vendor specific I/O commands have the standard format with NDT
    /// and NDM (ICSVSCC).
    #[must_use]
    #[doc(alias = "ICSVSCC")]
    pub fn io_vendor_standard_format(&self) -> bool {
        self.0.icsvscc & 1 != 0
    }

    /// Write protection of namespaces (NWPC).
    #[must_use]
    #[doc(alias = "NWPC")]
    pub fn write_protection(&self) -> WriteProtection {
        WriteProtection::from_bits_retain(self.0.nwpc)
    }

    /// Blocks that a fused Compare and Write writes atomically (ACWU); 1 also
    /// without such commands.
    #[must_use]
    #[doc(alias = "ACWU")]
    pub fn atomic_compare_write(&self) -> u32 {
        u32::from(self.0.acwu.get()) + 1
    }

    /// Formats of Copy descriptors (CDFS): bit n for format n.
    #[must_use]
    #[doc(alias = "CDFS")]
    pub fn copy_formats(&self) -> u16 {
        self.0.cdfs.get()
    }

    /// SGLS as it is. See [`has_sgls`](Self::has_sgls).
    #[must_use]
    #[doc(alias = "SGLS")]
    pub fn sgl_support(&self) -> u32 {
        self.0.sgls.get()
    }

    /// How many namespaces the subsystem can have (MNAN); 0 if NN says so.
    #[must_use]
    #[doc(alias = "MNAN")]
    pub fn namespaces_maximum(&self) -> u32 {
        self.0.mnan.get()
    }

    /// Greatest sum of the namespaces attached to the controllers of the domain
    /// (MAXDNA); 0 for no limit.
    #[must_use]
    #[doc(alias = "MAXDNA")]
    pub fn domain_attachments_maximum(&self) -> u128 {
        u128::from_le_bytes(self.0.maxdna)
    }

    /// How many namespaces can be attached to this controller (MAXCNA); 0 for no
    /// limit.
    #[must_use]
    #[doc(alias = "MAXCNA")]
    pub fn attachments_maximum(&self) -> u32 {
        self.0.maxcna.get()
    }

    /// Commands outstanding in all queues together for the best performance (OAQD);
    /// 0 if not reported.
    #[must_use]
    #[doc(alias = "OAQD")]
    pub fn optimal_queue_depth(&self) -> u32 {
        self.0.oaqd.get()
    }

    /// RHIRI: recommended interval of host-initiated refreshes.
    #[must_use]
    #[doc(alias = "RHIRI")]
    pub fn refresh_interval(&self) -> u8 {
        self.0.rhiri
    }

    /// HIRT: how long a host-initiated refresh takes.
    #[must_use]
    #[doc(alias = "HIRT")]
    pub fn refresh_time(&self) -> u8 {
        self.0.hirt
    }

    /// Memory range tracking descriptors of the controller (CMMRTD).
    #[must_use]
    #[doc(alias = "CMMRTD")]
    pub fn tracking_descriptors(&self) -> u16 {
        self.0.cmmrtd.get()
    }

    /// Memory range tracking descriptors of the subsystem (NMMRTD).
    #[must_use]
    #[doc(alias = "NMMRTD")]
    pub fn subsystem_tracking_descriptors(&self) -> u16 {
        self.0.nmmrtd.get()
    }

    /// Least granularity of memory range tracking (MINMRTG), a power of two.
    #[must_use]
    #[doc(alias = "MINMRTG")]
    pub fn tracking_granularity_minimum(&self) -> u8 {
        self.0.minmrtg
    }

    /// Greatest granularity of memory range tracking (MAXMRTG), a power of two.
    #[must_use]
    #[doc(alias = "MAXMRTG")]
    pub fn tracking_granularity_maximum(&self) -> u8 {
        self.0.maxmrtg
    }

    /// Tracking (TRATTR): bit 0 changes of host memory, bit 1 of user data, bit 2
    /// lengths of memory ranges are limited.
    #[must_use]
    #[doc(alias = "TRATTR")]
    pub fn tracking_attributes(&self) -> u8 {
        self.0.trattr
    }

    /// User data migration queues of the controller (MCUDMQ).
    #[must_use]
    #[doc(alias = "MCUDMQ")]
    pub fn migration_queues(&self) -> u16 {
        self.0.mcudmq.get()
    }

    /// User data migration queues of the subsystem (MNSUDMQ).
    #[must_use]
    #[doc(alias = "MNSUDMQ")]
    pub fn subsystem_migration_queues(&self) -> u16 {
        self.0.mnsudmq.get()
    }

    /// Memory ranges of controller data queues, of the controller (MCMR).
    #[must_use]
    #[doc(alias = "MCMR")]
    pub fn data_queue_ranges(&self) -> u16 {
        self.0.mcmr.get()
    }

    /// Memory ranges of controller data queues, of the subsystem (NMCMR).
    #[must_use]
    #[doc(alias = "NMCMR")]
    pub fn subsystem_data_queue_ranges(&self) -> u16 {
        self.0.nmcmr.get()
    }

    /// PRP entries of a controller data queue at most (MCDQPC).
    #[must_use]
    #[doc(alias = "MCDQPC")]
    pub fn data_queue_prps(&self) -> u16 {
        self.0.mcdqpc.get()
    }

    /// NVMe qualified name of the subsystem (SUBNQN), up to its end; empty before
    /// 1.2.1.
    #[must_use]
    #[doc(alias = "SUBNQN")]
    pub fn subsystem_nqn(&self) -> String {
        text(
            self.0
                .subnqn
                .split(|byte| *byte == 0)
                .next()
                .unwrap_or_default(),
        )
    }
}
