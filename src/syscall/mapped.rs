//! The mapped reserve buffer of an sg node.

use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd},
    ptr::NonNull,
};

use passthru_sys::sg;

use super::{Lost, Params, exchange, io_path, take_v3, too_large, v3_header};
use crate::{Data, Outcome, memory::page_size, scsi::Cdb};

/// The pages of a reserve buffer, mapped. Nothing but this value knows the
/// address.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and this value
// is the only way to it.
unsafe impl Send for Mapping {}
// SAFETY: shared access only reads.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the first `len` bytes, whole pages, of the reserve buffer, and
    /// touches every page: the driver's fault handler needs the mapping whole
    /// (`sg_vma_fault`), and other nodes take pages that are present only.
    pub(crate) fn new(fd: BorrowedFd<'_>, len: usize) -> io::Result<Self> {
        // SAFETY: without an address and MAP_FIXED the kernel chooses a range
        // that overlaps nothing.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                fd.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or_else(too_large)?;
        let mapping = Self { start, len };
        mapping.keep_from_children();
        mapping.touch();
        Ok(mapping)
    }

    /// A forked child would share the pages, and its commands and ours would
    /// change each other's slices; so it does not get them.
    fn keep_from_children(&self) {
        // SAFETY: the range is our own mapping, and the advice changes nothing
        // in this process. If it is refused the child has the pages; the kernel
        // lets it send no commands.
        unsafe {
            libc::madvise(self.start.as_ptr().cast(), self.len, libc::MADV_DONTFORK);
        }
    }

    fn touch(&self) {
        for page in (0..self.len).step_by(page_size()) {
            // SAFETY: `page` is below `len`, so the address is in the mapping.
            let address = unsafe { self.start.as_ptr().add(page) };
            // SAFETY: the address is in the mapping, which is readable and has
            // no other user yet.
            unsafe { address.read_volatile() };
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: the range is mapped and readable as long as `self` lives, and
        // initialised (the kernel zeroes the pages). Only commands of the
        // descriptor change it; they need its owner mutably borrowed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, writable, and `self` is exclusively borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is our own mapping, and no slice of it outlives
        // `self`. A command in flight uses the kernel's pages, not the mapping.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// As [`sg_transact`](super::sg_transact), with the first `len` bytes of the
/// mapped reserve buffer as the data, from the device if `data_in`, else to it.
/// `len` is at most the mapping's length, and `mapping` that of `fd`.
pub(crate) fn sg_transact_mapped(
    fd: BorrowedFd<'_>,
    pack_id: i32,
    cdb: &Cdb,
    _mapping: &mut Mapping,
    (data_in, len): (bool, usize),
    params: Params,
    outcome: &mut Outcome,
) -> Result<(), Lost> {
    // Without a pointer and with MMAP_IO the data stays in the reserve buffer.
    // With a pointer the kernel would copy it from or to there as well.
    let mut none = Data::None;
    let mut header = v3_header(cdb, &mut none, outcome.sense_mut().as_mut_array(), params)
        .map_err(Lost::unsent)?;
    header.pack_id = pack_id;
    if len > 0 {
        header.flags |= sg::SG_FLAG_MMAP_IO;
        header.dxfer_len = u32::try_from(len).map_err(|_| Lost::unsent(too_large()))?;
        header.dxfer_direction = if data_in {
            sg::SG_DXFER_FROM_DEV
        } else {
            sg::SG_DXFER_TO_DEV
        };
    }
    // SAFETY: CDB and sense come from `cdb` and `outcome`, borrowed beyond this
    // call. The data pointer is null; the pages that the device moves to or from
    // are the kernel's, and their mapping is exclusively borrowed meanwhile.
    let header = unsafe { exchange(fd, header) }?;
    take_v3(&header, outcome, io_path(&header, len > 0));
    Ok(())
}
