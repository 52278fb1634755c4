//! Every system call of the crate, one small function each.
//!
//! The functions are safe to call: a header's pointers are made here from borrowed
//! slices, and no function returns while the kernel may still use them. Of those for
//! rings the one that queues a command is not, since it returns long before. All
//! files with `unsafe` are in docs/safety.md.

#![allow(unsafe_code)]

mod control;
mod mapped;
mod nvme;
mod queue;
#[cfg(feature = "uring")]
mod uring;

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd, OwnedFd},
    path::Path,
    thread,
    time::Duration,
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl, open as nix_open},
    poll::{PollFd, PollFlags, poll},
    sys::stat::{FileStat, Mode, fstat as nix_fstat},
};
use passthru_sys::{bsg, sg};

use crate::{
    Data, IoPath, Outcome, QueuePosition,
    scsi::{Cdb, DriverStatus, HostStatus, Status},
};

pub(crate) use control::*;
pub(crate) use mapped::{Mapping, sg_transact_mapped};
pub(crate) use nvme::*;
pub(crate) use queue::{Completed, Direction, InFlight, Refused, Slot, sg_receive, sg_submit};
#[cfg(feature = "uring")]
pub(crate) use uring::{Cqe, File, Head, Registered, Setup, Transfer, Tuning, Uring, Words};

/// How a command is to be sent, with everything checked.
#[derive(Clone, Copy)]
pub(crate) struct Params {
    /// Not 0.
    pub(crate) timeout_ms: u32,
    pub(crate) position: QueuePosition,
    pub(crate) direct: bool,
}

/// A command without an outcome.
#[derive(Debug)]
pub(crate) struct Lost {
    /// Whether the kernel had taken the command.
    pub(crate) sent: bool,
    pub(crate) source: io::Error,
}

impl Lost {
    pub(crate) fn unsent(source: io::Error) -> Self {
        Self {
            sent: false,
            source,
        }
    }
}

/// Opens a node, always with `O_CLOEXEC`.
pub(crate) fn open(path: &Path, flags: OFlag) -> io::Result<OwnedFd> {
    Ok(nix_open(path, flags | OFlag::O_CLOEXEC, Mode::empty())?)
}

pub(crate) fn fstat(fd: BorrowedFd<'_>) -> io::Result<FileStat> {
    Ok(nix_fstat(fd)?)
}

/// Makes `read` wait: `O_NONBLOCK` was for the opening only.
pub(crate) fn set_blocking(fd: BorrowedFd<'_>) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags.difference(OFlag::O_NONBLOCK)))?;
    Ok(())
}

/// What a `read` of an sg node would find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    Nothing,
    Result,
    /// The device is gone. A `read` waits for what is still in flight, and is
    /// `ENODEV` if nothing is.
    HangUp,
}

/// Looks whether there is something to `read`, waiting up to `patience` for it.
pub(crate) fn poll_result(fd: BorrowedFd<'_>, patience: Duration) -> io::Result<Waiting> {
    let patience = u16::try_from(patience.as_millis()).unwrap_or(u16::MAX);
    let mut polled = [PollFd::new(fd, PollFlags::POLLIN)];
    while let Err(errno) = poll(&mut polled, patience) {
        if errno != Errno::EINTR {
            return Err(errno.into());
        }
    }
    Ok(match polled.first().and_then(PollFd::revents) {
        Some(found) if found.contains(PollFlags::POLLIN) => Waiting::Result,
        Some(found) if !found.is_empty() => Waiting::HangUp,
        _ => Waiting::Nothing,
    })
}

