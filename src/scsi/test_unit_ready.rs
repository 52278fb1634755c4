//! TEST UNIT READY.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use super::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// TEST UNIT READY (00h, SPC-4 6.47): asks whether the logical unit could carry
/// out a medium access now. GOOD says yes; CHECK CONDITION says why not, and
/// also delivers a pending UNIT ATTENTION once.
///
/// ```
/// use passthru::scsi::{Command, TestUnitReady};
///
/// let cdb = TestUnitReady.cdb_for(0)?;
/// assert_eq!(cdb.as_bytes(), [0, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("TUR", "TEST_UNIT_READY"))]
pub struct TestUnitReady;

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: [u8; 4],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 6);

impl Command for TestUnitReady {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire {
            opcode: 0x00,
            reserved: [0; 4],
            control: 0,
        })))
    }
}

impl NoData for TestUnitReady {}

#[cfg(test)]
#[path = "test_unit_ready_tests.rs"]
mod tests;
