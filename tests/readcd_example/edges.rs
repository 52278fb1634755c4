//! Ends of gaps, tracks and places: what lies right before them, and right behind.

use std::{
    fs,
    os::unix::{fs::symlink, net::UnixListener},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, atomic::AtomicBool},
};

use passthru::scsi::mmc::{BlockErrorPlace, C2, C2Bits, C2Field};

use crate::{
    Folder,
    arguments::SectorRange,
    c2::{C2Count, C2Scan},
    fake::{FOUND_PAGE, FOUND_SPEED, Fake},
    good,
    hooked::{Hooked, once_at},
    noted::{Content, note},
    place::Place,
    run, run_on, whole,
};

const MEDIUM: (u8, u8, u8) = (3, 0x11, 5);

/// Entries of a full table: session, control, point, address; without those of the
/// sessions' first and last tracks.
fn full_toc(entries: &[(u8, u8, u8, i32)]) -> Vec<u8> {
    let mut table = Vec::new();
    for &(session, control, point, lba) in entries {
        let frames = lba + 150;
        let [m, s, f] = [frames / 4500, frames / 75 % 60, frames % 75];
        let [m, s, f] = [m, s, f].map(|part| u8::try_from(part).unwrap());
        table.extend([session, 0x10 | control, 0, point, 0, 0, 0, 0, m, s, f]);
    }
    let [a, b] = u16::try_from(table.len() + 2).unwrap().to_be_bytes();
    let last = entries.iter().map(|entry| entry.0).max().unwrap();
    [vec![a, b, 1, last], table].concat()
}

fn with_table(fake: Fake, entries: &[(u8, u8, u8, i32)]) -> Fake {
    let table = full_toc(entries);
    fake.with(|state| state.full_toc = Some(table))
}

/// The first session ends at 100; the second begins there or later.
fn two_sessions(second: i32, end: i32) -> Fake {
    let table = [
        (1, 0, 1, 0),
        (1, 0, 0xa2, 100),
        (2, 0, 2, second),
        (2, 0, 0xa2, end),
    ];
    with_table(Fake::audio(end), &table)
}

fn gap(first: i32, end: i32) -> SectorRange {
    SectorRange { first, end }
}

fn gaps(fake: &Fake) -> (Vec<SectorRange>, bool) {
    let arguments = ["--c2scan", "--retries", "0"];
    let (report, problem, notes) = run(fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.is_none(), "{problem:?} {notes:?}");
    (report.gaps.as_slice().to_vec(), report.gaps.are_assumed)
}

#[test]
fn a_gap_that_the_drive_does_not_tell_is_that_of_its_session() {
    for (session, length) in [(2, 11_400), (3, 6900)] {
        let [a, b, c, d] = 20_000_i32.to_be_bytes();
        let last = vec![0, 10, 1, session, 0, 0x10, 2, 0, a, b, c, d];
        let fake = Fake::mixed(20_060, 20_000).with(|state| state.last_session = Some(last));
        let expected = (vec![gap(20_000 - length, 20_000)], true);
        assert_eq!(gaps(&fake), expected);
    }
}

#[test]
fn one_gap_that_is_assumed_is_told_beside_one_that_is_known() {
    let fake = with_table(
        Fake::mixed(30_060, 20_000),
        &[
            (1, 4, 1, 0),
            (2, 0, 2, 20_000),
            (2, 0, 0xa2, 20_060),
            (3, 0, 3, 30_000),
            (3, 0, 0xa2, 30_060),
        ],
    );
    let expected = vec![gap(20_000 - 11_400, 20_000), gap(20_060, 30_000)];
    assert_eq!(gaps(&fake), (expected, true));
}

#[test]
fn a_gap_of_no_sectors_is_none() {
    let fake = two_sessions(100, 200);
    assert_eq!(gaps(&fake), (vec![], false));
}

#[test]
fn a_gap_goes_no_further_than_the_disc() {
    let folder = Folder::new("disc-end");
    let file = folder.file("a");
    let fake = two_sessions(11_500, 200);
    let report = good(&fake, &["--output", &file]);
    assert_eq!((report.next, report.good), (200, 100));
    let mut expected = whole(100);
    expected.resize(200 * 2352, 0);
    assert!(fs::read(&file).unwrap() == expected);
}

#[test]
fn a_gap_begins_behind_the_sectors_before_it() {
    let fake = two_sessions(200, 300);
    let arguments = ["--c2scan", "--retries", "0"];
    let (report, ..) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    let gaps = report.gaps;
    assert_eq!((gaps.end_at(99), gaps.end_at(100)), (None, Some(200)));
    assert_eq!((gaps.end_at(199), gaps.end_at(200)), (Some(200), None));
    assert_eq!(
        (gaps.next_after(99), gaps.next_after(100)),
        (Some(100), None)
    );
    let before = [100, 101, 200, 250].map(|lba| gaps.sectors_before(lba));
    assert_eq!(before, [0, 1, 100, 100]);
}

