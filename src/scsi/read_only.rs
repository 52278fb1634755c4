//! Which commands surely change neither the medium nor the drive.

use super::{Cdb, DeviceType};

/// Whether a command may be sent through a handle that was opened read-only.
///
/// This is a list of what is allowed, by opcode, service action and device
/// type; everything else, vendor commands included, is refused. The kernel's
/// own filter is no help: it lets root write through `O_RDONLY`, and it looks
/// at the opcode alone, so that any user may UNMAP a disk (42h), which it takes
/// for an optical drive's READ SUB-CHANNEL.
///
/// Allowed are commands that read data, status or position. A tape's
/// positioning commands are among them: they move the tape and change nothing
/// on it. Not allowed, though harmless to data: START STOP UNIT, LOAD UNLOAD, PREVENT
/// ALLOW MEDIUM REMOVAL, SYNCHRONIZE CACHE, MODE SELECT, reservations, and ATA
/// PASS-THROUGH, whose ATA command may be anything. SET CD SPEED and SET STREAMING
/// are settings of a drive, which stay with it for all its users.
///
/// Of REPORT KEY only the formats that tell a state are allowed: whether an
/// authentication was a success, the region, the drive's certificate. The others take
/// or give back one of a drive's 4 authentication grants, or are steps of an
/// authentication, which moves on by each; all of that needs SEND KEY, too, which is
/// not allowed. GET EVENT STATUS NOTIFICATION is allowed though an event is told
/// once: the kernel polls for them in the same way.
///
/// `device_type` is what the kernel knows of the device; without it only what
/// is harmless on every type is allowed.
///
/// ```
/// use passthru::scsi::{Cdb, DeviceType, is_read_only};
///
/// let sub_channel_or_unmap = Cdb::from_array([0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0]);
/// assert!(is_read_only(&sub_channel_or_unmap, Some(DeviceType::OPTICAL)));
/// assert!(!is_read_only(&sub_channel_or_unmap, Some(DeviceType::DISK)));
/// assert!(!is_read_only(&sub_channel_or_unmap, None));
/// ```
#[must_use]
pub fn is_read_only(cdb: &Cdb, device_type: Option<DeviceType>) -> bool {
    if everywhere(cdb, device_type) {
        return true;
    }
    match device_type {
        Some(kind) if kind.is_block() => on_disk(cdb),
        Some(DeviceType::TAPE) => on_tape(cdb),
        Some(DeviceType::OPTICAL) => on_optical(cdb),
        Some(DeviceType::CHANGER) => on_changer(cdb),
        _ => false,
    }
}

/// Commands of SPC, which mean the same on every device type, with the few
/// exceptions that old standards made.
fn everywhere(cdb: &Cdb, device_type: Option<DeviceType>) -> bool {
    match cdb.opcode() {
        // TEST UNIT READY, REQUEST SENSE, INQUIRY, MODE SENSE(6), RECEIVE
        // DIAGNOSTIC RESULTS, MODE SENSE(10), PERSISTENT RESERVE IN, RECEIVE
        // COPY RESULTS, READ ATTRIBUTE, REPORT LUNS
        0x00 | 0x03 | 0x12 | 0x1a | 0x1c | 0x5a | 0x5e | 0x84 | 0x8c | 0xa0 => true,
        // LOG SENSE, unless it saves parameters (SP)
        0x4d => cdb.byte(1) & 0x01 == 0,
        // READ BUFFER(10) and (16)
        0x3c | 0x9b => reads_buffer(cdb),
        // SECURITY PROTOCOL IN; on old optical drives A2h is SEND EVENT
        0xa2 => device_type.is_some_and(|kind| kind != DeviceType::OPTICAL),
        // MAINTENANCE IN, whose service actions up to 10h (MANAGEMENT PROTOCOL
        // IN) all report; 1Fh is the vendor's. On an optical drive A3h is SEND
        // KEY.
        0xa3 => {
            device_type.is_some_and(|kind| kind != DeviceType::OPTICAL)
                && matches!(cdb.service_action(), Some(0x00..=0x10))
        }
        // SERVICE ACTION IN(12): READ MEDIA SERIAL NUMBER
        0xab => cdb.service_action() == Some(0x01),
        _ => false,
    }
}

/// The modes of READ BUFFER that only read (SPC-6 6.18): data, descriptor, echo
/// buffer and its descriptor, error history. Of the last the directory (buffer
/// 00h) and the history itself: 01h to 03h make a new snapshot in place of the
/// old, or take it over from another initiator, and `FEh` and `FFh` release it.
fn reads_buffer(cdb: &Cdb) -> bool {
    match cdb.byte(1) & 0x1f {
        0x00 | 0x02 | 0x03 | 0x0a | 0x0b => true,
        0x1c => {
            let buffer_id = match cdb.opcode() {
                0x3c => cdb.byte(2),
                _ => cdb.byte(14),
            };
            matches!(buffer_id, 0x00 | 0x10..=0xef)
        }
        _ => false,
    }
}

