//! Names of commands, for messages and traces.
//!
//! An operation code can mean different commands on different kinds of devices: A1h is BLANK on an
//! optical drive and ATA PASS-THROUGH(12) on everything else. So the names are looked up with the
//! peripheral device type that INQUIRY reports (00h disk, 01h tape, 05h CD, DVD and BD, 08h
//! changer, 0Dh enclosure, 14h zoned disk, and so on).
//!
//! The names are those of T10's list of operation codes and of the newer drafts of SPC, SBC, ZBC,
//! SSC, SMC, MMC and SAT. Codes that the list leaves to vendors (C0h and above, and some in the first
//! groups) have no name here.

#[cfg(test)]
mod tests;

/// The name of an operation code on a kind of device.
///
/// Without a device type, the most general meaning is taken. `None` for codes that are not
/// assigned, or not for this type. For commands with service actions, this is the name of
/// their group; [`command_name`] knows the single ones.
///
/// ```
/// use passthru::scsi::opcode_name;
///
/// assert_eq!(opcode_name(0x28, None), Some("READ(10)"));
/// assert_eq!(opcode_name(0xA1, Some(0x05)), Some("BLANK"));
/// assert_eq!(opcode_name(0xA1, Some(0x00)), Some("ATA PASS-THROUGH(12)"));
/// assert_eq!(opcode_name(0xC1, None), None);
/// ```
#[must_use]
pub fn opcode_name(opcode: u8, device_type: Option<u8>) -> Option<&'static str> {
    let mut rows = OPCODES.iter().filter(|row| row.0 == opcode);
    match device_type {
        None => rows.next_back(),
        Some(_) => rows.find(|row| serves(row.1, device_type)),
    }
    .map(|row| row.2)
}

/// The name of the command in a CDB: with its service action where it has one.
///
/// ```
/// use passthru::scsi::command_name;
///
/// let rsoc = [0xA3, 0x0C, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0];
/// assert_eq!(command_name(&rsoc, Some(0)), Some("REPORT SUPPORTED OPERATION CODES"));
///
/// let capacity = [0x9E, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0];
/// assert_eq!(command_name(&capacity, None), Some("READ CAPACITY(16)"));
/// ```
#[must_use]
pub fn command_name(cdb: &[u8], device_type: Option<u8>) -> Option<&'static str> {
    let opcode = *cdb.first()?;
    let single = service_action(cdb).and_then(|action| {
        let mut rows = SERVICE_ACTIONS
            .iter()
            .filter(|row| row.0 == opcode && row.1 == action);
        match device_type {
            None => rows.next_back(),
            Some(_) => rows.find(|row| serves(row.2, device_type)),
        }
        .map(|row| row.3)
    });
    single.or_else(|| opcode_name(opcode, device_type))
}

/// The service action of a CDB whose operation code has them.
fn service_action(cdb: &[u8]) -> Option<u16> {
    match cdb {
        [0x7F, _, _, _, _, _, _, _, high, low, ..] => Some(u16::from_be_bytes([*high, *low])),
        [0x7F, ..] => None,
        [_, second, ..] => Some(u16::from(second & 0x1F)),
        _ => None,
    }
}

fn serves(types: u32, device_type: Option<u8>) -> bool {
    device_type.is_none_or(|number| types & (1 << (number & 0x1F)) != 0)
}

// Sets of peripheral device types, one bit each.
const TAPE: u32 = 1 << 0x01;
const PRINTER: u32 = 1 << 0x02;
const PROCESSOR: u32 = 1 << 0x03;
const CD: u32 = 1 << 0x05;
const SCANNER: u32 = 1 << 0x06;
const OPTICAL: u32 = 1 << 0x07;
const CHANGER: u32 = 1 << 0x08;
const NETWORK: u32 = 1 << 0x09;
const ARRAY: u32 = 1 << 0x0C;
const CARD: u32 = 1 << 0x0F;
const AUTOMATION: u32 = 1 << 0x12;
/// Disks, write-once disks, optical memory, simplified disks and zoned disks.
const BLOCK: u32 = 1 | 1 << 0x04 | OPTICAL | 1 << 0x0E | 1 << 0x14;
const ANY: u32 = !0;
const NOT_CD: u32 = !CD;