/// What is in a gap is not compared with the zeros that the file has there.
#[test]
fn a_file_that_ends_with_a_gap_is_gone_on_with() {
    let folder = Folder::new("gap-end");
    let file = folder.file("a");
    let fake = two_sessions(200, 300).with(|state| {
        state.bad.insert(200, (u32::MAX, MEDIUM));
    });
    let arguments = ["--output", &file, "--retries", "0"];
    let (report, ..) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!(report.next, 200);
    fake.change(|state| state.bad.clear());
    assert_eq!(good(&fake, &arguments).good, 100);
    let in_gap = |read: &(i32, u32, u8)| (100..200).contains(&read.0);
    assert!(!fake.reads().iter().any(in_gap));
}

#[test]
fn a_track_of_data_has_its_pregap_only_before_audio() {
    let folder = Folder::new("pregaps");
    let zeros = |fake: Fake| fake.with(|state| state.hollow.extend([340, 690]));
    // Before other data, and at the end of the disc.
    let fake = with_table(
        Fake::data(700),
        &[(1, 4, 1, 0), (1, 4, 2, 350), (1, 4, 0xa2, 700)],
    );
    let arguments = |file| ["--no-error", "--sector", "raw", "--output", file];
    let [data, audio] = [folder.file("data"), folder.file("audio")];
    let report = good(&zeros(fake), &arguments(&data));
    let bad: Vec<_> = report.bad.iter().map(|bad| bad.lba).collect();
    assert_eq!(bad, [340, 690]);
    let fake = zeros(Fake::mixed(700, 350));
    assert_eq!(good(&fake, &arguments(&audio)).bad, []);
}

/// Which sector of a chunk is zeros is not mixed up: a chunk that is good is read once.
#[test]
fn zeros_behind_a_track_of_data_are_no_fault_of_the_chunk() {
    let folder = Folder::new("zeros-behind");
    let fake = Fake::mixed(700, 350).with(|state| state.hollow.extend(50..700));
    let report = good(&fake, &["--output", &folder.file("a")]);
    assert_eq!((report.good, report.bad.len()), (700, 0));
    assert_eq!(fake.reads().len(), 700_usize.div_ceil(27));
}

#[test]
fn sockets_and_chains_of_links_are_told_from_files() {
    let folder = Folder::new("chain");
    let [socket, first, second] = ["socket", "first", "second"].map(|name| folder.file(name));
    let _listener = UnixListener::bind(&socket).unwrap();
    let error = Place::of(Path::new(&socket)).unwrap_err();
    assert!(error.message.contains("is no file"), "{error:?}");
    symlink("second", &first).unwrap();
    symlink("target", &second).unwrap();
    good(&Fake::audio(30), &["--output", &first]);
    assert!(fs::read(folder.file("target")).unwrap() == whole(30));
}

