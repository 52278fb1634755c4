use core::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::nvme::{Command, LengthMismatch, Lengths, Nsid, Sqe};

fn nsid(nsid: u32) -> Nsid {
    Nsid::new(nsid).unwrap()
}

/// The entry of a command without data, which refuses a buffer.
fn entry(command: &impl Command) -> Sqe {
    let refused = command.sqe(Lengths::data(4));
    let mismatch = LengthMismatch::Data {
        len: 4,
        expected: 0,
    };
    assert_eq!(refused, Err(mismatch));
    command.sqe(Lengths::data(0)).unwrap()
}

#[test]
fn firmware_commit() {
    let of = |action| entry(&FirmwareCommit::new(0xfb, action)).cdw10;
    assert_eq!(of(FirmwareAction::Replace), 0x03);
    assert_eq!(of(FirmwareAction::ReplaceAndActivate), 0x0b);
    assert_eq!(of(FirmwareAction::Activate), 0x13);
    assert_eq!(of(FirmwareAction::ActivateNow), 0x1b);
    let boot = FirmwareCommit::new(0, FirmwareAction::ReplaceBootPartition).boot_partition(true);
    assert_eq!(entry(&boot).cdw10, 0x8000_0030);
    let boot = FirmwareCommit::new(0, FirmwareAction::ActivateBootPartition);
    assert_eq!(entry(&boot).cdw10, 0x38);
    let short = boot.within(Duration::from_secs(1));
    assert_eq!(short.timeout(), Some(Duration::from_secs(1)));
}

#[test]
fn firmware_that_cannot_be_cut() {
    let error = |len, granularity, max| firmware_pieces(len, granularity, max).unwrap_err();
    assert_eq!(error(0, 1, 4096), FirmwareImageError::Empty);
    assert_eq!(
        error(4095, 1, 4096),
        FirmwareImageError::Dwords { len: 4095 }
    );
    let coarse = FirmwareImageError::Granularity {
        granularity: 16384,
        max: 8192,
    };
    assert_eq!(error(1 << 20, 4, 8192), coarse);
    assert_eq!(firmware_pieces(8, 254, usize::MAX).unwrap().len(), 1);
}

#[test]
fn format_fields() {
    let plain = FormatNvm::new(Nsid::ALL, 0);
    assert_eq!((entry(&plain).nsid, entry(&plain).cdw10), (u32::MAX, 0));
    assert_eq!(plain.timeout(), Some(Duration::from_secs(86400)));
    let full = FormatNvm::new(nsid(1), 0xff)
        .extended(true)
        .protection(0xff, true)
        .erase(SecureErase::UserData);
    assert_eq!(entry(&full).cdw10, 0x33ff);
    let full = full.within(Duration::from_secs(9));
    assert_eq!(full.timeout(), Some(Duration::from_secs(9)));
}

#[test]
fn sanitize_fields() {
    assert_eq!(entry(&Sanitize::exit_failure()).cdw10, 1);
    assert_eq!(entry(&Sanitize::crypto_erase()).cdw10, 4);
    assert_eq!(entry(&Sanitize::exit_media_verification()).cdw10, 5);
    let all = Sanitize::block_erase()
        .allow_unrestricted_exit(true)
        .no_deallocate(true)
        .media_verification(true);
    assert_eq!(entry(&all).cdw10, 0x60a);
    let overwrite = |passes| {
        let sanitize = Sanitize::overwrite(Overwrite {
            passes,
            pattern: 7,
            invert: false,
        });
        (entry(&sanitize).cdw10, entry(&sanitize).cdw11)
    };
    assert_eq!(overwrite(0), (0x13, 7), "at least one pass");
    assert_eq!(overwrite(15), (0xf3, 7));
    assert_eq!(overwrite(16), (0x03, 7), "0 means 16");
    assert_eq!(overwrite(255), (0x03, 7));
}

