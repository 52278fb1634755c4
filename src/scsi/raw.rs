//! Any CDB, for commands that have no type here.

use core::time::Duration;

use super::{Cdb, CdbLengthError, Command, DataIn, DataOut, LengthMismatch, NoData};

/// A CDB given as bytes, sent as it is.
///
/// The caller says by the call (`execute`, `read`, `write`) in which direction
/// data goes, and by the buffer how much of it; the CDB is not looked at. That
/// is safe: for SCSI the kernel never moves more than the buffer holds.
///
/// ```
/// use passthru::scsi::{Command, RawCdb};
///
/// // EAh, with which an Apple SuperDrive is woken up.
/// let wake = RawCdb::new(&[0xea, 0, 0, 0, 0, 0, 1])?;
/// assert_eq!(wake.cdb_for(0).unwrap().opcode(), 0xea);
/// # Ok::<(), passthru::scsi::CdbLengthError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "sg_raw")]
pub struct RawCdb {
    cdb: Cdb,
    timeout: Option<Duration>,
}

impl RawCdb {
    /// A command of these bytes.
    ///
    /// # Errors
    /// [`CdbLengthError`] unless there are 6 to 32 of them.
    pub fn new(bytes: &[u8]) -> Result<Self, CdbLengthError> {
        Ok(Self::from(Cdb::new(bytes)?))
    }

    /// As [`new`](Self::new), for a number of bytes that the compiler checks.
    ///
    /// ```
    /// use passthru::scsi::RawCdb;
    /// const EJECT: RawCdb = RawCdb::from_array([0x1b, 0, 0, 0, 2, 0]);
    /// ```
    #[must_use]
    pub const fn from_array<const N: usize>(bytes: [u8; N]) -> Self {
        Self {
            cdb: Cdb::from_array(bytes),
            timeout: None,
        }
    }

    /// How long it may take: 1 ms to `u32::MAX` ms. It comes before the options
    /// of the transport; without either it is
    /// [`default_timeout`](super::default_timeout).
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The CDB.
    #[must_use]
    pub const fn cdb(&self) -> &Cdb {
        &self.cdb
    }
}

impl From<Cdb> for RawCdb {
    fn from(cdb: Cdb) -> Self {
        Self { cdb, timeout: None }
    }
}

impl Command for RawCdb {
    fn cdb_for(&self, _data_len: usize) -> Result<Cdb, LengthMismatch> {
        Ok(self.cdb)
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }
}

impl NoData for RawCdb {}
impl DataIn for RawCdb {}
impl DataOut for RawCdb {}
