//! How long a command may take before the kernel aborts it.

use core::time::Duration;

use super::Cdb;

const SECOND: u64 = 1;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// The timeout of a command for which the caller gave none.
///
/// A timeout is no wish: when it ends the kernel aborts the command and may
/// reset the device, the target and the host adapter, which hits every other
/// user of them. So these are the longest times that a healthy device may take,
/// by opcode alone, not the usual ones:
///
/// | commands | time |
/// |---|---|
/// | INQUIRY, TEST UNIT READY, REQUEST SENSE, REPORT LUNS, READ CAPACITY | 20 s |
/// | FORMAT UNIT, SANITIZE, BLANK, REWIND, ERASE (tape and optical) | 24 h |
/// | SEND DIAGNOSTIC (self-test), WRITE SAME, VERIFY, UNMAP, LOCATE, SPACE | 2 h |
/// | START STOP UNIT, SYNCHRONIZE CACHE, LOAD UNLOAD, WRITE BUFFER, CLOSE TRACK | 10 min |
/// | all others | 60 s |
///
/// The sg node has no lower bound; block and bsg nodes raise anything below 7 s
/// to 7 s (`blk_fill_sghdr_rq`, `BLK_MIN_SG_TIMEOUT`).
#[must_use]
pub fn default_timeout(cdb: &Cdb) -> Duration {
    Duration::from_secs(match cdb.opcode() {
        0x00 | 0x03 | 0x12 | 0x25 | 0x9e | 0xa0 => 20 * SECOND,
        0x01 | 0x04 | 0x19 | 0x2c | 0x48 | 0xac => 24 * HOUR,
        // A1h is BLANK on an optical drive and ATA PASS-THROUGH(12) elsewhere,
        // where an erase may take as long.
        0xa1 => 24 * HOUR,
        0x11 | 0x13 | 0x1d | 0x2b | 0x2f | 0x41 | 0x42 | 0x8f | 0x91 | 0x92 | 0x93 | 0xaf => {
            2 * HOUR
        }
        0x1b | 0x35 | 0x3b | 0x5b | 0xa5 | 0xa6 => 10 * MINUTE,
        _ => MINUTE,
    })
}