/// A header for `SG_IO`, and `sg`'s `write`.
///
/// The pointers in it are good as long as `cdb`, `data` and `sense` are neither
/// moved nor used otherwise.
fn v3_header(
    cdb: &Cdb,
    data: &mut Data<'_>,
    sense: &mut [u8],
    params: Params,
) -> io::Result<sg::sg_io_hdr> {
    let len = u32::try_from(data.len()).map_err(|_| too_large())?;
    let mut iovec_count = 0;
    let (direction, pointer) = match data {
        _ if len == 0 => (sg::SG_DXFER_NONE, std::ptr::null_mut()),
        Data::None => (sg::SG_DXFER_NONE, std::ptr::null_mut()),
        Data::In(slice) => (sg::SG_DXFER_FROM_DEV, slice.as_mut_ptr().cast()),
        Data::Out(slice) => (sg::SG_DXFER_TO_DEV, slice.as_ptr().cast_mut().cast()),
        // IoSlice and IoSliceMut have the layout of iovec by their contract.
        Data::InVectored(slices) => {
            iovec_count = u16::try_from(slices.len()).map_err(|_| too_large())?;
            (sg::SG_DXFER_FROM_DEV, slices.as_mut_ptr().cast())
        }
        Data::OutVectored(slices) => {
            iovec_count = u16::try_from(slices.len()).map_err(|_| too_large())?;
            (
                sg::SG_DXFER_TO_DEV,
                slices.as_ptr().cast_mut().cast::<libc::c_void>(),
            )
        }
    };
    let mut flags = match params.position {
        QueuePosition::Tail => sg::SG_FLAG_Q_AT_TAIL,
        QueuePosition::Head => sg::SG_FLAG_Q_AT_HEAD,
    };
    if params.direct {
        flags |= sg::SG_FLAG_DIRECT_IO;
    }
    Ok(sg::sg_io_hdr {
        interface_id: sg::SG_INTERFACE_ID_ORIG,
        dxfer_direction: direction,
        // A Cdb has at most 32 bytes.
        cmd_len: u8::try_from(cdb.len()).unwrap_or(0),
        mx_sb_len: u8::try_from(sense.len()).unwrap_or(u8::MAX),
        iovec_count,
        dxfer_len: len,
        dxferp: pointer,
        cmdp: cdb.as_bytes().as_ptr().cast_mut(),
        sbp: sense.as_mut_ptr(),
        timeout: params.timeout_ms,
        flags,
        ..sg::sg_io_hdr::ZERO
    })
}

fn too_large() -> io::Error {
    io::Error::from_raw_os_error(libc::EINVAL)
}

/// Takes the results out of a completed v3 header.
fn take_v3(header: &sg::sg_io_hdr, outcome: &mut Outcome, io_path: IoPath) {
    outcome.set_status(Status(header.status));
    outcome.set_host(HostStatus(header.host_status));
    outcome.set_driver(DriverStatus(header.driver_status));
    outcome.set_residual(header.resid);
    outcome.set_duration(Duration::from_millis(u64::from(header.duration)));
    outcome.set_io_path(io_path);
    outcome.sense_mut().set_len(usize::from(header.sb_len_wr));
}

/// A v3 header with room for the 88 bytes that a 64-bit kernel wants to see
/// from a 32-bit process's `write` as well (`sg_new_write`: `SZ_SG_IO_HDR`).
#[repr(C)]
struct Padded {
    header: sg::sg_io_hdr,
    #[cfg(target_pointer_width = "32")]
    room: [u8; 24],
}

/// Sends a command through an sg node by `write`, and waits for its end by
/// `read`. A signal interrupts neither the command nor the waiting, and nothing
/// is sent twice.
///
/// `fd` reads blockingly and has `SG_SET_FORCE_PACK_ID` set; `pack_id` is
/// positive and belongs to no other command in flight on the descriptor.
/// `outcome` is a new one for the length of `data`, and is filled.
pub(crate) fn sg_transact(
    fd: BorrowedFd<'_>,
    pack_id: i32,
    cdb: &Cdb,
    mut data: Data<'_>,
    params: Params,
    outcome: &mut Outcome,
) -> Result<(), Lost> {
    let has_data = !data.is_empty();
    let mut header = v3_header(cdb, &mut data, outcome.sense_mut().as_mut_array(), params)
        .map_err(Lost::unsent)?;
    header.pack_id = pack_id;
    // SAFETY: the header's pointers come from `cdb`, `data` and `outcome`, which
    // stay borrowed beyond this call, exclusively where the kernel writes.
    let header = unsafe { exchange(fd, header) }?;
    take_v3(&header, outcome, io_path(&header, has_data));
    Ok(())
}

