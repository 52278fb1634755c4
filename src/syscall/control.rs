//! The control ioctls of the sg driver.

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd},
};

use passthru_sys::{blk, ioctl::Ioctl, sg};

/// An ioctl that fills an `int`.
fn get_int(fd: BorrowedFd<'_>, request: Ioctl) -> io::Result<i32> {
    let mut value: libc::c_int = 0;
    // SAFETY: the callers pass requests whose argument is an `int *` that the
    // kernel fills; `value` is one.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request, &raw mut value) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(value)
}

/// An ioctl that reads an `int`.
fn set_int(fd: BorrowedFd<'_>, request: Ioctl, value: i32) -> io::Result<()> {
    let mut value: libc::c_int = value;
    // SAFETY: the callers pass requests whose argument is an `int *` that the
    // kernel reads; `value` is one.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request, &raw mut value) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(crate) fn sg_version(fd: BorrowedFd<'_>) -> io::Result<i32> {
    get_int(fd, sg::SG_GET_VERSION_NUM)
}

pub(crate) fn sg_force_pack_id(fd: BorrowedFd<'_>) -> io::Result<()> {
    set_int(fd, sg::SG_SET_FORCE_PACK_ID, 1)
}

pub(crate) fn sg_reserved_size(fd: BorrowedFd<'_>) -> io::Result<i32> {
    get_int(fd, sg::SG_GET_RESERVED_SIZE)
}

pub(crate) fn sg_set_reserved_size(fd: BorrowedFd<'_>, bytes: i32) -> io::Result<()> {
    set_int(fd, sg::SG_SET_RESERVED_SIZE, bytes)
}

pub(crate) fn sg_table_size(fd: BorrowedFd<'_>) -> io::Result<i32> {
    get_int(fd, sg::SG_GET_SG_TABLESIZE)
}

/// The soft limit of a transfer through an sg node, in bytes
/// (`max_sectors_bytes`).
pub(crate) fn sg_max_sectors_bytes(fd: BorrowedFd<'_>) -> io::Result<i32> {
    get_int(fd, blk::BLKSECTGET)
}

pub(crate) fn sg_reset(fd: BorrowedFd<'_>, what: i32) -> io::Result<()> {
    set_int(fd, sg::SG_SCSI_RESET, what)
}

pub(crate) fn sg_scsi_id(fd: BorrowedFd<'_>) -> io::Result<sg::sg_scsi_id> {
    let mut id = sg::sg_scsi_id::ZERO;
    // SAFETY: SG_GET_SCSI_ID fills a sg_scsi_id; `id` is one.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), sg::SG_GET_SCSI_ID, &raw mut id) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(id)
}

/// The kernel always fills all 16 entries; unused ones are zero.
pub(crate) fn sg_request_table(
    fd: BorrowedFd<'_>,
) -> io::Result<[sg::sg_req_info; sg::SG_MAX_QUEUE]> {
    let mut table = [sg::sg_req_info::ZERO; sg::SG_MAX_QUEUE];
    // SAFETY: SG_GET_REQUEST_TABLE fills SG_MAX_QUEUE entries of sg_req_info;
    // `table` has as many.
    let result =
        unsafe { libc::ioctl(fd.as_raw_fd(), sg::SG_GET_REQUEST_TABLE, table.as_mut_ptr()) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(table)
}
