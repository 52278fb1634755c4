//! The codes that say what happened, and the specifications' names for them.

use super::{StatusCodeType, table};
use core::fmt;

/// A status code with its type: `SCT << 8 | SC`, what the kernel's `NVME_SC_` numbers are.
///
/// The constants are the codes that programs act upon; [`name`](Self::name) knows all of them.
///
/// ```
/// use passthru::nvme::{NvmeStatus, StatusCode};
///
/// fn try_again(status: NvmeStatus) -> bool {
///     match status.status_code() {
///         StatusCode::COMMAND_INTERRUPTED | StatusCode::TRANSIENT_TRANSPORT_ERROR => true,
///         StatusCode::RESERVATION_CONFLICT => false,
///         _ => !status.do_not_retry(),
///     }
/// }
/// assert!(try_again(NvmeStatus::from_raw(0x0821)));
/// assert!(!try_again(NvmeStatus::from_raw(0x0083)));
///
/// assert_eq!(StatusCode::WRITE_FAULT.to_string(), "Write Fault (0280h)");
/// assert_eq!(StatusCode::from_raw(0x02C0).to_string(), "vendor specific (02C0h)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[doc(alias = "SC")]
pub struct StatusCode(u16);

impl StatusCode {
    // Generic command status.

    /// 0000h: the command ended well.
    #[doc(alias = "NVME_SC_SUCCESS")]
    pub const SUCCESS: Self = Self(0x0000);
    /// 0001h: the controller does not know the opcode.
    #[doc(alias = "NVME_SC_INVALID_OPCODE")]
    pub const INVALID_OPCODE: Self = Self(0x0001);
    /// 0002h: a field of the command has a value that is reserved or not supported.
    #[doc(alias = "NVME_SC_INVALID_FIELD")]
    pub const INVALID_FIELD: Self = Self(0x0002);
    /// 0003h: the command identifier was in use already.
    #[doc(alias = "NVME_SC_CMDID_CONFLICT")]
    pub const COMMAND_ID_CONFLICT: Self = Self(0x0003);
    /// 0004h: data or metadata could not be moved between memory and controller.
    #[doc(alias = "NVME_SC_DATA_XFER_ERROR")]
    pub const DATA_TRANSFER_ERROR: Self = Self(0x0004);
    /// 0005h: aborted, since power was about to go.
    #[doc(alias = "NVME_SC_POWER_LOSS")]
    pub const POWER_LOSS: Self = Self(0x0005);
    /// 0006h: the controller failed within.
    #[doc(alias = "NVME_SC_INTERNAL")]
    pub const INTERNAL_ERROR: Self = Self(0x0006);
    /// 0007h: aborted by an Abort command: the kernel sends one when a command times out.
    #[doc(alias = "NVME_SC_ABORT_REQ")]
    pub const ABORT_REQUESTED: Self = Self(0x0007);
    /// 0008h: aborted, since its submission queue was deleted.
    #[doc(alias = "NVME_SC_ABORT_QUEUE")]
    pub const ABORTED_QUEUE_DELETED: Self = Self(0x0008);
    /// 0009h: aborted, since the other command of a fused pair failed.
    #[doc(alias = "NVME_SC_FUSED_FAIL")]
    pub const FUSED_FAILED: Self = Self(0x0009);
    /// 000Ah: aborted, since the other command of a fused pair was not there.
    #[doc(alias = "NVME_SC_FUSED_MISSING")]
    pub const FUSED_MISSING: Self = Self(0x000A);
    /// 000Bh: there is no such namespace for this controller, or its format is not one for the
    /// command.
    #[doc(alias = "NVME_SC_INVALID_NS")]
    pub const INVALID_NAMESPACE_OR_FORMAT: Self = Self(0x000B);
    /// 000Ch: the command came at the wrong place in a sequence of commands.
    #[doc(alias = "NVME_SC_CMD_SEQ_ERROR")]
    pub const COMMAND_SEQUENCE_ERROR: Self = Self(0x000C);
    /// 000Fh: the length of the data is not the one that the command asks for. Controllers that are
    /// reached over a fabric check this; one that was given PRPs cannot.
    #[doc(alias = "NVME_SC_SGL_INVALID_DATA")]
    pub const DATA_SGL_LENGTH_INVALID: Self = Self(0x000F);
    /// 0010h: the length of the metadata is not the one that the command asks for.
    #[doc(alias = "NVME_SC_SGL_INVALID_METADATA")]
    pub const METADATA_SGL_LENGTH_INVALID: Self = Self(0x0010);
    /// 0014h: the length is greater than the atomic write unit.
    #[doc(alias = "NVME_SC_ATOMIC_WU_EXCEEDED")]
    pub const ATOMIC_WRITE_UNIT_EXCEEDED: Self = Self(0x0014);
    /// 0015h: access rights are missing.
    #[doc(alias = "NVME_SC_OP_DENIED")]
    pub const OPERATION_DENIED: Self = Self(0x0015);
    /// 001Bh: aborted by another host's Reservation Acquire with Preempt and Abort.
    #[doc(alias = "NVME_SC_ABORTED_PREEMPT_ABORT")]
    pub const ABORTED_BY_PREEMPT: Self = Self(0x001B);
    /// 001Ch: the last sanitize operation failed and nothing has been done about it.
    #[doc(alias = "NVME_SC_SANITIZE_FAILED")]
    pub const SANITIZE_FAILED: Self = Self(0x001C);
    /// 001Dh: not allowed while a sanitize operation is at work.
    #[doc(alias = "NVME_SC_SANITIZE_IN_PROGRESS")]
    pub const SANITIZE_IN_PROGRESS: Self = Self(0x001D);
    /// 0020h: the namespace is write protected.
    #[doc(alias = "NVME_SC_NS_WRITE_PROTECTED")]
    pub const NAMESPACE_WRITE_PROTECTED: Self = Self(0x0020);
    /// 0021h: the controller gave the command up for now and wants it again.
    #[doc(alias = "NVME_SC_CMD_INTERRUPTED")]
    pub const COMMAND_INTERRUPTED: Self = Self(0x0021);
    /// 0022h: the transport failed for a moment; again on the same controller it is likely to work.
    #[doc(alias = "NVME_SC_TRANSIENT_TR_ERR")]
    pub const TRANSIENT_TRANSPORT_ERROR: Self = Self(0x0022);
    /// 0023h: the Lockdown command has prohibited this command or this feature.
    pub const PROHIBITED_BY_LOCKDOWN: Self = Self(0x0023);
    /// 0024h: the controller is ready, the medium that this Admin command needs is not yet.
    #[doc(alias = "NVME_SC_ADMIN_COMMAND_MEDIA_NOT_READY")]
    pub const ADMIN_COMMAND_MEDIA_NOT_READY: Self = Self(0x0024);
    /// 0027h: the host has to set its Host Identifier first.
    pub const HOST_IDENTIFIER_NOT_INITIALIZED: Self = Self(0x0027);
    /// 0029h: Flexible Data Placement is not enabled for the endurance group.
    pub const FDP_DISABLED: Self = Self(0x0029);
    /// 002Ah: the list of placement handles has one that is not allowed, or too many.
    pub const INVALID_PLACEMENT_HANDLE_LIST: Self = Self(0x002A);
    /// 002Bh: the last sanitize operation on the namespace failed and nothing has been done about
    /// it.
    pub const SANITIZE_NAMESPACE_FAILED: Self = Self(0x002B);
    /// 002Ch: not allowed while a sanitize operation is at work on the namespace.
    pub const SANITIZE_NAMESPACE_IN_PROGRESS: Self = Self(0x002C);
    /// 0080h: beyond the last block.
    #[doc(alias = "NVME_SC_LBA_RANGE")]
    pub const LBA_OUT_OF_RANGE: Self = Self(0x0080);
    /// 0081h: the command would use more than the capacity of the namespace, which may be less than
    /// its size.
    #[doc(alias = "NVME_SC_CAP_EXCEEDED")]
    pub const CAPACITY_EXCEEDED: Self = Self(0x0081);
    /// 0082h: the namespace cannot be accessed now; Do Not Retry says whether it will be.
    #[doc(alias = "NVME_SC_NS_NOT_READY")]
    pub const NAMESPACE_NOT_READY: Self = Self(0x0082);
    /// 0083h: another host holds a reservation that forbids the command.
    #[doc(alias = "NVME_SC_RESERVATION_CONFLICT")]
    pub const RESERVATION_CONFLICT: Self = Self(0x0083);
    /// 0084h: Format NVM is at work on the namespace.
    #[doc(alias = "NVME_SC_FORMAT_IN_PROGRESS")]
    pub const FORMAT_IN_PROGRESS: Self = Self(0x0084);

