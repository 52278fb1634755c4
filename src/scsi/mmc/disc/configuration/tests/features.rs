//! The data of every feature that has a type.

use super::*;
use crate::scsi::Text;

/// The data of a feature with these bytes.
fn data(code: FeatureCode, bytes: &[u8]) -> FeatureData<'static> {
    let length = u8::try_from(bytes.len()).unwrap();
    let list = [&code.0.to_be_bytes()[..], &[0x03, length], bytes].concat();
    let list = Box::leak(list.into_boxed_slice());
    Features::new(list).next().unwrap().unwrap().data()
}

#[test]
fn of_reading() {
    assert_eq!(
        data(FeatureCode::RANDOM_READABLE, &[0, 0, 8, 0, 0, 0x10, 1, 0]),
        FeatureData::RandomReadable(RandomReadable {
            block_size: Some(2048),
            blocking: Some(16),
            error_recovery_page: Some(true),
        })
    );
    assert_eq!(data(FeatureCode::MULTI_READ, &[]), FeatureData::MultiRead);
    for (bytes, digital_audio_play, c2_pointers, cd_text) in [
        ([0x80, 0, 0, 0], true, false, false),
        ([0x02, 0, 0, 0], false, true, false),
        ([0x01, 0, 0, 0], false, false, true),
    ] {
        assert_eq!(
            data(FeatureCode::CD_READ, &bytes),
            FeatureData::CdRead(CdRead {
                digital_audio_play: Some(digital_audio_play),
                c2_pointers: Some(c2_pointers),
                cd_text: Some(cd_text),
            })
        );
    }
    for (bytes, multi_110, dual_layer_rw, dual_layer_r) in [
        ([1, 0, 0, 0], true, false, false),
        ([0, 0, 2, 0], false, true, false),
        ([0, 0, 1, 0], false, false, true),
    ] {
        assert_eq!(
            data(FeatureCode::DVD_READ, &bytes),
            FeatureData::DvdRead(DvdRead {
                multi_110: Some(multi_110),
                dual_layer_rw: Some(dual_layer_rw),
                dual_layer_r: Some(dual_layer_r),
            })
        );
    }
    // Version 0 has no data.
    assert_eq!(
        data(FeatureCode::DVD_READ, &[]),
        FeatureData::DvdRead(DvdRead {
            multi_110: None,
            dual_layer_rw: None,
            dual_layer_r: None,
        })
    );
    let bytes: Vec<u8> = (0..28).collect();
    let class = |high: u16| Some(high << 8 | (high + 1));
    assert_eq!(
        data(FeatureCode::BD_READ, &bytes),
        FeatureData::BdRead(BdRead {
            re: [class(4), class(6), class(8), class(10)],
            r: [class(12), class(14), class(16), class(18)],
            rom: [class(20), class(22), class(24), class(26)],
        })
    );
    let FeatureData::BdRead(short) = data(FeatureCode::BD_READ, &bytes[..21]) else {
        panic!()
    };
    assert_eq!(short.rom, [None; 4]);
}

