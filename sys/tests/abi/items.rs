//! The crate's side: every public constant, struct, field, function and alias, by name.
//!
//! Nothing needs to be remembered: a missing line fails `no_public_item_of_the_crate_is_left_out`.

use core::any::type_name;
use core::mem::offset_of;

use passthru_sys::{blk, bsg, ioctl, nvme, scsi_ioctl, sg};
use zerocopy::IntoBytes as _;

pub(crate) struct Constant {
    pub(crate) name: &'static str,
    pub(crate) value: i64,
}

pub(crate) struct Struct {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
}

pub(crate) struct Field {
    owner: &'static str,
    field: &'static str,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) kind: char,
}

impl Field {
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.owner, self.field)
    }
}

/// A call of a function, with the C expression that means the same.
pub(crate) struct Call {
    pub(crate) expression: &'static str,
    pub(crate) value: i64,
}

impl Call {
    pub(crate) fn name(&self) -> &'static str {
        self.expression.split('(').next().unwrap_or_default()
    }
}

pub(crate) struct Alias {
    pub(crate) name: &'static str,
    path: &'static str,
}

impl Alias {
    /// The name of the struct itself.
    pub(crate) fn target(&self) -> &'static str {
        self.path.rsplit(':').next().unwrap_or_default()
    }
}

pub(crate) struct BitField {
    /// `struct.field`, as in C.
    pub(crate) name: &'static str,
    /// `struct.field` here.
    pub(crate) storage: &'static str,
    /// The struct with all bits of the field set.
    pub(crate) all_ones: fn() -> Vec<u8>,
    /// Whether the getter sees a value set, and no other bit.
    pub(crate) reads_back: fn() -> bool,
}

trait Number {
    fn number(self) -> i64;
}

macro_rules! number {
    ($($type:ty)*) => { $(
        impl Number for $type {
            fn number(self) -> i64 {
                i64::try_from(self).expect("the constants of these headers fit into 64 bits")
            }
        }
    )* };
}

number!(u8 u16 u32 u64 usize i32);

/// How C would call the type of a field.
trait Kind {
    const KIND: char;
}

macro_rules! kind {
    ($($kind:literal: $($type:ty)*;)*) => { $( $(
        impl Kind for $type {
            const KIND: char = $kind;
        }
    )* )* };
}

kind! {
    'i': i16 i32;
    'u': u8 u16 u32 u64 usize;
}

impl<T> Kind for *mut T {
    const KIND: char = 'p';
}

impl<T, const N: usize> Kind for [T; N] {
    const KIND: char = 'p';
}

/// The accessor only tells the type of the field.
fn field<S, T: Kind>(
    owner: &'static str,
    field: &'static str,
    offset: usize,
    _: fn(&S) -> &T,
) -> Field {
    Field {
        owner,
        field,
        offset,
        size: size_of::<T>(),
        kind: T::KIND,
    }
}

macro_rules! constants {
    ($($module:ident: $($name:ident)*;)*) => {
        vec![$( $( Constant { name: stringify!($name), value: $module::$name.number() } ),* ),*]
    };
}

