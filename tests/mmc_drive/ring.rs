//! The memory shared with the kernel: the mailbox, the ring of commands, and the data of each.
//!
//! This is the only file with `unsafe` code. What the kernel wrote is copied out before it is looked at, and every offset
//! it gives is checked against the size of the mapping.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::fd::AsRawFd as _,
    ptr::{self, NonNull},
    sync::atomic::{AtomicU32, Ordering},
};

/// One command as it came.
pub(crate) struct Call {
    /// 16 bytes; those behind the command are zero. The kernel cuts commands of the groups 6 and 7 to 10 bytes.
    pub(crate) cdb: [u8; 16],
    /// The length of the initiator's buffer, whichever its direction.
    pub(crate) buffer: usize,
    /// The first bytes in that buffer: what a data-out command brings.
    pub(crate) out: Vec<u8>,
}

/// How a command ended.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u8,
    pub(crate) sense: Vec<u8>,
    /// Data-in. Less than the buffer's length is told to the kernel, except that nothing at all with status GOOD counts
    /// as the whole buffer: the kernel has no word for it.
    pub(crate) data: Vec<u8>,
}

/// The most that is copied of the data of a data-out command.
const OUT: usize = 4096;

const MAILBOX_VERSION: u16 = 2;
const HEAD: usize = 12;
const TAIL: usize = 64;

const OP_MASK: u32 = 7;
const OP_PAD: u32 = 0;
const OP_COMMAND: u32 = 1;
const OP_TASK_MANAGEMENT: u32 = 2;

/// Places in an entry, from its start. Its header is packed, the request inside is not.
const FLAGS: usize = 7;
const IOV_COUNT: usize = 8;
const CDB_OFFSET: usize = 24;
const IOV: usize = 48;
const IOV_SIZE: usize = 16;
const STATUS: usize = 8;
const READ_LEN: usize = 12;
const SENSE: usize = 16;
const SENSE_SIZE: usize = 96;

const FLAG_UNKNOWN_OP: u8 = 1;
const FLAG_READ_LEN: u8 = 2;

/// The ring of one device.
pub(crate) struct Ring {
    file: File,
    map: Map,
    start: usize,
    size: u32,
}

impl Ring {
    /// Maps the `size` bytes of an open uio node.
    pub(crate) fn new(file: File, size: usize) -> io::Result<Self> {
        let map = Map::new(&file, size)?;
        let version = u16::from_ne_bytes(map.get(0)?);
        if version != MAILBOX_VERSION {
            return Err(io::Error::other(format!("mailbox version {version}")));
        }
        let start = u32::from_ne_bytes(map.get(4)?) as usize;
        let size = u32::from_ne_bytes(map.get(8)?);
        map.range(start, size as usize)?;
        Ok(Self {
            file,
            map,
            start,
            size,
        })
    }

    /// Answers commands until the kernel takes the device away.
    pub(crate) fn serve(mut self, mut answer: impl FnMut(&Call) -> Answer) -> io::Result<()> {
        let mut events = [0; 4];
        loop {
            loop {
                let tail = self.map.word(TAIL)?.load(Ordering::Relaxed);
                if tail == self.map.word(HEAD)?.load(Ordering::Acquire) {
                    break;
                }
                let len = self.entry(self.start + tail as usize, &mut answer)?;
                let next = (tail + len) % self.size;
                self.map.word(TAIL)?.store(next, Ordering::Release);
                self.file.write_all(&[0; 4])?;
            }
            match self.file.read_exact(&mut events) {
                Err(error) if error.raw_os_error() == Some(libc::EIO) => return Ok(()),
                other => other?,
            }
        }
    }

    /// Does what one entry asks for and gives its length.
    fn entry(&self, entry: usize, answer: &mut impl FnMut(&Call) -> Answer) -> io::Result<u32> {
        let word = u32::from_ne_bytes(self.map.get(entry)?);
        let len = word & !OP_MASK;
        match word & OP_MASK {
            // A command that was aborted is answered all the same; the kernel drops the answer.
            OP_PAD | OP_TASK_MANAGEMENT => {}
            OP_COMMAND => {
                let pieces = self.pieces(entry)?;
                let at = u64::from_ne_bytes(self.map.get(entry + CDB_OFFSET)?) as usize;
                let mut cdb = self.map.get::<16>(at)?;
                let len = cdb_len(cdb[0]);
                cdb[len..].fill(0);
                let buffer = pieces.iter().map(|piece| piece.1).sum();
                let mut call = Call {
                    cdb,
                    buffer,
                    out: vec![0; buffer.min(OUT)],
                };
                let mut rest = call.out.as_mut_slice();
                for (at, len) in &pieces {
                    let (here, behind) = rest.split_at_mut(rest.len().min(*len));
                    self.map.read(*at, here)?;
                    rest = behind;
                }
                let answer = answer(&call);
                self.finish(entry, &pieces, &answer)?;
            }
            _ => {
                let [flags] = self.map.get(entry + FLAGS)?;
                self.map.write(entry + FLAGS, &[flags | FLAG_UNKNOWN_OP])?;
            }
        }
        Ok(len)
    }

