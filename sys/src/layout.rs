//! The size, alignment and every field offset of every struct, checked when the crate is compiled.
//!
//! The numbers are written out, not derived, so that a struct that changes with the compiler or the architecture
//! stops the build. `tests/abi.rs` compares the same facts with the C headers. On an architecture with an alignment
//! of its own (m68k) the build stops here until someone has looked at its C side.

// Rust 1.85 does not see that constants are used when only assertions use them.
#![allow(dead_code)]

use core::mem::offset_of;

use crate::{
    bsg::sg_io_v4,
    nvme::{nvme_passthru_cmd, nvme_passthru_cmd64, nvme_uring_cmd, nvme_user_io},
    scsi_ioctl::{scsi_fctargaddress, scsi_idlun, scsi_ioctl_command},
    sg::{sg_header, sg_io_hdr, sg_iovec, sg_req_info, sg_scsi_id},
};

/// The first number with 64-bit pointers, the second with 32-bit ones.
const fn by_pointer(wide: usize, narrow: usize) -> usize {
    if cfg!(target_pointer_width = "64") {
        wide
    } else {
        narrow
    }
}

/// i386 aligns a `u64` to 4 bytes in a struct; the other architectures, 32-bit ones too, to 8.
const U64_ALIGN: usize = if cfg!(target_arch = "x86") { 4 } else { 8 };
/// 44 bytes of fields, and the padding which an alignment of 8 asks for.
const NVME_USER_IO_SIZE: usize = if cfg!(target_arch = "x86") { 44 } else { 48 };

const _: () = {
    assert!(size_of::<sg_iovec>() == by_pointer(16, 8));
    assert!(align_of::<sg_iovec>() == by_pointer(8, 4));
    assert!(offset_of!(sg_iovec, iov_base) == 0);
    assert!(offset_of!(sg_iovec, iov_len) == by_pointer(8, 4));
};

const _: () = {
    assert!(size_of::<sg_io_hdr>() == by_pointer(88, 64));
    assert!(align_of::<sg_io_hdr>() == by_pointer(8, 4));
    assert!(offset_of!(sg_io_hdr, interface_id) == 0);
    assert!(offset_of!(sg_io_hdr, dxfer_direction) == 4);
    assert!(offset_of!(sg_io_hdr, cmd_len) == 8);
    assert!(offset_of!(sg_io_hdr, mx_sb_len) == 9);
    assert!(offset_of!(sg_io_hdr, iovec_count) == 10);
    assert!(offset_of!(sg_io_hdr, dxfer_len) == 12);
    assert!(offset_of!(sg_io_hdr, dxferp) == 16);
    assert!(offset_of!(sg_io_hdr, cmdp) == by_pointer(24, 20));
    assert!(offset_of!(sg_io_hdr, sbp) == by_pointer(32, 24));
    assert!(offset_of!(sg_io_hdr, timeout) == by_pointer(40, 28));
    assert!(offset_of!(sg_io_hdr, flags) == by_pointer(44, 32));
    assert!(offset_of!(sg_io_hdr, pack_id) == by_pointer(48, 36));
    assert!(offset_of!(sg_io_hdr, usr_ptr) == by_pointer(56, 40));
    assert!(offset_of!(sg_io_hdr, status) == by_pointer(64, 44));
    assert!(offset_of!(sg_io_hdr, masked_status) == by_pointer(65, 45));
    assert!(offset_of!(sg_io_hdr, msg_status) == by_pointer(66, 46));
    assert!(offset_of!(sg_io_hdr, sb_len_wr) == by_pointer(67, 47));
    assert!(offset_of!(sg_io_hdr, host_status) == by_pointer(68, 48));
    assert!(offset_of!(sg_io_hdr, driver_status) == by_pointer(70, 50));
    assert!(offset_of!(sg_io_hdr, resid) == by_pointer(72, 52));
    assert!(offset_of!(sg_io_hdr, duration) == by_pointer(76, 56));
    assert!(offset_of!(sg_io_hdr, info) == by_pointer(80, 60));
};