#[test]
fn self_tests() {
    let of = |test: SelfTest| {
        let sqe = entry(&test);
        (sqe.nsid, sqe.cdw10, sqe.cdw15)
    };
    assert_eq!(of(SelfTest::short(nsid(2))), (2, 1, 0));
    assert_eq!(of(SelfTest::short(nsid(2)).controller_only()), (0, 1, 0));
    assert_eq!(of(SelfTest::refresh()), (0, 3, 0));
    assert_eq!(of(SelfTest::vendor(nsid(2), 0x1234)), (2, 0xe, 0x1234));
    assert_eq!(of(SelfTest::abort()), (u32::MAX, 0xf, 0));
}

#[test]
fn namespace_parameters() {
    let bytes = NamespaceParameters::new(0x0807_0605_0403_0201)
        .capacity(0x1817_1615_1413_1211)
        .format(0x3f, true)
        .protection(3, true)
        .shared(true)
        .ana_group(0x0403_0201)
        .nvm_set(0x0201)
        .endurance_group(0x0403)
        .storage_tag_mask(0xff)
        .placement_handles(&[0x0201; 129])
        .to_bytes();
    assert_eq!(bytes[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(
        bytes[8..16],
        [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18]
    );
    assert_eq!(bytes[26], 0x7f);
    assert_eq!(bytes[29..31], [0x0b, 1]);
    assert_eq!(bytes[92..96], [1, 2, 3, 4]);
    assert_eq!(bytes[100..104], [1, 2, 3, 4]);
    assert_eq!(bytes[384..394], [0xff, 0, 0, 0, 0, 0, 0, 0, 128, 0]);
    assert_eq!(bytes[394..512], [0; 118]);
    assert_eq!(bytes[512..514], [1, 2]);
    assert_eq!(bytes[766..768], [1, 2]);
    assert_eq!(bytes[768..], [0; 3328]);
}

#[test]
fn namespaces() {
    let create = CreateNamespace::new().command_set(2);
    let sqe = create.sqe(Lengths::data(4096)).unwrap();
    assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x0d, 0, 0));
    assert_eq!(sqe.cdw11, 0x0200_0000);
    let attach = AttachNamespace::attach(nsid(3));
    let sqe = attach.sqe(Lengths::data(4096)).unwrap();
    assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x15, 3, 0));
    for len in [0, 4095, 4097, 8192] {
        assert!(create.sqe(Lengths::data(len)).is_err());
        assert!(attach.sqe(Lengths::data(len)).is_err());
    }
    assert_eq!(entry(&DeleteNamespace::new(Nsid::ALL)).nsid, u32::MAX);
}

#[test]
fn controller_lists() {
    let ids: Vec<u16> = (0..2048).collect();
    assert_eq!(controller_list(&ids), None);
    let full = controller_list(&ids[1..]).unwrap();
    assert_eq!((full.len(), &full[..4]), (4096, &[0xff, 7, 1, 0][..]));
    assert_eq!(full[4094..], [0xff, 7]);
    assert_eq!(controller_list(&[5, 5]).unwrap()[..4], [1, 0, 5, 0]);
}

#[test]
fn directives() {
    let read = |command: DirectiveReceive, len| command.sqe(Lengths::data(len)).unwrap();
    let sqe = read(DirectiveReceive::support(nsid(1)), 4096);
    assert_eq!((sqe.nsid, sqe.cdw10, sqe.cdw11), (1, 1023, 0x001));
    let sqe = read(DirectiveReceive::stream_parameters(nsid(1)), 32);
    assert_eq!((sqe.cdw10, sqe.cdw11), (7, 0x101));
    let send = DirectiveSend::new(nsid(1), DirectiveType(0x12), 0x34, 0x5678);
    let sqe = send.sqe(Lengths::data(4)).unwrap();
    assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x19, 0, 0x5678_1234));
    let sqe = entry(&DirectiveAction::release_stream(nsid(1), 7));
    assert_eq!((sqe.opcode, sqe.cdw11), (0x19, 0x0007_0101));
    let sqe = entry(&DirectiveAction::release_streams(nsid(1)));
    assert_eq!((sqe.opcode, sqe.cdw11), (0x19, 0x102));
    let off = DirectiveAction::enable(nsid(1), DirectiveType::STREAMS, false);
    assert_eq!(entry(&off).cdw12, 0x100);
}

