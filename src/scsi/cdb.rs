//! The command descriptor block: the bytes that name a SCSI command.

use core::fmt;

/// A command descriptor block (CDB) of 6 to 32 bytes, held inline.
///
/// Typed commands make their own; [`RawCdb`](super::RawCdb) carries one that
/// this crate has no type for. The 16 bytes of most transports and the 32 of
/// variable-length CDBs (opcode 7Fh, SPC-6 4.2.3) both fit; the kernel takes no
/// longer ones (`sg_new_write`, `scsi_fill_sghdr_rq`: `MAX_COMMAND_SIZE`).
///
/// ```
/// use passthru::scsi::Cdb;
///
/// let cdb = Cdb::new(&[0x12, 0, 0, 0, 36, 0])?;
/// assert_eq!(cdb.opcode(), 0x12);
/// assert_eq!(cdb.to_string(), "12 00 00 00 24 00");
/// assert!(Cdb::new(&[0x12, 0, 0, 0, 36]).is_err());
/// # Ok::<(), passthru::scsi::CdbLengthError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("cmnd", "cmdp", "request"))]
pub struct Cdb {
    len: u8,
    bytes: [u8; Self::MAX_LEN],
}

/// A CDB was shorter than 6 or longer than 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a CDB has 6 to 32 bytes, this one has {len}: pad a short vendor CDB with zeros as its \
     specification says"
)]
pub struct CdbLengthError {
    /// How many bytes were given.
    pub len: usize,
}

impl Cdb {
    /// The shortest CDB, in bytes.
    pub const MIN_LEN: usize = 6;
    /// The longest CDB, in bytes.
    pub const MAX_LEN: usize = 32;

    /// Copies `bytes`.
    ///
    /// # Errors
    /// [`CdbLengthError`] unless there are 6 to 32 of them.
    pub fn new(bytes: &[u8]) -> Result<Self, CdbLengthError> {
        let error = CdbLengthError { len: bytes.len() };
        if bytes.len() < Self::MIN_LEN {
            return Err(error);
        }
        let mut cdb = Self {
            len: u8::try_from(bytes.len()).map_err(|_| error)?,
            bytes: [0; Self::MAX_LEN],
        };
        cdb.bytes
            .get_mut(..bytes.len())
            .ok_or(error)?
            .copy_from_slice(bytes);
        Ok(cdb)
    }

    /// A CDB whose length is known to the compiler, so that there is nothing to
    /// check at run time.
    ///
    /// ```
    /// use passthru::scsi::Cdb;
    /// const TEST_UNIT_READY: Cdb = Cdb::from_array([0; 6]);
    /// ```
    /// ```compile_fail
    /// let five = passthru::scsi::Cdb::from_array([0; 5]);
    /// ```
    #[must_use]
    pub const fn from_array<const N: usize>(bytes: [u8; N]) -> Self {
        const {
            assert!(
                N >= Self::MIN_LEN && N <= Self::MAX_LEN,
                "a CDB has 6 to 32 bytes"
            );
        }
        let mut cdb = Self {
            len: 0,
            bytes: [0; Self::MAX_LEN],
        };
        // N is at most 32: asserted above.
        #[allow(clippy::cast_possible_truncation, clippy::indexing_slicing)]
        {
            let mut index = 0;
            while index < N {
                cdb.bytes[index] = bytes[index];
                index += 1;
            }
            cdb.len = N as u8;
        }
        cdb
    }

    /// The bytes, 6 to 32 of them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// How many bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // never empty
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Byte 0, which says what the command is.
    #[must_use]
    pub const fn opcode(&self) -> u8 {
        self.bytes[0]
    }

    /// The service action, for the opcodes that have one (SPC-6 4.2): byte 1
    /// bits 4..0, or bytes 8 and 9 of a variable-length CDB (7Fh).
    #[must_use]
    pub fn service_action(&self) -> Option<u16> {
        match self.opcode() {
            0x7f if self.len() >= 10 => Some(u16::from_be_bytes([self.bytes[8], self.bytes[9]])),
            0x48
            | 0x5e
            | 0x5f
            | 0x83
            | 0x84
            | 0x8c
            | 0x8d
            | 0x94
            | 0x95
            | 0x9b..=0x9f
            | 0xa3
            | 0xa4
            | 0xa9
            | 0xab => Some(u16::from(self.bytes[1] & 0x1f)),
            _ => None,
        }
    }

    /// Byte `index`, or 0 past the end.
    pub(crate) fn byte(&self, index: usize) -> u8 {
        self.as_bytes().get(index).copied().unwrap_or(0)
    }
}

impl AsRef<[u8]> for Cdb {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl TryFrom<&[u8]> for Cdb {
    type Error = CdbLengthError;

    fn try_from(bytes: &[u8]) -> Result<Self, CdbLengthError> {
        Self::new(bytes)
    }
}

impl fmt::Display for Cdb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.as_bytes().iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cdb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cdb({self})")
    }
}

#[cfg(test)]
#[path = "cdb_tests.rs"]
mod tests;