const _: () = {
    assert!(size_of::<sg_scsi_id>() == 32);
    assert!(align_of::<sg_scsi_id>() == 4);
    assert!(offset_of!(sg_scsi_id, host_no) == 0);
    assert!(offset_of!(sg_scsi_id, channel) == 4);
    assert!(offset_of!(sg_scsi_id, scsi_id) == 8);
    assert!(offset_of!(sg_scsi_id, lun) == 12);
    assert!(offset_of!(sg_scsi_id, scsi_type) == 16);
    assert!(offset_of!(sg_scsi_id, h_cmd_per_lun) == 20);
    assert!(offset_of!(sg_scsi_id, d_queue_depth) == 22);
    assert!(offset_of!(sg_scsi_id, unused) == 24);
};

const _: () = {
    assert!(size_of::<sg_req_info>() == by_pointer(24, 20));
    assert!(align_of::<sg_req_info>() == by_pointer(8, 4));
    assert!(offset_of!(sg_req_info, req_state) == 0);
    assert!(offset_of!(sg_req_info, orphan) == 1);
    assert!(offset_of!(sg_req_info, sg_io_owned) == 2);
    assert!(offset_of!(sg_req_info, problem) == 3);
    assert!(offset_of!(sg_req_info, pack_id) == 4);
    assert!(offset_of!(sg_req_info, usr_ptr) == 8);
    assert!(offset_of!(sg_req_info, duration) == by_pointer(16, 12));
    assert!(offset_of!(sg_req_info, unused) == by_pointer(20, 16));
};

const _: () = {
    assert!(size_of::<sg_header>() == 36);
    assert!(align_of::<sg_header>() == 4);
    assert!(offset_of!(sg_header, pack_len) == 0);
    assert!(offset_of!(sg_header, reply_len) == 4);
    assert!(offset_of!(sg_header, pack_id) == 8);
    assert!(offset_of!(sg_header, result) == 12);
    assert!(offset_of!(sg_header, bits) == 16);
    assert!(offset_of!(sg_header, sense_buffer) == 20);
};

const _: () = {
    assert!(size_of::<scsi_ioctl_command>() == 8);
    assert!(align_of::<scsi_ioctl_command>() == 4);
    assert!(offset_of!(scsi_ioctl_command, inlen) == 0);
    assert!(offset_of!(scsi_ioctl_command, outlen) == 4);
    assert!(offset_of!(scsi_ioctl_command, data) == 8);
};

const _: () = {
    assert!(size_of::<scsi_idlun>() == 8);
    assert!(align_of::<scsi_idlun>() == 4);
    assert!(offset_of!(scsi_idlun, dev_id) == 0);
    assert!(offset_of!(scsi_idlun, host_unique_id) == 4);
};

const _: () = {
    assert!(size_of::<scsi_fctargaddress>() == 12);
    assert!(align_of::<scsi_fctargaddress>() == 4);
    assert!(offset_of!(scsi_fctargaddress, host_port_id) == 0);
    assert!(offset_of!(scsi_fctargaddress, host_wwn) == 4);
};

