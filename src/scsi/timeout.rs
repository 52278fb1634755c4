//! How long a command may take before the kernel aborts it.

use core::time::Duration;

use super::Cdb;

const SECOND: u64 = 1;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
/// A drive that reads the lead-in of a worn disc again and again.
const WORN_DISC: u64 = 4 * MINUTE;

/// The timeout of a command for which the caller gave none.
///
/// A timeout is no wish: when it ends the kernel aborts the command and may
/// reset the device, the target and the host adapter, which hits every other
/// user of them. So these are the longest times that a healthy device may take,
/// by opcode (and by service action for 9Eh), not the usual ones:
///
/// | commands | time |
/// |---|---|
/// | INQUIRY, TEST UNIT READY, REQUEST SENSE, REPORT LUNS, READ CAPACITY | 20 s |
/// | FORMAT UNIT, SANITIZE, BLANK, REWIND, ERASE (tape and optical) | 24 h |
/// | REMOVE ELEMENT AND TRUNCATE and its like, WRITE SAME(16) (ERASE(16) on a tape) | 24 h |
/// | SEND DIAGNOSTIC (self-test), WRITE SAME(10), VERIFY, UNMAP, LOCATE, SPACE | 2 h |
/// | REASSIGN BLOCKS, READ DEFECT DATA(10) (on a changer its inventory) | 2 h |
/// | CLOSE TRACK SESSION (a lead-out, or a disc filled up to its end) | 2 h |
/// | START STOP UNIT, SYNCHRONIZE CACHE, LOAD UNLOAD, WRITE BUFFER | 10 min |
/// | WRITE FILEMARKS, MOVE MEDIUM, EXCHANGE MEDIUM, RESERVE TRACK, SEND OPC | 10 min |
/// | READ TOC, READ DISC and TRACK INFORMATION, READ DISC STRUCTURE (worn discs) | 240 s |
/// | all others, READ CD among them | 60 s |
///
/// Opcodes that mean one thing on a disk and another on an optical drive get the
/// longer time of the two: GET PERFORMANCE that of ERASE(12), READ SUB-CHANNEL that of
/// UNMAP.
///
/// The sg node has no lower bound; block and bsg nodes raise anything below 7 s
/// to 7 s (`blk_fill_sghdr_rq`, `BLK_MIN_SG_TIMEOUT`).
#[must_use]
pub fn default_timeout(cdb: &Cdb) -> Duration {
    Duration::from_secs(match cdb.opcode() {
        0x00 | 0x03 | 0x12 | 0x25 | 0xa0 => 20 * SECOND,
        0x9e => match cdb.service_action() {
            Some(0x10) => 20 * SECOND,
            // They format, or copy what is on the lost part.
            Some(0x18..=0x1a) => 24 * HOUR,
            _ => MINUTE,
        },
        // 93h is WRITE SAME(16) on a disk and ERASE(16) on a tape.
        0x01 | 0x04 | 0x19 | 0x2c | 0x48 | 0x93 | 0xac => 24 * HOUR,
        // A1h is BLANK on an optical drive and ATA PASS-THROUGH(12) elsewhere,
        // where an erase may take as long.
        0xa1 => 24 * HOUR,
        // 07h and 37h let a changer look into each of its slots.
        0x07 | 0x11 | 0x13 | 0x1d | 0x2b | 0x2f | 0x37 | 0x41 | 0x42 | 0x8f | 0x91 | 0x92
        | 0xaf => 2 * HOUR,
        0x5b => 2 * HOUR,
        0x10 | 0x80 => 10 * MINUTE,
        0x1b | 0x35 | 0x3b | 0x53 | 0x54 | 0xa5 | 0xa6 => 10 * MINUTE,
        0x43 | 0x51 | 0x52 | 0xad => WORN_DISC,
        _ => MINUTE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(opcode: u8, action: u8) -> u64 {
        let mut bytes = [0; 16];
        (bytes[0], bytes[1]) = (opcode, action);
        default_timeout(&Cdb::from_array(bytes)).as_secs()
    }

    #[test]
    fn what_takes_hours_gets_hours() {
        // FORMAT UNIT, SANITIZE, BLANK, REWIND, ERASE(6), (10), (12), (16).
        for opcode in [0x04, 0x48, 0xa1, 0x01, 0x19, 0x2c, 0xac, 0x93] {
            assert_eq!(seconds(opcode, 0), 24 * HOUR, "{opcode:02x}");
        }
        // SEND DIAGNOSTIC, WRITE SAME(10), VERIFY(10), (12), (16), UNMAP,
        // LOCATE(10), (16), SPACE(6), (16), INITIALIZE ELEMENT STATUS, CLOSE TRACK.
        for opcode in [
            0x1d, 0x41, 0x2f, 0xaf, 0x8f, 0x42, 0x2b, 0x92, 0x11, 0x91, 0x07, 0x37, 0x5b,
        ] {
            assert_eq!(seconds(opcode, 0), 2 * HOUR, "{opcode:02x}");
        }
        // START STOP UNIT, SYNCHRONIZE CACHE(10), WRITE BUFFER, RESERVE TRACK, SEND
        // OPC, MOVE MEDIUM, EXCHANGE MEDIUM, WRITE FILEMARKS(6), (16).
        for opcode in [0x1b, 0x35, 0x3b, 0x53, 0x54, 0xa5, 0xa6, 0x10, 0x80] {
            assert_eq!(seconds(opcode, 0), 10 * MINUTE, "{opcode:02x}");
        }
        // READ TOC, READ DISC INFORMATION, READ TRACK INFORMATION, READ DISC STRUCTURE.
        for opcode in [0x43, 0x51, 0x52, 0xad] {
            assert_eq!(seconds(opcode, 0), 240, "{opcode:02x}");
        }
    }

    #[test]
    fn a_service_action_decides_where_one_opcode_is_many_commands() {
        assert_eq!(seconds(0x9e, 0x10), 20, "READ CAPACITY(16)");
        assert_eq!(seconds(0x9e, 0x12), MINUTE, "GET LBA STATUS");
        for action in 0x18..=0x1a {
            assert_eq!(seconds(0x9e, action), 24 * HOUR, "{action:02x}");
        }
    }

    #[test]
    fn no_command_has_a_timeout_that_the_kernel_reads_as_its_own() {
        for opcode in 0..=255 {
            for action in 0..32 {
                let time = seconds(opcode, action);
                assert!(
                    (20..=24 * HOUR).contains(&time),
                    "{opcode:02x} {action:02x}"
                );
            }
        }
        for opcode in [0x00, 0x03, 0x12, 0x25, 0xa0] {
            assert_eq!(seconds(opcode, 0), 20, "{opcode:02x}");
        }
        // What is not known gets a minute, vendor commands too.
        for opcode in (0xc0..=0xff).chain([0x08, 0x0a, 0x28, 0x2a, 0x88, 0x8a, 0xbe]) {
            assert_eq!(seconds(opcode, 0), MINUTE, "{opcode:02x}");
        }
    }
}
