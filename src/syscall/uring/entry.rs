//! A command as an entry of a ring.

use std::{mem, os::fd::RawFd};

use io_uring::{opcode, squeue::Entry128};

use crate::nvme::Sqe;

/// `IOSQE_FIXED_FILE`.
const FIXED_FILE: u64 = 1;
/// `IORING_URING_CMD_FIXED`, in the upper half of its word.
const FIXED_BUFFER: u64 = 1 << 32;

/// A descriptor as a command names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum File {
    Descriptor(RawFd),
    /// A place in the table of registered files.
    Registered(u32),
}

/// What the entries of one descriptor have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head(u64);

impl Head {
    pub(crate) fn new(file: File) -> Self {
        let (flags, fd) = match file {
            #[allow(clippy::cast_sign_loss)] // the field is the descriptor's bits
            File::Descriptor(fd) => (0, fd as u32),
            File::Registered(place) => (FIXED_FILE, place),
        };
        Self(u64::from(opcode::UringCmd80::CODE) | flags << 8 | u64::from(fd) << 32)
    }
}

/// A registered part of memory, as a command names it; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registered(u64);

impl Registered {
    pub(crate) const NONE: Self = Self(0);

    /// The part with that number.
    #[inline]
    pub(crate) const fn part(number: u16) -> Self {
        Self(FIXED_BUFFER | number as u64)
    }
}

/// What a command says to the controller, in words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words {
    opcode_nsid: u64,
    cdw2_3: u64,
    cdw10_11: u64,
    cdw12_13: u64,
    cdw14_15: u64,
}

impl Words {
    #[inline(always)]
    pub(crate) fn of(sqe: &Sqe) -> Self {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Self {
            // Bytes 1 to 3 of a command must be 0.
            opcode_nsid: pair(u32::from(sqe.opcode), sqe.nsid),
            cdw2_3: pair(sqe.cdw2, sqe.cdw3),
            cdw10_11: pair(sqe.cdw10, sqe.cdw11),
            cdw12_13: pair(sqe.cdw12, sqe.cdw13),
            cdw14_15: pair(sqe.cdw14, sqe.cdw15),
        }
    }

    /// What they were made of.
    #[allow(clippy::cast_possible_truncation)] // halves
    pub(crate) const fn sqe(&self) -> Sqe {
        Sqe {
            opcode: self.opcode_nsid as u8,
            nsid: (self.opcode_nsid >> 32) as u32,
            cdw2: self.cdw2_3 as u32,
            cdw3: (self.cdw2_3 >> 32) as u32,
            cdw10: self.cdw10_11 as u32,
            cdw11: (self.cdw10_11 >> 32) as u32,
            cdw12: self.cdw12_13 as u32,
            cdw13: (self.cdw12_13 >> 32) as u32,
            cdw14: self.cdw14_15 as u32,
            cdw15: (self.cdw14_15 >> 32) as u32,
        }
    }
}

/// Memory of a command, and how it is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    /// `NVME_URING_CMD_*`.
    pub(crate) op: u32,
    /// Of the data, or of an array of iovecs for `NVME_URING_CMD_IO_VEC`.
    pub(crate) address: u64,
    /// Bytes, or the number of iovecs.
    pub(crate) len: u32,
    pub(crate) registered: Registered,
    /// Of the metadata, or 0.
    pub(crate) metadata: u64,
    pub(crate) metadata_len: u32,
    /// 0 is the kernel's default.
    pub(crate) timeout_ms: u32,
}

/// The entry for a command (`struct io_uring_sqe`, whose last 80 bytes are
/// `struct nvme_uring_cmd`).
///
/// It does what `opcode::UringCmd80` does, in words, which is less than half of the
/// instructions.
#[inline(always)]
pub(super) fn entry(head: Head, words: &Words, transfer: &Transfer, user_data: u64) -> Entry128 {
    let Registered(registered) = transfer.registered;
    let all: [u64; 16] = [
        head.0,
        u64::from(transfer.op),
        0,
        registered & FIXED_BUFFER,
        user_data,
        registered & 0xffff,
        words.opcode_nsid,
        words.cdw2_3,
        transfer.metadata,
        transfer.address,
        u64::from(transfer.metadata_len) | u64::from(transfer.len) << 32,
        words.cdw10_11,
        words.cdw12_13,
        words.cdw14_15,
        u64::from(transfer.timeout_ms),
        0,
    ];
    // SAFETY: both have 128 bytes, or this does not compile. An Entry128 is the
    // kernel's structure (it is `repr(C)`), made of integers, for which all bytes
    // are good. A test compares it with what its builder makes.
    unsafe { mem::transmute::<[u64; 16], Entry128>(all) }
}

#[cfg(test)]
mod tests {
    use io_uring::types::{Fd, Fixed};
    use passthru_sys::nvme::nvme_uring_cmd;
    use zerocopy::IntoBytes as _;

    use super::*;

    fn bytes(entry: Entry128) -> [u8; 128] {
        // SAFETY: as in `entry`; the fields leave no gaps.
        unsafe { mem::transmute(entry) }
    }

    #[test]
    fn an_entry_is_what_the_builder_makes() {
        let command = nvme_uring_cmd {
            opcode: 0x81,
            nsid: 0x0203_0405,
            cdw2: 0x1112_1314,
            cdw3: 0x2122_2324,
            metadata: 0x3132_3334_3536_3738,
            addr: 0x4142_4344_4546_4748,
            metadata_len: 0x5152_5354,
            data_len: 0x6162_6364,
            cdw10: 0x7172_7374,
            cdw11: 0x8182_8384,
            cdw12: 0x9192_9394,
            cdw13: 0xa1a2_a3a4,
            cdw14: 0xb1b2_b3b4,
            cdw15: 0xc1c2_c3c4,
            timeout_ms: 0xd1d2_d3d4,
            ..nvme_uring_cmd::ZERO
        };
        let sqe = Sqe {
            opcode: 0x81,
            nsid: 0x0203_0405,
            cdw2: 0x1112_1314,
            cdw3: 0x2122_2324,
            cdw10: 0x7172_7374,
            cdw11: 0x8182_8384,
            cdw12: 0x9192_9394,
            cdw13: 0xa1a2_a3a4,
            cdw14: 0xb1b2_b3b4,
            cdw15: 0xc1c2_c3c4,
        };
        assert_eq!(Words::of(&sqe).sqe(), sqe);
        let op = 0xc048_4e80;
        let mut padded = [0; 80];
        padded[..72].copy_from_slice(command.as_bytes());
        for file in [File::Descriptor(7), File::Registered(9)] {
            for buffer in [None, Some(0), Some(0x0102)] {
                let built = match file {
                    File::Descriptor(fd) => opcode::UringCmd80::new(Fd(fd), op),
                    File::Registered(place) => opcode::UringCmd80::new(Fixed(place), op),
                };
                let built = built.cmd(padded).buf_index(buffer).build();
                let built = built.user_data(0xe1e2_e3e4_e5e6_e7e8);
                let transfer = Transfer {
                    op,
                    address: command.addr,
                    len: command.data_len,
                    registered: buffer.map_or(Registered::NONE, Registered::part),
                    metadata: command.metadata,
                    metadata_len: command.metadata_len,
                    timeout_ms: command.timeout_ms,
                };
                let user_data = 0xe1e2_e3e4_e5e6_e7e8;
                let made = entry(Head::new(file), &Words::of(&sqe), &transfer, user_data);
                assert_eq!(bytes(made), bytes(built), "{file:?} {buffer:?}");
            }
        }
    }
}