#[test]
fn security() {
    let receive = SecurityReceive::new(0xea, 0x1234).nvme_specific(0x56);
    let sqe = receive.namespace(nsid(3)).sqe(Lengths::data(1)).unwrap();
    assert_eq!((sqe.nsid, sqe.cdw10, sqe.cdw11), (3, 0xea12_3456, 1));
    assert!(receive.sqe(Lengths::data(0)).is_err());
    let send = SecuritySend::new(1, 2).namespace(nsid(3));
    let sqe = send.sqe(Lengths::data(0xf000)).unwrap();
    assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw11), (0x81, 3, 0xf000));
    assert!(send.sqe(Lengths::data(0)).is_err());
}

#[test]
fn management_interface() {
    let health = MiReceive::new(MiOpcode::CONTROLLER_HEALTH, [0x8000_0000, 1]).unwrap();
    let sqe = health.namespace(nsid(9)).sqe(Lengths::data(4096)).unwrap();
    assert_eq!((sqe.nsid, sqe.cdw12, sqe.cdw13), (9, 0x8000_0000, 1));
    for len in [0, 1, 4095, 4097] {
        assert!(health.sqe(Lengths::data(len)).is_err());
    }
    assert_eq!(
        health.buffer_len(1),
        4096,
        "a page, whatever is wanted of it"
    );
    let write = MiSend::new(MiOpcode::VPD_WRITE, [0, 0xffff_1001]).unwrap();
    let sqe = write.sqe(Lengths::data(4097)).unwrap();
    assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x1d, 0x804, 6));
    assert!(write.sqe(Lengths::data(4096)).is_err());
    let reset = MiSend::new(MiOpcode::RESET, [0, 0]).unwrap();
    assert!(reset.sqe(Lengths::data(0)).is_ok());
    let nothing = MiReceive::new(MiOpcode::VPD_READ, [0, 0]).unwrap();
    assert!(nothing.sqe(Lengths::data(0)).is_err());
    assert!(MiReceive::new(MiOpcode::CONFIGURATION_SET, [0, 0]).is_none());
    assert_eq!(MiOpcode::SES_SEND.to_string(), "SES Send");
    // A configuration that is a data structure is fetched from somewhere.
    let of = |identifier| MiSend::new(MiOpcode::CONFIGURATION_SET, [identifier, 0]).unwrap();
    assert!(of(0x0301).sqe(Lengths::data(0)).is_ok());
    assert!(of(4).sqe(Lengths::data(0)).is_err());
    assert!(of(4).sqe(Lengths::data(of(4).buffer_len(9))).is_ok());
}

#[test]
fn lockdown() {
    let of = |scope| entry(&Lockdown::allow(scope).interface(LockdownInterface::OutOfBand)).cdw10;
    assert_eq!(of(LockdownScope::AdminCommand(0xff)), 0xff40);
    assert_eq!(of(LockdownScope::SetFeature(0x0e)), 0x0e42);
    assert_eq!(of(LockdownScope::MiCommand(1)), 0x0143);
    assert_eq!(of(LockdownScope::PcieCommand(1)), 0x0144);
    let both = Lockdown::prohibit(LockdownScope::AdminCommand(0xc0))
        .interface(LockdownInterface::Both)
        .uuid_index(0x82);
    assert_eq!((entry(&both).cdw10, entry(&both).cdw14), (0xc030, 2));
}

#[test]
fn capacity_and_virtualization() {
    let of = |command| entry(&command).cdw10;
    assert_eq!(of(CapacityManagement::select_configuration(7)), 0x0007_0000);
    assert_eq!(of(CapacityManagement::create_endurance_group(9)), 1);
    assert_eq!(
        of(CapacityManagement::delete_endurance_group(7)),
        0x0007_0002
    );
    assert_eq!(of(CapacityManagement::delete_nvm_set(7)), 0x0007_0004);
    let of = |command| (entry(&command).cdw10, entry(&command).cdw11);
    let queues = VirtualResource::Queues;
    let primary = VirtualizationManagement::allocate_primary(2, queues, 3);
    assert_eq!(of(primary), (0x0002_0001, 3));
    let interrupts = VirtualizationManagement::assign(2, VirtualResource::Interrupts, 4);
    assert_eq!(of(interrupts), (0x0002_0108, 4));
    assert_eq!(of(VirtualizationManagement::offline(2)), (0x0002_0007, 0));
    assert_eq!(of(VirtualizationManagement::online(2)), (0x0002_0009, 0));
}