    // Command specific status of Admin commands.

    /// 0103h: there are as many Abort commands under way as the controller takes.
    #[doc(alias = "NVME_SC_ABORT_LIMIT")]
    pub const ABORT_COMMAND_LIMIT_EXCEEDED: Self = Self(0x0103);
    /// 0105h: there are as many Asynchronous Event Requests as the controller takes. The kernel has
    /// its own.
    #[doc(alias = "NVME_SC_ASYNC_LIMIT")]
    pub const ASYNC_EVENT_REQUEST_LIMIT_EXCEEDED: Self = Self(0x0105);
    /// 0106h: there is no such firmware slot, or it is read only.
    #[doc(alias = "NVME_SC_FIRMWARE_SLOT")]
    pub const INVALID_FIRMWARE_SLOT: Self = Self(0x0106);
    /// 0107h: the controller refuses the image.
    #[doc(alias = "NVME_SC_FIRMWARE_IMAGE")]
    pub const INVALID_FIRMWARE_IMAGE: Self = Self(0x0107);
    /// 0109h: there is no such log page. A controller may also say
    /// [`INVALID_FIELD`](Self::INVALID_FIELD), as QEMU's does.
    #[doc(alias = "NVME_SC_INVALID_LOG_PAGE")]
    pub const INVALID_LOG_PAGE: Self = Self(0x0109);
    /// 010Ah: the namespace cannot have this format.
    #[doc(alias = "NVME_SC_INVALID_FORMAT")]
    pub const INVALID_FORMAT: Self = Self(0x010A);
    /// 010Bh: the image is committed and waits for a Conventional Reset; see
    /// [`NvmeStatus::needs_reset`](super::NvmeStatus::needs_reset).
    #[doc(alias = "NVME_SC_FW_NEEDS_CONV_RESET")]
    pub const FIRMWARE_NEEDS_CONVENTIONAL_RESET: Self = Self(0x010B);
    /// 010Dh: the feature's value cannot be saved.
    #[doc(alias = "NVME_SC_FEATURE_NOT_SAVEABLE")]
    pub const FEATURE_NOT_SAVEABLE: Self = Self(0x010D);
    /// 010Eh: the feature's value cannot be changed.
    #[doc(alias = "NVME_SC_FEATURE_NOT_CHANGEABLE")]
    pub const FEATURE_NOT_CHANGEABLE: Self = Self(0x010E);
    /// 010Fh: the feature belongs to the controller, not to a namespace.
    #[doc(alias = "NVME_SC_FEATURE_NOT_PER_NS")]
    pub const FEATURE_NOT_NAMESPACE_SPECIFIC: Self = Self(0x010F);
    /// 0110h: the image is committed and waits for an NVM Subsystem Reset.
    #[doc(alias = "NVME_SC_FW_NEEDS_SUBSYS_RESET")]
    pub const FIRMWARE_NEEDS_SUBSYSTEM_RESET: Self = Self(0x0110);
    /// 0111h: the image is committed and waits for a Controller Level Reset.
    #[doc(alias = "NVME_SC_FW_NEEDS_RESET")]
    pub const FIRMWARE_NEEDS_CONTROLLER_RESET: Self = Self(0x0111);
    /// 0112h: activation without a reset would take longer than Identify Controller's MTFA; commit
    /// again so that a reset activates the image.
    #[doc(alias = "NVME_SC_FW_NEEDS_MAX_TIME")]
    pub const FIRMWARE_NEEDS_MAX_TIME_VIOLATION: Self = Self(0x0112);
    /// 0113h: the controller does not let this image run, for reasons of the vendor's.
    #[doc(alias = "NVME_SC_FW_ACTIVATE_PROHIBITED")]
    pub const FIRMWARE_ACTIVATION_PROHIBITED: Self = Self(0x0113);
    /// 0114h: parts of the firmware image, or LBA ranges, overlap.
    #[doc(alias = "NVME_SC_OVERLAPPING_RANGE")]
    pub const OVERLAPPING_RANGE: Self = Self(0x0114);
    /// 0115h: there is not enough space for the new namespace.
    #[doc(alias = "NVME_SC_NS_INSUFFICIENT_CAP")]
    pub const NAMESPACE_INSUFFICIENT_CAPACITY: Self = Self(0x0115);
    /// 0116h: there are as many namespaces as the subsystem can have.
    #[doc(alias = "NVME_SC_NS_ID_UNAVAILABLE")]
    pub const NAMESPACE_IDENTIFIER_UNAVAILABLE: Self = Self(0x0116);
    /// 0118h: the controller has the namespace already.
    #[doc(alias = "NVME_SC_NS_ALREADY_ATTACHED")]
    pub const NAMESPACE_ALREADY_ATTACHED: Self = Self(0x0118);
    /// 0119h: the namespace is private and another controller has it.
    #[doc(alias = "NVME_SC_NS_IS_PRIVATE")]
    pub const NAMESPACE_IS_PRIVATE: Self = Self(0x0119);
    /// 011Ah: the controller does not have the namespace.
    #[doc(alias = "NVME_SC_NS_NOT_ATTACHED")]
    pub const NAMESPACE_NOT_ATTACHED: Self = Self(0x011A);
    /// 011Bh: the capacity has to equal the size.
    #[doc(alias = "NVME_SC_THIN_PROV_NOT_SUPP")]
    pub const THIN_PROVISIONING_NOT_SUPPORTED: Self = Self(0x011B);
    /// 011Ch: the list of controllers has a wrong one.
    #[doc(alias = "NVME_SC_CTRL_LIST_INVALID")]
    pub const CONTROLLER_LIST_INVALID: Self = Self(0x011C);
    /// 011Dh: a self-test is at work already.
    #[doc(alias = "NVME_SC_SELT_TEST_IN_PROGRESS")]
    #[doc(alias = "NVME_SC_SELF_TEST_IN_PROGRESS")]
    pub const SELF_TEST_IN_PROGRESS: Self = Self(0x011D);
    /// 011Eh: the boot partition is locked.
    #[doc(alias = "NVME_SC_BP_WRITE_PROHIBITED")]
    pub const BOOT_PARTITION_WRITE_PROHIBITED: Self = Self(0x011E);
    /// 0123h: no sanitize operation while the Persistent Memory Region is enabled.
    #[doc(alias = "NVME_SC_PMR_SAN_PROHIBITED")]
    pub const SANITIZE_PROHIBITED_BY_PMR: Self = Self(0x0123);
    /// 012Ch: there is no such I/O command set.
    #[doc(alias = "NVME_SC_INVALID_IO_CMD_SET")]
    pub const INVALID_IO_COMMAND_SET: Self = Self(0x012C);

