//! Each fault that can be armed does what `tests/mmc_drive/faults.rs` says.

use std::time::{Duration, Instant};

use passthru::scsi::{HostStatus, Status};

use super::{
    TestDrive, bytes, code,
    expected::{audio, data},
    get, refused, send,
};

const TEST: &str = "00 00 00 00 00 00";
/// Six sectors of data, from 5 on.
const READ: &str = "28 00 00 00 00 05 00 00 06 00";
/// Six sectors of audio, from 300 on, with C2 pointers.
const READ_C2: &str = "be 04 00 00 01 2c 00 00 06 fa 00 00";

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sectors_that_cannot_be_read() {
    let mut drive = TestDrive::start("default", "medium_error 7 count 2\nmedium_error 302 ascq 6");
    let device = drive.open_sg();
    for _ in 0..2 {
        let mut buffer = vec![0xee; 6 * 2048];
        let outcome = send(&device, READ, &mut buffer);
        assert_eq!(code(&outcome), (3, 0x11, 5));
        assert_eq!(outcome.sense().information(), Some(7));
        assert_eq!(outcome.residual(), 4 * 2048);
        assert_eq!(buffer[..4096], [data(5), data(6)].concat());
    }
    get(&device, READ, 6 * 2048);
    let mut buffer = vec![0xee; 6 * 2646];
    let outcome = send(&device, READ_C2, &mut buffer);
    assert_eq!(
        (code(&outcome), outcome.residual()),
        ((3, 0x11, 6), 4 * 2646)
    );
    assert_eq!(buffer[2646..2646 + 2352], audio(301));
    // The first sector of a command: no data at all.
    drive.arm("medium_error 5\ndescriptor_sense");
    let outcome = send(&device, READ, &mut buffer[..6 * 2048]);
    assert_eq!((code(&outcome), outcome.transferred()), ((3, 0x11, 5), 0));
    assert_eq!(outcome.sense_bytes()[..2], [0x72, 3]);
    assert_eq!(outcome.sense().information(), Some(5));
    drive.arm("recovered 6");
    let outcome = send(&device, READ, &mut buffer[..6 * 2048]);
    assert_eq!(
        (code(&outcome), outcome.transferred()),
        ((1, 0x18, 0), 6 * 2048)
    );
    assert_eq!(outcome.sense().information(), Some(6));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn wrong_bytes_and_their_pointers() {
    let mut drive = TestDrive::start(
        "default",
        "c2 301 27 10 wrong count 1\nc2 303 0 2352\nc2 304 2351 1",
    );
    let device = drive.open_sg();
    let pointers = |device, cdb: &str, len: usize| {
        let all = get(device, cdb, 6 * len);
        assert_eq!(all.len(), 6 * len);
        let sectors = all.chunks(len).map(|sector| sector[2352..].to_vec());
        (all.clone(), sectors.collect::<Vec<_>>())
    };
    let mut expected = vec![0; 294];
    // Byte 27 is bit 3 from above of the fourth pointer.
    expected[3] = 0x1f;
    expected[4] = 0xf8;
    let (all, c2) = pointers(&device, READ_C2, 2646);
    assert_eq!(c2[0], [0; 294]);
    assert_eq!(c2[1], expected);
    assert_eq!(c2[3], [0xff; 294]);
    assert_eq!((&c2[4][..293], c2[4][293]), (&[0; 293][..], 1));
    let mut wrong = audio(301);
    wrong[27..37].iter_mut().for_each(|byte| *byte = !*byte);
    assert_eq!(all[2646..2646 + 2352], wrong);
    assert_eq!(all[3 * 2646..3 * 2646 + 2352], audio(303));
    let (all, c2) = pointers(&device, READ_C2, 2646);
    assert_eq!(c2[1], [0; 294]);
    assert_eq!(all[2646..2646 + 2352], audio(301));
    // 296 bytes: with the sum of all pointers.
    let read_296 = "be 04 00 00 01 2c 00 00 06 fc 00 00";
    drive.arm("c2 301 27 10");
    let (_, c2) = pointers(&device, read_296, 2648);
    assert_eq!(
        (&c2[1][..294], &c2[1][294..]),
        (&expected[..], &[0xff, 0][..])
    );
    drive.arm("c2 301 27 10\nblock_error_first");
    let (_, c2) = pointers(&device, read_296, 2648);
    assert_eq!((&c2[1][2..], &c2[1][..2]), (&expected[..], &[0xff, 0][..]));
    // 294 bytes late: 2352 pointers further.
    drive.arm("c2 301 27 10\nc2_shift 2352");
    let (_, c2) = pointers(&device, READ_C2, 2646);
    assert_eq!((&c2[1], &c2[2]), (&vec![0; 294], &expected));
    drive.arm("c2 301 2350 4\nc2_shift 1");
    let (_, c2) = pointers(&device, READ_C2, 2646);
    assert_eq!((c2[1][293], c2[2][0]), (0x01, 0xe0));
    // Only one size.
    drive.arm("c2_size 296");
    assert_eq!(refused(&device, READ_C2, 2646), (5, 0x24, 0));
    pointers(&device, read_296, 2648);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn missing_and_misplaced_pointers() {
    let mut drive = TestDrive::start("default", "no_c2_bytes\nc2 300 0 2352");
    let device = drive.open_sg();
    let main: Vec<u8> = (300..306).flat_map(audio).collect();
    // As QEMU does: success, all bytes there, and only 2352 of each sector real.
    let mut buffer = vec![0xee; 6 * 2646];
    let outcome = send(&device, READ_C2, &mut buffer);
    assert_eq!(outcome.residual(), 0);
    assert_eq!(buffer[..6 * 2352], main);
    assert_eq!(buffer[6 * 2352..], [0; 6 * 294]);
    drive.arm("no_c2_bytes short\nno_c2_claim");
    let outcome = send(&device, READ_C2, &mut buffer);
    assert_eq!(
        (outcome.status(), outcome.residual()),
        (Status::GOOD, 6 * 294)
    );
    assert_eq!(
        get(&device, "5a 00 2a 00 00 00 00 00 ff 00", 255)[13] & 0x10,
        0
    );
    assert_eq!(get(&device, "46 02 00 1e 00 00 00 00 ff 00", 255)[12], 0x81);
    drive.arm("c2_order sub_first\nc2 300 0 2352");
    let one = get(&device, "be 04 00 00 01 2c 00 00 01 fa 02 00", 2662);
    assert_eq!(
        (&one[..2352], one[2353], &one[2368..]),
        (&audio(300)[..], 3, &[0xff; 294][..])
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn tables_and_subchannels_that_differ() {
    let mut drive = TestDrive::start("default", "toc_length 4660\nbcd_toc\nbinary_q\nno_q_crc");
    let device = drive.open_sg();
    assert_eq!(get(&device, "43 00 00 00 00 00 00 00 ff 00", 255).len(), 36);
    let full = get(&device, "43 00 02 00 00 00 00 00 ff 00", 255);
    assert_eq!((&full[..2], full.len()), (&[0x12, 0x34][..], 70));
    assert_eq!(full[4 + 22 + 8..][..3], [0, 0x07, 0x25]);
    let q = get(&device, "be 04 00 00 01 7b 00 00 01 00 02 00", 16);
    assert_eq!(q[..12], [1, 3, 1, 0, 1, 4, 0, 0, 7, 4, 0, 0]);
    drive.arm("mixed_tracks_0564");
    let mut buffer = vec![0xee; 3 * 2352];
    let outcome = send(&device, "be 00 00 00 00 c7 00 00 03 f8 00 00", &mut buffer);
    assert_eq!(
        (code(&outcome), outcome.residual()),
        ((5, 0x64, 0), 2 * 2352)
    );
    assert_eq!(outcome.sense().information(), Some(200));
    get(&device, "be 00 00 00 00 c8 00 00 03 f8 00 00", 3 * 2352);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn drives_that_are_not_ready() {
    let mut drive = TestDrive::start("default", "becoming_ready 4");
    let device = drive.open_sg();
    for step in 0..4 {
        // It can be asked about, which is no step.
        let asked = get(&device, "03 00 00 00 12 00", 18);
        let outcome = send(&device, TEST, &mut []);
        assert_eq!(code(&outcome), (2, 4, 1));
        assert_eq!(outcome.sense_bytes()[..18], asked);
        assert_eq!(asked[15..], [0x80, step * 0x40, 0]);
    }
    get(&device, TEST, 0);
    drive.arm("no_medium");
    assert_eq!(refused(&device, READ, 6 * 2048), (2, 0x3a, 0));
    assert_eq!(get(&device, "4a 01 00 00 10 00 00 00 08 00", 8)[5], 0);
    drive.arm("no_medium 02");
    assert_eq!(refused(&device, TEST, 0), (2, 0x3a, 2));
    drive.arm("");
    get(&device, TEST, 0);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn conditions_before_a_command() {
    let mut drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    drive.arm("unit_attention 29 00 count 3\nunit_attention 28 00");
    for expected in [(6, 0x29, 0), (6, 0x29, 0), (6, 0x29, 0), (6, 0x28, 0)] {
        // INQUIRY does not meet them.
        get(&device, "12 00 00 00 24 00", 36);
        assert_eq!(refused(&device, TEST, 0), expected);
    }
    get(&device, TEST, 0);
    drive.arm("deferred 03 0c 02\nsense 7f0102030405060708 count 1");
    let outcome = send(&device, TEST, &mut []);
    assert_eq!(
        (outcome.sense_bytes()[0], code(&outcome)),
        (0x71, (3, 0x0c, 2))
    );
    let outcome = send(&device, TEST, &mut []);
    assert_eq!(outcome.sense_bytes()[..8], bytes("7f 01 02 03 04 05 06 07"));
    // The kernel itself tries again after BUSY.
    drive.arm("busy count 2 only 28");
    get(&device, TEST, 0);
    get(&device, READ, 6 * 2048);
    let statuses: Vec<_> = drive
        .log()
        .iter()
        .map(|logged| (logged.cdb[0], logged.status))
        .collect();
    assert_eq!(statuses, [(0, 0), (0x28, 8), (0x28, 8), (0x28, 0)]);
    drive.arm("status 18 count 1");
    let outcome = send(&device, TEST, &mut []);
    assert_eq!(outcome.status(), Status::RESERVATION_CONFLICT);
    // Commands that the drive has not.
    drive.arm("refuse bb\nrefuse be 05 24 00");
    assert_eq!(
        refused(&device, "bb 00 ff ff ff ff 00 00 00 00 00 00", 0),
        (5, 0x20, 0)
    );
    assert_eq!(refused(&device, READ_C2, 6 * 2646), (5, 0x24, 0));
    // The block node meets them too.
    let block = drive.open_sr();
    drive.arm("unit_attention 28 00");
    assert_eq!(refused(&block, TEST, 0), (6, 0x28, 0));
    get(&block, READ, 6 * 2048);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn slow_and_short_answers() {
    let mut drive = TestDrive::start("default", "slow 9 600 count 1\nslow_command 43 600");
    let device = drive.open_sg();
    let time = |cdb: &str, len: usize| {
        let start = Instant::now();
        get(&device, cdb, len);
        start.elapsed()
    };
    let slow = Duration::from_millis(600);
    assert!(time(READ, 6 * 2048) >= slow);
    assert!(time(READ, 6 * 2048) < slow);
    assert!(time("43 00 00 00 00 00 00 00 24 00", 36) >= slow);
    drive.arm("short 100 count 1 only be");
    get(&device, READ, 6 * 2048);
    let mut buffer = vec![0xee; 6 * 2646];
    let outcome = send(&device, READ_C2, &mut buffer);
    assert_eq!((outcome.status(), outcome.residual()), (Status::GOOD, 100));
    assert_eq!(send(&device, READ_C2, &mut buffer).residual(), 0);
    // Longer than the time there is: the kernel gives up, and the drive can be used afterwards.
    drive.arm("slow_command 28 3000 count 1");
    let patience = passthru::Options::new().timeout(Duration::from_secs(1));
    let cdb = passthru::scsi::Cdb::new(&bytes(READ)).unwrap();
    let outcome = passthru::ScsiTransport::send(
        &device,
        &cdb,
        passthru::Data::In(&mut buffer[..6 * 2048]),
        &patience,
    );
    assert_ne!(outcome.unwrap().host(), HostStatus(0));
    get(&device, READ, 6 * 2048);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_mistake_in_the_file_is_seen() {
    let mut drive = TestDrive::start("default", "");
    let device = drive.open_sg();
    for mistake in [
        "medium_eror 7",
        "medium_error",
        "c2 1 2 3 4",
        "busy only xx",
    ] {
        drive.arm(mistake);
        assert_eq!(refused(&device, TEST, 0), (4, 0x80, 0), "{mistake}");
    }
    drive.arm("# nothing\n\n");
    get(&device, TEST, 0);
}