proptest! {
    #[test]
    fn what_names_its_length_names_the_buffers(len in 1_usize..70_000) {
        let lengths = Lengths::data(len);
        let receive = SecurityReceive::new(1, 1).sqe(lengths).unwrap();
        prop_assert_eq!(receive.cdw11 as usize, len);
        let download = FirmwareDownload::at(0).unwrap().sqe(lengths);
        let directive = DirectiveReceive::stream_status(nsid(1)).sqe(lengths);
        prop_assert_eq!(download.is_ok(), len % 4 == 0);
        prop_assert_eq!(directive.is_ok(), len % 4 == 0);
        if let (Ok(download), Ok(directive)) = (download, directive) {
            prop_assert_eq!((download.cdw10 as usize + 1) * 4, len);
            prop_assert_eq!((directive.cdw10 as usize + 1) * 4, len);
        }
    }

    #[test]
    fn mi_never_brings_more_than_there_is_room_for(opcode in 0_u8..10, dword1: u32, len in 0_usize..70_000) {
        let all = [
            MiOpcode::READ_DATA_STRUCTURE, MiOpcode::SUBSYSTEM_HEALTH, MiOpcode::CONTROLLER_HEALTH,
            MiOpcode::CONFIGURATION_SET, MiOpcode::CONFIGURATION_GET, MiOpcode::VPD_READ,
            MiOpcode::VPD_WRITE, MiOpcode::RESET, MiOpcode::SES_RECEIVE, MiOpcode::SES_SEND,
        ];
        let opcode = all[usize::from(opcode)];
        let sqe = match MiReceive::new(opcode, [0, dword1]) {
            Some(receive) => receive.sqe(Lengths::data(len)),
            None => MiSend::new(opcode, [0, dword1]).unwrap().sqe(Lengths::data(len)),
        };
        if sqe.is_ok() {
            let named = match opcode.get() {
                5 | 6 | 8 | 9 => dword1 as usize & 0xffff,
                _ => 4096,
            };
            prop_assert!(len >= named || len == 0 && opcode == MiOpcode::RESET);
        }
    }

    #[test]
    fn pieces_are_the_image(
        len in (1_usize..300_000).prop_map(|dwords| dwords * 4),
        granularity in prop::sample::select(vec![0_u8, 1, 2, 3, 16, 254, 255]),
        max in 4_usize..2_000_000,
    ) {
        let unit = match granularity { 0 => 4096, 255 => 4, units => usize::from(units) * 4096 };
        let Ok(pieces) = firmware_pieces(len, granularity, max) else {
            prop_assert!(max < unit);
            return Ok(());
        };
        let count = pieces.len();
        let mut at = 0;
        let mut seen = 0;
        for piece in pieces {
            let range = piece.range();
            prop_assert_eq!(range.start, at);
            prop_assert!(range.start % unit == 0 && !range.is_empty() && range.len() <= max);
            prop_assert!(range.len() % unit == 0 || range.end == len);
            let sqe = piece.command().sqe(Lengths::data(range.len())).unwrap();
            prop_assert_eq!(sqe.cdw11 as usize * 4, range.start);
            at = range.end;
            seen += 1;
        }
        prop_assert_eq!((at, seen), (len, count));
    }

    #[test]
    fn no_bytes_panic_a_parser(bytes in prop::collection::vec(any::<u8>(), 0..5000)) {
        prop_assert_eq!(DirectiveSupport::parse(&bytes).is_ok(), bytes.len() >= 96);
        prop_assert_eq!(StreamParameters::parse(&bytes).is_ok(), bytes.len() >= 32);
        if let Ok(status) = StreamStatus::parse(&bytes) {
            prop_assert!(status.streams().len() <= usize::from(status.count()));
        }
        if let Ok(support) = DirectiveSupport::parse(&bytes) {
            for kind in 0..=u8::MAX {
                let _ = support.supports(DirectiveType(kind));
            }
        }
    }
}
