//! C2 errors, and drives that do not report any.

use std::sync::atomic::AtomicBool;

use passthru::scsi::mmc::{BlockErrorPlace, C2, C2Bits, C2Field};
use serde_json::Value;

use crate::{
    Folder,
    c2::{C2Count, C2Scan},
    fake::{Extras, FOUND_PAGE, FOUND_SPEED, Fake},
    good,
    report::JSON_KEYS,
    run,
};

fn with_errors(sectors: i32) -> Fake {
    Fake::audio(sectors).with(|state| {
        state.c2.insert(7, (27..37).collect());
        state.c2.insert(70, (0..2352).collect());
        state.c2.insert(71, (0..100).collect());
        state.c2.insert(72, (0..99).collect());
    })
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn bits_bytes_and_sectors_are_counted() {
    let fake = with_errors(100);
    let json = good(&fake, &["--c2scan"]).to_json();
    let c2 = &json["c2"];
    assert_eq!(number(&c2["errors"]), 10 + 2352 + 100 + 99);
    // 27 to 36 are in pointer bytes 3 and 4.
    assert_eq!(number(&c2["pointer_bytes"]), 2 + 294 + 13 + 13);
    assert_eq!(number(&c2["sectors"]), 4);
    assert_eq!(number(&c2["sectors_over_100"]), 2);
    assert_eq!(number(&c2["sectors_scanned"]), 100);
    assert_eq!(number(&c2["sectors_not_scanned"]), 0);
    assert_eq!(number(&c2["pointer_length"]), 294);
    assert_eq!(
        (&c2["worst"]["lba"], &c2["worst"]["errors"]),
        (&70.into(), &2352.into())
    );
    assert_eq!(c2["list"][0]["first_byte"], 27);
    let rate = c2["rate_percent"].as_f64().unwrap();
    assert!((rate - 2561.0 * 100.0 / 235_200.0).abs() < 1e-9, "{rate}");
    // As readom reads them, in whole chunks.
    assert!(fake.reads().contains(&(0, 24, 0xfa)));
    // The rate is over what was scanned.
    let json = good(&with_errors(100), &["--c2scan", "--sectors", "70-71"]).to_json();
    assert_eq!(json["c2"]["rate_percent"].as_f64(), Some(100.0));
    for keys in [&json, &json["c2"]] {
        for key in keys.as_object().unwrap().keys() {
            assert!(
                JSON_KEYS.contains(key.as_str()),
                "--help does not list {key}"
            );
        }
    }
}

#[test]
fn what_cannot_be_read_is_not_scanned() {
    let fake = with_errors(100).with(|state| {
        state.bad.insert(50, (u32::MAX, (3, 0x11, 5)));
        state.ends.insert(90);
    });
    let report = good(&fake, &["--c2scan", "--retries", "3"]);
    let json = report.to_json();
    assert_eq!(number(&json["c2"]["sectors_scanned"]), 98);
    assert_eq!(number(&json["c2"]["sectors_not_scanned"]), 2);
    assert_eq!((number(&json["errors"]), number(&json["not_sent"])), (1, 1));
    let rate = json["c2"]["rate_percent"].as_f64().unwrap();
    assert!(
        (rate - 2561.0 * 100.0 / (98.0 * 2352.0)).abs() < 1e-9,
        "{rate}"
    );
    let text = |report: &crate::report::Report| {
        let mut text = Vec::new();
        report.print(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let said = text(&report);
    assert!(
        said.contains("98 sectors; 2 more were not scanned"),
        "{said}"
    );
    assert!(
        said.contains("sector 7: 10 errors, the first at byte 27"),
        "{said}"
    );
}

/// A scan of a drive like this, which does not scan.
fn not_scanned(fake: &Fake, part: &str) {
    let (report, problem, _) = run(fake, &AtomicBool::new(false), &["--c2scan"]).unwrap();
    let problem = problem.unwrap();
    assert_eq!(problem.to_json()["kind"], "not_scanned");
    assert!(problem.message.contains(part), "{}", problem.message);
    let json = report.to_json();
    assert_eq!((&json["c2"], &json["sectors"]), (&Value::Null, &0.into()));
    // Nothing was set either.
    assert_eq!(fake.sent(0x55), 0);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn a_drive_that_sends_no_pointers_finds_no_errors_and_says_so() {
    for extras in [Extras::LeftOut, Extras::Short] {
        let fake = with_errors(100).with(|state| state.extras = extras);
        not_scanned(&fake, "the drive sends no C2 pointers: it answers GOOD");
    }
    let silence = Fake::audio(100).with(|state| {
        state.silent = true;
        state.extras = Extras::LeftOut;
    });
    not_scanned(&silence, "cannot be told");
}

#[test]
fn output_with_what_is_not_sent_is_not_written() {
    let folder = Folder::new("not-sent");
    for sector in ["raw+sub", "raw+c2"] {
        let fake = Fake::audio(60).with(|state| state.extras = Extras::LeftOut);
        let file = folder.file(sector);
        let arguments = ["--output", &file, "--sector", sector];
        let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
        assert_eq!(problem.to_json()["kind"], "not_sent");
        assert!(!std::path::Path::new(&file).exists());
        let report = good(&Fake::audio(60), &arguments);
        let length = u64::try_from(report.sector_length).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().len(), 60 * length);
    }
}

#[test]
fn a_drive_with_one_form_of_pointers_is_asked_for_that() {
    let fake = with_errors(100).with(|state| state.extras = Extras::Only296);
    let json = good(&fake, &["--c2scan"]).to_json();
    assert_eq!(number(&json["c2"]["pointer_length"]), 296);
    assert_eq!(number(&json["c2"]["errors"]), 10 + 2352 + 100 + 99);
}

#[test]
fn block_error_bytes_are_no_pointers_wherever_they_are() {
    for (extras, place) in [(Extras::Only296, "last"), (Extras::First296, "first")] {
        let fake = with_errors(100).with(|state| state.extras = extras);
        let json = good(&fake, &["--c2scan"]).to_json();
        assert_eq!(json["c2"]["block_error"], place);
        assert_eq!(number(&json["c2"]["errors"]), 10 + 2352 + 100 + 99);
        assert_eq!(json["c2"]["list"][0]["first_byte"], 27);
    }
    let json = good(&with_errors(100), &["--c2scan"]).to_json();
    assert!(json["c2"]["block_error"].is_null());
    // A drive that sends zeros for them: where pointers could be them once, they are not.
    let mut scan = C2Scan::default();
    let mut bytes = [0; 296];
    (bytes[0], bytes[5]) = (0x80, 0x80);
    for lba in 0..2 {
        scan.add(
            lba,
            C2Field::new(&bytes, C2::Block296, BlockErrorPlace::Last).unwrap(),
        );
        bytes[1] = 1;
    }
    assert_eq!((scan.errors(), scan.block_error()), (2 + 3, Some("last")));
}

#[test]
fn output_with_block_error_bytes_is_as_the_drive_sends_it() {
    let folder = Folder::new("block");
    let file = folder.file("a");
    let fake = with_errors(60).with(|state| state.extras = Extras::First296);
    let report = good(&fake, &["--output", &file, "--sector", "raw+c2-296"]);
    assert_eq!(report.sector_length, 2648);
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(bytes.len(), 60 * 2648);
    let c2 = &bytes[7 * 2648 + 2352..8 * 2648];
    assert_eq!((c2[0], c2[1], c2[2 + 3], c2[2 + 4]), (0xff, 0, 0x1f, 0xf8));
}

#[test]
fn a_disc_of_a_few_sectors_is_enough() {
    for sectors in [2, 3, 4] {
        let fake = Fake::audio(sectors);
        let json = good(&fake, &["--c2scan"]).to_json();
        assert_eq!(
            number(&json["c2"]["sectors_scanned"]),
            u64::from(sectors.unsigned_abs())
        );
    }
}

#[test]
fn no_errors_come_with_a_doubt() {
    let (report, problem, notes) =
        run(&Fake::audio(50), &AtomicBool::new(false), &["--c2scan"]).unwrap();
    assert!(problem.is_none());
    assert_eq!(number(&report.to_json()["c2"]["errors"]), 0);
    assert!(
        notes.iter().any(|note| note.contains("no C2 error")),
        "{notes:?}"
    );
}

#[test]
fn nothing_scanned_has_no_rate() {
    let mut count = C2Count::default();
    assert_eq!(count.rate(), None);
    count.add(5, C2Bits::new(&[0; 294]));
    assert_eq!(
        (count.rate(), count.worst, count.scanned),
        (Some(0.0), None, 1)
    );
}

/// The block error byte is said to be first only if all sectors with errors speak for it
/// and not all for the other end.
#[test]
fn where_nothing_tells_block_error_bytes_are_last() {
    let scan = |sectors: &[&[usize]]| {
        let mut scan = C2Scan::default();
        for (sector, lba) in sectors.iter().zip(0..) {
            let mut bytes = [0; 296];
            sector.iter().for_each(|&at| bytes[at] = 0x80);
            let field = C2Field::new(&bytes, C2::Block296, BlockErrorPlace::Last);
            scan.add(lba, field.unwrap());
        }
        scan.block_error()
    };
    assert_eq!(scan(&[&[0, 7]]), Some("first"));
    assert_eq!(scan(&[&[7, 294]]), Some("last"));
    // Without errors; with both; with a sector that has errors at one end alone.
    for sectors in [&[&[][..]][..], &[&[0, 7, 294]], &[&[0, 7], &[0]]] {
        assert_eq!(scan(sectors), Some("last"), "{sectors:?}");
    }
}