pub(crate) fn constants() -> Vec<Constant> {
    constants! {
        ioctl: _IOC_NRBITS _IOC_TYPEBITS _IOC_SIZEBITS _IOC_DIRBITS _IOC_NRSHIFT _IOC_TYPESHIFT
            _IOC_SIZESHIFT _IOC_DIRSHIFT _IOC_NONE _IOC_WRITE _IOC_READ;
        sg: SG_INTERFACE_ID_ORIG SG_DXFER_NONE SG_DXFER_TO_DEV SG_DXFER_FROM_DEV
            SG_DXFER_TO_FROM_DEV SG_DXFER_UNKNOWN SG_FLAG_DIRECT_IO SG_FLAG_LUN_INHIBIT
            SG_FLAG_UNUSED_LUN_INHIBIT SG_FLAG_MMAP_IO SG_FLAG_Q_AT_TAIL SG_FLAG_Q_AT_HEAD
            SG_FLAG_NO_DXFER SG_INFO_OK_MASK SG_INFO_OK SG_INFO_CHECK SG_INFO_DIRECT_IO_MASK
            SG_INFO_INDIRECT_IO SG_INFO_DIRECT_IO SG_INFO_MIXED_IO DRIVER_SENSE GOOD
            CHECK_CONDITION CONDITION_GOOD BUSY INTERMEDIATE_GOOD INTERMEDIATE_C_GOOD
            RESERVATION_CONFLICT COMMAND_TERMINATED QUEUE_FULL ACA_ACTIVE TASK_ABORTED SG_IO
            SG_EMULATED_HOST SG_SET_TRANSFORM SG_GET_TRANSFORM SG_SET_RESERVED_SIZE
            SG_GET_RESERVED_SIZE SG_GET_SCSI_ID SG_SET_FORCE_LOW_DMA SG_GET_LOW_DMA
            SG_SET_FORCE_PACK_ID SG_GET_PACK_ID SG_GET_NUM_WAITING SG_GET_SG_TABLESIZE
            SG_GET_VERSION_NUM SG_SCSI_RESET SG_GET_REQUEST_TABLE SG_SET_KEEP_ORPHAN
            SG_GET_KEEP_ORPHAN SG_GET_ACCESS_COUNT SG_SCSI_RESET_NOTHING SG_SCSI_RESET_DEVICE
            SG_SCSI_RESET_BUS SG_SCSI_RESET_HOST SG_SCSI_RESET_TARGET SG_SCSI_RESET_NO_ESCALATE
            SG_SCATTER_SZ SG_DEFAULT_RETRIES SG_DEF_FORCE_LOW_DMA SG_DEF_FORCE_PACK_ID
            SG_DEF_KEEP_ORPHAN SG_DEF_RESERVED_SIZE SG_BIG_BUFF SG_MAX_QUEUE SG_MAX_SENSE
            SG_SET_TIMEOUT SG_GET_TIMEOUT SG_GET_COMMAND_Q SG_SET_COMMAND_Q SG_SET_DEBUG
            SG_NEXT_CMD_LEN SG_DEFAULT_TIMEOUT SG_DEF_COMMAND_Q SG_DEF_UNDERRUN_FLAG;
        scsi_ioctl: SCSI_IOCTL_SEND_COMMAND SCSI_IOCTL_TEST_UNIT_READY
            SCSI_IOCTL_BENCHMARK_COMMAND SCSI_IOCTL_SYNC SCSI_IOCTL_START_UNIT
            SCSI_IOCTL_STOP_UNIT SCSI_IOCTL_DOORLOCK SCSI_IOCTL_DOORUNLOCK SCSI_REMOVAL_PREVENT
            SCSI_REMOVAL_ALLOW SCSI_IOCTL_GET_IDLUN SCSI_IOCTL_TAGGED_ENABLE
            SCSI_IOCTL_TAGGED_DISABLE SCSI_IOCTL_PROBE_HOST SCSI_IOCTL_GET_BUS_NUMBER
            SCSI_IOCTL_GET_PCI;
        bsg: BSG_PROTOCOL_SCSI BSG_SUB_PROTOCOL_SCSI_CMD BSG_SUB_PROTOCOL_SCSI_TMF
            BSG_SUB_PROTOCOL_SCSI_TRANSPORT BSG_FLAG_Q_AT_TAIL BSG_FLAG_Q_AT_HEAD;
        nvme: NVME_IOCTL_ID NVME_IOCTL_ADMIN_CMD NVME_IOCTL_SUBMIT_IO NVME_IOCTL_IO_CMD
            NVME_IOCTL_RESET NVME_IOCTL_SUBSYS_RESET NVME_IOCTL_RESCAN NVME_IOCTL_ADMIN64_CMD
            NVME_IOCTL_IO64_CMD NVME_IOCTL_IO64_CMD_VEC NVME_URING_CMD_IO NVME_URING_CMD_IO_VEC
            NVME_URING_CMD_ADMIN NVME_URING_CMD_ADMIN_VEC;
        blk: BLKROGET BLKRRPART BLKFLSBUF BLKSECTGET BLKSSZGET BLKGETSIZE64 BLKPBSZGET;
    }
}

macro_rules! layouts {
    ($($module:ident::$name:ident: $($field:ident)*;)*) => {
        pub(crate) fn structs() -> Vec<Struct> {
            vec![$( Struct {
                name: stringify!($name),
                size: size_of::<$module::$name>(),
                align: align_of::<$module::$name>(),
            } ),*]
        }

        pub(crate) fn fields() -> Vec<Field> {
            vec![
                $( $( field(
                    stringify!($name),
                    stringify!($field),
                    offset_of!($module::$name, $field),
                    |s: &$module::$name| &s.$field,
                ), )* )*
                // The union's other name in C.
                field(
                    "nvme_passthru_cmd64",
                    "vec_cnt",
                    offset_of!(nvme::nvme_passthru_cmd64, data_len),
                    |s: &nvme::nvme_passthru_cmd64| &s.data_len,
                ),
            ]
        }
    };
}

