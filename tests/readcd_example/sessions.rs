//! Discs of several sessions: what lies between them is not read unless it is named.

use std::{
    fs,
    sync::{Arc, atomic::AtomicBool},
};

use crate::{
    Folder,
    fake::{Fake, main_channel},
    good, run,
};

const LEAD_OUT: i32 = 100;
const BORDER: i32 = LEAD_OUT + 11_400;
const END: i32 = BORDER + 60;

/// With two sessions: data up to this sector, and audio from the border on.
fn two_sessions(sectors: i32, lead_out: i32, border: i32) -> Fake {
    let mut entries = Vec::new();
    let mut add = |session: u8, control: u8, point: u8, [m, s, f]: [u8; 3]| {
        entries.extend([session, 0x10 | control, 0, point, 0, 0, 0, 0, m, s, f]);
    };
    for (session, control, track, start, end) in
        [(1, 4, 1, 0, lead_out), (2, 0, 2, border, sectors)]
    {
        add(session, control, 0xa0, [track, 0, 0]);
        add(session, control, 0xa1, [track, 0, 0]);
        add(session, control, 0xa2, msf(end));
        add(session, control, track, msf(start));
    }
    let length = u8::try_from(entries.len() + 2).unwrap();
    let toc = [vec![0, length, 1, 2], entries].concat();
    Fake::mixed(sectors, border).with(|state| state.full_toc = Some(toc))
}

fn msf(lba: i32) -> [u8; 3] {
    let frames = lba + 150;
    [frames / 4500, frames / 75 % 60, frames % 75].map(|part| u8::try_from(part).unwrap())
}

fn disc() -> Fake {
    // What lies between the sessions cannot be read.
    two_sessions(END, LEAD_OUT, BORDER).with(|state| {
        for lba in LEAD_OUT..BORDER {
            state.bad.insert(lba, (u32::MAX, (3, 2, 0)));
        }
    })
}

fn expected() -> Vec<u8> {
    let zeros = vec![0; usize::try_from(BORDER - LEAD_OUT).unwrap() * 2352];
    let of = |range: std::ops::Range<i32>| range.flat_map(main_channel).collect::<Vec<_>>();
    [of(0..LEAD_OUT), zeros, of(BORDER..END)].concat()
}

#[test]
fn what_lies_between_sessions_is_left_out() {
    let folder = Folder::new("sessions");
    let file = folder.file("a");
    let fake = disc();
    let arguments = ["--output", &file];
    let (report, problem, notes) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.is_none(), "{problem:?}");
    // Every sector is at its place.
    assert!(fs::read(&file).unwrap() == expected());
    assert_eq!((report.sector, report.good), ("raw", 160));
    assert_eq!(report.bad, []);
    let json = report.to_json();
    assert_eq!(json["left_out"][0]["first"], LEAD_OUT);
    assert_eq!(json["left_out"][0]["end"], BORDER);
    assert_eq!(json["complete"], true);
    assert!(notes[0].contains("100 to 11499 are left out"), "{notes:?}");
    for (first, sectors, _) in fake.reads() {
        let end = first + i32::try_from(sectors).unwrap();
        assert!(end <= LEAD_OUT || first >= BORDER, "{first} {sectors}");
    }
    let json = good(&disc(), &["--c2scan"]).to_json();
    assert_eq!(json["c2"]["sectors_scanned"], 160);
    assert_eq!(json["c2"]["sectors_not_scanned"], 0);
}

#[test]
fn a_pipe_gets_zeros_too() {
    let folder = Folder::new("sessions-pipe");
    let pipe = folder.file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    good(&disc(), &["--output", &pipe]);
    assert!(reader.join().unwrap() == expected());
}

#[test]
fn what_is_named_is_read() {
    let fake = disc();
    let arguments = ["--c2scan", "--sectors", "90-110", "--retries", "0"];
    let report = good(&fake, &arguments);
    assert_eq!((report.good, report.bad[0].sectors), (10, 10));
    assert_eq!(report.to_json()["left_out"], serde_json::json!([]));
}

#[test]
fn it_is_gone_on_with_behind_a_gap() {
    let folder = Folder::new("sessions-resume");
    let file = folder.file("a");
    let fake = disc();
    let flag = Arc::new(AtomicBool::new(false));
    fake.change(|state| state.interrupt = Some((5, Arc::clone(&flag))));
    let (report, ..) = run(&fake, &flag, &["--output", &file]).unwrap();
    assert_eq!((report.next, report.good), (BORDER + 27, 127));
    fake.change(|state| state.interrupt = None);
    // With what is named it is another output.
    let named = format!("0-{END}");
    let arguments = ["--output", &file, "--sectors", &named];
    let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
    assert!(problem.message.contains("`left_out`"), "{problem:?}");
    let report = good(&fake, &["--output", &file]);
    assert_eq!((report.resumed, report.good), (11_527, 33));
    assert!(fs::read(&file).unwrap() == expected());
}

#[test]
fn where_the_drive_does_not_tell_the_gap_is_as_long_as_usual() {
    let last = |first: u8, last: u8| {
        let [a, b, c, d] = BORDER.to_be_bytes();
        Some(vec![0, 10, first, last, 0, 0x10, 2, 0, a, b, c, d])
    };
    let fake = disc().with(|state| {
        state.full_toc = None;
        state.last_session = last(1, 2);
    });
    let (report, problem, notes) = run(&fake, &AtomicBool::new(false), &["--c2scan"]).unwrap();
    assert!(problem.is_none(), "{problem:?}");
    assert_eq!(report.good, 160);
    assert!(notes[0].contains("as usual"), "{notes:?}");
    // One session has none, whatever its tracks.
    let fake = Fake::mixed(200, 100).with(|state| state.last_session = last(1, 1));
    let report = good(&fake, &["--c2scan"]);
    assert_eq!((report.good, report.gaps.as_slice().len()), (200, 0));
    // Nor has one that would begin before its last track.
    for lead_out in [0, 150] {
        let fake = two_sessions(300, lead_out, 100);
        assert_eq!(good(&fake, &["--c2scan"]).good, 300);
    }
}