    /// Where the pieces of a command's buffer are, and their lengths.
    fn pieces(&self, entry: usize) -> io::Result<Vec<(usize, usize)>> {
        let count = u32::from_ne_bytes(self.map.get(entry + IOV_COUNT)?) as usize;
        (0..count)
            .map(|index| {
                let at = entry + IOV + index * IOV_SIZE;
                let base = usize::from_ne_bytes(self.map.get(at)?);
                let len = usize::from_ne_bytes(self.map.get(at + 8)?);
                self.map.range(base, len)?;
                Ok((base, len))
            })
            .collect()
    }

    /// Writes the answer. It takes the place of the request, so that nothing of that may be read any more.
    fn finish(&self, entry: usize, pieces: &[(usize, usize)], answer: &Answer) -> io::Result<()> {
        let mut rest = answer.data.as_slice();
        for (at, len) in pieces {
            let (here, behind) = rest.split_at(rest.len().min(*len));
            self.map.write(*at, here)?;
            rest = behind;
        }
        let moved = (answer.data.len() - rest.len()) as u32;
        let [flags] = self.map.get(entry + FLAGS)?;
        if moved > 0 {
            self.map.write(entry + FLAGS, &[flags | FLAG_READ_LEN])?;
        }
        self.map.write(entry + STATUS, &[answer.status, 0, 0, 0])?;
        self.map.write(entry + READ_LEN, &moved.to_ne_bytes())?;
        let mut sense = [0; SENSE_SIZE];
        let len = answer.sense.len().min(SENSE_SIZE);
        sense[..len].copy_from_slice(&answer.sense[..len]);
        self.map.write(entry + SENSE, &sense)
    }
}

/// How much of a command the kernel carries.
fn cdb_len(opcode: u8) -> usize {
    match opcode >> 5 {
        0 => 6,
        4 => 16,
        5 => 12,
        _ => 10,
    }
}

/// A shared mapping of a file.
struct Map {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping belongs to the process, not to the thread that made it, and `Map` has no second owner.
unsafe impl Send for Map {}

impl Map {
    fn new(file: &File, len: usize) -> io::Result<Self> {
        // SAFETY: the address is null and MAP_FIXED is absent, so the kernel picks a range that overlaps nothing.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mapped at zero"))?;
        Ok(Self { base, len })
    }

    /// The address of `len` bytes at `offset`, if all of them are mapped.
    fn range(&self, offset: usize, len: usize) -> io::Result<*mut u8> {
        let end = offset.checked_add(len);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::Error::other(format!(
                "{len} bytes at {offset} are not mapped"
            )));
        }
        Ok(self.base.as_ptr().wrapping_add(offset))
    }

    fn read(&self, offset: usize, into: &mut [u8]) -> io::Result<()> {
        let from = self.range(offset, into.len())?;
        // SAFETY: `range` checked the source; the target is an exclusive slice of memory that is not the mapping's.
        unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    fn write(&self, offset: usize, from: &[u8]) -> io::Result<()> {
        let into = self.range(offset, from.len())?;
        // SAFETY: `range` checked the target; nobody holds a reference into the mapping except to the two words of
        // `word`, which no entry and no data lies at.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), into, from.len()) };
        Ok(())
    }

    fn get<const N: usize>(&self, offset: usize) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// One of the mailbox's words that both sides change.
    #[allow(clippy::cast_ptr_alignment)]
    fn word(&self, offset: usize) -> io::Result<&AtomicU32> {
        let at = self.range(offset, 4)?.cast::<u32>();
        if !at.is_aligned() {
            return Err(io::Error::other("an odd place for a word"));
        }
        // SAFETY: `range` checked the four bytes, which stay mapped as long as `self` is borrowed; they are aligned, and
        // this side uses them by atomic operations only.
        Ok(unsafe { AtomicU32::from_ptr(at) })
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: these are the address and length of the mapping, and no reference into it outlives `self`.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}
