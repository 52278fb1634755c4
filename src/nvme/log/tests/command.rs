use proptest::prelude::*;

use crate::nvme::{
    Command, LengthMismatch, Lengths, Nsid, Query, Queue, Sqe, is_read_only,
    log::{
        Ana, BootPartition, ChangedNamespaces, ChangedZones, CommandEffects, EnduranceGroup,
        ErrorInformation, FdpConfigurations, FdpEventSource, FdpEvents, FdpHandleUsage,
        FdpStatistics, FirmwareSlots, GetLog, LbaStatus, LogId, LogPage, LogReply,
        PersistentEvents, ReservationNotification, RotationalMedia, SanitizeStatus, SelfTest,
        SmartHealth, SupportedLogs, Telemetry,
    },
};

fn full<R: LogReply>(page: LogPage<R>) -> Sqe {
    page.sqe(Lengths::data(page.reply_length())).unwrap()
}

/// NVMe Base 2.1, 5.1.12: LID and LSP, RAE and NUMDL in dword 10, NUMDU and LSI in
/// 11, the offset in 12 and 13, UUID index, OT and CSI in 14.
#[test]
fn every_field_has_its_place() {
    let log = GetLog::new(LogId::new(0xc5))
        .namespace(Nsid::new(0x0102_0304))
        .specific_field(0x7f)
        .specific_identifier(0xabcd)
        .retain_event(true)
        .offset(0x1122_3344_5566_7788)
        .command_set(2)
        .uuid_index(0x55);
    // 0x12345 dwords, which count from 0.
    let sqe = log.sqe(Lengths::data(0x12345 * 4)).unwrap();
    assert_eq!(
        sqe,
        Sqe {
            opcode: 0x02,
            nsid: 0x0102_0304,
            cdw10: 0x2344_ffc5,
            cdw11: 0xabcd_0001,
            cdw12: 0x5566_7788,
            cdw13: 0x1122_3344,
            cdw14: 0x0200_0055,
            ..Sqe::default()
        }
    );
    let by_entry = GetLog::new(LogId::ERROR_INFORMATION)
        .index(3)
        .sqe(Lengths::data(4))
        .unwrap();
    assert_eq!((by_entry.cdw12, by_entry.cdw14), (3, 1 << 23));
}

#[test]
fn bits_beyond_a_field_go_nowhere() {
    let log = GetLog::new(LogId::new(0))
        .specific_field(0xff)
        .uuid_index(0xff);
    let sqe = log.sqe(Lengths::data(4)).unwrap();
    assert_eq!((sqe.cdw10, sqe.cdw14), (0x7f00, 0x7f));
}