/// /dev/null is no standard output to be kept free, even if it is both: run again with
/// that.
#[test]
fn a_null_device_is_a_stream_also_as_standard_output() {
    let test = std::env::current_exe().unwrap();
    let status = Command::new(test)
        .args(["--exact", "files::devices_are_no_place_for_an_output"])
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn a_note_that_cannot_be_written_leaves_no_half_of_it() {
    let folder = Folder::new("half");
    let noted = folder.file("a.readcd");
    let content = Content {
        sector: "raw",
        sector_length: 2352,
        range: gap(0, 60),
        gaps: crate::gaps::Gaps::default(),
        disc: String::new(),
    };
    fs::create_dir(&noted).unwrap();
    assert!(note(Path::new(&noted), &content, 0, &[]).is_err());
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    // A folder is not taken for what a run has noted.
    let problem = run(
        &Fake::audio(60),
        &AtomicBool::new(false),
        &["--output", &folder.file("a")],
    )
    .unwrap_err();
    assert!(problem.message.contains("something else"), "{problem:?}");
}

#[test]
fn an_output_whose_note_cannot_be_removed_is_an_error() {
    let folder = Folder::new("not-removed");
    let noted = folder.file("a.readcd");
    let fake = Fake::audio(60);
    let replace = once_at(27, || {
        fs::remove_file(&noted).unwrap();
        fs::create_dir(&noted).unwrap();
    });
    let hooked = Hooked::new(&fake, replace);
    let arguments = ["--output", &folder.file("a")];
    let (report, problem, _) = run_on(&hooked, || (), &AtomicBool::new(false), &arguments).unwrap();
    assert!(report.is_complete());
    assert!(problem.unwrap().message.contains("a.readcd"));
}

#[test]
fn a_scan_of_nothing_does_not_say_that_there_were_no_errors() {
    let flag = Arc::new(AtomicBool::new(false));
    let fake = Fake::audio(300).with(|state| state.interrupt = Some((1, Arc::clone(&flag))));
    match run(&fake, &flag, &["--c2scan"]) {
        Ok((report, _, notes)) => {
            assert_eq!(report.good, 0);
            assert!(!notes.iter().any(|note| note.contains("no C2 error")));
        }
        Err(problem) => panic!("{problem:?}"),
    }
}

#[test]
fn settings_that_are_not_set_back_are_an_error_of_what_went_well() {
    for opcode in [0x55, 0xbb] {
        let fake = Fake::audio(300);
        let refuse = once_at(200, || {
            fake.change(|state| {
                state.refused.insert(opcode, (4, 0x44, 0));
            });
        });
        let hooked = Hooked::new(&fake, refuse);
        let arguments = ["--c2scan", "--speed", "8"];
        let (report, problem, _) = run_on(
            &hooked,
            || fake.forget(),
            &AtomicBool::new(false),
            &arguments,
        )
        .unwrap();
        assert_eq!(report.good, 300);
        assert_eq!(problem.unwrap().to_json()["kind"], "not_restored");
    }
}

#[test]
fn a_speed_is_set_back_at_the_second_try() {
    let folder = Folder::new("second-try");
    let fake = Fake::audio(60).with(|state| {
        state
            .attentions_of
            .extend([(0xbe, MEDIUM), (0xbb, (4, 0x44, 0))]);
    });
    good(&fake, &["--output", &folder.file("a"), "--speed", "8"]);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn a_drive_that_has_no_speed_now_is_set_to_its_fastest() {
    let folder = Folder::new("no-speed");
    let fake = Fake::audio(60).with(|state| state.speed = 0);
    good(&fake, &["--output", &folder.file("a"), "--speed", "8"]);
    let log = fake.log();
    let set: Vec<_> = log.iter().filter(|cdb| cdb[0] == 0xbb).collect();
    assert_eq!(set.len(), 2);
    assert_eq!(set[1][2..4], [0xff, 0xff]);
}

/// While it is counted, the drive tries ten times and sends what is wrong (MMC-6 7.3).
#[test]
fn what_is_set_for_a_scan_is_set_while_it_scans() {
    let fake = Fake::audio(300);
    let look = once_at(200, || {
        let (page, _) = fake.settings();
        assert_eq!((page[2] & 0x20, page[3]), (0x20, 10), "{page:x?}");
    });
    let hooked = Hooked::new(&fake, look);
    let run = run_on(
        &hooked,
        || fake.forget(),
        &AtomicBool::new(false),
        &["--c2scan"],
    );
    assert_eq!(run.unwrap().0.good, 300);
}

#[test]
fn a_page_that_is_no_page_is_noted_and_it_is_scanned() {
    let fake = Fake::audio(60);
    let hooked = Hooked::new(&fake, |cdb| {
        (cdb.opcode() == 0x5a).then(|| {
            let mut outcome = passthru::Outcome::new(passthru::scsi::Status::GOOD, 255);
            outcome.set_transferred(3);
            Ok(outcome)
        })
    });
    let run = run_on(&hooked, || (), &AtomicBool::new(false), &["--c2scan"]);
    let (report, problem, notes) = run.unwrap();
    assert!(problem.is_none(), "{problem:?}");
    assert_eq!(report.good, 60);
    assert!(notes[0].contains("own error recovery"), "{notes:?}");
}

#[test]
fn of_sectors_that_are_equally_bad_the_first_is_the_worst() {
    let mut pointers = [0; 294];
    pointers[0] = 0x80;
    let mut count = C2Count::default();
    for lba in [5, 6] {
        count.add(lba, C2Bits::new(&pointers));
    }
    assert_eq!(count.worst.unwrap().lba, 5);
}

/// The pad byte may come before the block error byte.
#[test]
fn a_block_error_byte_is_known_on_either_side_of_its_pad() {
    for at in [0, 1] {
        let mut bytes = [0; 296];
        (bytes[at], bytes[2 + 5]) = (0x81, 0x81);
        let mut scan = C2Scan::default();
        let field = C2Field::new(&bytes, C2::Block296, BlockErrorPlace::Last);
        scan.add(0, field.unwrap());
        assert_eq!((scan.errors(), scan.block_error()), (2, Some("first")));
    }
}