#[test]
fn of_writing() {
    assert_eq!(
        data(
            FeatureCode::RANDOM_WRITABLE,
            &[0, 1, 2, 3, 0, 0, 8, 0, 0, 32, 1, 0]
        ),
        FeatureData::RandomWritable(RandomWritable {
            last_lba: Some(0x0001_0203),
            block_size: Some(2048),
            blocking: Some(32),
            error_recovery_page: Some(true),
        })
    );
    assert_eq!(
        data(
            FeatureCode::INCREMENTAL_STREAMING,
            &[0x3f, 1, 6, 2, 7, 8, 9, 0]
        ),
        FeatureData::IncrementalStreaming(IncrementalStreaming {
            data_types: Some(0x3f01),
            track_resources: Some(true),
            address_reservation: Some(true),
            zero_loss_linking: Some(false),
            link_sizes: &[7, 8],
        })
    );
    let FeatureData::IncrementalStreaming(lying) =
        data(FeatureCode::INCREMENTAL_STREAMING, &[0, 0, 1, 255, 7])
    else {
        panic!()
    };
    assert_eq!(lying.link_sizes, [7]);
    assert_eq!(lying.zero_loss_linking, Some(true));
    assert_eq!(
        data(FeatureCode::RESTRICTED_OVERWRITE, &[]),
        FeatureData::RestrictedOverwrite
    );
    assert_eq!(
        data(FeatureCode::CD_TRACK_AT_ONCE, &[0x4a, 0, 0x12, 0x34]),
        FeatureData::CdTrackAtOnce(CdTrackAtOnce {
            zero_loss_linking: Some(true),
            raw_subchannel: Some(false),
            packed_subchannel: Some(true),
            test_write: Some(false),
            cd_rw: Some(true),
            subchannel: Some(false),
            data_types: Some(0x1234),
        })
    );
    let FeatureData::CdTrackAtOnce(other) = data(FeatureCode::CD_TRACK_AT_ONCE, &[0x15]) else {
        panic!()
    };
    assert_eq!(other.zero_loss_linking, Some(false));
    assert_eq!(other.raw_subchannel, Some(true));
    assert_eq!(
        (other.test_write, other.subchannel),
        (Some(true), Some(true))
    );
    assert_eq!(other.data_types, None);
    assert_eq!(
        data(FeatureCode::CD_MASTERING, &[0x55, 0, 0x0c, 0x80]),
        FeatureData::CdMastering(CdMastering {
            zero_loss_linking: Some(true),
            session_at_once: Some(false),
            raw_multi_session: Some(true),
            raw: Some(false),
            test_write: Some(true),
            cd_rw: Some(false),
            subchannel: Some(true),
            max_cue_sheet: Some(0x0c80),
        })
    );
    let FeatureData::CdMastering(other) = data(FeatureCode::CD_MASTERING, &[0x2a, 0, 0]) else {
        panic!()
    };
    assert_eq!((other.session_at_once, other.raw), (Some(true), Some(true)));
    assert_eq!((other.cd_rw, other.max_cue_sheet), (Some(true), None));
    assert_eq!(
        data(FeatureCode::DVD_R_RW_WRITE, &[0x48, 0, 0, 0]),
        FeatureData::DvdRwWrite(DvdRwWrite {
            zero_loss_linking: Some(true),
            dual_layer_r: Some(true),
            test_write: Some(false),
            rw: Some(false),
        })
    );
    let FeatureData::DvdRwWrite(other) = data(FeatureCode::DVD_R_RW_WRITE, &[0x06]) else {
        panic!()
    };
    assert_eq!((other.test_write, other.rw), (Some(true), Some(true)));
    let mut bytes: Vec<u8> = (0..20).collect();
    bytes[0] = 1;
    let class = |high: u16| Some(high << 8 | (high + 1));
    assert_eq!(
        data(FeatureCode::BD_WRITE, &bytes),
        FeatureData::BdWrite(BdWrite {
            verify_not_required: Some(true),
            re: [class(4), class(6), class(8), class(10)],
            r: [class(12), class(14), class(16), class(18)],
        })
    );
}

