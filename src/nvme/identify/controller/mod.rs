//! Identify Controller (CNS 01h).

mod admin;
mod fabrics;
mod flags;
mod io;
mod io_flags;
mod power;
#[cfg(test)]
mod tests;
mod version;
mod wire;

pub use admin::Rpmb;
pub use flags::*;
pub use io_flags::*;
pub use power::{PowerState, PowerTime};
pub use version::{ControllerType, Version};

use core::time::Duration;

use super::{Nguid, queries, size_limit, sqe};
use crate::memory::Page;
use crate::nvme::{Malformed, Sqe};
use crate::nvme::{owned::Owned, text::text};
use wire::Wire;

/// Identify Controller: the drive's model, serial number, what it can do.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::identify::IdentifyController};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let data = drive.query(&IdentifyController)?;
/// println!("{} {}", data.model(), data.serial());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-ctrl", "nvme_id_ctrl", "CNS"))]
pub struct IdentifyController;

impl IdentifyController {
    #[allow(clippy::unused_self)] // as all others
    fn entry(&self) -> Sqe {
        sqe(0x01, None)
    }
}

queries!(keep: IdentifyController => ControllerData);

/// The Identify Controller data structure. NVMe Base 2.1, Figure 312.
///
/// A field that the controller's revision does not have yet is zero.
///
/// ```
/// use passthru::nvme::identify::{AdminCommands, ControllerData};
///
/// let mut bytes = vec![0; 4096];
/// bytes[24..64].fill(b' ');
/// bytes[24..29].copy_from_slice(b"Model");
/// bytes[77] = 5;
/// bytes[80..84].copy_from_slice(&0x0002_0100_u32.to_le_bytes());
/// bytes[256] = 0b10;
/// let data = ControllerData::parse(&bytes)?;
/// assert_eq!(data.model(), "Model");
/// assert_eq!(data.max_transfer(4096), Some(128 * 1024));
/// assert_eq!(data.version().to_string(), "2.1");
/// assert!(data.admin_commands().contains(AdminCommands::FORMAT_NVM));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "nvme_id_ctrl")]
pub struct ControllerData(Owned<Wire>);

