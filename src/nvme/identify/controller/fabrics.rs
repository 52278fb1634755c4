//! Fields of Identify Controller: NVMe over Fabrics, and the vendor's.

use super::ControllerData;

impl ControllerData {
    /// Greatest size of an I/O command capsule (IOCCSZ), in bytes.
    #[must_use]
    #[doc(alias = "IOCCSZ")]
    pub fn command_capsule_size(&self) -> u64 {
        u64::from(self.0.ioccsz.get()) * 16
    }

    /// Greatest size of an I/O response capsule (IORCSZ), in bytes.
    #[must_use]
    #[doc(alias = "IORCSZ")]
    pub fn response_capsule_size(&self) -> u64 {
        u64::from(self.0.iorcsz.get()) * 16
    }

    /// Where data begins within a capsule, behind the submission queue entry
    /// (ICDOFF), in bytes.
    #[must_use]
    #[doc(alias = "ICDOFF")]
    pub fn capsule_data_offset(&self) -> u64 {
        u64::from(self.0.icdoff.get()) * 16
    }

    /// Whether the subsystem has static controllers (FCATT), not dynamic ones.
    #[must_use]
    #[doc(alias = "FCATT")]
    pub fn static_controllers(&self) -> bool {
        self.0.fcatt & 1 != 0
    }

    /// SGL data block descriptors in a capsule at most (MSDBD); 0 for no limit.
    #[must_use]
    #[doc(alias = "MSDBD")]
    pub fn capsule_descriptors(&self) -> u8 {
        self.0.msdbd
    }

    /// Whether it has the Disconnect command (OFCS).
    #[must_use]
    #[doc(alias = "OFCS")]
    pub fn disconnect(&self) -> bool {
        self.0.ofcs.get() & 1 != 0
    }

    /// What a discovery controller is (DCTYPE): 1 direct, 2 central; 0 if not
    /// reported.
    #[must_use]
    #[doc(alias = "DCTYPE")]
    pub fn discovery_type(&self) -> u8 {
        self.0.dctype
    }

    /// The vendor's bytes (VS).
    #[must_use]
    #[doc(alias = "VS")]
    pub fn vendor_specific(&self) -> &[u8; 1024] {
        &self.0.vendor
    }
}