    // Command specific status of I/O commands.

    /// 0180h: the attributes of the command contradict each other.
    #[doc(alias = "NVME_SC_BAD_ATTRIBUTES")]
    pub const CONFLICTING_ATTRIBUTES: Self = Self(0x0180);
    /// 0181h: PRINFO does not fit the namespace's format, or the reference tag does not fit the LBA.
    #[doc(alias = "NVME_SC_INVALID_PI")]
    pub const INVALID_PROTECTION_INFORMATION: Self = Self(0x0181);
    /// 0182h: the blocks are read only.
    #[doc(alias = "NVME_SC_READ_ONLY")]
    pub const WRITE_TO_READ_ONLY_RANGE: Self = Self(0x0182);
    /// 0183h: a length or a count is above one of the limits that Identify tells.
    #[doc(alias = "NVME_SC_CMD_SIZE_LIM_EXCEEDED")]
    #[doc(alias = "NVME_SC_ONCS_NOT_SUPPORTED")]
    pub const COMMAND_SIZE_LIMIT_EXCEEDED: Self = Self(0x0183);
    /// 0185h: Copy between these namespaces is not possible, since their formats differ.
    pub const INCOMPATIBLE_NAMESPACE_OR_FORMAT: Self = Self(0x0185);
    /// 0186h: Copy was asked to be fast or not at all.
    pub const FAST_COPY_NOT_POSSIBLE: Self = Self(0x0186);
    /// 0187h: source and destination of a Copy overlap.
    pub const OVERLAPPING_IO_RANGE: Self = Self(0x0187);
    /// 01B6h: the operation is not one for a zone in this state, or for its random write area.
    pub const INVALID_ZONE_OPERATION: Self = Self(0x01B6);
    /// 01B7h: there is no zone random write area left.
    pub const ZRWA_RESOURCES_UNAVAILABLE: Self = Self(0x01B7);
    /// 01B8h: the blocks go beyond their zone.
    #[doc(alias = "NVME_SC_ZONE_BOUNDARY_ERROR")]
    pub const ZONE_BOUNDARY_ERROR: Self = Self(0x01B8);
    /// 01B9h: the zone is full.
    #[doc(alias = "NVME_SC_ZONE_FULL")]
    pub const ZONE_IS_FULL: Self = Self(0x01B9);
    /// 01BAh: the zone is read only.
    #[doc(alias = "NVME_SC_ZONE_READ_ONLY")]
    pub const ZONE_IS_READ_ONLY: Self = Self(0x01BA);
    /// 01BBh: the zone is offline.
    #[doc(alias = "NVME_SC_ZONE_OFFLINE")]
    pub const ZONE_IS_OFFLINE: Self = Self(0x01BB);
    /// 01BCh: the write does not start at the zone's write pointer.
    #[doc(alias = "NVME_SC_ZONE_INVALID_WRITE")]
    pub const ZONE_INVALID_WRITE: Self = Self(0x01BC);
    /// 01BDh: no more zones can be active.
    #[doc(alias = "NVME_SC_ZONE_TOO_MANY_ACTIVE")]
    pub const TOO_MANY_ACTIVE_ZONES: Self = Self(0x01BD);
    /// 01BEh: no more zones can be open.
    #[doc(alias = "NVME_SC_ZONE_TOO_MANY_OPEN")]
    pub const TOO_MANY_OPEN_ZONES: Self = Self(0x01BE);
    /// 01BFh: the zone cannot change from its state to the one that was asked for.
    #[doc(alias = "NVME_SC_ZONE_INVALID_TRANSITION")]
    pub const INVALID_ZONE_STATE_TRANSITION: Self = Self(0x01BF);