impl ControllerData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Owned::read(bytes).map(Self)
    }

    pub(super) fn keep(page: Page) -> Result<Self, Malformed> {
        Owned::keep(page).map(Self)
    }

    /// The most bytes that a command may move (MDTS), if `page_size` is the
    /// controller's least page size in bytes (CAP.MPSMIN; 4096 nearly always).
    /// `None` if there is no limit.
    #[must_use]
    #[doc(alias = "MDTS")]
    pub fn max_transfer(&self, page_size: u32) -> Option<u64> {
        size_limit(self.0.mdts, page_size)
    }

    /// How long to wait before a command is sent again whose status says so by
    /// [`retry_delay`](crate::nvme::NvmeStatus::retry_delay) `index`, 1 to 3
    /// (CRDT1 to CRDT3); zero for every other index.
    #[must_use]
    #[doc(alias("CRDT1", "CRDT2", "CRDT3"))]
    pub fn retry_delay(&self, index: u8) -> Duration {
        let hundreds = match index {
            1 => self.0.crdt1.get(),
            2 => self.0.crdt2.get(),
            3 => self.0.crdt3.get(),
            _ => 0,
        };
        Duration::from_millis(100 * u64::from(hundreds))
    }

    /// PCI vendor id (VID).
    #[must_use]
    #[doc(alias = "VID")]
    pub fn vendor_id(&self) -> u16 {
        self.0.vid.get()
    }

    /// PCI subsystem vendor id (SSVID).
    #[must_use]
    #[doc(alias = "SSVID")]
    pub fn subsystem_vendor_id(&self) -> u16 {
        self.0.ssvid.get()
    }

    /// Serial number (SN), without the blanks around it. It may hold any bytes that
    /// a drive puts there.
    #[must_use]
    #[doc(alias = "SN")]
    pub fn serial(&self) -> String {
        text(&self.0.serial)
    }

    /// Model number (MN), without the blanks around it.
    #[must_use]
    #[doc(alias = "MN")]
    pub fn model(&self) -> String {
        text(&self.0.model)
    }

    /// Revision of the firmware that runs (FR), without the blanks around it.
    #[must_use]
    #[doc(alias = "FR")]
    pub fn firmware_revision(&self) -> String {
        text(&self.0.firmware)
    }

    /// Recommended arbitration burst (RAB), in commands.
    #[must_use]
    #[doc(alias = "RAB")]
    pub fn arbitration_burst(&self) -> u64 {
        1u64.checked_shl(u32::from(self.0.rab)).unwrap_or(u64::MAX)
    }

    /// IEEE OUI of the vendor (IEEE), in the order in which it is written.
    #[must_use]
    #[doc(alias = "IEEE")]
    pub fn oui(&self) -> [u8; 3] {
        {
            let [low, middle, high] = self.0.ieee;
            [high, middle, low]
        }
    }

    /// How the controller and its namespaces may be shared (CMIC).
    #[must_use]
    #[doc(alias = "CMIC")]
    pub fn sharing(&self) -> ControllerSharing {
        ControllerSharing::from_bits_retain(self.0.cmic)
    }

    /// MDTS as it is: the power of two of the greatest transfer in units of the
    /// least page size, 0 for no limit. See [`max_transfer`](Self::max_transfer).
    #[must_use]
    #[doc(alias = "MDTS")]
    pub fn max_transfer_exponent(&self) -> u8 {
        self.0.mdts
    }

    /// The controller's identifier within the NVM subsystem (CNTLID).
    #[must_use]
    #[doc(alias = "CNTLID")]
    pub fn controller_id(&self) -> u16 {
        self.0.cntlid.get()
    }

    /// The version of the Base Specification that it keeps to (VER); 0.0 before
    /// 1.2.
    #[must_use]
    #[doc(alias = "VER")]
    pub fn version(&self) -> Version {
        Version::from_raw(self.0.ver.get())
    }

    /// How long it typically takes to resume from D3cold (RTD3R); zero if not
    /// reported.
    #[must_use]
    #[doc(alias = "RTD3R")]
    pub fn d3_resume_latency(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.rtd3r.get()))
    }

    /// How long it typically takes to enter D3cold (RTD3E); zero if not reported.
    #[must_use]
    #[doc(alias = "RTD3E")]
    pub fn d3_entry_latency(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.rtd3e.get()))
    }

    /// Optional asynchronous events that it sends (OAES).
    #[must_use]
    #[doc(alias = "OAES")]
    pub fn async_events(&self) -> AsyncEvents {
        AsyncEvents::from_bits_retain(self.0.oaes.get())
    }

    /// What the controller offers (CTRATT).
    #[must_use]
    #[doc(alias = "CTRATT")]
    pub fn attributes(&self) -> ControllerAttributes {
        ControllerAttributes::from_bits_retain(self.0.ctratt.get())
    }

    /// Read recovery levels (RRLS): bit n for level n.
    #[must_use]
    #[doc(alias = "RRLS")]
    pub fn read_recovery_levels(&self) -> u16 {
        self.0.rrls.get()
    }

    /// Boot partition capabilities (BPCAP): bits 1:0 write protection by RPMB, bit
    /// 2 by Set Features.
    #[must_use]
    #[doc(alias = "BPCAP")]
    pub fn boot_partition_capabilities(&self) -> u8 {
        self.0.bpcap
    }

    /// How long a normal shutdown of the NVM subsystem typically takes (NSSL); zero
    /// if not reported.
    #[must_use]
    #[doc(alias = "NSSL")]
    pub fn subsystem_shutdown_latency(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.nssl.get()))
    }

    /// Power loss signaling (PLSI): bit 0 emergency power fail, bit 1 forced
    /// quiescence.
    #[must_use]
    #[doc(alias = "PLSI")]
    pub fn power_loss_signaling(&self) -> u8 {
        self.0.plsi
    }

    /// Whether it does I/O (CNTRLTYPE).
    #[must_use]
    #[doc(alias = "CNTRLTYPE")]
    pub fn controller_type(&self) -> ControllerType {
        ControllerType::from_raw(self.0.cntrltype)
    }

    /// Globally unique identifier of the field replaceable unit (FGUID); `None` if
    /// it is zero.
    #[must_use]
    #[doc(alias = "FGUID")]
    pub fn fru_guid(&self) -> Option<Nguid> {
        Nguid::not_zero(self.0.fguid)
    }

    /// Reachability (CRCAP): bit 0 reporting, bit 1 the group of an attached
    /// namespace can change.
    #[must_use]
    #[doc(alias = "CRCAP")]
    pub fn reachability_capabilities(&self) -> u8 {
        self.0.crcap
    }

    /// What the NVM subsystem is part of (NVMSR): bit 0 a storage device, bit 1 an
    /// enclosure.
    #[must_use]
    #[doc(alias = "NVMSR")]
    pub fn subsystem_report(&self) -> u8 {
        self.0.nvmsr
    }

    /// How often the vital product data can still be written (VWCI), 127 for that
    /// many or more; `None` if it is not known.
    #[must_use]
    #[doc(alias = "VWCI")]
    pub fn vpd_writes_left(&self) -> Option<u8> {
        (self.0.vwci & 0x80 != 0).then_some(self.0.vwci & 0x7f)
    }

    /// Management endpoints (MEC): bit 0 on SMBus/I2C, bit 1 on PCIe.
    #[must_use]
    #[doc(alias = "MEC")]
    pub fn management_endpoints(&self) -> u8 {
        self.0.mec
    }
}