/// What an sg node says of the way that data took.
fn io_path(header: &sg::sg_io_hdr, has_data: bool) -> IoPath {
    match header.info & sg::SG_INFO_DIRECT_IO_MASK {
        _ if !has_data => IoPath::Unknown,
        sg::SG_INFO_DIRECT_IO => IoPath::Direct,
        sg::SG_INFO_MIXED_IO => IoPath::Mixed,
        _ => IoPath::Indirect,
    }
}

/// `write`s a header for `sg`.
///
/// # Safety
/// The header's CDB and iovec pointers are good now. Its data pointer, or those
/// in its iovec, and its sense pointer stay good, and are used by nobody else
/// where the kernel writes, until a `read` has returned the result; if the
/// result is never read, until the command has ended.
unsafe fn sg_write(fd: BorrowedFd<'_>, header: &sg::sg_io_hdr) -> io::Result<()> {
    let padded = Padded {
        header: *header,
        #[cfg(target_pointer_width = "32")]
        room: [0; 24],
    };
    // SAFETY: the range is that of `padded`, which is initialised. What the
    // kernel does with the header's pointers is the caller's promise.
    let written = unsafe {
        libc::write(
            fd.as_raw_fd(),
            (&raw const padded).cast(),
            size_of::<Padded>(),
        )
    };
    if written < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// `read`s the result that the header's `pack_id` and direction ask for.
///
/// # Safety
/// The pointers of the command that was sent under that `pack_id` are still
/// good, as [`sg_write`] says: the kernel writes data and sense there.
unsafe fn sg_read(fd: BorrowedFd<'_>, header: &mut sg::sg_io_hdr) -> io::Result<()> {
    loop {
        // SAFETY: the range is that of `header`, which is ours to write; the
        // rest is the caller's promise.
        let got = unsafe {
            libc::read(
                fd.as_raw_fd(),
                (&raw mut *header).cast(),
                size_of::<sg::sg_io_hdr>(),
            )
        };
        if got >= 0 {
            return Ok(());
        }
        let source = io::Error::last_os_error();
        if source.kind() != io::ErrorKind::Interrupted {
            return Err(source);
        }
    }
}

/// Sends a command and waits for its result.
///
/// # Safety
/// The header's pointers are good, and used by nobody else where the kernel
/// writes, until this returns.
unsafe fn exchange(fd: BorrowedFd<'_>, mut header: sg::sg_io_hdr) -> Result<sg::sg_io_hdr, Lost> {
    let pack_id = header.pack_id;
    // SAFETY: the pointers are good until this function returns (the caller's
    // promise), and it returns only when `read` has given the result, or when
    // the command has ended and its result will never be read.
    unsafe { sg_write(fd, &header) }.map_err(Lost::unsent)?;
    // SAFETY: it is the command that was just sent.
    match unsafe { sg_read(fd, &mut header) } {
        Ok(()) => Ok(header),
        Err(source) => {
            wait_for_end(fd, pack_id);
            Err(Lost { sent: true, source })
        }
    }
}

/// Waits until a command whose result cannot be read has ended, so that no
/// device moves data to or from the caller's pages, or the mapped ones of the
/// reserve buffer, any more.
fn wait_for_end(fd: BorrowedFd<'_>, pack_id: i32) {
    /// `req_state` of a command that has not ended (`sg_fill_request_table`:
    /// `srp->done + 1`).
    const IN_FLIGHT: u8 = 1;
    loop {
        match sg_request_table(fd) {
            Ok(table)
                if !table
                    .iter()
                    .any(|info| info.pack_id == pack_id && info.req_state == IN_FLIGHT) =>
            {
                return;
            }
            // Not knowing is no reason to return: the pages are at stake.
            _ => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// `SG_IO` on a block node. The wait cannot be interrupted
/// (`blk_execute_rq`), so the command is sent once and has ended on return.
pub(crate) fn block_sg_io(
    fd: BorrowedFd<'_>,
    cdb: &Cdb,
    mut data: Data<'_>,
    params: Params,
    outcome: &mut Outcome,
) -> io::Result<()> {
    let mut header = v3_header(cdb, &mut data, outcome.sense_mut().as_mut_array(), params)?;
    // SAFETY: `header` is a sg_io_hdr, what SG_IO takes on a block node. Its
    // pointers come from `cdb`, `data` and `outcome`, borrowed beyond this call
    // and exclusive where the kernel writes; the call returns after the command.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), sg::SG_IO, &raw mut header) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    take_v3(&header, outcome, IoPath::Unknown);
    Ok(())
}

/// `SG_IO` on a bsg node, with a v4 header. As uninterruptible as
/// [`block_sg_io`].
pub(crate) fn bsg_sg_io(
    fd: BorrowedFd<'_>,
    cdb: &Cdb,
    data: Data<'_>,
    params: Params,
    outcome: &mut Outcome,
) -> io::Result<()> {
    let len = u32::try_from(data.len()).map_err(|_| too_large())?;
    let sense = outcome.sense_mut().as_mut_array();
    let mut header = bsg::sg_io_v4 {
        guard: i32::from(b'Q'),
        protocol: bsg::BSG_PROTOCOL_SCSI,
        subprotocol: bsg::BSG_SUB_PROTOCOL_SCSI_CMD,
        request_len: u32::try_from(cdb.len()).unwrap_or(0),
        request: address(cdb.as_bytes().as_ptr()),
        max_response_len: u32::try_from(sense.len()).unwrap_or(0),
        response: address(sense.as_mut_ptr()),
        timeout: params.timeout_ms,
        flags: match params.position {
            QueuePosition::Tail => bsg::BSG_FLAG_Q_AT_TAIL,
            QueuePosition::Head => bsg::BSG_FLAG_Q_AT_HEAD,
        },
        ..bsg::sg_io_v4::ZERO
    };
    let data_in = match data {
        // An empty vector is no data either.
        _ if len == 0 => false,
        Data::In(slice) => {
            header.din_xfer_len = len;
            header.din_xferp = address(slice.as_mut_ptr());
            true
        }
        Data::Out(slice) => {
            header.dout_xfer_len = len;
            header.dout_xferp = address(slice.as_ptr());
            false
        }
        Data::None => false,
        // The kernel ignores the iovec counts and would write data over the
        // array of iovecs.
        Data::InVectored(_) | Data::OutVectored(_) => {
            return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP));
        }
    };
    // SAFETY: `header` is a sg_io_v4, what SG_IO takes on a bsg node, with
    // iovec counts of 0. Its addresses come from `cdb`, `data` and `outcome`,
    // borrowed beyond this call and exclusive where the kernel writes; the call
    // returns after the command.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), sg::SG_IO, &raw mut header) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
    let word = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    outcome.set_status(Status(byte(header.device_status)));
    outcome.set_host(HostStatus(word(header.transport_status)));
    outcome.set_driver(DriverStatus(word(header.driver_status)));
    outcome.set_residual(if data_in {
        header.din_resid
    } else {
        header.dout_resid
    });
    outcome
        .sense_mut()
        .set_len(usize::try_from(header.response_len).unwrap_or(0));
    Ok(())
}

fn address<T>(pointer: *const T) -> u64 {
    pointer.expose_provenance() as u64
}
