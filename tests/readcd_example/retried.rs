//! Chunks, then single sectors, then far seeks between the tries.

use std::{fs, sync::atomic::AtomicBool};

use crate::{
    Folder,
    fake::{Fake, main_channel},
    good,
    problem::Code,
    run,
};

const MEDIUM: (u8, u8, u8) = (3, 0x11, 5);

fn whole(range: std::ops::Range<i32>) -> Vec<u8> {
    range.flat_map(main_channel).collect()
}

#[test]
fn a_disc_without_faults_is_read_in_chunks() {
    let folder = Folder::new("chunks");
    let fake = Fake::audio(60);
    let report = good(&fake, &["--output", &folder.file("a")]);
    assert_eq!(fs::read(folder.file("a")).unwrap(), whole(0..60));
    assert_eq!(fake.reads(), [(0, 27, 0x10), (27, 27, 0x10), (54, 6, 0x10)]);
    assert_eq!((report.good, report.sector), (60, "audio"));
    // Nothing was set, and nothing is left beside it.
    assert_eq!((fake.sent(0x55), fake.sent(0xbb)), (0, 0));
    assert!(!std::path::Path::new(&folder.file("a.readcd")).exists());
}

#[test]
fn a_chunk_that_fails_is_read_sector_by_sector() {
    let folder = Folder::new("singles");
    let fake = Fake::audio(30).with(|state| {
        state.bad.insert(3, (3, MEDIUM));
    });
    let report = good(&fake, &["--output", &folder.file("a")]);
    assert_eq!(fs::read(folder.file("a")).unwrap(), whole(0..30));
    let mut expected = vec![(0, 27), (0, 1), (1, 1), (2, 1), (3, 1), (3, 1), (3, 1)];
    expected.extend((4..27).map(|lba| (lba, 1)));
    expected.push((27, 3));
    let reads: Vec<_> = fake.reads().iter().map(|read| (read.0, read.1)).collect();
    assert_eq!(reads, expected);
    // It was looked whether the drive is ready before each of the two retries.
    assert_eq!(fake.sent(0x00), 2);
    assert_eq!((report.effort.retries, report.effort.far_seeks), (2, 0));
}

#[test]
fn tries_after_the_tenth_come_with_a_far_seek() {
    let folder = Folder::new("seeks");
    let fake = Fake::audio(100).with(|state| {
        state.bad.insert(50, (u32::MAX, MEDIUM));
    });
    let arguments = [
        "--output",
        &folder.file("a"),
        "--sectors",
        "50-52",
        "--retries",
        "15",
        "--no-error",
        "--sector",
        "raw",
    ];
    let report = good(&fake, &arguments);
    let reads: Vec<_> = fake.reads().iter().map(|read| read.0).collect();
    // The chunk, then ten tries in a row.
    assert_eq!(reads[..11], [50; 11]);
    let seeks: Vec<_> = reads[11..23].iter().step_by(2).copied().collect();
    let tries: Vec<_> = reads[12..23].iter().step_by(2).copied().collect();
    assert_eq!(tries, [50; 6]);
    assert_eq!((seeks[0], seeks[1], seeks[3], seeks[4]), (99, 0, 99, 0));
    assert!((0..100).contains(&seeks[2]) && (0..100).contains(&seeks[5]));
    assert_eq!(reads[23..], [51]);
    assert_eq!((report.effort.retries, report.effort.far_seeks), (15, 6));
    assert_eq!(report.bad.len(), 1);
    assert_eq!((report.bad[0].lba, report.bad[0].sectors), (50, 1));
    let file = fs::read(folder.file("a")).unwrap();
    assert_eq!(file, [vec![0; 2352], main_channel(51)].concat());
}

#[test]
fn without_no_error_it_stops_at_the_first_bad_sector() {
    let folder = Folder::new("stops");
    let fake = Fake::audio(30).with(|state| {
        state.bad.insert(5, (u32::MAX, MEDIUM));
    });
    let arguments = ["--output", &folder.file("a"), "--retries", "2"];
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    let problem = problem.unwrap();
    assert_eq!(problem.code, Code::Device);
    assert_eq!((report.next, report.good), (5, 5));
    assert_eq!(fs::read(folder.file("a")).unwrap(), whole(0..5));
    // Later it can be read, and the rest is added.
    fake.change(|state| state.bad.clear());
    let report = good(&fake, &arguments);
    assert_eq!((report.resumed, report.good), (5, 25));
    assert_eq!(report.bad, []);
    assert_eq!(fs::read(folder.file("a")).unwrap(), whole(0..30));
}

