//! NVMe pass-through by ioctl.

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd},
};

use passthru_sys::{ioctl::Ioctl, nvme};

use crate::{
    Data,
    nvme::{Completion, Nsid, NvmeStatus, Queue, Sqe},
    transport::{Metadata, NvmeRequest},
};

use super::too_large;

/// Sends a command and waits, uninterruptibly, for its end
/// (`nvme_submit_user_cmd`: `blk_execute_rq`).
///
/// The request's buffers are as long as the command moves: that is what an
/// [`NvmeRequest`] promises.
pub(crate) fn nvme_submit(
    fd: BorrowedFd<'_>,
    request: NvmeRequest<'_>,
    timeout_ms: u32,
) -> io::Result<Completion> {
    let (queue, sqe) = (request.queue(), *request.sqe());
    let (data, metadata) = request.into_buffers();
    let data = Memory::of(data)?;
    let (metadata, metadata_len) = match metadata {
        Metadata::None => (0, 0),
        Metadata::In(slice) => (super::address(slice.as_mut_ptr()), slice.len()),
        Metadata::Out(slice) => (super::address(slice.as_ptr()), slice.len()),
    };
    let number = match (queue, data.vectored) {
        (Queue::Admin, false) => nvme::NVME_IOCTL_ADMIN64_CMD,
        (Queue::Io, false) => nvme::NVME_IOCTL_IO64_CMD,
        (Queue::Io, true) => nvme::NVME_IOCTL_IO64_CMD_VEC,
        (Queue::Admin, true) => return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP)),
    };
    let mut command = nvme::nvme_passthru_cmd64 {
        metadata: if metadata_len == 0 { 0 } else { metadata },
        addr: data.address,
        metadata_len: u32::try_from(metadata_len).map_err(|_| too_large())?,
        data_len: data.len,
        timeout_ms,
        ..entry(&sqe)
    };
    // SAFETY: `command` is a nvme_passthru_cmd64, what these ioctls take. Its
    // addresses are those of the request's slices, or of its arrays of iovecs for
    // the vectored one, which are borrowed until this function returns, and
    // exclusively where the controller writes; the call returns after the
    // command's end. That the command moves no more than these lengths, in these
    // directions, is the promise of the request's maker: `transport::send` for a
    // typed command by `Command::sqe`, the caller of `submit_raw` for a raw one.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), number, &raw mut command) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // A positive result is the status field; it has 15 bits.
    let status = NvmeStatus::from_raw(u16::try_from(result).unwrap_or(u16::MAX));
    Ok(Completion::new(status, command.result))
}

fn entry(sqe: &Sqe) -> nvme::nvme_passthru_cmd64 {
    nvme::nvme_passthru_cmd64 {
        opcode: sqe.opcode,
        nsid: sqe.nsid,
        cdw2: sqe.cdw2,
        cdw3: sqe.cdw3,
        cdw10: sqe.cdw10,
        cdw11: sqe.cdw11,
        cdw12: sqe.cdw12,
        cdw13: sqe.cdw13,
        cdw14: sqe.cdw14,
        cdw15: sqe.cdw15,
        ..nvme::nvme_passthru_cmd64::ZERO
    }
}

/// Memory as the kernel's structure has it.
struct Memory {
    address: u64,
    /// Bytes, or the number of iovecs.
    len: u32,
    vectored: bool,
}

impl Memory {
    fn of(data: Data<'_>) -> io::Result<Self> {
        let (address, len, vectored) = match data {
            _ if data.is_empty() => (0, 0, false),
            Data::None => (0, 0, false),
            Data::In(slice) => (super::address(slice.as_mut_ptr()), slice.len(), false),
            Data::Out(slice) => (super::address(slice.as_ptr()), slice.len(), false),
            // IoSlice and IoSliceMut have the layout of iovec by their contract.
            Data::InVectored(slices) => (super::address(slices.as_mut_ptr()), slices.len(), true),
            Data::OutVectored(slices) => (super::address(slices.as_ptr()), slices.len(), true),
        };
        Ok(Self {
            address,
            len: u32::try_from(len).map_err(|_| too_large())?,
            vectored,
        })
    }
}

/// The namespace of a namespace's node.
pub(crate) fn nvme_id(fd: BorrowedFd<'_>) -> io::Result<Nsid> {
    // SAFETY: NVME_IOCTL_ID takes no argument and returns a number.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), nvme::NVME_IOCTL_ID) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    u32::try_from(result)
        .ok()
        .and_then(Nsid::new)
        .ok_or_else(too_large)
}

/// A control ioctl of a controller, without an argument.
fn control(fd: BorrowedFd<'_>, number: Ioctl) -> io::Result<()> {
    // SAFETY: the callers pass requests that take no argument.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), number) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(crate) fn nvme_reset(fd: BorrowedFd<'_>) -> io::Result<()> {
    control(fd, nvme::NVME_IOCTL_RESET)
}

pub(crate) fn nvme_subsystem_reset(fd: BorrowedFd<'_>) -> io::Result<()> {
    control(fd, nvme::NVME_IOCTL_SUBSYS_RESET)
}

pub(crate) fn nvme_rescan(fd: BorrowedFd<'_>) -> io::Result<()> {
    control(fd, nvme::NVME_IOCTL_RESCAN)
}