#[test]
fn of_the_drive() {
    for (byte, asynchronous) in [(1, true), (2, false)] {
        assert_eq!(
            data(FeatureCode::MORPHING, &[byte, 0, 0, 0]),
            FeatureData::Morphing(Morphing {
                asynchronous: Some(asynchronous),
                operational_change_events: Some(!asynchronous),
            })
        );
    }
    let FeatureData::Core(core) = data(FeatureCode::CORE, &[0, 0, 0, 8, 2, 0, 0, 0]) else {
        panic!()
    };
    assert_eq!(core.interface, Some(PhysicalInterface::USB));
    assert_eq!(
        (core.device_busy_events, core.inquiry_2),
        (Some(false), Some(true))
    );
    let FeatureData::Core(old) = data(FeatureCode::CORE, &[0, 0, 0, 8]) else {
        panic!()
    };
    assert_eq!((old.device_busy_events, old.inquiry_2), (None, None));
    let FeatureData::RemovableMedium(slim) = data(FeatureCode::REMOVABLE_MEDIUM, &[0x06, 0, 0, 0])
    else {
        panic!()
    };
    assert_eq!(slim.mechanism, Some(LoadingMechanism::CADDY));
    assert_eq!(
        (slim.load, slim.eject, slim.lock),
        (Some(false), Some(false), Some(false))
    );
    assert_eq!(
        (slim.unlocked_at_power_up, slim.loading_events),
        (Some(true), Some(true))
    );
    assert_eq!(
        data(FeatureCode::POWER_MANAGEMENT, &[]),
        FeatureData::PowerManagement
    );
    for (byte, scan, separate_mute, separate_volume) in [
        (4, true, false, false),
        (2, false, true, false),
        (1, false, false, true),
    ] {
        assert_eq!(
            data(FeatureCode::CD_AUDIO_PLAY, &[byte, 0, 1, 0]),
            FeatureData::CdAudioPlay(CdAudioPlay {
                scan: Some(scan),
                separate_mute: Some(separate_mute),
                separate_volume: Some(separate_volume),
                volume_levels: Some(256),
            })
        );
    }
    assert_eq!(
        data(FeatureCode::MICROCODE_UPGRADE, &[1, 0, 0, 0]),
        FeatureData::MicrocodeUpgrade(MicrocodeUpgrade { mode_5: Some(true) })
    );
    assert_eq!(
        data(FeatureCode::TIMEOUT, &[1, 0, 0x12, 0x34]),
        FeatureData::Timeout(TimeoutFeature {
            group_3: Some(true),
            unit_length: Some(0x1234),
        })
    );
    assert_eq!(
        data(FeatureCode::DVD_CSS, &[0, 0, 0, 1]),
        FeatureData::DvdCss(DvdCss { version: Some(1) })
    );
    assert_eq!(
        data(FeatureCode::AACS, &[1, 2, 0xf4, 3]),
        FeatureData::Aacs(Aacs {
            read_drive_certificate: Some(false),
            bus_encryption: Some(false),
            binding_nonce: Some(true),
            nonce_blocks: Some(2),
            agids: Some(4),
            version: Some(3),
        })
    );
    let flags = |byte| {
        let FeatureData::Aacs(aacs) = data(FeatureCode::AACS, &[byte, 0, 0, 0]) else {
            panic!()
        };
        [
            aacs.read_drive_certificate,
            aacs.bus_encryption,
            aacs.binding_nonce,
        ]
    };
    assert_eq!(flags(0x10), [true, false, false].map(Some));
    assert_eq!(flags(0x02), [false, true, false].map(Some));
    assert_eq!(flags(0xec), [Some(false); 3]);
}

#[test]
fn of_streaming() {
    for bit in 0..6 {
        let FeatureData::RealTimeStreaming(stream) =
            data(FeatureCode::REAL_TIME_STREAMING, &[1 << bit, 0, 0, 0])
        else {
            panic!()
        };
        let flags = [
            stream.stream_writing,
            stream.write_speeds,
            stream.mode_page_2a,
            stream.set_cd_speed,
            stream.buffer_capacity_blocks,
            stream.set_minimum_performance,
        ];
        let set: Vec<_> = (0..6).filter(|index| flags[*index] == Some(true)).collect();
        assert_eq!(set, [bit]);
    }
}

#[test]
fn lists_and_texts() {
    assert_eq!(
        data(FeatureCode::SERIAL_NUMBER, b"K1234  \0"),
        FeatureData::SerialNumber(Text::new(b"K1234  \0"))
    );
    assert_eq!(
        data(FeatureCode::DISC_CONTROL_BLOCKS, b"SDC\0FDC\0TOC"),
        FeatureData::DiscControlBlocks(vec![0x5344_4300, 0x4644_4300])
    );
    let FeatureData::ProfileList(profiles) = data(
        FeatureCode::PROFILE_LIST,
        &[0, 0x43, 1, 0, 0, 8, 0, 0, 0, 9, 1],
    ) else {
        panic!()
    };
    assert!(profiles.contains(Profile::BD_RE) && profiles.contains(Profile::CD_ROM));
    assert!(!profiles.contains(Profile::CD_R), "cut off");
    assert_eq!(
        data(FeatureCode(0xff40), &[1, 2]),
        FeatureData::Other(&[1, 2])
    );
}
