//! What is on the disc.

use passthru::{
    ScsiTransportExt as _,
    scsi::{
        mmc::{
            DiscStructureFormat, KeyClass, KeyFormat, Lba, Profile, ReadDiscStructure, ReportKey,
        },
        sense::Condition,
    },
    unit::{DiscSource, Track, TrackKind},
};

use super::drives;
use crate::mmc_drive::TestDrive;

/// Session, number, kind, start, length.
fn facts(track: &Track) -> (Option<u8>, u8, TrackKind, i32, Option<u32>) {
    let Track {
        session,
        number,
        kind,
        start,
        length,
        ..
    } = track;
    (*session, *number, *kind, start.0, *length)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn discs_are_what_they_are() {
    let mut test = TestDrive::start("default", "");
    let drives = drives(&test);
    for faults in ["", "bcd_toc", "descriptor_sense"] {
        for drive in &drives {
            test.arm(faults);
            let disc = drive.disc().unwrap();
            assert_eq!((disc.source, disc.faults.len()), (DiscSource::FullToc, 0));
            assert_eq!((disc.sessions.len(), disc.lead_out()), (1, Some(Lba(400))));
            let tracks: Vec<_> = disc.tracks().map(facts).collect();
            assert_eq!(
                tracks,
                [
                    (Some(1), 1, TrackKind::Data, 0, Some(200)),
                    (Some(1), 2, TrackKind::Audio, 200, Some(100)),
                    (Some(1), 3, TrackKind::Audio, 300, Some(100)),
                ],
                "{faults}"
            );
            assert_eq!(disc.track_at(Lba(299)).unwrap().number, 2);
            // Each table by its header first.
            let lengths: Vec<_> = test
                .log()
                .iter()
                .map(|logged| (logged.cdb[0], logged.cdb[2] & 0xf, logged.buffer))
                .collect();
            let expected = [(0x43, 0, 4), (0x43, 0, 36), (0x43, 2, 4), (0x43, 2, 70)];
            assert_eq!(lengths, expected);
            assert_eq!(drive.toc().unwrap().tracks().count(), 3);
            let full = drive.full_toc().unwrap();
            let encoding = full
                .guess_encoding()
                .unwrap_or(passthru::scsi::mmc::NumberEncoding::Binary);
            assert_eq!(full.encoding(encoding).tracks().len(), 3);
            assert_eq!(drive.capacity().unwrap().blocks(), Some(400));
            assert_eq!(drive.profile().unwrap(), Profile::CD_ROM);
        }
    }
}

/// Its only track begins at 00:02:00, which is the same in BCD, and 00:02:40 could be
/// either.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_end_of_a_disc_with_one_track_is_right_in_bcd() {
    let mut test = TestDrive::start("track audio 40", "");
    for drive in &drives(&test) {
        for faults in ["", "bcd_toc"] {
            test.arm(faults);
            assert_eq!(drive.full_toc().unwrap().guess_encoding(), None);
            let disc = drive.disc().unwrap();
            assert_eq!(disc.source, DiscSource::FullToc);
            assert_eq!(disc.lead_out(), Some(Lba(40)), "{faults}");
            assert_eq!(disc.track(1).unwrap().length, Some(40));
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sessions_have_their_own_lead_outs() {
    let test = TestDrive::start("track audio 50\nsession\ntrack data 40", "");
    for drive in &drives(&test) {
        let disc = drive.disc().unwrap();
        assert_eq!((disc.source, disc.faults.len()), (DiscSource::FullToc, 0));
        let tracks: Vec<_> = disc.tracks().map(facts).collect();
        assert_eq!(
            tracks,
            [
                (Some(1), 1, TrackKind::Audio, 0, Some(50)),
                (Some(2), 2, TrackKind::Data, 11_450, Some(40)),
            ]
        );
        let lead_outs: Vec<_> = disc
            .sessions
            .iter()
            .map(|session| session.lead_out)
            .collect();
        assert_eq!(lead_outs, [Some(Lba(50)), Some(Lba(11_490))]);
        assert!(disc.track_at(Lba(50)).is_none());
    }
}

/// The header asks for more than there is, or for less.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn tables_that_lie_about_their_length() {
    let mut test = TestDrive::start("default", "");
    for drive in &drives(&test) {
        test.arm("toc_length 4660");
        let toc = drive.toc().unwrap();
        assert_eq!(toc.tracks().count(), 3);
        assert!(!toc.faults().is_empty(), "{toc:?}");
        let disc = drive.disc().unwrap();
        assert_eq!(
            (disc.tracks().count(), disc.lead_out()),
            (3, Some(Lba(400)))
        );
        assert!(!disc.faults.is_empty(), "{disc:?}");
        // Up to the first track alone.
        test.arm("toc_length 10");
        let toc = drive.toc().unwrap();
        assert_eq!((toc.tracks().count(), toc.lead_out().is_some()), (1, false));
        assert!(!toc.faults().is_empty(), "{toc:?}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_other_discs_have_is_refused_and_told() {
    let test = TestDrive::start("default", "");
    for drive in &drives(&test) {
        let device = drive.transport();
        let error = device
            .query(&ReadDiscStructure::dvd(DiscStructureFormat(0)))
            .unwrap_err();
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::WrongMedium);
        let keys = ReportKey::new(KeyClass(0), KeyFormat(0));
        let error = device.query(&keys).unwrap_err();
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::IllegalRequest, "{error}");
        let region = ReportKey::new(KeyClass(0), KeyFormat(8));
        let state = device.query(&region).unwrap();
        assert_eq!(state.rpc_state().unwrap().user_changes(), 5);
    }
}
