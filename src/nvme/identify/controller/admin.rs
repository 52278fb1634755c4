//! Fields of Identify Controller: admin commands and what an optional feature
//! needs.

use core::time::Duration;

use super::{
    AdminCommands, AnaCapabilities, ControllerData, LogAttributes, PowerState, SanitizeCapabilities,
};

/// Replay protected memory blocks (RPMBS). NVMe Base 2.1, Figure 312.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "RPMBS")]
#[non_exhaustive]
pub struct Rpmb {
    /// How many targets there are, 1 to 7.
    pub targets: u8,
    /// How access is authenticated: 0 HMAC SHA-256.
    pub authentication: u8,
    /// Size of each target, in bytes.
    pub size: u32,
    /// The most that one access can read or write, in bytes.
    pub access_size: u32,
}

impl ControllerData {
    /// How many slots for firmware there are (FRMW), 1 to 7; 0 if that is not
    /// reported.
    #[must_use]
    #[doc(alias = "FRMW")]
    pub fn firmware_slots(&self) -> u8 {
        self.0.frmw >> 1 & 0x07
    }

    /// Whether the first slot can only be read (FRMW).
    #[must_use]
    #[doc(alias = "FRMW")]
    pub fn first_slot_read_only(&self) -> bool {
        self.0.frmw & 1 != 0
    }

    /// Whether firmware can be activated without a reset (FRMW).
    #[must_use]
    #[doc(alias = "FRMW")]
    pub fn activates_without_reset(&self) -> bool {
        self.0.frmw & 0x10 != 0
    }

    /// Whether it finds out when downloads of firmware overlap (FRMW).
    #[must_use]
    #[doc(alias = "FRMW")]
    pub fn detects_overlapping_downloads(&self) -> bool {
        self.0.frmw & 0x20 != 0
    }

    /// What pieces of a firmware image have to be multiples of, in bytes (FWUG):
    /// 4 if there is no restriction, `None` if it is not reported.
    #[must_use]
    #[doc(alias = "FWUG")]
    pub fn firmware_granularity(&self) -> Option<u32> {
        match self.0.fwug {
            0 => None,
            0xff => Some(4),
            pages => Some(u32::from(pages) * 4096),
        }
    }

