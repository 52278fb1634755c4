//! Discs of several sessions and of all kinds of sectors, and another disc that is
//! put in.

use super::{
    TestDrive, bytes, code,
    expected::{audio, data, edc_remainder, form2, mode2, sync_and_header},
    get, refused, send,
};

const SESSIONS: &str =
    "track audio 20\ntrack audio 30\nsession\ntrack data2 40\nsession\ntrack data 5";
/// Where the second session begins: 11400 behind the first's lead-out; and the
/// third, 6900 behind the second's.
const SECOND: i32 = 50 + 11_400;
const THIRD: i32 = SECOND + 40 + 6_900;

fn read_cd(lba: i32, count: u8) -> String {
    let lba = lba.to_be_bytes().map(|byte| format!("{byte:02x}"));
    format!("be 00 {} 00 00 {count:02x} f8 00 00", lba.join(" "))
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn several_sessions() {
    let drive = TestDrive::start(SESSIONS, "");
    let device = drive.open_sg();
    let toc = get(&device, "43 00 00 00 00 00 00 03 24 00", 804);
    let starts: Vec<_> = toc[4..]
        .chunks(8)
        .map(|entry| {
            let start = i32::from_be_bytes(entry[4..].try_into().unwrap());
            (entry[2], entry[1], start)
        })
        .collect();
    let expected = [
        (1, 0x10, 0),
        (2, 0x10, 20),
        (3, 0x14, SECOND),
        (4, 0x14, THIRD),
        (0xaa, 0x14, THIRD + 5),
    ];
    assert_eq!((&toc[2..4], &starts[..]), (&[1, 4][..], &expected[..]));
    // The last session, and its first track.
    let last = get(&device, "43 00 01 00 00 00 00 03 24 00", 804);
    assert_eq!(
        (&last[..8], &last[8..]),
        (&[0, 10, 1, 3, 0, 0x14, 4, 0][..], &THIRD.to_be_bytes()[..])
    );
    let full = get(&device, "43 00 02 00 00 00 00 03 24 00", 804);
    assert_eq!(full[2..4], [1, 3]);
    let points: Vec<_> = full[4..]
        .chunks(11)
        .map(|at| (at[0], at[3], at[8]))
        .collect();
    let first = [
        (1, 0xa0, 1),
        (1, 0xa1, 2),
        (1, 0xa2, 0),
        (1, 1, 0),
        (1, 2, 0),
    ];
    assert_eq!(points[..5], first);
    // 50 sectors and two seconds are 00:02:50; 11450 are 02:34:50.
    assert_eq!(full[4 + 2 * 11 + 8..][..3], [0, 2, 50]);
    assert_eq!(full[4 + 8 * 11 + 8..][..3], [2, 34, 50]);
    assert_eq!(points[5..8], [(2, 0xa0, 3), (2, 0xa1, 3), (2, 0xa2, 2)]);
    assert_eq!(points[9], (3, 0xa0, 4));
    // From the second on, and from one that is not there.
    let later = get(&device, "43 00 02 00 00 00 02 03 24 00", 804);
    assert_eq!(later[4..], full[4 + 5 * 11..]);
    assert_eq!(
        refused(&device, "43 00 02 00 00 00 04 03 24 00", 804),
        (5, 0x24, 0)
    );
    // Between sessions nothing can be read but the pregap of the next.
    for (lba, count) in [(50, 1), (49, 2), (SECOND - 151, 1), (SECOND - 151, 2)] {
        assert_eq!(refused(&device, &read_cd(lba, count), 4704), (5, 0x21, 0));
    }
    get(&device, &read_cd(SECOND - 150, 1), 2352);
    assert_eq!(get(&device, &read_cd(49, 1), 2352), audio(49));
    let sector = get(&device, &read_cd(THIRD, 1), 2352);
    assert_eq!(sector[16..2064], data(THIRD));
    let disc = get(&device, "51 00 00 00 00 00 00 00 ff 00", 255);
    assert_eq!(disc[3..7], [1, 3, 4, 4]);
    let track = get(&device, "52 01 00 00 00 03 00 00 ff 00", 255);
    assert_eq!((track[2], track[3], track[6]), (3, 2, 2));
    let track = get(&device, "52 02 00 00 00 03 00 00 ff 00", 255);
    assert_eq!((track[2], track[3]), (4, 3));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sectors_of_mode_2() {
    let drive = TestDrive::start("track form2 20\ntrack mode2 20\ntrack audio 5 silent", "");
    let device = drive.open_sg();
    let sector = get(&device, &read_cd(5, 1), 2352);
    assert_eq!(sector[..16], sync_and_header(5, 2));
    assert_eq!(sector[16..24], [0, 0, 0x20, 0, 0, 0, 0x20, 0]);
    assert_eq!(sector[24..2348], form2(5));
    assert_eq!(edc_remainder(&sector[16..]), 0);
    let sector = get(&device, &read_cd(25, 1), 2352);
    assert_eq!(sector[..16], sync_and_header(25, 2));
    assert_eq!(sector[16..], mode2(25));
    assert_eq!(get(&device, &read_cd(42, 1), 2352), [0; 2352]);
    // LBA, type, byte 9, bytes of one sector (MMC-6, table of READ CD).
    for (lba, kind, main, len) in [
        (5, 5, 0x10, 2328),
        (5, 5, 0x18, 2328),
        (5, 5, 0x50, 2336),
        (5, 0, 0x40, 8),
        (25, 3, 0x10, 2336),
        (25, 3, 0x18, 2336),
        (25, 0, 0xb0, 2352),
        (25, 0, 0x20, 4),
    ] {
        let cdb = format!(
            "be {:02x} 00 00 00 {lba:02x} 00 00 02 {main:02x} 00 00",
            kind << 2
        );
        assert_eq!(get(&device, &cdb, 4704).len(), 2 * len, "{cdb}");
    }
    // Another type, and blocks of 2048 bytes, which these are not.
    for (lba, kind) in [(5, 3), (5, 4), (5, 2), (25, 5), (25, 4), (25, 1)] {
        let cdb = format!("be {:02x} 00 00 00 {lba:02x} 00 00 01 f8 00 00", kind << 2);
        assert_eq!(refused(&device, &cdb, 2352), (5, 0x64, 0), "{cdb}");
    }
    for lba in [5, 25] {
        let cdb = format!("28 00 00 00 00 {lba:02x} 00 00 01 00");
        assert_eq!(refused(&device, &cdb, 2048), (5, 0x64, 0));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn another_disc_is_put_in() {
    let mut drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let tracks = |device| get(device, "43 00 00 00 00 00 00 03 24 00", 804)[3];
    assert_eq!(tracks(&device), 3);
    drive.arm("disc audio");
    // The drive tells it once, and by an event.
    let test = "00 00 00 00 00 00";
    assert_eq!(refused(&device, test, 0), (6, 0x28, 0));
    get(&device, test, 0);
    assert_eq!(get(&device, "4a 01 00 00 10 00 00 00 08 00", 8)[4], 2);
    assert_eq!(tracks(&device), 2);
    // It stays.
    drive.arm("");
    get(&device, test, 0);
    assert_eq!(tracks(&device), 2);
    // In the midst of a read.
    drive.arm("disc default at 102");
    let mut buffer = vec![0; 4 * 2352];
    let outcome = send(&device, &read_cd(100, 4), &mut buffer);
    assert_eq!(
        (code(&outcome), outcome.residual()),
        ((6, 0x28, 0), 2 * 2352)
    );
    assert_eq!(tracks(&device), 3);
    let outcome = send(&device, &read_cd(100, 4), &mut buffer);
    assert!(outcome.verdict().is_success());
    assert_eq!(buffer[16..2064], data(100));
}

/// What DVDs have and CDs have not.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn structures_and_keys_of_other_discs() {
    let mut drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let structure = "ad 00 00 00 00 00 00 00 08 04 00 00";
    assert_eq!(refused(&device, structure, 2052), (5, 0x30, 2));
    assert_eq!(
        refused(&device, "ad 0f 00 00 00 00 00 00 08 04 00 00", 2052),
        (5, 0x24, 0)
    );
    let key = "a4 00 00 00 00 00 00 00 00 08 00 00";
    assert_eq!(refused(&device, key, 8), (5, 0x6f, 1));
    let region = "a4 00 00 00 00 00 00 00 00 08 08 00";
    assert_eq!(get(&device, region, 8), bytes("00 06 00 00 25 ff 01 00"));
    drive.arm("no_medium");
    assert_eq!(refused(&device, structure, 2052), (2, 0x3a, 0));
    assert_eq!(refused(&device, key, 8), (2, 0x3a, 0));
    get(&device, region, 8);
}
