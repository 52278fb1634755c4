use super::*;

const ALL_TYPES: [Option<DeviceType>; 7] = [
    None,
    Some(DeviceType::DISK),
    Some(DeviceType::TAPE),
    Some(DeviceType::OPTICAL),
    Some(DeviceType::CHANGER),
    Some(DeviceType::ZONED_DISK),
    Some(DeviceType::ENCLOSURE),
];

fn allowed(bytes: &[u8], kind: Option<DeviceType>) -> bool {
    let mut cdb = [0; 16];
    cdb[..bytes.len()].copy_from_slice(bytes);
    is_read_only(&Cdb::from_array(cdb), kind)
}

#[test]
fn what_changes_something_is_refused_on_every_type() {
    // FORMAT UNIT, WRITE(6), MODE SELECT(6), RESERVE, START STOP, SEND
    // DIAGNOSTIC, PREVENT ALLOW, WRITE(10), WRITE AND VERIFY(10), WRITE BUFFER,
    // WRITE LONG, WRITE SAME(10), SANITIZE, LOG SELECT, MODE SELECT(10),
    // PERSISTENT RESERVE OUT, EXTENDED COPY, ATA PASS-THROUGH(16), COMPARE AND
    // WRITE, WRITE(16), ORWRITE, WRITE ATTRIBUTE, WRITE SAME(16), WRITE
    // ATOMIC(16), SERVICE ACTION OUT(16), BLANK, MAINTENANCE OUT elsewhere,
    // LOAD UNLOAD, WRITE(12), SET READ AHEAD, SECURITY PROTOCOL OUT, SET CD
    // SPEED, SEND DISC STRUCTURE
    for opcode in [
        0x04, 0x0a, 0x15, 0x16, 0x1b, 0x1d, 0x1e, 0x2a, 0x2e, 0x3b, 0x3f, 0x41, 0x48, 0x4c, 0x55,
        0x5f, 0x83, 0x85, 0x89, 0x8a, 0x8b, 0x8d, 0x93, 0x9c, 0x9f, 0xa1, 0xa6, 0xaa, 0xa7, 0xb5u8,
        0xbb, 0xbf,
    ] {
        for kind in ALL_TYPES {
            for action in 0..32 {
                assert!(!allowed(&[opcode, action], kind), "{opcode:02x} {kind:?}");
            }
        }
    }
}

#[test]
fn what_looks_like_reading_and_changes_something_is_refused() {
    for kind in ALL_TYPES {
        for action in 0x11..=0x1f {
            assert!(
                !allowed(&[0xa3, action], kind),
                "MAINTENANCE IN {action:02x}"
            );
        }
        for (opcode, place) in [(0x3c, 2), (0x9b, 14)] {
            for (buffer, expected) in [
                (0x00, true),  // the directory
                (0x01, false), // makes a new snapshot
                (0x02, false), // takes the history over
                (0x03, false), // both
                (0x04, false),
                (0x10, true), // the history
                (0xef, true),
                (0xf0, false),
                (0xfe, false), // releases it
                (0xff, false),
            ] {
                let mut bytes = [0; 16];
                (bytes[0], bytes[1], bytes[place]) = (opcode, 0x1c, buffer);
                assert_eq!(allowed(&bytes, kind), expected, "{opcode:02x} {buffer:02x}");
            }
        }
    }
    let tape = Some(DeviceType::TAPE);
    assert!(!allowed(&[0x14], tape), "RECOVER BUFFERED DATA");
    let optical = Some(DeviceType::OPTICAL);
    for (class, format, expected) in [
        (0x00, 0x05, true),  // authentication success
        (0x00, 0x08, true),  // region state
        (0x00, 0xc8, true),  // the same with an AGID in bits 7 and 6
        (0x02, 0x38, true),  // drive certificate
        (0x00, 0x00, false), // takes an AGID
        (0x00, 0x11, false), // takes one for CPRM
        (0x00, 0x01, false), // challenge
        (0x00, 0x02, false), // key 1
        (0x00, 0xc4, false), // title key
        (0x00, 0x3f, false), // the end of an AGID
        (0x02, 0x00, false), // takes an AGID
        (0x02, 0x20, false), // makes a new binding nonce
        (0x02, 0xe0, false), // the same with an AGID
        (0x02, 0x21, false), // reads it, within an authentication
        (0x02, 0x3f, false), // the end of an AGID
        (0x02, 0x08, false), // not of this class
        (0x00, 0x38, false), // nor of that
        (0x20, 0x08, false), // another class
    ] {
        let bytes = [0xa4, 0, 0, 0, 0, 0, 0, class, 0, 8, format];
        assert_eq!(
            allowed(&bytes, optical),
            expected,
            "{class:02x} {format:02x}"
        );
    }
}

