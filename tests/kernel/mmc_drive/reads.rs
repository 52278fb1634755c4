//! What READ, READ CD and READ CD MSF give.

use super::{
    TestDrive,
    expected::{audio, checks, code_words, crc, data, edc_remainder, q_of, sync_and_header},
    get, refused,
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_drive_is_there_on_three_nodes() {
    let drive = TestDrive::start("default", "");
    for node in [drive.sg(), drive.sr(), drive.bsg()] {
        let device = passthru::ScsiDevice::open_rw(node).unwrap();
        let inquiry = get(&device, "12 00 00 00 60 00", 96);
        assert_eq!((inquiry[0], inquiry[1], inquiry.len()), (5, 0x80, 96));
        assert_eq!(&inquiry[8..36], b"PASSTHRUTEST MMC DRIVE  1.00");
        let sector = get(&device, "be 00 00 00 00 c8 00 00 01 f8 00 00", 2352);
        assert_eq!(sector, audio(200));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn blocks() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let three = [data(7), data(8), data(9)].concat();
    assert_eq!(get(&device, "28 00 00 00 00 07 00 00 03 00", 6144), three);
    assert_eq!(
        get(&device, "a8 00 00 00 00 07 00 00 00 03 00 00", 6144),
        three
    );
    // Audio is no data, and the disc ends.
    assert_eq!(
        refused(&device, "28 00 00 00 00 c8 00 00 01 00", 2048),
        (5, 0x64, 0)
    );
    assert_eq!(
        refused(&device, "28 00 00 00 01 90 00 00 01 00", 2048),
        (5, 0x21, 0)
    );
    // The block device reads them as a file.
    let mut file = std::fs::File::open(drive.sr()).unwrap();
    let mut blocks = vec![0; 200 * 2048];
    std::io::Read::read_exact(&mut file, &mut blocks).unwrap();
    for (block, lba) in blocks.chunks(2048).zip(0..) {
        assert!(block == data(lba), "{lba}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn data_sectors_are_whole() {
    let drive = TestDrive::start("track data 20\ntrack data2 20", "");
    let device = drive.open_sg();
    let raw = get(&device, "be 00 00 00 00 05 00 00 02 f8 00 00", 4704);
    for (sector, lba) in raw.chunks(2352).zip(5..) {
        assert_eq!(sector[..16], sync_and_header(lba, 1));
        assert_eq!(sector[16..2064], data(lba));
        assert_eq!(edc_remainder(&sector[..2068]), 0);
        assert_eq!(sector[2068..2076], [0; 8]);
        let words = code_words(sector);
        assert_eq!(words.len(), 138);
        for word in words {
            assert_eq!(checks(&word), (0, 0));
        }
    }
    let mut sector = get(&device, "be 00 00 00 00 19 00 00 01 f8 00 00", 2352);
    assert_eq!(sector[..16], sync_and_header(25, 2));
    assert_eq!(sector[16..24], [0, 0, 8, 0, 0, 0, 8, 0]);
    assert_eq!(sector[24..2072], data(25));
    assert_eq!(edc_remainder(&sector[16..2076]), 0);
    sector[12..16].fill(0);
    for word in code_words(&sector) {
        assert_eq!(checks(&word), (0, 0));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn each_selection_has_its_bytes() {
    let drive = TestDrive::start("track data 20\ntrack data2 20\ntrack audio 20", "");
    let device = drive.open_sg();
    // LBA, byte 9, byte 10, bytes of one sector.
    let selections = [
        (5, 0x10, 0, 2048),
        (5, 0xf8, 0, 2352),
        (5, 0xb8, 0, 2352),
        (5, 0x20, 0, 4),
        (5, 0x80, 0, 12),
        (5, 0xb0, 0, 12 + 4 + 2048),
        (5, 0x18, 0, 2048 + 288),
        (25, 0x10, 0, 2048),
        (25, 0x40, 0, 8),
        (25, 0x60, 0, 12),
        (25, 0x18, 0, 2048 + 280),
        (25, 0xf8, 0, 2352),
        (45, 0x10, 0, 2352),
        (45, 0xf8, 0, 2352),
        (45, 0xf8, 2, 2368),
        (45, 0xf8, 1, 2448),
        (45, 0xf8, 4, 2448),
        (45, 0xfa, 0, 2646),
        (45, 0xfc, 0, 2648),
        (45, 0xfa, 1, 2742),
        (45, 0xfc, 2, 2664),
        (45, 0x00, 2, 16),
        (5, 0x12, 0, 2342),
    ];
    for (lba, main, sub, len) in selections {
        let cdb = format!("be 00 00 00 00 {lba:02x} 00 00 03 {main:02x} {sub:02x} 00");
        assert_eq!(get(&device, &cdb, 3 * 2752).len(), 3 * len, "{cdb}");
    }
    // Sync and user data without the header between them, and reserved values.
    for wrong in [
        "be 00 00 00 00 05 00 00 01 90 00 00",
        "be 00 00 00 00 05 00 00 01 f9 00 00",
        "be 00 00 00 00 05 00 00 01 fe 00 00",
        "be 00 00 00 00 05 00 00 01 f8 03 00",
        "be 18 00 00 00 05 00 00 01 f8 00 00",
    ] {
        assert_eq!(refused(&device, wrong, 2752), (5, 0x24, 0), "{wrong}");
    }
    // Another type than the sector's.
    for (kind, lba, right) in [
        (1, 45, true),
        (1, 5, false),
        (2, 5, true),
        (2, 25, false),
        (4, 25, true),
    ] {
        let cdb = format!("be {:02x} 00 00 00 {lba:02x} 00 00 01 f8 00 00", kind << 2);
        if right {
            get(&device, &cdb, 2352);
        } else {
            assert_eq!(refused(&device, &cdb, 2352), (5, 0x64, 0), "{cdb}");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn times_and_addresses_name_the_same_sectors() {
    let drive = TestDrive::start("audio", "");
    let device = drive.open_sg();
    // 00:02:10 is sector 10; the end does not belong to it.
    let by_time = get(&device, "b9 04 00 00 02 0a 00 02 0c f8 00 00", 4704);
    assert_eq!(by_time, [audio(10), audio(11)].concat());
    // The pregap has negative addresses; before it nothing can be read.
    let before = get(&device, "be 04 ff ff ff fe 00 00 04 f8 00 00", 4 * 2352);
    assert_eq!(before, [audio(-2), audio(-1), audio(0), audio(1)].concat());
    get(&device, "be 04 ff ff ff 6a 00 00 01 f8 00 00", 2352);
    for outside in [
        "ff ff ff 69 00 00 01",
        "00 00 01 90 00 00 01",
        "00 00 01 8f 00 00 02",
    ] {
        let cdb = format!("be 04 {outside} f8 00 00");
        assert_eq!(refused(&device, &cdb, 4704), (5, 0x21, 0), "{cdb}");
    }
    // Nothing is asked for.
    get(&device, "be 04 00 00 00 00 00 00 00 f8 00 00", 0);
    // Plextor's command.
    assert_eq!(
        get(&device, "d8 00 00 00 00 0a 00 00 00 02 00 00", 4704),
        by_time
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn subchannels() {
    let disc = "catalog 4006381333931\ntrack audio 150 isrc USABC2412301\ntrack audio 90 pregap 75";
    let drive = TestDrive::start(disc, "");
    let device = drive.open_sg();
    let q = |lba: i32| {
        let cdb = format!("be 04 {lba:08x} 00 00 01 00 02 00");
        let cdb = cdb.replacen(&format!("{lba:08x}"), &spaced(lba), 1);
        let formatted = get(&device, &cdb, 16);
        let raw = get(&device, &cdb.replace("00 02 00", "00 01 00"), 96);
        assert_eq!(q_of(&raw), formatted[..12], "{lba}");
        assert_eq!(formatted[10..12], (!crc(&formatted[..10])).to_be_bytes());
        let pause = raw.iter().all(|symbol| symbol & 0x80 != 0);
        assert_eq!(formatted[15], u8::from(pause) << 7);
        for (symbol, number) in raw.iter().zip(0..) {
            assert_eq!(symbol & 0x3f, (lba + number) as u8 & 0x3f);
        }
        let others = get(&device, &cdb.replace("00 02 00", "00 04 00"), 96);
        assert!(others.iter().zip(&raw).all(|(one, all)| *one == all & 0x3f));
        (formatted[..10].to_vec(), pause)
    };
    // Control and ADR, track, index, time in the track, zero, time on the disc.
    assert_eq!(q(100), (vec![0x01, 1, 1, 0, 1, 0x25, 0, 0, 3, 0x25], false));
    assert_eq!(q(-1), (vec![0x01, 1, 0, 0, 0, 0x01, 0, 0, 1, 0x74], true));
    assert_eq!(q(150), (vec![0x01, 2, 0, 0, 1, 0x00, 0, 0, 4, 0x00], true));
    assert_eq!(q(225), (vec![0x01, 2, 1, 0, 0, 0x00, 0, 0, 5, 0x00], false));
    // The catalog number and the ISRC. That is: U S A B C in six bits each, two
    // bits of nothing, seven digits.
    assert_eq!(
        q(60).0,
        [0x02, 0x40, 0x06, 0x38, 0x13, 0x33, 0x93, 0x10, 0x00, 0x60]
    );
    let letters = [b'U', b'S', b'A', b'B', b'C'].map(|letter| u64::from(letter) - 0x30);
    let mut code = letters.iter().fold(0, |code, letter| code << 6 | letter) << 2;
    for digit in [2, 4, 1, 2, 3, 0, 1] {
        code = code << 4 | digit;
    }
    let isrc = [vec![0x03], (code << 4).to_be_bytes().to_vec(), vec![0x05]].concat();
    assert_eq!(q(80).0, isrc);
    // With main channel and C2 pointers before it.
    let all = get(&device, "be 04 00 00 00 64 00 00 02 fa 01 00", 2 * 2742);
    assert_eq!(all[2742..5094], audio(101));
    assert_eq!(all[5094..5388], [0; 294]);
    assert_eq!(q_of(&all[5388..])[..3], [1, 1, 1]);
}

/// The bytes of an address in a command.
fn spaced(lba: i32) -> String {
    let bytes = lba.to_be_bytes().map(|byte| format!("{byte:02x}"));
    bytes.join(" ")
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn audio_and_data_in_one_command() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let both = get(&device, "be 00 00 00 00 c7 00 00 02 f8 00 00", 4704);
    assert_eq!(both[..16], sync_and_header(199, 1));
    assert_eq!(both[2352..], audio(200));
    // User data alone has two lengths.
    let both = get(&device, "be 00 00 00 00 c7 00 00 02 10 00 00", 4704);
    assert_eq!(both, [data(199), audio(200)].concat());
}
