//! Every system call of the crate, one small function each.
//!
//! This file and `memory/` are the only places with `unsafe`. The functions are
//! safe to call: a header's pointers are made here from borrowed slices, and no
//! function returns while the kernel may still use them.

#![allow(unsafe_code)]

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd, OwnedFd},
    path::Path,
    thread,
    time::Duration,
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl, open as nix_open},
    sys::stat::{FileStat, Mode, fstat as nix_fstat},
};
use passthru_sys::{blk, bsg, ioctl::Ioctl, sg};

use crate::{
    Data, IoPath, Outcome, QueuePosition,
    scsi::{Cdb, DriverStatus, HostStatus, Status},
};

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
    let header = v3_header(cdb, &mut data, outcome.sense_mut().as_mut_array(), params).map_err(
        |source| Lost {
            sent: false,
            source,
        },
    )?;
    let mut padded = Padded {
        header: sg::sg_io_hdr { pack_id, ..header },
        #[cfg(target_pointer_width = "32")]
        room: [0; 24],
    };
    // SAFETY: the range is that of `padded`, which is initialised and lives on.
    // The kernel reads the CDB and the iovec array now, which `cdb` and `data`
    // keep borrowed. Data and sense pointers come from `data` and `outcome`,
    // exclusive for data-in and sense; they stay so until the kernel is done
    // with them: the loop below ends only when `read` has returned this
    // command's result, or when the command has ended and nobody will ask for
    // its result any more, without which the kernel writes to neither
    // (`sg_new_read` does, and a device by direct I/O until the end).
    let written = unsafe {
        libc::write(
            fd.as_raw_fd(),
            (&raw const padded).cast(),
            size_of::<Padded>(),
        )
    };
    if written < 0 {
        // Every failure of sg_write is one before the command was queued.
        return Err(Lost {
            sent: false,
            source: io::Error::last_os_error(),
        });
    }
    loop {
        // SAFETY: the range is that of `padded.header`, which is ours to write.
        // The header's pack_id and direction choose this command's result; for
        // it the kernel writes to the data and sense pointers of above, still
        // borrowed.
        let got = unsafe {
            libc::read(
                fd.as_raw_fd(),
                (&raw mut padded.header).cast(),
                size_of::<sg::sg_io_hdr>(),
            )
        };
        if got >= 0 {
            break;
        }
        let source = io::Error::last_os_error();
        if source.kind() != io::ErrorKind::Interrupted {
            if params.direct {
                wait_for_end(fd, pack_id);
            }
            return Err(Lost { sent: true, source });
        }
    }
    let io_path = match padded.header.info & sg::SG_INFO_DIRECT_IO_MASK {
        _ if !has_data => IoPath::Unknown,
        sg::SG_INFO_DIRECT_IO => IoPath::Direct,
        sg::SG_INFO_MIXED_IO => IoPath::Mixed,
        _ => IoPath::Indirect,
    };
    take_v3(&padded.header, outcome, io_path);
    Ok(())
}

/// Waits until a command whose result cannot be read has ended, so that no
/// device moves data to or from the caller's pages any more.
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