#[test]
fn vendor_opcodes_are_refused() {
    for opcode in (0xc0..=0xff).chain([0x02, 0x06, 0x09, 0x0c, 0x0d, 0x0e]) {
        for kind in ALL_TYPES {
            assert!(!allowed(&[opcode], kind), "{opcode:02x} {kind:?}");
        }
    }
}

#[test]
fn an_opcode_means_what_the_device_type_says() {
    use DeviceType as T;
    // (opcode, allowed on, refused on)
    for (opcode, yes, no) in [
        (0x42, T::OPTICAL, T::DISK),           // READ SUB-CHANNEL | UNMAP
        (0x44, T::TAPE, T::DISK),              // REPORT DENSITY SUPPORT
        (0x52, T::OPTICAL, T::DISK),           // READ TRACK INFORMATION | XPWRITE
        (0xa2, T::DISK, T::OPTICAL),           // SECURITY PROTOCOL IN | SEND EVENT
        (0xa3, T::DISK, T::OPTICAL),           // MAINTENANCE IN | SEND KEY
        (0xac, T::OPTICAL, T::OPTICAL_MEMORY), // GET PERFORMANCE | ERASE(12)
        (0x01, T::TAPE, T::DISK),              // REWIND
        (0x91, T::TAPE, T::DISK),              // SPACE(16) | SYNCHRONIZE CACHE(16)
        (0x2b, T::TAPE, T::CHANGER),           // LOCATE(10) | POSITION TO ELEMENT
        (0x92, T::TAPE, T::DISK),              // LOCATE(16)
        (0xb8, T::CHANGER, T::DISK),           // READ ELEMENT STATUS
        (0x05, T::TAPE, T::OPTICAL),           // READ BLOCK LIMITS
        (0x28, T::DISK, T::PROCESSOR),
    ] {
        assert!(allowed(&[opcode], Some(yes)), "{opcode:02x} {yes}");
        assert!(!allowed(&[opcode], Some(no)), "{opcode:02x} {no}");
        assert!(!allowed(&[opcode], None), "{opcode:02x} on an unknown type");
    }
}

#[test]
fn service_actions_decide() {
    let disk = Some(DeviceType::DISK);
    for (action, expected) in [
        (0x10, true),  // READ CAPACITY(16)
        (0x12, true),  // GET LBA STATUS
        (0x14, false), // STREAM CONTROL
        (0x15, false), // BACKGROUND CONTROL
        (0x17, true),  // GET PHYSICAL ELEMENT STATUS
        (0x18, false), // REMOVE ELEMENT AND TRUNCATE
        (0x19, false), // RESTORE ELEMENTS AND REBUILD
        (0x1a, false), // REMOVE ELEMENT AND MODIFY ZONES
    ] {
        assert_eq!(allowed(&[0x9e, action], disk), expected, "{action:02x}");
    }
    for kind in ALL_TYPES {
        assert!(allowed(&[0xab, 0x01], kind), "READ MEDIA SERIAL NUMBER");
        assert!(!allowed(&[0xab, 0x00], kind));
    }
    let optical = Some(DeviceType::OPTICAL);
    assert!(allowed(&[0x9e, 0x10], optical), "READ CAPACITY(16)");
    assert!(!allowed(&[0x9e, 0x12], optical));
    let zoned = Some(DeviceType::ZONED_DISK);
    assert!(allowed(&[0x95, 0x00], zoned));
    assert!(!allowed(&[0x95, 0x08], zoned), "ZONE ACTIVATE");
    assert!(!allowed(&[0x94, 0x04], zoned), "RESET WRITE POINTER");
    let mut long = [0; 32];
    long[0] = 0x7f;
    long[7] = 24;
    for (action, expected) in [(0x09, true), (0x0a, true), (0x0b, false), (0x0d, false)] {
        long[9] = action;
        assert_eq!(
            is_read_only(&Cdb::from_array(long), disk),
            expected,
            "{action:02x}"
        );
    }
}

