//! What the commands give that do not read sectors.

use passthru::{Data, Options, ScsiTransport, scsi::Cdb};

use super::{TestDrive, bytes, expected::crc, get, refused, send};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_the_drive_is() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    assert_eq!(
        get(&device, "12 01 00 00 ff 00", 255),
        bytes("05 00 00 03 00 80 83")
    );
    assert_eq!(get(&device, "12 01 80 00 ff 00", 255)[4..], *b"PTMMC001");
    assert_eq!(refused(&device, "12 01 b0 00 ff 00", 255), (5, 0x24, 0));
    get(&device, "00 00 00 00 00 00", 0);
    assert_eq!(
        get(&device, "03 00 00 00 ff 00", 255),
        bytes("70 00 00 00 00 00 00 0a 00 00 00 00 00 00 00 00 00 00")
    );
    assert_eq!(
        get(&device, "03 01 00 00 ff 00", 255),
        bytes("72 00 00 00 00 00 00 00")
    );
    assert_eq!(
        get(&device, "25 00 00 00 00 00 00 00 00 00", 8),
        bytes("00 00 01 8f 00 00 08 00")
    );
    assert_eq!(
        refused(&device, "2a 00 00 00 00 00 00 00 00 00", 0),
        (5, 0x20, 0)
    );
    assert_eq!(
        get(&device, "5c 00 00 00 00 00 00 00 0c 00", 12),
        bytes("00 0a 00 00 00 20 00 00 00 20 00 00")
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn tables_of_contents() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let toc = get(&device, "43 00 00 00 00 00 00 03 24 00", 804);
    assert_eq!(
        toc,
        bytes(
            "00 22 01 03  00 14 01 00 00 00 00 00  00 10 02 00 00 00 00 c8
             00 10 03 00 00 00 01 2c  00 10 aa 00 00 00 01 90"
                .replace('\n', "")
                .as_str()
        )
    );
    // As times, from track 3 on, cut.
    let toc = get(&device, "43 02 00 00 00 00 03 00 14 00", 804);
    assert_eq!(
        toc,
        bytes("00 12 01 03 00 10 03 00 00 00 06 00 00 10 aa 00 00 00 07 19")
    );
    assert_eq!(get(&device, "43 02 00 00 00 00 03 00 05 00", 804).len(), 5);
    assert_eq!(
        refused(&device, "43 00 00 00 00 00 04 03 24 00", 804),
        (5, 0x24, 0)
    );
    let session = get(&device, "43 00 01 00 00 00 00 03 24 00", 804);
    assert_eq!(session, bytes("00 0a 01 01 00 14 01 00 00 00 00 00"));
    // The full one, asked for in both places.
    let full = get(&device, "43 00 02 00 00 00 00 03 24 00", 804);
    assert_eq!(full, get(&device, "43 00 00 00 00 00 00 03 24 80", 804));
    assert_eq!(full[..4], [0, 2 + 6 * 11, 1, 1]);
    let entries: Vec<_> = full[4..].chunks(11).collect();
    assert_eq!(entries[0], bytes("01 14 00 a0 00 00 00 00 01 00 00"));
    assert_eq!(entries[1], bytes("01 10 00 a1 00 00 00 00 03 00 00"));
    assert_eq!(entries[2], bytes("01 10 00 a2 00 00 00 00 00 07 19"));
    assert_eq!(entries[4], bytes("01 10 00 02 00 00 00 00 00 04 32"));
    // A pressed disc has neither PMA nor ATIP.
    for format in [3, 4, 6] {
        let cdb = format!("43 00 0{format} 00 00 00 00 03 24 00");
        assert_eq!(refused(&device, &cdb, 804), (5, 0x24, 0));
    }
    drop(drive);
    let drive = TestDrive::start("recordable\ntrack audio 100", "");
    let device = drive.open_sg();
    assert_eq!(get(&device, "43 00 04 00 00 00 00 03 24 00", 804).len(), 28);
    let memory = get(&device, "43 00 03 00 00 00 00 03 24 00", 804);
    assert_eq!(
        memory,
        bytes("00 0d 00 00 00 10 00 01 00 03 19 00 00 02 00")
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn cd_text() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let reply = get(&device, "43 00 05 00 00 00 00 0f ff 00", 4095);
    let len = usize::from(u16::from_be_bytes([reply[0], reply[1]]));
    assert_eq!(len + 2, reply.len());
    let packs: Vec<_> = reply[4..].chunks(18).collect();
    let mut titles = Vec::new();
    for (pack, number) in packs.iter().zip(0..) {
        assert_eq!((pack.len(), pack[2]), (18, number));
        // The same CRC as that of Q, behind 16 bytes.
        assert_eq!(pack[16..], (!crc(&pack[..16])).to_be_bytes());
        if pack[0] == 0x80 {
            titles.extend(&pack[4..16]);
        }
    }
    let titles = String::from_utf8(titles).unwrap();
    let titles: Vec<_> = titles.trim_end_matches('\0').split('\0').collect();
    // Track 1 is the data track.
    assert_eq!(
        titles,
        [
            "Test Disc",
            "",
            "First Song",
            "The second song has a longer title"
        ]
    );
    let sizes = packs[packs.len() - 3];
    assert_eq!(sizes[..8], [0x8f, 0, packs.len() as u8 - 3, 0, 0, 1, 3, 0]);
    drop(drive);
    let drive = TestDrive::start("audio", "");
    assert_eq!(
        refused(&drive.open_sg(), "43 00 05 00 00 00 00 0f ff 00", 4095),
        (5, 0x24, 0)
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn mode_pages_are_kept() {
    let mut drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let page = get(&device, "5a 00 01 00 00 00 00 00 ff 00", 255);
    assert_eq!(
        page,
        bytes("00 12 03 00 00 00 00 00 01 0a 00 05 00 00 00 00 00 00 00 00")
    );
    // What `readom -c2scan` sets.
    let list = bytes("00 00 00 00 00 00 00 00 01 0a 21 0a 00 00 00 00 00 00 00 00");
    let select = |cdb: &str, list: &[u8]| {
        let cdb = Cdb::new(&bytes(cdb)).unwrap();
        device.send(&cdb, Data::Out(list), &Options::new()).unwrap()
    };
    let select10 = "55 10 00 00 00 00 00 00 14 00";
    assert!(select(select10, &list).verdict().is_success());
    assert_eq!(drive.log()[1].cdb[..10], bytes(select10));
    assert_eq!(
        get(&device, "1a 00 01 00 ff 00", 255),
        bytes("0f 03 00 00 01 0a 21 0a 00 00 00 00 00 00 00 00")
    );
    // Defaults, what can be changed, and all pages.
    assert_eq!(
        get(&device, "5a 00 81 00 00 00 00 00 ff 00", 255)[10..12],
        [0, 5]
    );
    assert_eq!(
        get(&device, "5a 00 41 00 00 00 00 00 ff 00", 255)[10..12],
        [0xff, 0xff]
    );
    assert_eq!(
        refused(&device, "5a 00 c1 00 00 00 00 00 ff 00", 255),
        (5, 0x39, 0)
    );
    let all = get(&device, "5a 00 3f 00 00 00 00 00 ff 00", 255);
    assert_eq!(all.len(), 8 + 12 + 8 + 16 + 32);
    // With six bytes, with a block descriptor.
    let list = bytes("00 00 00 08 00 00 00 00 00 00 09 30 01 0a 20 02 00 00 00 00 00 00 00 00");
    assert!(select("15 10 00 00 18 00", &list).verdict().is_success());
    assert_eq!(
        get(&device, "5a 00 01 00 00 00 00 00 ff 00", 255)[10..12],
        [0x20, 2]
    );
    // Bits that cannot be set, pages that are not there, a list that ends in a page.
    let wrong = |list: &str| super::code(&select(select10, &bytes(list)));
    assert_eq!(
        wrong("00 00 00 00 00 00 00 00 01 0a 21 0a 01 00 00 00 00 00 00 00"),
        (5, 0x26, 0)
    );
    assert_eq!(
        wrong("00 00 00 00 00 00 00 00 2a 0a 21 0a 00 00 00 00 00 00 00 00"),
        (5, 0x26, 0)
    );
    let cut = select(
        "55 10 00 00 00 00 00 00 10 00",
        &bytes("00 00 00 00 00 00 00 00 01 0a 21 0a 00 00 00 00"),
    );
    assert_eq!(super::code(&cut), (5, 0x1a, 0));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_speed_is_kept() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let speed = || {
        let page = get(&device, "5a 00 2a 00 00 00 00 00 ff 00", 255);
        assert_eq!((page[8], page[9], page[13] & 0x10), (0x2a, 30, 0x10));
        let word = |at: usize| u16::from_be_bytes([page[at], page[at + 1]]);
        (word(16), word(22))
    };
    assert_eq!(speed(), (7056, 7056));
    get(&device, "bb 00 02 c4 ff ff 00 00 00 00 00 00", 0);
    assert_eq!(speed(), (7056, 708));
    let performance = get(&device, "ac 00 00 00 00 00 00 00 00 01 00 00", 24);
    assert_eq!(
        performance,
        bytes("00 00 00 14 00 00 00 00 00 00 00 00 00 00 02 c4 00 00 01 8f 00 00 02 c4")
    );
    get(&device, "bb 00 ff ff ff ff 00 00 00 00 00 00", 0);
    assert_eq!(speed(), (7056, 7056));
    assert_eq!(
        refused(&device, "bb 00 00 00 ff ff 00 00 00 00 00 00", 0),
        (5, 0x24, 0)
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn features() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let all = get(&device, "46 00 00 00 00 00 00 04 00 00", 1024);
    assert_eq!(all[..8], [0, 0, 0, all.len() as u8 - 4, 0, 0, 0, 8]);
    let mut codes = Vec::new();
    let mut rest = &all[8..];
    while let [high, low, _, len, ..] = *rest {
        codes.push(u16::from_be_bytes([high, low]));
        rest = &rest[4 + usize::from(len)..];
    }
    assert_eq!(codes, [0, 1, 2, 3, 0x10, 0x1e, 0x100, 0x105, 0x107, 0x108]);
    // One alone: DAP, C2 and CD-TEXT.
    let one = get(&device, "46 02 00 1e 00 00 00 04 00 00", 1024);
    assert_eq!(
        one,
        bytes("00 00 00 0c 00 00 00 08 00 1e 09 04 83 00 00 00")
    );
    let from = get(&device, "46 01 01 05 00 00 00 04 00 00", 1024);
    assert_eq!(from[8..12], bytes("01 05 07 04"));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn disc_and_tracks() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let disc = get(&device, "51 00 00 00 00 00 00 00 ff 00", 255);
    assert_eq!(
        (disc.len(), &disc[..8]),
        (34, &[0, 32, 0x0e, 1, 1, 1, 3, 0x20][..])
    );
    for (kind, number) in [(1, 3), (0, 350)] {
        let cdb = format!(
            "52 0{kind} 00 00 {:02x} {:02x} 00 00 ff 00",
            number >> 8,
            number & 0xff
        );
        let track = get(&device, &cdb, 255);
        assert_eq!((track.len(), track[2], track[3], track[5]), (36, 3, 1, 0));
        assert_eq!(track[8..12], [0, 0, 1, 0x2c]);
        assert_eq!(track[24..28], [0, 0, 0, 100]);
    }
    assert_eq!(
        refused(&device, "52 01 00 00 00 04 00 00 ff 00", 255),
        (5, 0x24, 0)
    );
    // Position, catalog number and ISRC.
    get(&device, "be 00 00 00 01 36 00 00 01 f8 00 00", 2352);
    assert_eq!(
        get(&device, "42 00 40 01 00 00 00 00 ff 00", 255),
        bytes("00 15 00 0c 01 10 03 01 00 00 01 36 00 00 00 0a")
    );
    assert_eq!(
        get(&device, "42 02 40 01 00 00 00 00 ff 00", 255)[8..],
        [0, 0, 6, 10, 0, 0, 0, 10]
    );
    let catalog = get(&device, "42 00 40 02 00 00 00 00 ff 00", 255);
    assert_eq!(
        (catalog[4], catalog[8], &catalog[9..22]),
        (2, 0x80, &b"4006381333931"[..])
    );
    let isrc = get(&device, "42 00 40 03 00 00 02 00 ff 00", 255);
    assert_eq!(
        (isrc[4], isrc[6], &isrc[9..21]),
        (3, 2, &b"USABC2412301"[..])
    );
    assert_eq!(
        get(&device, "42 00 00 01 00 00 00 00 ff 00", 255),
        [0, 0x15, 0, 0]
    );
    let mechanism = get(&device, "bd 00 00 00 00 00 00 00 00 08 00 00", 8);
    assert_eq!(mechanism, [0, 0, 0, 1, 0x36, 0, 0, 0]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_tray() {
    let drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    let event = || get(&device, "4a 01 00 00 10 00 00 00 08 00", 8);
    let code = |cdb: &str| super::code(&send(&device, cdb, &mut []));
    assert_eq!(event(), [0, 6, 4, 0x10, 0, 2, 0, 0]);
    assert_eq!(
        get(&device, "4a 01 00 00 02 00 00 00 08 00", 8),
        [0, 2, 0x80, 0x10]
    );
    assert_eq!(code("4a 00 00 00 10 00 00 00 00 00"), (5, 0x24, 0));
    get(&device, "1e 00 00 00 01 00", 0);
    assert_eq!(code("1b 00 00 00 02 00"), (5, 0x53, 2));
    get(&device, "1e 00 00 00 00 00", 0);
    get(&device, "1b 00 00 00 02 00", 0);
    assert_eq!(code("00 00 00 00 00 00"), (2, 0x3a, 2));
    assert_eq!(event()[4..6], [0, 1]);
    assert_eq!(get(&device, "46 00 00 00 00 00 00 00 08 00", 8)[7], 0);
    get(&device, "1b 00 00 00 03 00", 0);
    assert_eq!(event()[4..6], [2, 2]);
    assert_eq!(event()[4..6], [0, 2]);
    assert_eq!(code("00 00 00 00 00 00"), (6, 0x28, 0));
    get(&device, "00 00 00 00 00 00", 0);
}
