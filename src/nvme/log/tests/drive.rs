//! Pages that come from a drive, in as many pieces as it takes.

use std::{cell::RefCell, collections::HashMap, path::Path};

use super::page;
use crate::{
    Data, NvmeErrorKind, NvmeRequest, NvmeTransport, NvmeTransportExt, Result,
    nvme::{
        Completion, NvmeStatus, Queue, Sqe,
        log::{GetLog, LogId, PersistentEvents, Pieces, SmartHealth, Telemetry},
    },
};

/// A drive that has pages in memory.
#[derive(Default)]
struct Drive {
    pages: HashMap<u8, Vec<u8>>,
    max_transfer: Option<usize>,
    sent: RefCell<Vec<Sqe>>,
}

impl Drive {
    fn with(id: LogId, bytes: Vec<u8>) -> Self {
        Self {
            pages: [(id.get(), bytes)].into(),
            ..Self::default()
        }
    }

    /// Offset, length and RAE of the commands that were sent.
    fn sent(&self) -> Vec<(u64, u64, bool)> {
        let sent = self.sent.borrow();
        sent.iter()
            .map(|sqe| (offset(sqe), length(sqe), sqe.cdw10 & 1 << 15 != 0))
            .collect()
    }
}

fn offset(sqe: &Sqe) -> u64 {
    u64::from(sqe.cdw13) << 32 | u64::from(sqe.cdw12)
}

fn length(sqe: &Sqe) -> u64 {
    let numd = u64::from(sqe.cdw11 & 0xffff) << 16 | u64::from(sqe.cdw10 >> 16);
    (numd + 1) * 4
}

impl NvmeTransport for Drive {
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        let sqe = *request.sqe();
        assert_eq!((request.queue(), sqe.opcode), (Queue::Admin, 0x02));
        self.sent.borrow_mut().push(sqe);
        let (Data::In(buffer), _) = request.into_buffers() else {
            panic!("a log page comes in");
        };
        assert_eq!(
            length(&sqe),
            buffer.len() as u64,
            "NUMD is the buffer's length"
        );
        if let Some(max) = self.max_transfer {
            assert!(buffer.len() <= max, "{} bytes", buffer.len());
        }
        let page = self.pages.get(&sqe.cdw10.to_le_bytes()[0]);
        let offset = usize::try_from(offset(&sqe)).unwrap();
        let Some(rest) = page.and_then(|page| page.get(offset..)) else {
            // Invalid Log Page, Do Not Retry
            return Ok(Completion::new(NvmeStatus::from_raw(0x4109), 0));
        };
        let there = rest.len().min(buffer.len());
        buffer[..there].copy_from_slice(&rest[..there]);
        Ok(Completion::new(NvmeStatus::from_raw(0), 0))
    }

    fn path(&self) -> &Path {
        Path::new("drive")
    }

    fn max_transfer(&self) -> Option<usize> {
        self.max_transfer
    }
}

/// Bytes that differ within a page of memory and, 251 being prime, from one to
/// the next.
fn long(length: usize) -> Vec<u8> {
    (0..251).cycle().take(length).collect()
}

#[test]
fn a_short_page_is_one_command() {
    let drive = Drive::with(LogId::SMART_HEALTH, page(512, &[(1, &[0x2a, 1])]));
    let health = drive.query(&SmartHealth::page()).unwrap();
    assert_eq!(health.temperature(), 298);
    assert_eq!(drive.sent(), [(0, 512, false)]);
}

#[test]
fn a_long_page_comes_in_pieces() {
    let bytes = long(10_000);
    let small = vec![(0, 4096, true), (4096, 4096, true), (8192, 1808, false)];
    let large = vec![(0, 8192, true), (8192, 1808, false)];
    for (max_transfer, pieces) in [
        (Some(4096), small.clone()),
        (Some(5000), small),
        (None, large),
    ] {
        let mut drive = Drive::with(LogId::new(0xc0), bytes.clone());
        drive.max_transfer = max_transfer;
        let log = GetLog::new(LogId::new(0xc0));
        assert_eq!(drive.query(&log.bytes(10_000)).unwrap(), bytes);
        assert_eq!(drive.sent(), pieces);
    }
    let mut drive = Drive::with(LogId::new(0xc0), bytes.clone());
    drive.max_transfer = Some(128 << 10);
    let from = GetLog::new(LogId::new(0xc0)).offset(4000);
    assert_eq!(drive.query(&from.bytes(6000)).unwrap(), bytes[4000..]);
    assert_eq!(drive.sent(), [(4000, 6000, false)]);
}

