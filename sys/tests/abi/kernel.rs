//! What the installed headers lack or have differently, with the kernel file that it comes from. The numbers are
//! written out: they were read in Linux 6.1 and 6.12, which agree.

const SG: &str = "include/scsi/sg.h";
const SCSI_IOCTL: &str = "include/scsi/scsi_ioctl.h";
const SCSI: &str = "include/scsi/scsi.h";
/// Not the kernel's: these names were dropped there.
const GLIBC: &str = "scsi/sg.h of glibc";

pub(crate) struct Constant {
    pub(crate) name: &'static str,
    pub(crate) value: i64,
    pub(crate) file: &'static str,
}

const fn constant(file: &'static str, name: &'static str, value: i64) -> Constant {
    Constant { name, value, file }
}

/// Constants which one of the two sides does not have. Where the installed headers have them, those are compared too.
pub(crate) const CONSTANTS: &[Constant] = &[
    constant(SG, "SG_INTERFACE_ID_ORIG", 0x53),
    constant(SG, "SG_DXFER_UNKNOWN", -5),
    constant(SG, "SG_FLAG_UNUSED_LUN_INHIBIT", 2),
    constant(SG, "SG_FLAG_MMAP_IO", 4),
    constant(SG, "SG_FLAG_Q_AT_TAIL", 0x10),
    constant(SG, "SG_FLAG_Q_AT_HEAD", 0x20),
    constant(SG, "DRIVER_SENSE", 8),
    constant(SG, "ACA_ACTIVE", 0x18),
    constant(SG, "TASK_ABORTED", 0x20),
    constant(SG, "SG_SCSI_RESET_TARGET", 4),
    constant(SG, "SG_SCSI_RESET_NO_ESCALATE", 0x100),
    constant(SG, "SG_GET_ACCESS_COUNT", 0x2289),
    constant(SCSI_IOCTL, "SCSI_REMOVAL_PREVENT", 1),
    constant(SCSI_IOCTL, "SCSI_REMOVAL_ALLOW", 0),
    constant(SCSI, "SCSI_IOCTL_GET_PCI", 0x5387),
    constant(GLIBC, "SG_FLAG_LUN_INHIBIT", 2),
    constant(GLIBC, "SG_DEF_FORCE_LOW_DMA", 0),
];

/// A constant for which the C library's header is out of date. Both values are checked.
pub(crate) struct Different {
    pub(crate) name: &'static str,
    pub(crate) installed: i64,
    /// In `include/scsi/sg.h`.
    pub(crate) kernel: i64,
}

pub(crate) const DIFFERENT: &[Different] = &[Different {
    name: "SG_DEFAULT_RETRIES",
    installed: 1,
    kernel: 0,
}];

/// Calls of function-like macros: the expression, its value, the kernel file.
pub(crate) const CALLS: &[(&str, i64, &str)] = &[
    ("driver_byte(0x08030004)", 0x08, SG),
    ("sg_status_byte(0x08030004)", 0x02, SG),
    ("sg_status_byte(0x080300ff)", 0x7f, SG),
];

/// Other names of structs, from `include/scsi/sg.h` and `include/scsi/scsi_ioctl.h`.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("sg_scsi_id_t", "sg_scsi_id"),
    ("Scsi_Ioctl_Command", "scsi_ioctl_command"),
    ("Scsi_Idlun", "scsi_idlun"),
    ("Scsi_FCTargAddress", "scsi_fctargaddress"),
];

/// Size and alignment of the structs which only `include/scsi/scsi_ioctl.h` has, inside `#ifdef __KERNEL__`.
pub(crate) fn layout(name: &str) -> Option<(usize, usize)> {
    match name {
        "scsi_ioctl_command" | "scsi_idlun" => Some((8, 4)),
        "scsi_fctargaddress" => Some((12, 4)),
        _ => None,
    }
}

/// Offset and size of their fields.
pub(crate) fn field(name: &str) -> Option<(usize, usize)> {
    match name {
        "scsi_ioctl_command.inlen" | "scsi_idlun.dev_id" | "scsi_fctargaddress.host_port_id" => {
            Some((0, 4))
        }
        "scsi_ioctl_command.outlen" | "scsi_idlun.host_unique_id" => Some((4, 4)),
        "scsi_ioctl_command.data" => Some((8, 0)),
        "scsi_fctargaddress.host_wwn" => Some((4, 8)),
        _ => None,
    }
}