#[test]
fn options_that_change_something_are_refused() {
    for kind in ALL_TYPES {
        assert!(allowed(&[0x4d, 0], kind), "LOG SENSE");
        assert!(
            !allowed(&[0x4d, 1], kind),
            "LOG SENSE with SP saves parameters"
        );
        assert!(allowed(&[0x3c, 2], kind), "READ BUFFER data");
        assert!(allowed(&[0x3c, 0x1c, 0x10], kind), "error history");
        assert!(!allowed(&[0x3c, 0x1c, 0xfe], kind), "clear error history");
        assert!(!allowed(&[0x3c, 0x1c, 0xff], kind), "clear error history");
        assert!(!allowed(&[0x3c, 0x05], kind), "unknown mode");
    }
}

#[test]
fn what_every_tool_needs_is_allowed_on_every_type() {
    for opcode in [0x00, 0x03, 0x12, 0x1a, 0x1c, 0x5a, 0x5e, 0xa0] {
        for kind in ALL_TYPES {
            assert!(allowed(&[opcode], kind), "{opcode:02x} {kind:?}");
        }
    }
}

#[test]
fn an_optical_drive_reads_and_keeps_its_settings() {
    let optical = Some(DeviceType::OPTICAL);
    for (opcode, name) in [
        (0x23, "READ FORMAT CAPACITIES"),
        (0x25, "READ CAPACITY(10)"),
        (0x28, "READ(10)"),
        (0x42, "READ SUB-CHANNEL"),
        (0x43, "READ TOC/PMA/ATIP"),
        (0x46, "GET CONFIGURATION"),
        (0x4a, "GET EVENT STATUS NOTIFICATION"),
        (0x51, "READ DISC INFORMATION"),
        (0x52, "READ TRACK INFORMATION"),
        (0x5a, "MODE SENSE(10)"),
        (0x5c, "READ BUFFER CAPACITY"),
        (0xa8, "READ(12)"),
        (0xac, "GET PERFORMANCE"),
        (0xad, "READ DISC STRUCTURE"),
        (0xb9, "READ CD MSF"),
        (0xbd, "MECHANISM STATUS"),
        (0xbe, "READ CD"),
    ] {
        assert!(allowed(&[opcode], optical), "{name}");
    }
    let region = [0xa4, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 0];
    assert!(allowed(&region, optical));
    assert!(!allowed(&region, Some(DeviceType::DISK)), "MAINTENANCE OUT");
    assert!(!allowed(&region, None));
    for (opcode, name) in [
        (0x04, "FORMAT UNIT"),
        (0x1b, "START STOP UNIT"),
        (0x1e, "PREVENT ALLOW MEDIUM REMOVAL"),
        (0x2a, "WRITE(10)"),
        (0x35, "SYNCHRONIZE CACHE"),
        (0x45, "PLAY AUDIO(10)"),
        (0x47, "PLAY AUDIO MSF"),
        (0x4b, "PAUSE/RESUME"),
        (0x4e, "STOP PLAY/SCAN"),
        (0x53, "RESERVE TRACK"),
        (0x54, "SEND OPC INFORMATION"),
        (0x55, "MODE SELECT(10)"),
        (0x58, "REPAIR TRACK"),
        (0x5b, "CLOSE TRACK SESSION"),
        (0x5d, "SEND CUE SHEET"),
        (0xa1, "BLANK"),
        (0xa3, "SEND KEY"),
        (0xa6, "LOAD UNLOAD MEDIUM"),
        (0xa7, "SET READ AHEAD"),
        (0xb6, "SET STREAMING"),
        (0xbb, "SET CD SPEED"),
        (0xbf, "SEND DISC STRUCTURE"),
        (0xd8, "READ CD-DA, a vendor's"),
    ] {
        assert!(!allowed(&[opcode], optical), "{name}");
    }
}
