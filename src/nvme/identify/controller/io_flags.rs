//! What a controller can do by I/O commands.

use bitflags::bitflags;

bitflags! {
    /// Optional I/O commands that a controller has, and what goes with them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "ONCS")]
    pub struct IoCommands: u16 {
        /// Compare.
        const COMPARE = 1 << 0;
        /// Write Uncorrectable.
        const WRITE_UNCORRECTABLE = 1 << 1;
        /// Dataset Management.
        const DATASET_MANAGEMENT = 1 << 2;
        /// Write Zeroes.
        const WRITE_ZEROES = 1 << 3;
        /// Features can be saved and selected.
        const SAVE_AND_SELECT = 1 << 4;
        /// Reservations.
        const RESERVATIONS = 1 << 5;
        /// The Timestamp feature.
        const TIMESTAMP = 1 << 6;
        /// Verify.
        const VERIFY = 1 << 7;
        /// Copy.
        const COPY = 1 << 8;
        /// Copy writes as atomically as Write (NVMCSA).
        const COPY_ATOMICITY = 1 << 9;
        /// All copies are fast copies (NVMAFC).
        const ALL_FAST_COPY = 1 << 10;
        /// Write Zeroes that deallocates has a limit of its own (MAXWZD).
        const WRITE_ZEROES_DEALLOCATE_MAXIMUM = 1 << 11;
        /// Write Zeroes of the whole namespace (NSZS).
        const NAMESPACE_ZEROES = 1 << 12;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// What Format NVM goes for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "FNA")]
    pub struct FormatAttributes: u8 {
        /// A format of one namespace is a format of all.
        const FORMAT_ALL = 1 << 0;
        /// A secure erase of one namespace is one of all.
        const ERASE_ALL = 1 << 1;
        /// Cryptographic erase.
        const CRYPTO_ERASE = 1 << 2;
        /// The namespace identifier must not be
        /// [`Nsid::ALL`](crate::nvme::Nsid::ALL).
        const NO_BROADCAST = 1 << 3;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// States of write protection that namespaces can have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "NWPC")]
    pub struct WriteProtection: u8 {
        /// No Write Protect and Write Protect.
        const BASIC = 1 << 0;
        /// Write Protect Until Power Cycle.
        const UNTIL_POWER_CYCLE = 1 << 1;
        /// Permanent Write Protect.
        const PERMANENT = 1 << 2;
        // Later revisions may define more.
        const _ = !0;
    }
}
