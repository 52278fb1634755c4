//! What a policy has to know of a command.

use crate::scsi::{Cdb, DeviceType, is_read_only};

/// Whether a command changes nothing, neither at the device nor in what the next one answers, so
/// that sending it twice is as good as once.
pub(super) fn can_be_repeated(cdb: &Cdb, device_type: Option<DeviceType>) -> bool {
    if answers_once(cdb) {
        return false;
    }
    if device_type == Some(DeviceType::TAPE) {
        // READ BLOCK LIMITS, READ POSITION, REPORT DENSITY SUPPORT; what else is a tape's own
        // depends on where the tape is, or moves it.
        return matches!(cdb.opcode(), 0x05 | 0x34 | 0x44) || is_read_only(cdb, None);
    }
    is_read_only(cdb, device_type)
}

/// Commands that change nothing of the data, and of which the answer is gone when it was given.
fn answers_once(cdb: &Cdb) -> bool {
    match cdb.opcode() {
        // REQUEST SENSE, GET EVENT STATUS NOTIFICATION, RECEIVE COPY RESULTS, SECURITY PROTOCOL
        // IN, REPORT KEY (each grant is a new one)
        0x03 | 0x4a | 0x84 | 0xa2 | 0xa4 => true,
        // LOG SENSE of TapeAlert, whose flags are cleared by reading
        0x4d => cdb.byte(2) & 0x3f == 0x2e,
        // MANAGEMENT PROTOCOL IN
        0xa3 => cdb.service_action() == Some(0x10),
        _ => false,
    }
}

/// Whether a command that can be repeated reads or checks the data on the medium, so that its answer
/// would be another medium's after a change.
pub(super) fn reads_medium(cdb: &Cdb) -> bool {
    match cdb.opcode() {
        // READ(6), (10), (12), (16), READ LONG(10), READ CD MSF, READ CD; READ HEADER or, on a tape,
        // REPORT DENSITY SUPPORT
        0x08 | 0x28 | 0xa8 | 0x88 | 0x3e | 0xb9 | 0xbe | 0x44 => true,
        // VERIFY(10), (12), (16)
        0x2f | 0xaf | 0x8f => true,
        // READ(32), VERIFY(32)
        0x7f => true,
        // READ LONG(16)
        0x9e => cdb.service_action() == Some(0x11),
        _ => false,
    }
}