    // Media and data integrity errors.

    /// 0280h: the data could not be written to the medium.
    #[doc(alias = "NVME_SC_WRITE_FAULT")]
    pub const WRITE_FAULT: Self = Self(0x0280);
    /// 0281h: the data could not be read from the medium.
    #[doc(alias = "NVME_SC_READ_ERROR")]
    pub const UNRECOVERED_READ_ERROR: Self = Self(0x0281);
    /// 0282h: the guard of the protection information does not match the data.
    #[doc(alias = "NVME_SC_GUARD_CHECK")]
    pub const GUARD_CHECK_ERROR: Self = Self(0x0282);
    /// 0283h: the application tag does not match.
    #[doc(alias = "NVME_SC_APPTAG_CHECK")]
    pub const APPLICATION_TAG_CHECK_ERROR: Self = Self(0x0283);
    /// 0284h: the reference tag does not match.
    #[doc(alias = "NVME_SC_REFTAG_CHECK")]
    pub const REFERENCE_TAG_CHECK_ERROR: Self = Self(0x0284);
    /// 0285h: Compare found a difference.
    #[doc(alias = "NVME_SC_COMPARE_FAILED")]
    pub const COMPARE_FAILURE: Self = Self(0x0285);
    /// 0286h: access rights to the data are missing: the range may be locked.
    #[doc(alias = "NVME_SC_ACCESS_DENIED")]
    pub const ACCESS_DENIED: Self = Self(0x0286);
    /// 0287h: a block was never written or is deallocated, and the host asked for an error then.
    #[doc(alias = "NVME_SC_UNWRITTEN_BLOCK")]
    pub const DEALLOCATED_OR_UNWRITTEN_BLOCK: Self = Self(0x0287);
    /// 0288h: the storage tag does not match.
    pub const STORAGE_TAG_CHECK_ERROR: Self = Self(0x0288);

