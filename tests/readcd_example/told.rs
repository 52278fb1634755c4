//! What is told of drive and disc, and of what it took.

use std::sync::atomic::AtomicBool;

use passthru::unit::OpticalDrive;
use serde_json::Value;

use crate::{
    Folder,
    drive::{CdInDrive, Names},
    events::Events,
    fake::Fake,
    fulltoc::Toc,
    good,
    info::Info,
    report::Notes,
};

fn info(fake: &Fake) -> (Value, Vec<String>) {
    let drive = OpticalDrive::new(fake);
    let mut notes = Notes::default();
    let going = AtomicBool::new(false);
    let cd = CdInDrive::ask(&drive, &Events::default(), &mut notes);
    let info = Info::ask(&drive, Names::default(), cd, (&going, &mut notes)).unwrap();
    let json = info.to_json("drive".as_ref(), notes.as_slice());
    (json, notes.as_slice().to_vec())
}

#[test]
fn info_says_what_works() {
    let (json, _) = info(&Fake::audio(60));
    assert_eq!(
        (&json["read_cd"], &json["sends_c2_294"]),
        (&true.into(), &true.into())
    );
    let no_read_cd = Fake::audio(60).with(|state| {
        state.refused.insert(0xbe, (5, 0x20, 0));
    });
    let (json, notes) = info(&no_read_cd);
    assert_eq!(
        (&json["read_cd"], &json["sends_c2_294"], &json["sectors"]),
        (&false.into(), &Value::Null, &60.into())
    );
    assert!(notes[0].contains("no such command"), "{notes:?}");
    let unreadable = Fake::audio(60).with(|state| {
        for lba in 0..60 {
            state.bad.insert(lba, (u32::MAX, (3, 0x11, 5)));
        }
    });
    let (json, _) = info(&unreadable);
    assert_eq!(
        (&json["read_cd"], &json["sends_c2_294"], &json["sectors"]),
        (&Value::Null, &Value::Null, &60.into())
    );
    let no_disc = Fake::audio(60).with(|state| {
        state.refused.insert(0x00, (2, 0x3a, 0));
    });
    let (json, _) = info(&no_disc);
    assert_eq!(
        (&json["medium"], &json["read_cd"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn commands_that_went_well_with_trouble_are_counted() {
    let fake = Fake::audio(60).with(|state| state.recovered.extend([3, 4, 40]));
    let folder = Folder::new("recovered");
    let report = good(&fake, &["--output", &folder.file("a")]);
    assert_eq!((report.good, report.effort.recovered), (60, 2));
    assert_eq!(report.effort.retries, 0);
}

#[test]
fn what_happens_while_it_is_probed_is_taken() {
    for code in [(6, 0x29, 0), (6, 0x2a, 1)] {
        let fake = Fake::audio(60).with(|state| state.attentions.extend([(0, code), (3, code)]));
        let report = good(&fake, &["--c2scan"]);
        assert_eq!((report.good, report.effort.attentions), (60, 2));
    }
}

/// The ends of a full table are read as the list of tracks has them: 00:02:40 can be
/// BCD or not.
#[test]
fn a_full_table_in_bcd_has_the_ends_of_the_list() {
    let folder = Folder::new("bcd");
    for (name, frame) in [("binary", 40), ("bcd", 0x40)] {
        let entry = |point: u8, [m, s, f]: [u8; 3]| [1, 0x10, 0, point, 0, 0, 0, 0, m, s, f];
        let entries = [
            entry(0xa0, [1, 0, 0]),
            entry(0xa1, [1, 0, 0]),
            entry(0xa2, [0, 2, frame]),
            entry(1, [0, 2, 0]),
        ];
        let table = [&[0, 46, 1, 1][..], &entries.concat()].concat();
        let fake = Fake::audio(40).with(|state| state.full_toc = Some(table.clone()));
        let drive = OpticalDrive::new(&fake);
        let cd = CdInDrive::ask(&drive, &Events::default(), &mut Notes::default()).unwrap();
        let file = folder.file(name);
        let toc = Toc::fetch(&drive, &cd, file.as_ref()).unwrap();
        let json = toc.to_json("drive".as_ref(), file.as_ref(), &[]);
        assert_eq!(json["sessions"][0]["lead_out"], 40, "{name}");
        assert_eq!(json["tracks"][0]["sectors"], 40);
        assert_eq!(std::fs::read(&file).unwrap(), table);
    }
}