    /// The power states, 0 first (NPSS, PSD), 32 at most.
    #[doc(alias("NPSS", "PSD", "nvme_id_psd"))]
    #[must_use]
    pub fn power_states(&self) -> impl ExactSizeIterator<Item = PowerState> + '_ {
        let all = self.0.psd.iter().take(usize::from(self.0.npss) + 1);
        all.copied().map(PowerState)
    }

    /// The replay protected memory blocks (RPMBS); `None` without any.
    #[must_use]
    #[doc(alias = "RPMBS")]
    pub fn rpmb(&self) -> Option<Rpmb> {
        let [low, _, total, access] = self.0.rpmbs.get().to_le_bytes();
        let targets = low & 0x07;
        (targets != 0).then_some(Rpmb {
            targets,
            authentication: low >> 3 & 0x07,
            size: (u32::from(total) + 1) * (128 << 10),
            access_size: (u32::from(access) + 1) * 512,
        })
    }

    /// Whether the media are changed after a sanitize operation that does not
    /// deallocate (SANICAP.NODMMAS); `None` if it is not reported.
    #[must_use]
    #[doc(alias("NODMMAS", "SANICAP"))]
    pub fn no_deallocate_modifies_media(&self) -> Option<bool> {
        match self.0.sanicap.get() >> 30 {
            1 => Some(false),
            2 => Some(true),
            _ => None,
        }
    }

    /// Optional admin commands (OACS).
    #[must_use]
    #[doc(alias = "OACS")]
    pub fn admin_commands(&self) -> AdminCommands {
        AdminCommands::from_bits_retain(self.0.oacs.get())
    }

    /// How many Abort commands may be outstanding (ACL), 1 to 256.
    #[must_use]
    #[doc(alias = "ACL")]
    pub fn abort_limit(&self) -> u16 {
        u16::from(self.0.acl) + 1
    }

    /// How many Asynchronous Event Requests may be outstanding (AERL), 1 to 256.
    #[must_use]
    #[doc(alias = "AERL")]
    pub fn async_event_limit(&self) -> u16 {
        u16::from(self.0.aerl) + 1
    }

    /// FRMW as it is. See [`firmware_slots`](Self::firmware_slots) and its
    /// neighbours.
    #[must_use]
    #[doc(alias = "FRMW")]
    pub fn firmware_updates(&self) -> u8 {
        self.0.frmw
    }

    /// Optional log pages and their forms (LPA).
    #[must_use]
    #[doc(alias = "LPA")]
    pub fn log_attributes(&self) -> LogAttributes {
        LogAttributes::from_bits_retain(self.0.lpa)
    }

    /// How many entries the error log has (ELPE), 1 to 256.
    #[must_use]
    #[doc(alias = "ELPE")]
    pub fn error_log_entries(&self) -> u16 {
        u16::from(self.0.elpe) + 1
    }

    /// Whether all vendor specific admin commands have the standard format with NDT
    /// and NDM (AVSCC).
    #[must_use]
    #[doc(alias = "AVSCC")]
    pub fn admin_vendor_standard_format(&self) -> bool {
        self.0.avscc & 1 != 0
    }

    /// Whether it changes power states by itself (APSTA).
    #[must_use]
    #[doc(alias = "APSTA")]
    pub fn autonomous_power(&self) -> bool {
        self.0.apsta & 1 != 0
    }

    /// Composite temperature in kelvins from which it is overheated (WCTEMP);
    /// `None` if not reported.
    #[must_use]
    #[doc(alias = "WCTEMP")]
    pub fn warning_temperature(&self) -> Option<u16> {
        Some(self.0.wctemp.get()).filter(|value| *value != 0)
    }

    /// Composite temperature in kelvins from which it is critically overheated
    /// (CCTEMP); `None` if not reported.
    #[must_use]
    #[doc(alias = "CCTEMP")]
    pub fn critical_temperature(&self) -> Option<u16> {
        Some(self.0.cctemp.get()).filter(|value| *value != 0)
    }

    /// How long it stops for firmware that is activated without a reset (MTFA);
    /// zero if not reported.
    #[must_use]
    #[doc(alias = "MTFA")]
    pub fn firmware_activation_time(&self) -> Duration {
        Duration::from_millis(100 * u64::from(self.0.mtfa.get()))
    }

    /// Preferred size of the host memory buffer (HMPRE), in bytes; 0 for none.
    #[must_use]
    #[doc(alias = "HMPRE")]
    pub fn host_memory_preferred(&self) -> u64 {
        u64::from(self.0.hmpre.get()) * 4096
    }

    /// Least size of the host memory buffer (HMMIN), in bytes.
    #[must_use]
    #[doc(alias = "HMMIN")]
    pub fn host_memory_minimum(&self) -> u64 {
        u64::from(self.0.hmmin.get()) * 4096
    }

    /// Capacity of the NVM (TNVMCAP), in bytes; 0 if not reported.
    #[must_use]
    #[doc(alias = "TNVMCAP")]
    pub fn total_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.tnvmcap)
    }

    /// Capacity that no namespace has (UNVMCAP), in bytes.
    #[must_use]
    #[doc(alias = "UNVMCAP")]
    pub fn unallocated_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.unvmcap)
    }

    /// RPMBS as it is. See [`rpmb`](Self::rpmb).
    #[must_use]
    #[doc(alias = "RPMBS")]
    pub fn rpmb_support(&self) -> u32 {
        self.0.rpmbs.get()
    }

    /// How long an extended device self-test takes with nothing else to do (EDSTT).
    #[must_use]
    #[doc(alias = "EDSTT")]
    pub fn extended_self_test_time(&self) -> Duration {
        Duration::from_secs(60 * u64::from(self.0.edstt.get()))
    }

    /// Device self-test (DSTO): bit 0 one at a time in the subsystem, bit 1
    /// host-initiated refresh.
    #[must_use]
    #[doc(alias = "DSTO")]
    pub fn self_test_options(&self) -> u8 {
        self.0.dsto
    }

    /// FWUG as it is, in units of 4096 bytes. See
    /// [`firmware_granularity`](Self::firmware_granularity).
    #[must_use]
    #[doc(alias = "FWUG")]
    pub fn firmware_granularity_raw(&self) -> u8 {
        self.0.fwug
    }

    /// Granularity of the keep alive timer (KAS); zero without one.
    #[must_use]
    #[doc(alias = "KAS")]
    pub fn keep_alive_granularity(&self) -> Duration {
        Duration::from_millis(100 * u64::from(self.0.kas.get()))
    }

    /// Whether the host can set temperatures of thermal management (HCTMA).
    #[must_use]
    #[doc(alias = "HCTMA")]
    pub fn host_thermal_management(&self) -> bool {
        self.0.hctma.get() & 1 != 0
    }

    /// Least temperature for it in kelvins (MNTMT); `None` if not reported.
    #[must_use]
    #[doc(alias = "MNTMT")]
    pub fn thermal_management_minimum(&self) -> Option<u16> {
        Some(self.0.mntmt.get()).filter(|value| *value != 0)
    }

    /// Greatest temperature for it in kelvins (MXTMT); `None` if not reported.
    #[must_use]
    #[doc(alias = "MXTMT")]
    pub fn thermal_management_maximum(&self) -> Option<u16> {
        Some(self.0.mxtmt.get()).filter(|value| *value != 0)
    }

    /// Sanitize operations (SANICAP). See also
    /// [`no_deallocate_modifies_media`](Self::no_deallocate_modifies_media).
    #[must_use]
    #[doc(alias = "SANICAP")]
    pub fn sanitize(&self) -> SanitizeCapabilities {
        SanitizeCapabilities::from_bits_retain(self.0.sanicap.get())
    }

    /// Least size of one piece of the host memory buffer (HMMINDS), in bytes; 0 for
    /// any.
    #[must_use]
    #[doc(alias = "HMMINDS")]
    pub fn host_memory_descriptor_minimum(&self) -> u64 {
        u64::from(self.0.hmminds.get()) * 4096
    }

    /// How many pieces the host memory buffer may have (HMMAXD); 0 for any number.
    #[must_use]
    #[doc(alias = "HMMAXD")]
    pub fn host_memory_descriptors(&self) -> u16 {
        self.0.hmmaxd.get()
    }

    /// Greatest NVM set identifier (NSETIDMAX).
    #[must_use]
    #[doc(alias = "NSETIDMAX")]
    pub fn nvm_set_maximum(&self) -> u16 {
        self.0.nsetidmax.get()
    }

    /// Greatest endurance group identifier (ENDGIDMAX).
    #[must_use]
    #[doc(alias = "ENDGIDMAX")]
    pub fn endurance_group_maximum(&self) -> u16 {
        self.0.endgidmax.get()
    }

    /// How long a change of asymmetric namespace access takes at most (ANATT).
    #[must_use]
    #[doc(alias = "ANATT")]
    pub fn ana_transition_time(&self) -> Duration {
        Duration::from_secs(u64::from(self.0.anatt))
    }

    /// Asymmetric namespace access states that it reports (ANACAP).
    #[must_use]
    #[doc(alias = "ANACAP")]
    pub fn ana(&self) -> AnaCapabilities {
        AnaCapabilities::from_bits_retain(self.0.anacap)
    }

    /// Greatest ANA group identifier (ANAGRPMAX).
    #[must_use]
    #[doc(alias = "ANAGRPMAX")]
    pub fn ana_group_maximum(&self) -> u32 {
        self.0.anagrpmax.get()
    }

    /// How many ANA groups there are (NANAGRPID).
    #[must_use]
    #[doc(alias = "NANAGRPID")]
    pub fn ana_groups(&self) -> u32 {
        self.0.nanagrpid.get()
    }

    /// Greatest size of the persistent event log (PELS), in bytes.
    #[must_use]
    #[doc(alias = "PELS")]
    pub fn persistent_event_log_size(&self) -> u64 {
        u64::from(self.0.pels.get()) * 65536
    }

    /// The domain that the controller is in (DID); 0 without domains.
    #[must_use]
    #[doc(alias = "DID")]
    pub fn domain_id(&self) -> u16 {
        self.0.domain.get()
    }

    /// Key per I/O (KPIOC): bit 0 supported, bit 1 for all namespaces alike.
    #[must_use]
    #[doc(alias = "KPIOC")]
    pub fn key_per_io_capabilities(&self) -> u8 {
        self.0.kpioc
    }

    /// How long Firmware Commit may take with activation without a reset (MPTFAWR);
    /// zero if not reported.
    #[must_use]
    #[doc(alias = "MPTFAWR")]
    pub fn firmware_activation_processing_time(&self) -> Duration {
        Duration::from_millis(100 * u64::from(self.0.mptfawr.get()))
    }

    /// Greatest capacity of an endurance group (MEGCAP), in bytes; 0 if not
    /// reported.
    #[must_use]
    #[doc(alias = "MEGCAP")]
    pub fn endurance_group_capacity_maximum(&self) -> u128 {
        u128::from_le_bytes(self.0.megcap)
    }

    /// Greatest hysteresis of a temperature threshold (TMPTHHA), in kelvins; 0 for
    /// none.
    #[must_use]
    #[doc(alias = "TMPTHHA")]
    pub fn temperature_hysteresis_maximum(&self) -> u8 {
        self.0.tmpthha & 0x07
    }

    /// How long commands may still change something after the controller was lost
    /// (CQT); zero if not reported.
    #[must_use]
    #[doc(alias = "CQT")]
    pub fn command_quiesce_time(&self) -> Duration {
        Duration::from_millis(u64::from(self.0.cqt.get()))
    }
}
