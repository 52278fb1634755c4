//! Bit fields of the Identify Namespace data structure.

use bitflags::bitflags;

bitflags! {
    /// Features of a namespace.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "NSFEAT")]
    pub struct NamespaceFeatures: u8 {
        /// Thin provisioning: the capacity may be less than the size (THINP).
        const THIN = 1 << 0;
        /// The namespace has atomic write units of its own (NSABP).
        const ATOMIC = 1 << 1;
        /// Reads of deallocated or unwritten blocks can be errors (DAE).
        const DEALLOCATED_ERROR = 1 << 2;
        /// NGUID and EUI64 are never used again (UIDREUSE).
        const IDS_NOT_REUSED = 1 << 3;
        /// Preferred granularities, alignments and the optimal write size are
        /// valid; with [`OPTIMAL_LARGE`](Self::OPTIMAL_LARGE) the large ones too
        /// (OPTPERF).
        const OPTIMAL_WRITE = 1 << 4;
        /// The large deallocate granularity and alignment of
        /// [`NvmNamespaceData`](crate::nvme::identify::NvmNamespaceData) are valid
        /// (OPTPERF).
        const OPTIMAL_LARGE = 1 << 5;
        /// Multiple Atomicity Mode (MAM).
        const MULTIPLE_ATOMICITY = 1 << 6;
        /// Preferred read granularity and alignment and the optimal read size are
        /// valid (OPTRPERF).
        const OPTIMAL_READ = 1 << 7;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// How metadata can be moved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "MC")]
    pub struct MetadataCapabilities: u8 {
        /// Behind the data of each block.
        const EXTENDED = 1 << 0;
        /// In a buffer of its own.
        const SEPARATE = 1 << 1;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Kinds and places of protection information that a namespace can have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "DPC")]
    pub struct ProtectionCapabilities: u8 {
        /// Type 1.
        const TYPE_1 = 1 << 0;
        /// Type 2.
        const TYPE_2 = 1 << 1;
        /// Type 3.
        const TYPE_3 = 1 << 2;
        /// In the first bytes of the metadata.
        const FIRST = 1 << 3;
        /// In the last bytes of the metadata.
        const LAST = 1 << 4;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// How a namespace may be shared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "NMIC")]
    pub struct NamespaceSharing: u8 {
        /// It may be attached to several controllers at a time.
        const SHARED = 1 << 0;
        /// It may be reached through several NVM subsystems.
        const DISPERSED = 1 << 1;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Reservations that a namespace can have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "RESCAP")]
    pub struct ReservationCapabilities: u8 {
        /// They can persist through power loss.
        const PERSIST = 1 << 0;
        /// Write Exclusive.
        const WRITE_EXCLUSIVE = 1 << 1;
        /// Exclusive Access.
        const EXCLUSIVE_ACCESS = 1 << 2;
        /// Write Exclusive, Registrants Only.
        const WRITE_EXCLUSIVE_REGISTRANTS = 1 << 3;
        /// Exclusive Access, Registrants Only.
        const EXCLUSIVE_ACCESS_REGISTRANTS = 1 << 4;
        /// Write Exclusive, All Registrants.
        const WRITE_EXCLUSIVE_ALL = 1 << 5;
        /// Exclusive Access, All Registrants.
        const EXCLUSIVE_ACCESS_ALL = 1 << 6;
        /// Ignore Existing Key works as since revision 1.3.
        const IGNORE_EXISTING_KEY = 1 << 7;
        // Later revisions may define more.
        const _ = !0;
    }
}