#[test]
fn bad_sectors_that_touch_are_one_entry() {
    let folder = Folder::new("entries");
    let fake = Fake::audio(30).with(|state| {
        for lba in [4, 5, 6] {
            state.bad.insert(lba, (u32::MAX, MEDIUM));
        }
        state.bad.insert(7, (u32::MAX, (3, 2, 0)));
    });
    let arguments = [
        "--output",
        &folder.file("a"),
        "--no-error",
        "--retries",
        "0",
    ];
    let report = good(&fake, &arguments);
    let bad: Vec<_> = report
        .bad
        .iter()
        .map(|bad| (bad.lba, bad.sectors))
        .collect();
    assert_eq!(bad, [(4, 3), (7, 1)]);
    assert!(report.bad[0].reason.contains("MEDIUM ERROR"), "{report:?}");
    let json = report.to_json();
    assert_eq!((&json["errors"], &json["not_sent"]), (&4.into(), &0.into()));
}

#[test]
fn what_will_not_help_is_not_tried_again() {
    let folder = Folder::new("hopeless");
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    // No such command: one, and no more.
    let fake = Fake::audio(30).with(|state| {
        state.refused.insert(0xbe, (5, 0x20, 0));
    });
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    let message = problem.unwrap().message;
    assert!(message.contains("drive: READ CD (beh): "), "{message}");
    assert!(message.contains("no such command"), "{message}");
    assert_eq!((fake.reads().len(), report.good), (1, 0));
    // No disc any more; another disc.
    for (code, part) in [((2, 0x3a, 0), "no disc"), ((6, 0x28, 0), "another disc")] {
        let fake = Fake::audio(90).with(|state| state.attentions.push_back((1, code)));
        let file = folder.file(&format!("{}", code.0));
        let arguments = ["--output", &file, "--no-error"];
        let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
        let message = problem.unwrap().message;
        assert!(message.contains(part), "{message}");
        assert_eq!((fake.reads().len(), report.good), (2, 27));
    }
    // A sector of another kind is tried once by itself.
    let fake = Fake::mixed(40, 20);
    let file = folder.file("mixed");
    let arguments = ["--output", &file, "--no-error", "--sector", "audio"];
    let report = good(&fake, &arguments);
    assert_eq!((report.bad[0].lba, report.bad[0].sectors), (0, 20));
    assert_eq!(report.effort.retries, 0);
}

#[test]
fn data_of_mode_2_is_found_out() {
    let folder = Folder::new("mode2");
    let fake = Fake::data(70).with(|state| state.data_type = 4);
    let report = good(&fake, &["--output", &folder.file("a")]);
    assert_eq!((report.sector, report.sector_length), ("data", 2048));
    let expected: Vec<_> = (0..70)
        .flat_map(|lba| main_channel(lba)[..2048].to_vec())
        .collect();
    assert_eq!(fs::read(folder.file("a")).unwrap(), expected);
    // Only the first sector had to be asked for as both; chunks go on after it.
    assert_eq!(fake.reads().len(), 1 + 2 + 31 + 2);
}

#[test]
fn a_sector_of_neither_type_changes_nothing() {
    let folder = Folder::new("neither");
    let fake = Fake::data(70).with(|state| {
        state.bad.insert(5, (u32::MAX, (5, 0x64, 0)));
    });
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    let report = good(&fake, &arguments);
    assert_eq!(report.good, 69);
    let bad: Vec<_> = report
        .bad
        .iter()
        .map(|bad| (bad.lba, bad.sectors))
        .collect();
    assert_eq!(bad, [(5, 1)]);
    assert_eq!(report.effort.retries, 0);
}

#[test]
fn bytes_that_do_not_come_are_not_read() {
    let folder = Folder::new("short");
    let fake = Fake::audio(30).with(|state| {
        state.ends.insert(12);
    });
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    let report = good(&fake, &arguments);
    assert_eq!(report.good, 29);
    assert_eq!((report.bad[0].lba, report.bad[0].missing), (12, true));
    // Twice is enough.
    assert_eq!(report.effort.retries, 1);
    let json = report.to_json();
    assert_eq!((&json["errors"], &json["not_sent"]), (&0.into(), &1.into()));
}

#[test]
fn a_sector_of_data_is_never_all_zeros() {
    let folder = Folder::new("hollow");
    let zeros = |border| {
        Fake::mixed(1200, border).with(|state| {
            state.hollow.extend([10, 690, 800]);
        })
    };
    // Of the data track but for its end, where the pregap of the next may be. Sectors 690
    // and 800 are silence.
    let fake = zeros(700);
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    let report = good(&fake, &arguments);
    assert_eq!((report.sector, report.good), ("raw", 1199));
    assert_eq!((report.bad.len(), report.bad[0].lba), (1, 10));
    assert!(report.bad[0].missing && report.bad[0].reason.contains("zero"));
    let json = good(&zeros(700), &["--c2scan"]).to_json();
    assert_eq!(json["c2"]["sectors_scanned"], 1199);
    assert_eq!(json["not_sent"], 1);
    // User data may be, and audio.
    let arguments = ["--output", &folder.file("b")];
    assert_eq!(good(&zeros(1200), &arguments).good, 1200);
    let arguments = ["--output", &folder.file("c"), "--sector", "raw"];
    assert_eq!(good(&zeros(0), &arguments).good, 1200);
}