layouts! {
    sg::sg_iovec: iov_base iov_len;
    sg::sg_io_hdr: interface_id dxfer_direction cmd_len mx_sb_len iovec_count dxfer_len dxferp
        cmdp sbp timeout flags pack_id usr_ptr status masked_status msg_status sb_len_wr
        host_status driver_status resid duration info;
    sg::sg_scsi_id: host_no channel scsi_id lun scsi_type h_cmd_per_lun d_queue_depth unused;
    sg::sg_req_info: req_state orphan sg_io_owned problem pack_id usr_ptr duration unused;
    sg::sg_header: pack_len reply_len pack_id result bits sense_buffer;
    scsi_ioctl::scsi_ioctl_command: inlen outlen data;
    scsi_ioctl::scsi_idlun: dev_id host_unique_id;
    scsi_ioctl::scsi_fctargaddress: host_port_id host_wwn;
    bsg::sg_io_v4: guard protocol subprotocol request_len request request_tag request_attr
        request_priority request_extra max_response_len response dout_iovec_count dout_xfer_len
        din_iovec_count din_xfer_len dout_xferp din_xferp timeout flags usr_ptr spare_in
        driver_status transport_status device_status retry_delay info duration response_len
        din_resid dout_resid generated_tag spare_out padding;
    nvme::nvme_user_io: opcode flags control nblocks rsvd metadata addr slba dsmgmt reftag
        apptag appmask;
    nvme::nvme_passthru_cmd: opcode flags rsvd1 nsid cdw2 cdw3 metadata addr metadata_len
        data_len cdw10 cdw11 cdw12 cdw13 cdw14 cdw15 timeout_ms result;
    nvme::nvme_passthru_cmd64: opcode flags rsvd1 nsid cdw2 cdw3 metadata addr metadata_len
        data_len cdw10 cdw11 cdw12 cdw13 cdw14 cdw15 timeout_ms rsvd2 result;
    nvme::nvme_uring_cmd: opcode flags rsvd1 nsid cdw2 cdw3 metadata addr metadata_len data_len
        cdw10 cdw11 cdw12 cdw13 cdw14 cdw15 timeout_ms rsvd2;
}

macro_rules! bit_field {
    ($name:ident, $with:ident, $ones:expr) => {
        BitField {
            name: concat!("sg_header.", stringify!($name)),
            storage: "sg_header.bits",
            all_ones: || sg::sg_header::ZERO.$with($ones).as_bytes().to_vec(),
            reads_back: || {
                let others = sg::sg_header {
                    bits: u32::MAX,
                    ..sg::sg_header::ZERO
                };
                let none = Default::default();
                sg::sg_header::ZERO.$with($ones).$name() == $ones
                    && others.$with(none).$name() == none
                    && others.$with(none).bits == !sg::sg_header::ZERO.$with($ones).bits
            },
        }
    };
}

pub(crate) const BIT_FIELDS: &[BitField] = &[
    bit_field!(twelve_byte, with_twelve_byte, true),
    bit_field!(target_status, with_target_status, 0x1f),
    bit_field!(host_status, with_host_status, 0xff),
    bit_field!(driver_status, with_driver_status, 0xff),
    bit_field!(other_flags, with_other_flags, 0x3ff),
];

macro_rules! calls {
    ($($expression:literal = $value:expr;)*) => {
        vec![$( Call { expression: $expression, value: $value.number() } ),*]
    };
}

pub(crate) fn calls() -> Vec<Call> {
    use ioctl::{_IO, _IOC, _IOC_READ, _IOC_WRITE, _IOR, _IOW, _IOWR};
    calls! {
        "_IO('N', 0x40)" = _IO(b'N', 0x40);
        "_IO(0x12, 255)" = _IO(0x12, 255);
        "_IOR(0x12, 114, size_t)" = _IOR::<usize>(0x12, 114);
        "_IOW('N', 0x42, struct nvme_user_io)" = _IOW::<nvme::nvme_user_io>(b'N', 0x42);
        "_IOWR('S', 7, struct sg_io_v4)" = _IOWR::<bsg::sg_io_v4>(b'S', 7);
        "_IOWR('S', 8, char[8191])" = _IOWR::<[u8; 8191]>(b'S', 8);
        "_IOC(_IOC_READ | _IOC_WRITE, 255, 1, 99)" = _IOC(_IOC_READ | _IOC_WRITE, 255, 1, 99);
        "driver_byte(0x08030004)" = sg::driver_byte(0x0803_0004);
        "sg_status_byte(0x08030004)" = sg::sg_status_byte(0x0803_0004);
        "sg_status_byte(0x080300ff)" = sg::sg_status_byte(0x0803_00ff);
    }
}

macro_rules! aliases {
    ($($module:ident: $($name:ident)*;)*) => {
        vec![$( $( Alias { name: stringify!($name), path: type_name::<$module::$name>() } ),* ),*]
    };
}

pub(crate) fn aliases() -> Vec<Alias> {
    aliases! {
        sg: sg_iovec_t sg_io_hdr_t Sg_io_hdr sg_scsi_id_t Sg_scsi_id sg_req_info_t Sg_req_info;
        scsi_ioctl: Scsi_Ioctl_Command Scsi_Idlun Scsi_FCTargAddress;
        nvme: nvme_admin_cmd;
    }
}
