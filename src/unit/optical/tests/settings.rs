//! Readiness, speed, error recovery, tray and lock.

use std::{panic, time::Duration};

use super::*;
use crate::scsi::{Malformed, mmc::Profile, mode::ErrorRecovery};

/// Page 01h behind a block descriptor, with the PS bit.
const PAGE: [u8; 12] = [0x81, 10, 0xc4, 3, 0, 0, 0, 0, 5, 0, 0x12, 0x34];

fn mode_data(page: &[u8]) -> Vec<u8> {
    let length = u8::try_from(14 + page.len()).unwrap();
    let header = [0, length, 0x70, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 8, 0];
    [&header, page].concat()
}

/// The parameter list that sends the page, with its bytes 2 and 3.
fn list(flags: u8, retries: u8) -> Vec<u8> {
    let mut list = [&[0; 8][..], &PAGE].concat();
    list[8] = 0x01;
    list[10] = flags;
    list[11] = retries;
    list
}

fn with_page() -> Fake<'static> {
    Fake::answering(|cdb, data| match cdb.opcode() {
        0x5a => good(data, &mode_data(&PAGE)),
        _ => None,
    })
}

#[test]
fn nothing_is_sent_in_advance() {
    let fake = Fake::new();
    let mut drive = OpticalDrive::new(&fake).clone();
    drive.set_max_transfer(1);
    let _ = (drive.layouts(), drive.transport(), drive.max_transfer());
    assert_eq!(fake.opcodes(), []);
}

#[test]
fn waiting_is_told_and_ends() {
    let left = Cell::new(3);
    let fake = Fake::answering(|cdb, data| {
        assert_eq!(cdb.opcode(), 0x00);
        left.set(left.get() - 1);
        Some(Ok(match left.get() {
            2 => refused(
                data.len(),
                SenseKey::UNIT_ATTENTION,
                AdditionalSense::MEDIUM_MAY_HAVE_CHANGED,
            ),
            1 => refused(
                data.len(),
                SenseKey::NOT_READY,
                AdditionalSense::BECOMING_READY,
            ),
            _ => Outcome::new(Status::GOOD, 0),
        }))
    });
    let log = OpticalDrive::new(&fake)
        .wait_ready(Duration::from_secs(9))
        .unwrap();
    assert_eq!(log.entries().len(), 2);
    let fake = Fake::answering(|_, data| {
        Some(Ok(refused(
            data.len(),
            SenseKey::NOT_READY,
            AdditionalSense::MEDIUM_NOT_PRESENT,
        )))
    });
    let error = OpticalDrive::new(&fake)
        .wait_ready(Duration::from_secs(9))
        .unwrap_err();
    assert!(matches!(error, Error::Check(_)));
    assert_eq!(fake.opcodes(), [0x00]);
    let fake = Fake::answering(|_, data| {
        Some(Ok(refused(
            data.len(),
            SenseKey::NOT_READY,
            AdditionalSense::BECOMING_READY,
        )))
    });
    let error = OpticalDrive::new(&fake)
        .wait_ready(Duration::ZERO)
        .unwrap_err();
    assert!(matches!(error, Error::Check(_)));
    assert_eq!(fake.opcodes(), [0x00]);
}

#[test]
fn simple_questions() {
    let fake = Fake::answering(|cdb, data| match cdb.opcode() {
        0x46 => good(data, &[0, 0, 0, 4, 0, 0, 0x00, 0x08]),
        0x25 => good(data, &[0, 0, 1, 0x8f, 0, 0, 8, 0]),
        0x5a => {
            let mut page = [0; 22];
            page[..2].copy_from_slice(&[0x2a, 20]);
            page[8..10].copy_from_slice(&7056_u16.to_be_bytes());
            page[14..16].copy_from_slice(&1411_u16.to_be_bytes());
            good(data, &mode_data(&page))
        }
        _ => None,
    });
    let drive = OpticalDrive::new(&fake);
    assert_eq!(drive.profile().unwrap(), Profile::CD_ROM);
    assert_eq!(drive.capacity().unwrap().blocks(), Some(400));
    let speed = drive.speed().unwrap();
    assert_eq!((speed.current, speed.max), (Some(1411), Some(7056)));
    let sent = fake.sent.take();
    assert_eq!(sent[0].as_bytes(), [0x46, 1, 0, 0, 0, 0, 0, 0, 8, 0]);
    assert_eq!((sent[1].opcode(), sent[2].byte(2)), (0x25, 0x2a));
}