#[test]
fn lengths_that_cannot_be_are_refused() {
    let log = GetLog::new(LogId::SMART_HEALTH);
    assert_eq!(
        log.sqe(Lengths::data(0)),
        Err(LengthMismatch::TooShort { len: 0, min: 4 })
    );
    assert_eq!(
        log.sqe(Lengths::data(510)),
        Err(LengthMismatch::Unit { len: 510, unit: 4 })
    );
    let metadata = Lengths {
        metadata: 8,
        ..Lengths::data(8)
    };
    assert_eq!(log.sqe(metadata), Err(LengthMismatch::NoMetadata));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn the_number_of_dwords_does_not_wrap() {
    let log = GetLog::new(LogId::SMART_HEALTH);
    let most = 4 << 32;
    let sqe = log.sqe(Lengths::data(most)).unwrap();
    assert_eq!((sqe.cdw10 >> 16, sqe.cdw11), (0xffff, 0xffff));
    assert_eq!(
        log.sqe(Lengths::data(most + 4)),
        Err(LengthMismatch::TooLong {
            len: most + 4,
            max: most
        })
    );
}

fn moved(sqe: &Sqe) -> u64 {
    let numd = u64::from(sqe.cdw11 & 0xffff) << 16 | u64::from(sqe.cdw10 >> 16);
    (numd + 1) * 4
}

/// Lengths around the longest one, where a buffer can be so long.
fn lengths() -> std::ops::Range<usize> {
    0..usize::try_from(1_u64 << 34).unwrap_or(usize::MAX)
}

proptest! {
    #[test]
    fn what_is_moved_is_the_buffer(len in lengths(), id: u8, lsp: u8, lsi: u16, offset: u64) {
        let log = GetLog::new(LogId::new(id))
            .specific_field(lsp)
            .specific_identifier(lsi)
            .offset(offset);
        for sqe in [log.sqe(Lengths::data(len)), log.bytes(8192).sqe(Lengths::data(len))] {
            match sqe {
                Ok(sqe) => prop_assert_eq!(moved(&sqe), len as u64),
                Err(_) => prop_assert!(len == 0 || len % 4 != 0 || len as u64 > 4 << 32),
            }
        }
    }
}

#[test]
fn pages_ask_for_what_they_are() {
    let nsid = Nsid::new(7).unwrap();
    let whole = |sqe: Sqe| (sqe.nsid, sqe.cdw10, sqe.cdw11, sqe.cdw14);
    let all = u32::MAX;
    for (sqe, expected) in [
        (full(SupportedLogs::page(2)), (all, 0x00ff_0000, 0, 2 << 24)),
        (full(ErrorInformation::page(64)), (all, 0x03ff_0001, 0, 0)),
        (full(ErrorInformation::page(0)), (all, 0x000f_0001, 0, 0)),
        (full(SmartHealth::page()), (all, 0x007f_0002, 0, 0)),
        (full(FirmwareSlots::page()), (all, 0x007f_0003, 0, 0)),
        (full(ChangedNamespaces::page()), (all, 0x03ff_0004, 0, 0)),
        (full(CommandEffects::page(0)), (all, 0x03ff_0005, 0, 0)),
        (full(SelfTest::page()), (all, 0x008c_0006, 0, 0)),
        (full(Telemetry::host_header()), (all, 0x007f_8007, 0, 0)),
        (full(Telemetry::create()), (all, 0x007f_8107, 0, 0)),
        (
            full(Telemetry::controller_header()),
            (all, 0x007f_8008, 0, 0),
        ),
        (
            full(EnduranceGroup::page(3)),
            (all, 0x007f_0009, 3 << 16, 0),
        ),
        (full(Ana::page(2, 3)), (all, 0x0016_000c, 0, 0)),
        (full(Ana::groups_only(2)), (all, 0x0013_010c, 0, 0)),
        (
            full(PersistentEvents::header_page()),
            (all, 0x007f_000d, 0, 0),
        ),
        (
            full(PersistentEvents::establish()),
            (all, 0x007f_010d, 0, 0),
        ),
        (full(PersistentEvents::release()), (all, 0x007f_020d, 0, 0)),
        (full(LbaStatus::header_page()), (all, 0x0003_000e, 0, 0)),
        (
            full(BootPartition::header_page(1)),
            (all, 0x0003_0115, 0, 0),
        ),
        (
            full(RotationalMedia::page(1)),
            (all, 0x007f_0016, 1 << 16, 0),
        ),
        (
            full(FdpConfigurations::header_page(1)),
            (all, 0x0003_0020, 1 << 16, 0),
        ),
        (
            full(FdpHandleUsage::page(1, 4)),
            (all, 0x0009_0021, 1 << 16, 0),
        ),
        (full(FdpStatistics::page(1)), (all, 0x000f_0022, 1 << 16, 0)),
        (
            full(FdpEvents::page(1, FdpEventSource::Controller)),
            (all, 0x03ff_0023, 1 << 16, 0),
        ),
        (
            full(FdpEvents::page(1, FdpEventSource::Host)),
            (all, 0x03ff_0123, 1 << 16, 0),
        ),
        (
            full(ReservationNotification::page()),
            (all, 0x000f_0080, 0, 0),
        ),
        (full(SanitizeStatus::page()), (all, 0x007f_0081, 0, 0)),
        (full(ChangedZones::page(nsid)), (7, 0x03ff_00bf, 0, 2 << 24)),
    ] {
        assert_eq!(whole(sqe), expected, "{sqe}");
    }
}

#[test]
fn only_a_new_snapshot_needs_a_handle_for_writing() {
    let reads = |sqe: Sqe| is_read_only(Queue::Admin, &sqe);
    assert!(!reads(full(Telemetry::create())));
    assert!(reads(full(Telemetry::host_header())));
    assert!(reads(full(Telemetry::controller_header())));
    assert!(reads(full(PersistentEvents::establish())));
    assert!(reads(full(BootPartition::header_page(1))));
}

#[test]
fn what_collects_may_take_longer() {
    assert!(Telemetry::create().timeout().is_some());
    assert!(PersistentEvents::establish().timeout().is_some());
    assert_eq!(Telemetry::host_header().timeout(), None);
    assert_eq!(SmartHealth::page().timeout(), None);
}

#[test]
fn at_goes_on_in_whole_dwords() {
    let log = GetLog::new(LogId::new(0xc0)).offset(8);
    assert_eq!(log.at(4096), Some(log.offset(4104)));
    assert_eq!(log.at(2), None);
    assert_eq!(log.at(u64::MAX), None);
    assert_eq!(log.index(1).at(4), None);
    let page = log.bytes(100);
    let rest = page.at(40).unwrap();
    assert_eq!(rest, log.offset(48).bytes(60));
    assert_eq!(page.at(104), None);
}

#[test]
fn only_the_last_piece_takes_the_event() {
    let page = SmartHealth::page();
    let retains = |sqe: Sqe| sqe.cdw10 & 1 << 15 != 0;
    assert!(!retains(full(page)));
    assert!(retains(page.sqe(Lengths::data(256)).unwrap()));
    assert!(!retains(
        page.at(256).unwrap().sqe(Lengths::data(256)).unwrap()
    ));
    assert!(retains(full(page.retain_event(true))));
}