/// Operation code, device types, name. The rows of one code go from the special to the general:
/// with a type, the first row that has it counts; without one, the last row.
#[rustfmt::skip]
const OPCODES: &[(u8, u32, &str)] = &[
    (0x00, ANY, "TEST UNIT READY"),
    (0x01, TAPE, "REWIND"),
    (0x01, ANY, "REZERO UNIT"),
    (0x03, ANY, "REQUEST SENSE"),
    (0x04, TAPE, "FORMAT MEDIUM"),
    (0x04, PRINTER, "FORMAT"),
    (0x04, ANY, "FORMAT UNIT"),
    (0x05, TAPE, "READ BLOCK LIMITS"),
    (0x07, CHANGER, "INITIALIZE ELEMENT STATUS"),
    (0x07, BLOCK, "REASSIGN BLOCKS"),
    (0x08, PROCESSOR, "RECEIVE"),
    (0x08, NETWORK, "GET MESSAGE(6)"),
    (0x08, ANY, "READ(6)"),
    (0x0A, PRINTER, "PRINT"),
    (0x0A, PROCESSOR, "SEND(6)"),
    (0x0A, NETWORK, "SEND MESSAGE(6)"),
    (0x0A, ANY, "WRITE(6)"),
    (0x0B, TAPE, "SET CAPACITY"),
    (0x0B, PRINTER, "SLEW AND PRINT"),
    (0x0B, ANY, "SEEK(6)"),
    (0x0F, TAPE, "READ REVERSE(6)"),
    (0x10, PRINTER, "SYNCHRONIZE BUFFER"),
    (0x10, TAPE, "WRITE FILEMARKS(6)"),
    (0x11, TAPE, "SPACE(6)"),
    (0x12, ANY, "INQUIRY"),
    (0x13, TAPE, "VERIFY(6)"),
    (0x14, TAPE | PRINTER, "RECOVER BUFFERED DATA"),
    (0x15, ANY, "MODE SELECT(6)"),
    (0x16, CHANGER, "RESERVE ELEMENT(6)"),
    (0x16, ANY, "RESERVE(6)"),
    (0x17, CHANGER, "RELEASE ELEMENT(6)"),
    (0x17, ANY, "RELEASE(6)"),
    (0x18, ANY, "COPY"),
    (0x19, TAPE, "ERASE(6)"),
    (0x1A, ANY, "MODE SENSE(6)"),
    (0x1B, TAPE | AUTOMATION, "LOAD UNLOAD"),
    (0x1B, PRINTER, "STOP PRINT"),
    (0x1B, SCANNER, "SCAN"),
    (0x1B, CHANGER, "OPEN/CLOSE IMPORT/EXPORT ELEMENT"),
    (0x1B, ANY, "START STOP UNIT"),
    (0x1C, ANY, "RECEIVE DIAGNOSTIC RESULTS"),
    (0x1D, ANY, "SEND DIAGNOSTIC"),
    (0x1E, ANY, "PREVENT ALLOW MEDIUM REMOVAL"),
    (0x23, CD | BLOCK, "READ FORMAT CAPACITIES"),
    (0x24, SCANNER, "SET WINDOW"),
    (0x25, CD, "READ CAPACITY"),
    (0x25, CARD, "READ CARD CAPACITY"),
    (0x25, SCANNER, "GET WINDOW"),
    (0x25, ANY, "READ CAPACITY(10)"),
    (0x28, NETWORK, "GET MESSAGE(10)"),
    (0x28, ANY, "READ(10)"),
    (0x29, OPTICAL, "READ GENERATION"),
    (0x2A, SCANNER, "SEND(10)"),
    (0x2A, NETWORK, "SEND MESSAGE(10)"),
    (0x2A, ANY, "WRITE(10)"),
    (0x2B, TAPE, "LOCATE(10)"),
    (0x2B, CHANGER, "POSITION TO ELEMENT"),
    (0x2B, ANY, "SEEK(10)"),
    (0x2C, CD | OPTICAL, "ERASE(10)"),
    (0x2D, OPTICAL, "READ UPDATED BLOCK"),
    (0x2E, ANY, "WRITE AND VERIFY(10)"),
    (0x2F, ANY, "VERIFY(10)"),
    (0x30, ANY, "SEARCH DATA HIGH(10)"),
    (0x31, SCANNER, "OBJECT POSITION"),
    (0x31, ANY, "SEARCH DATA EQUAL(10)"),
    (0x32, ANY, "SEARCH DATA LOW(10)"),
    (0x33, ANY, "SET LIMITS(10)"),
    (0x34, TAPE, "READ POSITION"),
    (0x34, SCANNER, "GET DATA BUFFER STATUS"),
    (0x34, ANY, "PRE-FETCH(10)"),
    (0x35, ANY, "SYNCHRONIZE CACHE(10)"),
    (0x36, ANY, "LOCK UNLOCK CACHE(10)"),
    (0x37, CHANGER, "INITIALIZE ELEMENT STATUS WITH RANGE"),
    (0x37, ANY, "READ DEFECT DATA(10)"),
    (0x38, OPTICAL | 1 << 0x04 | CARD, "MEDIUM SCAN"),
    (0x38, BLOCK, "FORMAT WITH PRESET SCAN"),
    (0x39, ANY, "COMPARE"),
    (0x3A, ANY, "COPY AND VERIFY"),
    (0x3B, ANY, "WRITE BUFFER"),
    (0x3C, ANY, "READ BUFFER(10)"),
    (0x3D, OPTICAL, "UPDATE BLOCK"),
    (0x3E, ANY, "READ LONG(10)"),
    (0x3F, ANY, "WRITE LONG(10)"),
    (0x40, ANY, "CHANGE DEFINITION"),
    (0x41, ANY, "WRITE SAME(10)"),
    (0x42, CD, "READ SUB-CHANNEL"),
    (0x42, ANY, "UNMAP"),
    (0x43, CD, "READ TOC/PMA/ATIP"),
    (0x44, CD, "READ HEADER"),
    (0x44, CHANGER, "REPORT VOLUME TYPES SUPPORTED"),
    (0x44, TAPE | AUTOMATION, "REPORT DENSITY SUPPORT"),
    (0x45, CD, "PLAY AUDIO(10)"),
    (0x46, CD, "GET CONFIGURATION"),
    (0x47, CD, "PLAY AUDIO MSF"),
    (0x48, ANY, "SANITIZE"),
    (0x4A, ANY, "GET EVENT STATUS NOTIFICATION"),
    (0x4B, CD, "PAUSE/RESUME"),
    (0x4C, ANY, "LOG SELECT"),
    (0x4D, ANY, "LOG SENSE"),
    (0x4E, CD, "STOP PLAY/SCAN"),
    (0x50, BLOCK, "XDWRITE(10)"),
    (0x51, BLOCK, "XPWRITE(10)"),
    (0x51, CD, "READ DISC INFORMATION"),
    (0x52, BLOCK, "XDREAD(10)"),
    (0x52, CD, "READ TRACK INFORMATION"),
    (0x53, BLOCK, "XDWRITEREAD(10)"),
    (0x53, CD, "RESERVE TRACK"),
    (0x54, CD, "SEND OPC INFORMATION"),
    (0x55, ANY, "MODE SELECT(10)"),
    (0x56, CHANGER, "RESERVE ELEMENT(10)"),
    (0x56, ANY, "RESERVE(10)"),
    (0x57, CHANGER, "RELEASE ELEMENT(10)"),
    (0x57, ANY, "RELEASE(10)"),
    (0x58, CD, "REPAIR TRACK"),
    (0x5A, ANY, "MODE SENSE(10)"),
    (0x5B, CD, "CLOSE TRACK/SESSION"),
    (0x5C, CD, "READ BUFFER CAPACITY"),
    (0x5D, CD, "SEND CUE SHEET"),
    (0x5E, ANY, "PERSISTENT RESERVE IN"),
    (0x5F, ANY, "PERSISTENT RESERVE OUT"),
    (0x7E, ANY, "EXTENDED CDB"),
    (0x7F, ANY, "VARIABLE LENGTH CDB"),
    (0x80, BLOCK, "XDWRITE EXTENDED(16)"),
    (0x80, TAPE, "WRITE FILEMARKS(16)"),
    (0x81, BLOCK, "REBUILD(16)"),
    (0x81, TAPE, "READ REVERSE(16)"),
    (0x82, BLOCK, "REGENERATE(16)"),
    (0x82, TAPE, "ALLOW OVERWRITE"),
    (0x83, ANY, "THIRD-PARTY COPY OUT"),
    (0x84, ANY, "THIRD-PARTY COPY IN"),
    (0x85, ANY, "ATA PASS-THROUGH(16)"),
    (0x86, ANY, "ACCESS CONTROL IN"),
    (0x87, ANY, "ACCESS CONTROL OUT"),
    (0x88, ANY, "READ(16)"),
    (0x89, ANY, "COMPARE AND WRITE"),
    (0x8A, ANY, "WRITE(16)"),
    (0x8B, ANY, "ORWRITE(16)"),
    (0x8C, ANY, "READ ATTRIBUTE"),
    (0x8D, ANY, "WRITE ATTRIBUTE"),
    (0x8E, ANY, "WRITE AND VERIFY(16)"),
    (0x8F, ANY, "VERIFY(16)"),
    (0x90, ANY, "PRE-FETCH(16)"),
    (0x91, TAPE, "SPACE(16)"),
    (0x91, ANY, "SYNCHRONIZE CACHE(16)"),
    (0x92, TAPE, "LOCATE(16)"),
    (0x92, ANY, "LOCK UNLOCK CACHE(16)"),
    (0x93, TAPE, "ERASE(16)"),
    (0x93, ANY, "WRITE SAME(16)"),
    (0x94, ANY, "ZBC OUT"),
    (0x95, ANY, "ZBC IN"),
    (0x9A, ANY, "WRITE STREAM(16)"),
    (0x9B, ANY, "READ BUFFER(16)"),
    (0x9C, ANY, "WRITE ATOMIC(16)"),
    (0x9D, ANY, "SERVICE ACTION BIDIRECTIONAL"),
    (0x9E, ANY, "SERVICE ACTION IN(16)"),
    (0x9F, ANY, "SERVICE ACTION OUT(16)"),
    (0xA0, ANY, "REPORT LUNS"),
    (0xA1, CD, "BLANK"),
    (0xA1, ANY, "ATA PASS-THROUGH(12)"),
    (0xA2, ANY, "SECURITY PROTOCOL IN"),
    (0xA3, CD, "SEND KEY"),
    (0xA3, ANY, "MAINTENANCE IN"),
    (0xA4, CD, "REPORT KEY"),
    (0xA4, ANY, "MAINTENANCE OUT"),
    (0xA5, CD, "PLAY AUDIO(12)"),
    (0xA5, ANY, "MOVE MEDIUM"),
    (0xA6, CD, "LOAD/UNLOAD MEDIUM"),
    (0xA6, CHANGER, "EXCHANGE MEDIUM"),
    (0xA7, CD, "SET READ AHEAD"),
    (0xA7, ANY, "MOVE MEDIUM ATTACHED"),
    (0xA8, NETWORK, "GET MESSAGE(12)"),
    (0xA8, ANY, "READ(12)"),
    (0xA9, ANY, "SERVICE ACTION OUT(12)"),
    (0xAA, NETWORK, "SEND MESSAGE(12)"),
    (0xAA, ANY, "WRITE(12)"),
    (0xAB, ANY, "SERVICE ACTION IN(12)"),
    (0xAC, OPTICAL, "ERASE(12)"),
    (0xAC, CD, "GET PERFORMANCE"),
    (0xAD, CD, "READ DISC STRUCTURE"),
    (0xAE, ANY, "WRITE AND VERIFY(12)"),
    (0xAF, ANY, "VERIFY(12)"),
    (0xB0, ANY, "SEARCH DATA HIGH(12)"),
    (0xB1, ANY, "SEARCH DATA EQUAL(12)"),
    (0xB2, ANY, "SEARCH DATA LOW(12)"),
    (0xB3, ANY, "SET LIMITS(12)"),
    (0xB4, ANY, "READ ELEMENT STATUS ATTACHED"),
    (0xB5, CHANGER, "REQUEST VOLUME ELEMENT ADDRESS"),
    (0xB5, ANY, "SECURITY PROTOCOL OUT"),
    (0xB6, CHANGER, "SEND VOLUME TAG"),
    (0xB6, CD, "SET STREAMING"),
    (0xB7, ANY, "READ DEFECT DATA(12)"),
    (0xB8, ANY, "READ ELEMENT STATUS"),
    (0xB9, CD, "READ CD MSF"),
    (0xBA, CD, "SCAN"),
    (0xBA, ANY, "REDUNDANCY GROUP (IN)"),
    (0xBB, CD, "SET CD SPEED"),
    (0xBB, ANY, "REDUNDANCY GROUP (OUT)"),
    (0xBC, ANY, "SPARE (IN)"),
    (0xBD, CD, "MECHANISM STATUS"),
    (0xBD, ANY, "SPARE (OUT)"),
    (0xBE, NOT_CD, "VOLUME SET (IN)"),
    (0xBE, CD, "READ CD"),
    (0xBF, NOT_CD, "VOLUME SET (OUT)"),
    (0xBF, CD, "SEND DISC STRUCTURE"),
];