#[test]
fn pieces_by_hand_give_the_same() {
    let bytes = long(9000);
    let drive = Drive::with(LogId::new(0xc0), bytes.clone());
    let log = GetLog::new(LogId::new(0xc0));
    let mut got = Vec::new();
    for (offset, length) in Pieces::new(9000, 1000) {
        let mut piece = vec![0; length];
        drive.read(&log.offset(offset), &mut piece).unwrap();
        got.extend(piece);
    }
    assert_eq!(got, bytes);
    assert_eq!(drive.sent().len(), 9);
}

#[test]
fn a_page_by_entries_has_no_pieces() {
    let drive = Drive::with(LogId::new(0xc0), long(10_000));
    let error = drive
        .query(&GetLog::new(LogId::new(0xc0)).index(1).bytes(12288))
        .unwrap_err();
    let crate::Error::Nvme(error) = error else {
        panic!("{error}");
    };
    assert!(matches!(
        error.kind(),
        NvmeErrorKind::TooLarge { len: 12288, .. }
    ));
    assert_eq!(drive.sent(), []);
}

#[test]
fn a_snapshot_is_taken_once() {
    let mut bytes = long(20 * 512);
    bytes[..512].copy_from_slice(&page(512, &[(0, &[7]), (8, &[4, 0, 9, 0, 19, 0])]));
    let drive = Drive::with(LogId::TELEMETRY_HOST, bytes.clone());
    let header = drive.query(&Telemetry::create()).unwrap();
    let log = drive.query(&Telemetry::whole(&header).unwrap()).unwrap();
    assert_eq!(log.as_bytes(), bytes);
    assert_eq!(log.area(2), Some(&bytes[5 * 512..10 * 512]));
    let creates: Vec<_> = drive
        .sent
        .borrow()
        .iter()
        .map(|sqe| sqe.cdw10 >> 8 & 0x7f)
        .collect();
    assert_eq!(creates, [1, 0, 0]);
    assert!(drive.sent().iter().all(|(_, _, retain)| *retain));

    drive.sent.borrow_mut().clear();
    let page = Telemetry::whole(&header).unwrap().retain_event(false);
    drive.query(&page).unwrap();
    let retained: Vec<_> = drive.sent().iter().map(|(_, _, retain)| *retain).collect();
    assert_eq!(retained, [true, false]);
}

#[test]
fn a_context_is_established_read_and_released() {
    let mut bytes = page(600, &[(0, &[0x0d]), (4, &[1]), (8, &[0x57, 2])]);
    bytes[512..538].copy_from_slice(&page(26, &[(0, &[2, 1, 21]), (22, &[2])]));
    let drive = Drive::with(LogId::PERSISTENT_EVENTS, bytes);
    let header = drive.query(&PersistentEvents::establish()).unwrap();
    assert_eq!(header.length(), 599);
    let log = drive
        .query(&PersistentEvents::whole(&header).unwrap())
        .unwrap();
    drive.query(&PersistentEvents::release()).unwrap();
    let events: Vec<_> = log
        .events()
        .map(|event| event.map(|event| event.kind().0))
        .collect();
    assert_eq!(events, [Ok(2)]);
    let actions: Vec<_> = drive
        .sent
        .borrow()
        .iter()
        .map(|sqe| sqe.cdw10 >> 8 & 3)
        .collect();
    assert_eq!(actions, [1, 0, 2]);
    assert_eq!(drive.sent()[1].1, 600, "whole dwords");
}

#[test]
fn what_the_drive_lacks_is_its_status() {
    let error = Drive::default().query(&SmartHealth::page()).unwrap_err();
    assert!(error.to_string().contains("LogPage"), "{error}");
}