#[test]
fn a_speed_that_is_not_set_is_an_error() {
    let fake = Fake::new();
    OpticalDrive::new(&fake).set_speed(1411).unwrap();
    assert_eq!(
        fake.sent.take()[0].as_bytes(),
        [0xbb, 0, 0x05, 0x83, 0xff, 0xff, 0, 0, 0, 0, 0, 0]
    );
    let fake = Fake::answering(|_, _| Some(Err(not_permitted())));
    let error = OpticalDrive::new(&fake).set_speed(1411).unwrap_err();
    assert!(matches!(&error, Error::NotPermitted { .. }) && error.raw_os_error() == Some(1));
    let fake = Fake::answering(|_, data| {
        Some(Ok(refused(
            data.len(),
            SenseKey::ILLEGAL_REQUEST,
            AdditionalSense::INVALID_OPERATION_CODE,
        )))
    });
    assert!(matches!(
        OpticalDrive::new(&fake).set_speed(1),
        Err(Error::Check(_))
    ));
}

#[test]
fn the_page_is_put_back() {
    let fake = with_page();
    let drive = OpticalDrive::new(&fake);
    let mut recovery = drive.recovery().unwrap();
    assert_eq!(recovery.saved().flags(), Some(0xc4));
    recovery.send_bad_sectors(10).unwrap();
    let mut page = recovery.saved().clone();
    page.set_read_retry_count(1).unwrap();
    recovery.set(&page).unwrap();
    recovery.restore().unwrap();
    // All else stays as it was, without the PS bit.
    assert_eq!(
        fake.written.take(),
        [list(0x21, 10), list(0xc4, 1), list(0xc4, 3)]
    );
    let sent = fake.sent.take();
    assert_eq!(sent[0].as_bytes(), [0x5a, 0, 0x01, 0, 0, 0, 0, 0, 252, 0]);
    for select in &sent[1..] {
        // PF, and not SP.
        assert_eq!(select.as_bytes(), [0x55, 0x10, 0, 0, 0, 0, 0, 0, 20, 0]);
    }
    assert_eq!(sent.len(), 4);
    // By being dropped, and not if nothing was changed.
    let mut recovery = drive.recovery().unwrap();
    recovery.send_bad_sectors(0).unwrap();
    drop(recovery);
    assert_eq!(fake.written.take(), [list(0x21, 0), list(0xc4, 3)]);
    fake.opcodes();
    drop(drive.recovery().unwrap());
    drive.recovery().unwrap().restore().unwrap();
    assert_eq!(fake.opcodes(), [0x5a, 0x5a]);
}

#[test]
fn what_may_have_been_changed_is_put_back_once() {
    let refusals = Cell::new(1);
    let fake = Fake::answering(|cdb, data| match cdb.opcode() {
        0x5a => good(data, &mode_data(&PAGE)),
        0x55 if refusals.get() > 0 => {
            refusals.set(refusals.get() - 1);
            let additional = AdditionalSense::INVALID_FIELD_IN_PARAMETER_LIST;
            Some(Ok(refused(
                data.len(),
                SenseKey::ILLEGAL_REQUEST,
                additional,
            )))
        }
        _ => None,
    });
    let drive = OpticalDrive::new(&fake);
    let mut recovery = drive.recovery().unwrap();
    assert!(matches!(recovery.send_bad_sectors(1), Err(Error::Check(_))));
    drop(recovery);
    assert_eq!(fake.written.take(), [list(0x21, 1), list(0xc4, 3)]);
    // The putting back is refused: told by `restore`, and not tried again.
    refusals.set(2);
    let mut recovery = drive.recovery().unwrap();
    assert!(recovery.send_bad_sectors(1).is_err());
    assert!(matches!(recovery.restore(), Err(Error::Check(_))));
    assert_eq!(fake.written.take(), [list(0x21, 1), list(0xc4, 3)]);
    refusals.set(2);
    let mut recovery = drive.recovery().unwrap();
    assert!(recovery.send_bad_sectors(1).is_err());
    drop(recovery);
    assert_eq!(fake.written.take().len(), 2);
    // What was not even sent is not put back.
    let fake = Fake::answering(|cdb, data| match cdb.opcode() {
        0x5a => good(data, &mode_data(&PAGE)),
        _ => Some(Err(not_permitted())),
    });
    let drive = OpticalDrive::new(&fake);
    let mut recovery = drive.recovery().unwrap();
    assert!(matches!(
        recovery.send_bad_sectors(1),
        Err(Error::NotPermitted { .. })
    ));
    drop(recovery);
    assert_eq!(fake.opcodes(), [0x5a, 0x55]);
}