    // Path related status.

    /// 0300h: this controller failed within; another one may not.
    #[doc(alias = "NVME_SC_INTERNAL_PATH_ERROR")]
    pub const INTERNAL_PATH_ERROR: Self = Self(0x0300);
    /// 0301h: this controller has lost the namespace for good.
    #[doc(alias = "NVME_SC_ANA_PERSISTENT_LOSS")]
    pub const ANA_PERSISTENT_LOSS: Self = Self(0x0301);
    /// 0302h: this controller cannot reach the namespace now.
    #[doc(alias = "NVME_SC_ANA_INACCESSIBLE")]
    pub const ANA_INACCESSIBLE: Self = Self(0x0302);
    /// 0303h: the access to the namespace is changing; try again when it has.
    #[doc(alias = "NVME_SC_ANA_TRANSITION")]
    pub const ANA_TRANSITION: Self = Self(0x0303);
    /// 0360h: the controller found that the path failed.
    #[doc(alias = "NVME_SC_CTRL_PATH_ERROR")]
    pub const CONTROLLER_PATHING_ERROR: Self = Self(0x0360);
    /// 0370h: the host found that the path failed: the kernel's own, no device sent it.
    #[doc(alias = "NVME_SC_HOST_PATH_ERROR")]
    pub const HOST_PATHING_ERROR: Self = Self(0x0370);
    /// 0371h: the host aborted the command: the kernel's own, no device sent it.
    #[doc(alias = "NVME_SC_HOST_ABORTED_CMD")]
    pub const ABORTED_BY_HOST: Self = Self(0x0371);