fn on_disk(cdb: &Cdb) -> bool {
    match cdb.opcode() {
        // READ(6), SEEK(6), READ FORMAT CAPACITIES, READ CAPACITY(10), READ(10),
        // SEEK(10), PRE-FETCH(10), READ DEFECT DATA(10), READ LONG(10)
        0x08 | 0x0b | 0x23 | 0x25 | 0x28 | 0x2b | 0x34 | 0x37 | 0x3e => true,
        // VERIFY(10), (16), (12): compares at most
        0x2f | 0x8f | 0xaf => true,
        // READ(16), PRE-FETCH(16), READ(12), READ DEFECT DATA(12)
        0x88 | 0x90 | 0xa8 | 0xb7 => true,
        // READ(32), VERIFY(32)
        0x7f => matches!(cdb.service_action(), Some(0x0009 | 0x000a)),
        // REPORT ZONES, REPORT REALMS, REPORT ZONE DOMAINS, ZONE QUERY
        0x95 => matches!(cdb.service_action(), Some(0x00 | 0x06 | 0x07 | 0x09)),
        // READ CAPACITY(16), READ LONG(16), GET LBA STATUS, REPORT REFERRALS,
        // GET STREAM STATUS, GET PHYSICAL ELEMENT STATUS
        0x9e => matches!(cdb.service_action(), Some(0x10..=0x13 | 0x16 | 0x17)),
        _ => false,
    }
}

fn on_tape(cdb: &Cdb) -> bool {
    match cdb.opcode() {
        // REWIND, READ BLOCK LIMITS, READ(6), READ REVERSE(6), SPACE(6),
        // VERIFY(6); not RECOVER BUFFERED DATA (14h), which takes blocks out of
        // the buffer that another has written and that are not on tape yet
        0x01 | 0x05 | 0x08 | 0x0f | 0x11 | 0x13 => true,
        // LOCATE(10), READ POSITION, REPORT DENSITY SUPPORT
        0x2b | 0x34 | 0x44 => true,
        // READ REVERSE(16), READ(16), VERIFY(16), SPACE(16), LOCATE(16)
        0x81 | 0x88 | 0x8f | 0x91 | 0x92 => true,
        _ => false,
    }
}

fn on_optical(cdb: &Cdb) -> bool {
    // REPORT KEY
    if cdb.opcode() == 0xa4 {
        return reports_key(cdb);
    }
    // READ CAPACITY(16), which some drives know
    if cdb.opcode() == 0x9e {
        return cdb.service_action() == Some(0x10);
    }
    matches!(
        cdb.opcode(),
        // READ FORMAT CAPACITIES, READ CAPACITY, READ(10), SEEK(10), VERIFY(10),
        // READ SUB-CHANNEL, READ TOC/PMA/ATIP, READ HEADER
        0x23 | 0x25 | 0x28 | 0x2b | 0x2f | 0x42 | 0x43 | 0x44
        // GET CONFIGURATION, GET EVENT STATUS NOTIFICATION, READ DISC
        // INFORMATION, READ TRACK INFORMATION, READ BUFFER CAPACITY
        | 0x46 | 0x4a | 0x51 | 0x52 | 0x5c
        // READ(12), GET PERFORMANCE, READ DISC STRUCTURE,
        // READ CD MSF, MECHANISM STATUS, READ CD
        | 0xa8 | 0xac | 0xad | 0xb9 | 0xbd | 0xbe
    )
}

/// The formats of REPORT KEY that tell and do nothing, by key class (MMC-6 6.28).
/// Format 20h of AACS makes a new binding nonce for the medium; 3Fh gives a grant
/// back, perhaps that of another program.
fn reports_key(cdb: &Cdb) -> bool {
    let format = cdb.byte(10) & 0x3f;
    match cdb.byte(7) {
        // CSS, CPPM and CPRM: authentication success, region
        0x00 => matches!(format, 0x05 | 0x08),
        // AACS: drive certificate
        0x02 => format == 0x38,
        _ => false,
    }
}

fn on_changer(cdb: &Cdb) -> bool {
    // READ ELEMENT STATUS ATTACHED, READ ELEMENT STATUS; not B5h, which is
    // REQUEST VOLUME ELEMENT ADDRESS (the answer to SEND VOLUME TAG, B6h, which
    // is not allowed either), but SECURITY PROTOCOL OUT as well
    matches!(cdb.opcode(), 0xb4 | 0xb8)
}

#[cfg(test)]
#[path = "read_only_tests.rs"]
mod tests;