const _: () = {
    assert!(size_of::<sg_io_v4>() == 160);
    assert!(align_of::<sg_io_v4>() == U64_ALIGN);
    assert!(offset_of!(sg_io_v4, guard) == 0);
    assert!(offset_of!(sg_io_v4, protocol) == 4);
    assert!(offset_of!(sg_io_v4, subprotocol) == 8);
    assert!(offset_of!(sg_io_v4, request_len) == 12);
    assert!(offset_of!(sg_io_v4, request) == 16);
    assert!(offset_of!(sg_io_v4, request_tag) == 24);
    assert!(offset_of!(sg_io_v4, request_attr) == 32);
    assert!(offset_of!(sg_io_v4, request_priority) == 36);
    assert!(offset_of!(sg_io_v4, request_extra) == 40);
    assert!(offset_of!(sg_io_v4, max_response_len) == 44);
    assert!(offset_of!(sg_io_v4, response) == 48);
    assert!(offset_of!(sg_io_v4, dout_iovec_count) == 56);
    assert!(offset_of!(sg_io_v4, dout_xfer_len) == 60);
    assert!(offset_of!(sg_io_v4, din_iovec_count) == 64);
    assert!(offset_of!(sg_io_v4, din_xfer_len) == 68);
    assert!(offset_of!(sg_io_v4, dout_xferp) == 72);
    assert!(offset_of!(sg_io_v4, din_xferp) == 80);
    assert!(offset_of!(sg_io_v4, timeout) == 88);
    assert!(offset_of!(sg_io_v4, flags) == 92);
    assert!(offset_of!(sg_io_v4, usr_ptr) == 96);
    assert!(offset_of!(sg_io_v4, spare_in) == 104);
    assert!(offset_of!(sg_io_v4, driver_status) == 108);
    assert!(offset_of!(sg_io_v4, transport_status) == 112);
    assert!(offset_of!(sg_io_v4, device_status) == 116);
    assert!(offset_of!(sg_io_v4, retry_delay) == 120);
    assert!(offset_of!(sg_io_v4, info) == 124);
    assert!(offset_of!(sg_io_v4, duration) == 128);
    assert!(offset_of!(sg_io_v4, response_len) == 132);
    assert!(offset_of!(sg_io_v4, din_resid) == 136);
    assert!(offset_of!(sg_io_v4, dout_resid) == 140);
    assert!(offset_of!(sg_io_v4, generated_tag) == 144);
    assert!(offset_of!(sg_io_v4, spare_out) == 152);
    assert!(offset_of!(sg_io_v4, padding) == 156);
};

const _: () = {
    assert!(size_of::<nvme_user_io>() == NVME_USER_IO_SIZE);
    assert!(align_of::<nvme_user_io>() == U64_ALIGN);
    assert!(offset_of!(nvme_user_io, opcode) == 0);
    assert!(offset_of!(nvme_user_io, flags) == 1);
    assert!(offset_of!(nvme_user_io, control) == 2);
    assert!(offset_of!(nvme_user_io, nblocks) == 4);
    assert!(offset_of!(nvme_user_io, rsvd) == 6);
    assert!(offset_of!(nvme_user_io, metadata) == 8);
    assert!(offset_of!(nvme_user_io, addr) == 16);
    assert!(offset_of!(nvme_user_io, slba) == 24);
    assert!(offset_of!(nvme_user_io, dsmgmt) == 32);
    assert!(offset_of!(nvme_user_io, reftag) == 36);
    assert!(offset_of!(nvme_user_io, apptag) == 40);
    assert!(offset_of!(nvme_user_io, appmask) == 42);
};

const _: () = {
    assert!(size_of::<nvme_passthru_cmd>() == 72);
    assert!(align_of::<nvme_passthru_cmd>() == U64_ALIGN);
    assert!(offset_of!(nvme_passthru_cmd, opcode) == 0);
    assert!(offset_of!(nvme_passthru_cmd, flags) == 1);
    assert!(offset_of!(nvme_passthru_cmd, rsvd1) == 2);
    assert!(offset_of!(nvme_passthru_cmd, nsid) == 4);
    assert!(offset_of!(nvme_passthru_cmd, cdw2) == 8);
    assert!(offset_of!(nvme_passthru_cmd, cdw3) == 12);
    assert!(offset_of!(nvme_passthru_cmd, metadata) == 16);
    assert!(offset_of!(nvme_passthru_cmd, addr) == 24);
    assert!(offset_of!(nvme_passthru_cmd, metadata_len) == 32);
    assert!(offset_of!(nvme_passthru_cmd, data_len) == 36);
    assert!(offset_of!(nvme_passthru_cmd, cdw10) == 40);
    assert!(offset_of!(nvme_passthru_cmd, cdw11) == 44);
    assert!(offset_of!(nvme_passthru_cmd, cdw12) == 48);
    assert!(offset_of!(nvme_passthru_cmd, cdw13) == 52);
    assert!(offset_of!(nvme_passthru_cmd, cdw14) == 56);
    assert!(offset_of!(nvme_passthru_cmd, cdw15) == 60);
    assert!(offset_of!(nvme_passthru_cmd, timeout_ms) == 64);
    assert!(offset_of!(nvme_passthru_cmd, result) == 68);
};