    /// The code of this type and number.
    #[must_use]
    pub const fn new(code_type: StatusCodeType, code: u8) -> Self {
        Self(u16::from_le_bytes([code, code_type.raw()]))
    }

    /// The code of `SCT << 8 | SC`; the five bits above are dropped.
    #[must_use]
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw & 0x07FF)
    }

    /// `SCT << 8 | SC`.
    #[must_use]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// SCT: which of the specification's tables the code is from.
    #[must_use]
    pub const fn code_type(self) -> StatusCodeType {
        let [_, code_type] = self.0.to_le_bytes();
        StatusCodeType::from_raw(code_type)
    }

    /// SC: the code without its type.
    #[must_use]
    pub const fn code(self) -> u8 {
        let [code, _] = self.0.to_le_bytes();
        code
    }

    /// The specifications' name, or `None` where they give none.
    ///
    /// Command specific codes from 80h on mean one thing after a Fabrics command and another after
    /// an I/O command. The names are those of I/O commands: 0180h is Conflicting Attributes,
    /// not Incompatible Format as after Connect, which is the kernel's business on Linux. Only 0190h and 0191h have their Fabrics names (Discover Restart, Authentication
    /// Required), which other commands end with too, instead of those of computational programs.
    ///
    /// ```
    /// use passthru::nvme::StatusCode;
    ///
    /// assert_eq!(StatusCode::INVALID_OPCODE.name(), Some("Invalid Command Opcode"));
    /// assert_eq!(StatusCode::from_raw(0x0077).name(), None);
    /// ```
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        let at = table::NAMES
            .binary_search_by_key(&self.0, |row| row.0)
            .ok()?;
        table::NAMES.get(at).map(|row| row.1)
    }

    /// True for the codes that are left to vendors: all of type 7h, and C0h to FFh of the types
    /// that the specification uses.
    #[must_use]
    pub const fn is_vendor_specific(self) -> bool {
        match self.code_type() {
            StatusCodeType::VENDOR_SPECIFIC => true,
            code_type => code_type.name().is_some() && self.code() >= 0xC0,
        }
    }
}

impl fmt::Display for StatusCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.name() {
            Some(name) => name,
            None if self.is_vendor_specific() => "vendor specific",
            None => "unassigned",
        };
        write!(f, "{name} ({:04X}h)", self.0)
    }
}

impl fmt::Debug for StatusCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StatusCode({self})")
    }
}
