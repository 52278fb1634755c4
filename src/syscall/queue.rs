//! Commands in flight on an sg node, whose memory nobody can reach meanwhile.

use std::{io, os::fd::BorrowedFd, ptr::NonNull};

use passthru_sys::sg;

use super::{Params, io_path, sg_read, sg_write, take_v3, v3_header};
use crate::{
    Data, Outcome,
    memory::AlignedBuf,
    scsi::{Cdb, Status},
};

/// The memory of one command: its CDB, its data and its outcome, which holds
/// the sense data. It is on the heap and stays where it is, so that the kernel's
/// pointers into it stay good; it is used again for other commands.
#[derive(Debug)]
pub(crate) struct Slot {
    cdb: Cdb,
    buffer: AlignedBuf,
    len: usize,
    outcome: Outcome,
    pack_id: i32,
}

impl Slot {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            cdb: Cdb::from_array([0; 6]),
            buffer: AlignedBuf::empty(),
            len: 0,
            outcome: Outcome::new(Status::GOOD, 0),
            pack_id: 0,
        })
    }
}

/// A command in flight. The memory of its slot cannot be reached through it;
/// dropping it leaks that memory, since the kernel may still write there.
#[derive(Debug)]
pub(crate) struct InFlight {
    slot: NonNull<Slot>,
    pack_id: i32,
}

// SAFETY: it is the only way to the slot, whose parts are Send.
unsafe impl Send for InFlight {}
// SAFETY: nothing can be reached through a shared reference.
unsafe impl Sync for InFlight {}

impl InFlight {
    pub(crate) const fn pack_id(&self) -> i32 {
        self.pack_id
    }
}

/// A command that was not sent, with what it was given.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) slot: Box<Slot>,
    pub(crate) buffer: AlignedBuf,
    pub(crate) source: io::Error,
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Completed {
    pub(crate) slot: Box<Slot>,
    pub(crate) buffer: AlignedBuf,
    pub(crate) outcome: Outcome,
}

/// Which way the buffer's bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    None,
    In,
    Out,
}

/// Sends a command with all of `buffer`.
/// `pack_id` is as [`sg_transact`](super::sg_transact) wants it.
pub(crate) fn sg_submit(
    fd: BorrowedFd<'_>,
    pack_id: i32,
    mut slot: Box<Slot>,
    cdb: &Cdb,
    (direction, buffer): (Direction, AlignedBuf),
    params: Params,
) -> Result<InFlight, Refused> {
    slot.cdb = *cdb;
    slot.len = match direction {
        Direction::None => 0,
        Direction::In | Direction::Out => buffer.len(),
    };
    slot.buffer = buffer;
    slot.outcome = Outcome::new(Status::GOOD, slot.len);
    slot.pack_id = pack_id;
    let slot = NonNull::from(Box::leak(slot));
    match write_slot(fd, slot, direction, params) {
        Ok(()) => Ok(InFlight { slot, pack_id }),
        Err(source) => {
            // SAFETY: the pointer is from Box::leak, and the kernel, which did
            // not take the command, has nothing of it.
            let mut slot = unsafe { Box::from_raw(slot.as_ptr()) };
            let buffer = std::mem::take(&mut slot.buffer);
            Err(Refused {
                slot,
                buffer,
                source,
            })
        }
    }
}

fn write_slot(
    fd: BorrowedFd<'_>,
    mut slot: NonNull<Slot>,
    direction: Direction,
    params: Params,
) -> io::Result<()> {
    // SAFETY: the slot is ours alone until the kernel has the header.
    let slot = unsafe { slot.as_mut() };
    let bytes = slot.buffer.get_mut(..slot.len).unwrap_or_default();
    let mut data = match direction {
        Direction::None => Data::None,
        Direction::In => Data::In(bytes),
        Direction::Out => Data::Out(bytes),
    };
    let sense = slot.outcome.sense_mut().as_mut_array();
    let mut header = v3_header(&slot.cdb, &mut data, sense, params)?;
    header.pack_id = slot.pack_id;
    // SAFETY: the header points into the slot and into its buffer. Both stay
    // where they are and are reached by nobody until `sg_receive` has read the
    // result and made a Box of the slot again; if that never happens they are
    // leaked.
    unsafe { sg_write(fd, &header) }
}

/// Reads the result of one of the commands in flight, the first that is ready,
/// waiting for it if none is; takes it out of `in_flight`.
///
/// `None` if it was none of them: somebody else uses the descriptor.
///
/// `in_flight` has all commands that were sent through `fd` and not read.
pub(crate) fn sg_receive(
    fd: BorrowedFd<'_>,
    in_flight: &mut [Option<InFlight>],
) -> io::Result<Option<(usize, Completed)>> {
    let mut header = sg::sg_io_hdr {
        interface_id: sg::SG_INTERFACE_ID_ORIG,
        dxfer_direction: sg::SG_DXFER_NONE,
        // Any.
        pack_id: -1,
        ..sg::sg_io_hdr::ZERO
    };
    // SAFETY: whichever result it is, its command's memory is still there: it is
    // in `in_flight`, or was leaked.
    unsafe { sg_read(fd, &mut header) }?;
    let found = in_flight.iter_mut().enumerate().find_map(|(index, entry)| {
        let pack_id = entry.as_ref()?.pack_id;
        (pack_id == header.pack_id)
            .then(|| entry.take())?
            .map(|it| (index, it))
    });
    let Some((index, ended)) = found else {
        return Ok(None);
    };
    // SAFETY: the pointer is from Box::leak in `sg_submit`, and this is the only
    // place that makes a Box of it again, since `ended` is used up. The kernel is
    // done with the memory: its result has been read.
    let mut slot = unsafe { Box::from_raw(ended.slot.as_ptr()) };
    take_v3(&header, &mut slot.outcome, io_path(&header, slot.len > 0));
    let outcome = slot.outcome;
    let buffer = std::mem::take(&mut slot.buffer);
    Ok(Some((
        index,
        Completed {
            slot,
            buffer,
            outcome,
        },
    )))
}