const _: () = {
    assert!(size_of::<nvme_passthru_cmd64>() == 80);
    assert!(align_of::<nvme_passthru_cmd64>() == U64_ALIGN);
    assert!(offset_of!(nvme_passthru_cmd64, opcode) == 0);
    assert!(offset_of!(nvme_passthru_cmd64, flags) == 1);
    assert!(offset_of!(nvme_passthru_cmd64, rsvd1) == 2);
    assert!(offset_of!(nvme_passthru_cmd64, nsid) == 4);
    assert!(offset_of!(nvme_passthru_cmd64, cdw2) == 8);
    assert!(offset_of!(nvme_passthru_cmd64, cdw3) == 12);
    assert!(offset_of!(nvme_passthru_cmd64, metadata) == 16);
    assert!(offset_of!(nvme_passthru_cmd64, addr) == 24);
    assert!(offset_of!(nvme_passthru_cmd64, metadata_len) == 32);
    assert!(offset_of!(nvme_passthru_cmd64, data_len) == 36);
    assert!(offset_of!(nvme_passthru_cmd64, cdw10) == 40);
    assert!(offset_of!(nvme_passthru_cmd64, cdw11) == 44);
    assert!(offset_of!(nvme_passthru_cmd64, cdw12) == 48);
    assert!(offset_of!(nvme_passthru_cmd64, cdw13) == 52);
    assert!(offset_of!(nvme_passthru_cmd64, cdw14) == 56);
    assert!(offset_of!(nvme_passthru_cmd64, cdw15) == 60);
    assert!(offset_of!(nvme_passthru_cmd64, timeout_ms) == 64);
    assert!(offset_of!(nvme_passthru_cmd64, rsvd2) == 68);
    assert!(offset_of!(nvme_passthru_cmd64, result) == 72);
};

const _: () = {
    assert!(size_of::<nvme_uring_cmd>() == 72);
    assert!(align_of::<nvme_uring_cmd>() == U64_ALIGN);
    assert!(offset_of!(nvme_uring_cmd, opcode) == 0);
    assert!(offset_of!(nvme_uring_cmd, flags) == 1);
    assert!(offset_of!(nvme_uring_cmd, rsvd1) == 2);
    assert!(offset_of!(nvme_uring_cmd, nsid) == 4);
    assert!(offset_of!(nvme_uring_cmd, cdw2) == 8);
    assert!(offset_of!(nvme_uring_cmd, cdw3) == 12);
    assert!(offset_of!(nvme_uring_cmd, metadata) == 16);
    assert!(offset_of!(nvme_uring_cmd, addr) == 24);
    assert!(offset_of!(nvme_uring_cmd, metadata_len) == 32);
    assert!(offset_of!(nvme_uring_cmd, data_len) == 36);
    assert!(offset_of!(nvme_uring_cmd, cdw10) == 40);
    assert!(offset_of!(nvme_uring_cmd, cdw11) == 44);
    assert!(offset_of!(nvme_uring_cmd, cdw12) == 48);
    assert!(offset_of!(nvme_uring_cmd, cdw13) == 52);
    assert!(offset_of!(nvme_uring_cmd, cdw14) == 56);
    assert!(offset_of!(nvme_uring_cmd, cdw15) == 60);
    assert!(offset_of!(nvme_uring_cmd, timeout_ms) == 64);
    assert!(offset_of!(nvme_uring_cmd, rsvd2) == 68);
};