#[test]
fn a_page_that_is_none_is_malformed() {
    let of = |answer: &'static [u8]| {
        let fake = Fake::answering(move |_, data| good(data, answer));
        match OpticalDrive::new(&fake).recovery() {
            Err(Error::Malformed { failure, reason }) => {
                assert_eq!(failure.data(), answer);
                reason
            }
            other => panic!("{:?}", other.map(|guard| guard.saved().clone())),
        }
    };
    let short = |got| Malformed::Short { need: 12, got };
    assert_eq!(of(&[0, 9, 0, 0, 0, 0, 0, 0, 1, 1, 0]), short(11));
    assert_eq!(of(&[0, 6, 0, 0, 0, 0, 0, 0]), short(8));
    assert_eq!(
        of(&[0, 10, 0, 0, 0, 0, 0, 0, 0x2a, 2, 0, 0]),
        Malformed::OtherPage {
            asked: 1,
            got: 0x2a
        }
    );
    // Four bytes of it are enough.
    let fake = Fake::answering(|cdb, data| {
        (cdb.opcode() == 0x5a)
            .then(|| good(data, &[0, 10, 0, 0, 0, 0, 0, 0, 1, 2, 7, 9]))
            .flatten()
    });
    let drive = OpticalDrive::new(&fake);
    let mut recovery = drive.recovery().unwrap();
    recovery.send_bad_sectors(4).unwrap();
    assert_eq!(fake.written.take()[0][8..], [1, 2, 0x21, 4]);
}

#[test]
fn guards_give_way_in_order_when_unwinding_too() {
    let work = |fake: &Fake<'_>, panics: bool| {
        let drive = OpticalDrive::new(fake);
        let lock = drive.lock().unwrap();
        let mut recovery = drive.recovery().unwrap();
        recovery.send_bad_sectors(1).unwrap();
        drive.read(&raw(), Lba(0), &mut [0; 2352]).unwrap();
        assert!(!panics, "as it should be");
        drop((recovery, lock));
    };
    let order = [0x1e, 0x5a, 0x55, 0xbe, 0x55, 0x1e];
    let fake = with_page();
    work(&fake, false);
    assert_eq!(fake.opcodes(), order);
    fake.written.take();
    let unwound = panic::catch_unwind(panic::AssertUnwindSafe(|| work(&fake, true)));
    assert!(unwound.is_err());
    let prevented: Vec<_> = fake
        .sent
        .borrow()
        .iter()
        .filter(|cdb| cdb.opcode() == 0x1e)
        .map(|cdb| cdb.byte(4))
        .collect();
    assert_eq!(prevented, [1, 0]);
    assert_eq!(fake.opcodes(), order);
    assert_eq!(fake.written.take(), [list(0x21, 1), list(0xc4, 3)]);
}

#[test]
fn tray_and_lock() {
    let fake = Fake::new();
    let drive = OpticalDrive::new(&fake);
    drive.eject().unwrap();
    drive.load().unwrap();
    drive.lock().unwrap().unlock().unwrap();
    drop(drive.lock().unwrap());
    let sent: Vec<_> = fake
        .sent
        .take()
        .iter()
        .map(|cdb| (cdb.byte(0), cdb.byte(4)))
        .collect();
    let locking = [(0x1e, 1), (0x1e, 0)];
    assert_eq!(
        sent,
        [&[(0x1b, 2), (0x1b, 3)], &locking[..], &locking].concat()
    );
    let fake = Fake::answering(|cdb, data| {
        (cdb.byte(4) != 1).then(|| Ok(refused(data.len(), ILLEGAL.0, ILLEGAL.1)))
    });
    let drive = OpticalDrive::new(&fake);
    assert!(matches!(
        drive.lock().unwrap().unlock(),
        Err(Error::Check(_))
    ));
    assert_eq!(fake.opcodes(), [0x1e, 0x1e], "not tried again");
    let fake = Fake::answering(|_, data| Some(Ok(refused(data.len(), ILLEGAL.0, ILLEGAL.1))));
    assert!(OpticalDrive::new(&fake).lock().is_err());
    assert_eq!(fake.opcodes(), [0x1e], "what is not locked is not unlocked");
}

#[test]
fn the_last_lock_to_go_unlocks() {
    let fake = Fake::new();
    let drive = OpticalDrive::new(&fake);
    let locks = || {
        let sent = fake.sent.take();
        sent.iter().map(|cdb| cdb.byte(4)).collect::<Vec<_>>()
    };
    let (outer, inner) = (drive.lock().unwrap(), drive.lock().unwrap());
    drop(outer);
    assert_eq!(locks(), [1, 1], "one still holds it");
    inner.unlock().unwrap();
    assert_eq!(locks(), [0]);
    drop(drive.lock().unwrap());
    assert_eq!(locks(), [1, 0]);
    // One that failed is none, and one that is forgotten holds it.
    std::mem::forget(drive.lock().unwrap());
    drop(drive.lock().unwrap());
    assert_eq!(locks(), [1, 1]);
    // A clone knows nothing of it.
    drop(drive.clone().lock().unwrap());
    assert_eq!(locks(), [1, 0]);
}

#[test]
fn typed_pages_are_those_of_the_drive() {
    let fake = with_page();
    let drive = OpticalDrive::new(&fake);
    let recovery = drive.recovery().unwrap();
    let page: &ErrorRecovery = recovery.saved();
    assert_eq!(
        (page.write_retry_count(), page.reporting_window()),
        (Some(5), Some(0x1234))
    );
}