/// Operation code, service action, device types, name; the order is that of [`OPCODES`].
#[rustfmt::skip]
const SERVICE_ACTIONS: &[(u8, u16, u32, &str)] = &[
    (0x48, 0x01, ANY, "SANITIZE, OVERWRITE"),
    (0x48, 0x02, ANY, "SANITIZE, BLOCK ERASE"),
    (0x48, 0x03, ANY, "SANITIZE, CRYPTOGRAPHIC ERASE"),
    (0x48, 0x1F, ANY, "SANITIZE, EXIT FAILURE MODE"),
    (0x5E, 0x00, ANY, "PERSISTENT RESERVE IN, READ KEYS"),
    (0x5E, 0x01, ANY, "PERSISTENT RESERVE IN, READ RESERVATION"),
    (0x5E, 0x02, ANY, "PERSISTENT RESERVE IN, REPORT CAPABILITIES"),
    (0x5E, 0x03, ANY, "PERSISTENT RESERVE IN, READ FULL STATUS"),
    (0x5F, 0x00, ANY, "PERSISTENT RESERVE OUT, REGISTER"),
    (0x5F, 0x01, ANY, "PERSISTENT RESERVE OUT, RESERVE"),
    (0x5F, 0x02, ANY, "PERSISTENT RESERVE OUT, RELEASE"),
    (0x5F, 0x03, ANY, "PERSISTENT RESERVE OUT, CLEAR"),
    (0x5F, 0x04, ANY, "PERSISTENT RESERVE OUT, PREEMPT"),
    (0x5F, 0x05, ANY, "PERSISTENT RESERVE OUT, PREEMPT AND ABORT"),
    (0x5F, 0x06, ANY, "PERSISTENT RESERVE OUT, REGISTER AND IGNORE EXISTING KEY"),
    (0x5F, 0x07, ANY, "PERSISTENT RESERVE OUT, REGISTER AND MOVE"),
    (0x5F, 0x08, ANY, "PERSISTENT RESERVE OUT, REPLACE LOST RESERVATION"),
    (0x7F, 0x0001, ANY, "REBUILD(32)"),
    (0x7F, 0x0002, ANY, "REGENERATE(32)"),
    (0x7F, 0x0003, ANY, "XDREAD(32)"),
    (0x7F, 0x0004, ANY, "XDWRITE(32)"),
    (0x7F, 0x0005, ANY, "XDWRITE EXTENDED(32)"),
    (0x7F, 0x0006, ANY, "XPWRITE(32)"),
    (0x7F, 0x0007, ANY, "XDWRITEREAD(32)"),
    (0x7F, 0x0008, ANY, "XDWRITE EXTENDED(64)"),
    (0x7F, 0x0009, ANY, "READ(32)"),
    (0x7F, 0x000A, ANY, "VERIFY(32)"),
    (0x7F, 0x000B, ANY, "WRITE(32)"),
    (0x7F, 0x000C, ANY, "WRITE AND VERIFY(32)"),
    (0x7F, 0x000D, ANY, "WRITE SAME(32)"),
    (0x7F, 0x000E, ANY, "ORWRITE(32)"),
    (0x7F, 0x000F, ANY, "WRITE ATOMIC(32)"),
    (0x7F, 0x0010, ANY, "WRITE STREAM(32)"),
    (0x7F, 0x0011, ANY, "WRITE SCATTERED(32)"),
    (0x7F, 0x0012, ANY, "GET LBA STATUS(32)"),
    (0x7F, 0x1800, ANY, "RECEIVE CREDENTIAL"),
    (0x7F, 0x1FF0, ANY, "ATA PASS-THROUGH(32)"),
    (0x7F, 0x8801, ANY, "FORMAT OSD"),
    (0x7F, 0x8802, ANY, "CREATE"),
    (0x7F, 0x8803, ANY, "LIST"),
    (0x7F, 0x8805, ANY, "READ"),
    (0x7F, 0x8806, ANY, "WRITE"),
    (0x7F, 0x8807, ANY, "APPEND"),
    (0x7F, 0x8808, ANY, "FLUSH"),
    (0x7F, 0x880A, ANY, "REMOVE"),
    (0x7F, 0x880B, ANY, "CREATE PARTITION"),
    (0x7F, 0x880C, ANY, "REMOVE PARTITION"),
    (0x7F, 0x880E, ANY, "GET ATTRIBUTES"),
    (0x7F, 0x880F, ANY, "SET ATTRIBUTES"),
    (0x7F, 0x8812, ANY, "CREATE AND WRITE"),
    (0x7F, 0x8815, ANY, "CREATE COLLECTION"),
    (0x7F, 0x8816, ANY, "REMOVE COLLECTION"),
    (0x7F, 0x8817, ANY, "LIST COLLECTION"),
    (0x7F, 0x8818, ANY, "SET KEY"),
    (0x7F, 0x8819, ANY, "SET MASTER KEY"),
    (0x7F, 0x881A, ANY, "FLUSH COLLECTION"),
    (0x7F, 0x881B, ANY, "FLUSH PARTITION"),
    (0x7F, 0x881C, ANY, "FLUSH OSD"),
    (0x7F, 0x8880, ANY, "OBJECT STRUCTURE CHECK"),
    (0x7F, 0x8881, ANY, "FORMAT OSD"),
    (0x7F, 0x8882, ANY, "CREATE"),
    (0x7F, 0x8883, ANY, "LIST"),
    (0x7F, 0x8884, ANY, "PUNCH"),
    (0x7F, 0x8885, ANY, "READ"),
    (0x7F, 0x8886, ANY, "WRITE"),
    (0x7F, 0x8887, ANY, "APPEND"),
    (0x7F, 0x8888, ANY, "FLUSH"),
    (0x7F, 0x8889, ANY, "CLEAR"),
    (0x7F, 0x888A, ANY, "REMOVE"),
    (0x7F, 0x888B, ANY, "CREATE PARTITION"),
    (0x7F, 0x888C, ANY, "REMOVE PARTITION"),
    (0x7F, 0x888E, ANY, "GET ATTRIBUTES"),
    (0x7F, 0x888F, ANY, "SET ATTRIBUTES"),
    (0x7F, 0x8892, ANY, "CREATE AND WRITE"),
    (0x7F, 0x8895, ANY, "CREATE COLLECTION"),
    (0x7F, 0x8896, ANY, "REMOVE COLLECTION"),
    (0x7F, 0x8897, ANY, "LIST COLLECTION"),
    (0x7F, 0x8898, ANY, "SET KEY"),
    (0x7F, 0x8899, ANY, "SET MASTER KEY"),
    (0x7F, 0x889A, ANY, "FLUSH COLLECTION"),
    (0x7F, 0x889B, ANY, "FLUSH PARTITION"),
    (0x7F, 0x889C, ANY, "FLUSH OSD"),
    (0x7F, 0x88A0, ANY, "QUERY"),
    (0x7F, 0x88A1, ANY, "REMOVE MEMBER OBJECTS"),
    (0x7F, 0x88A2, ANY, "GET MEMBER ATTRIBUTES"),
    (0x7F, 0x88A3, ANY, "SET MEMBER ATTRIBUTES"),
    (0x7F, 0x88B1, ANY, "READ MAP"),
    (0x7F, 0x8F7C, ANY, "PERFORM SCSI COMMAND"),
    (0x7F, 0x8F7D, ANY, "PERFORM TASK MANAGEMENT FUNCTION"),
    (0x7F, 0x8F7E, ANY, "PERFORM SCSI COMMAND"),
    (0x7F, 0x8F7F, ANY, "PERFORM TASK MANAGEMENT FUNCTION"),
    (0x83, 0x00, ANY, "EXTENDED COPY(LID1)"),
    (0x83, 0x01, ANY, "EXTENDED COPY(LID4)"),
    (0x83, 0x10, ANY, "POPULATE TOKEN"),
    (0x83, 0x11, ANY, "WRITE USING TOKEN"),
    (0x83, 0x16, TAPE | AUTOMATION, "SET TAPE STREAM MIRRORING"),
    (0x83, 0x1C, ANY, "COPY OPERATION ABORT"),
    (0x84, 0x00, ANY, "RECEIVE COPY STATUS(LID1)"),
    (0x84, 0x01, ANY, "RECEIVE COPY DATA(LID1)"),
    (0x84, 0x03, ANY, "RECEIVE COPY OPERATING PARAMETERS"),
    (0x84, 0x04, ANY, "RECEIVE COPY FAILURE DETAILS(LID1)"),
    (0x84, 0x05, ANY, "RECEIVE COPY STATUS(LID4)"),
    (0x84, 0x06, ANY, "RECEIVE COPY DATA(LID4)"),
    (0x84, 0x07, ANY, "RECEIVE ROD TOKEN INFORMATION"),
    (0x84, 0x08, ANY, "REPORT ALL ROD TOKENS"),
    (0x84, 0x16, TAPE | AUTOMATION, "REPORT TAPE STREAM MIRRORING"),
    (0x94, 0x01, ANY, "CLOSE ZONE"),
    (0x94, 0x02, ANY, "FINISH ZONE"),
    (0x94, 0x03, ANY, "OPEN ZONE"),
    (0x94, 0x04, ANY, "RESET WRITE POINTER"),
    (0x94, 0x10, ANY, "SEQUENTIALIZE ZONE"),
    (0x95, 0x00, ANY, "REPORT ZONES"),
    (0x95, 0x06, ANY, "REPORT REALMS"),
    (0x95, 0x07, ANY, "REPORT ZONE DOMAINS"),
    (0x95, 0x08, ANY, "ZONE ACTIVATE(16)"),
    (0x95, 0x09, ANY, "ZONE QUERY(16)"),
    (0x9E, 0x0F, ANY, "RECEIVE BINDING REPORT"),
    (0x9E, 0x10, ANY, "READ CAPACITY(16)"),
    (0x9E, 0x11, ANY, "READ LONG(16)"),
    (0x9E, 0x12, ANY, "GET LBA STATUS(16)"),
    (0x9E, 0x13, ANY, "REPORT REFERRALS"),
    (0x9E, 0x14, ANY, "STREAM CONTROL"),
    (0x9E, 0x15, ANY, "BACKGROUND CONTROL"),
    (0x9E, 0x16, ANY, "GET STREAM STATUS"),
    (0x9E, 0x17, ANY, "GET PHYSICAL ELEMENT STATUS"),
    (0x9E, 0x18, ANY, "REMOVE ELEMENT AND TRUNCATE"),
    (0x9E, 0x19, ANY, "RESTORE ELEMENTS AND REBUILD"),
    (0x9E, 0x1A, ANY, "REMOVE ELEMENT AND MODIFY ZONES"),
    (0x9F, 0x0B, ANY, "TEST BIND"),
    (0x9F, 0x0C, ANY, "PREPARE BIND REPORT"),
    (0x9F, 0x0D, ANY, "SET AFFILIATION"),
    (0x9F, 0x0E, ANY, "BIND"),
    (0x9F, 0x0F, ANY, "UNBIND"),
    (0x9F, 0x11, ANY, "WRITE LONG(16)"),
    (0x9F, 0x12, ANY, "WRITE SCATTERED(16)"),
    (0x9F, 0x1F, TAPE | AUTOMATION, "NOTIFY DATA TRANSFER DEVICE(16)"),
    (0xA3, 0x00, AUTOMATION, "REPORT AUTOMATION DEVICE ATTRIBUTES"),
    (0xA3, 0x00, ARRAY, "REPORT ASSIGNED/UNASSIGNED P_EXTENT"),
    (0xA3, 0x01, ARRAY, "REPORT COMPONENT DEVICE"),
    (0xA3, 0x02, ARRAY, "REPORT COMPONENT DEVICE ATTACHMENTS"),
    (0xA3, 0x03, ARRAY, "REPORT PERIPHERAL DEVICE"),
    (0xA3, 0x04, ARRAY, "REPORT PERIPHERAL DEVICE ASSOCIATIONS"),
    (0xA3, 0x05, NOT_CD, "REPORT IDENTIFYING INFORMATION"),
    (0xA3, 0x06, ARRAY, "REPORT STATES"),
    (0xA3, 0x07, ARRAY, "REPORT DEVICE IDENTIFICATION"),
    (0xA3, 0x08, ARRAY, "REPORT UNCONFIGURED CAPACITY"),
    (0xA3, 0x09, ARRAY, "REPORT SUPPORTED CONFIGURATION METHOD"),
    (0xA3, 0x0A, NOT_CD, "REPORT TARGET PORT GROUPS"),
    (0xA3, 0x0B, NOT_CD, "REPORT ALIASES"),
    (0xA3, 0x0C, NOT_CD, "REPORT SUPPORTED OPERATION CODES"),
    (0xA3, 0x0D, NOT_CD, "REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS"),
    (0xA3, 0x0E, NOT_CD, "REPORT PRIORITY"),
    (0xA3, 0x0F, NOT_CD, "REPORT TIMESTAMP"),
    (0xA3, 0x10, NOT_CD, "MANAGEMENT PROTOCOL IN"),
    (0xA3, 0x1D, TAPE, "RECEIVE RECOMMENDED ACCESS ORDER"),
    (0xA3, 0x1D, BLOCK, "REPORT PROVISIONING INITIALIZATION PATTERN"),
    (0xA3, 0x1E, AUTOMATION, "REPORT AUTOMATION DEVICE ATTRIBUTES"),
    (0xA3, 0x1E, TAPE, "READ DYNAMIC RUNTIME ATTRIBUTE"),
    (0xA4, 0x00, AUTOMATION, "SET AUTOMATION DEVICE ATTRIBUTE"),
    (0xA4, 0x00, ARRAY, "ADD PERIPHERAL DEVICE/COMPONENT DEVICE"),
    (0xA4, 0x01, ARRAY, "ATTACH TO COMPONENT DEVICE"),
    (0xA4, 0x02, ARRAY, "EXCHANGE P_EXTENT"),
    (0xA4, 0x03, ARRAY, "EXCHANGE PERIPHERAL DEVICE/COMPONENT DEVICE"),
    (0xA4, 0x04, ARRAY, "INSTRUCT COMPONENT DEVICE"),
    (0xA4, 0x05, ARRAY, "REMOVE PERIPHERAL DEVICE/COMPONENT DEVICE"),
    (0xA4, 0x06, NOT_CD, "SET IDENTIFYING INFORMATION"),
    (0xA4, 0x07, ARRAY, "BREAK PERIPHERAL DEVICE/COMPONENT DEVICE"),
    (0xA4, 0x0A, NOT_CD, "SET TARGET PORT GROUPS"),
    (0xA4, 0x0B, NOT_CD, "CHANGE ALIASES"),
    (0xA4, 0x0C, NOT_CD, "REMOVE I_T NEXUS"),
    (0xA4, 0x0E, NOT_CD, "SET PRIORITY"),
    (0xA4, 0x0F, NOT_CD, "SET TIMESTAMP"),
    (0xA4, 0x10, NOT_CD, "MANAGEMENT PROTOCOL OUT"),
    (0xA4, 0x1D, TAPE, "GENERATE RECOMMENDED ACCESS ORDER"),
    (0xA4, 0x1E, AUTOMATION, "SET AUTOMATION DEVICE ATTRIBUTES"),
    (0xA4, 0x1E, TAPE, "WRITE DYNAMIC RUNTIME ATTRIBUTE"),
    (0xA9, 0x1F, TAPE | AUTOMATION, "SET MEDIUM ATTRIBUTE"),
    (0xAB, 0x01, ANY, "READ MEDIA SERIAL NUMBER"),
];
