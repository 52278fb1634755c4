use proptest::prelude::*;

use super::*;
use crate::scsi::{LengthLie, golden::hex, mode::LoadingMechanism};

mod features;

const CASE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/cases/lab-qemu-scsicd-getconfig.hex"
));

fn parse(command: GetConfiguration, bytes: &[u8]) -> Configuration<'_> {
    command.parse(ReplyBytes::borrowed(bytes)).unwrap()
}

#[test]
fn cdb_bytes() {
    let cdb = |command: GetConfiguration, len| command.cdb_for(len).unwrap().as_bytes().to_vec();
    assert_eq!(
        cdb(GetConfiguration::all(), 2048),
        [0x46, 0, 0, 0, 0, 0, 0, 8, 0, 0]
    );
    assert_eq!(
        cdb(
            GetConfiguration::current().starting_feature(FeatureCode(0x0107)),
            8
        ),
        [0x46, 1, 1, 7, 0, 0, 0, 0, 8, 0]
    );
    assert_eq!(
        cdb(GetConfiguration::one(FeatureCode::AACS), 0xffff),
        [0x46, 2, 1, 0x0d, 0, 0, 0, 0xff, 0xff, 0]
    );
    // Two bits, and no reserved ones.
    assert_eq!(cdb(GetConfiguration::new(RequestType(0xff)), 8)[1], 3);
    for len in 0..8 {
        assert_eq!(
            GetConfiguration::all().cdb_for(len),
            Err(LengthMismatch::TooShort { len, min: 8 })
        );
    }
    assert!(GetConfiguration::all().cdb_for(65_536).is_err());
    assert_eq!(GetConfiguration::all().reply_length(), 2048);
    assert_eq!(
        GetConfiguration::all().allocation_length(9).reply_length(),
        9
    );
}

#[test]
fn qemu_with_a_cd() {
    let bytes = hex(CASE);
    let configuration = parse(GetConfiguration::all(), &bytes);
    assert_eq!(configuration.reply().claimed_length(), 40);
    assert_eq!(configuration.reply().length_field_lies(), None);
    assert_eq!(configuration.current_profile(), Profile::CD_ROM);
    assert_eq!(configuration.current_profile().to_string(), "CD-ROM");
    assert!(!configuration.ignores_request());
    let features: Vec<_> = configuration.features().map(Result::unwrap).collect();
    let [list, core, removable] = features[..] else {
        panic!("{features:?}")
    };
    assert_eq!(list.code(), FeatureCode::PROFILE_LIST);
    assert_eq!(
        (list.version(), list.is_persistent(), list.is_current()),
        (0, true, true)
    );
    let FeatureData::ProfileList(profiles) = list.data() else {
        panic!("{list:?}")
    };
    let profiles: Vec<_> = profiles
        .entries()
        .map(|entry| (entry.profile, entry.current))
        .collect();
    assert_eq!(
        profiles,
        [(Profile::DVD_ROM, false), (Profile::CD_ROM, true)]
    );
    assert_eq!(core.code(), FeatureCode::CORE);
    assert_eq!(
        (core.version(), core.is_persistent(), core.is_current()),
        (2, true, true)
    );
    assert_eq!(
        core.data(),
        FeatureData::Core(Core {
            interface: Some(PhysicalInterface::SCSI),
            device_busy_events: Some(true),
            inquiry_2: Some(false),
        })
    );
    assert_eq!(removable.code(), FeatureCode::REMOVABLE_MEDIUM);
    assert_eq!(
        (
            removable.version(),
            removable.is_persistent(),
            removable.is_current()
        ),
        (2, true, true)
    );
    assert_eq!(
        removable.data(),
        FeatureData::RemovableMedium(RemovableMedium {
            mechanism: Some(LoadingMechanism::TRAY),
            load: Some(true),
            eject: Some(true),
            unlocked_at_power_up: Some(false),
            loading_events: Some(false),
            lock: Some(true),
        })
    );
    assert_eq!(removable.as_bytes(), &bytes[32..]);
    assert_eq!(removable.bytes(), [0x39, 0, 0, 0]);
    assert_eq!(configuration.feature(FeatureCode::CORE), Some(core));
    assert_eq!(configuration.feature(FeatureCode::CD_READ), None);
}

#[test]
fn a_drive_that_ignores_the_request() {
    let bytes = hex(CASE);
    let one = parse(GetConfiguration::one(FeatureCode::CORE), &bytes);
    assert!(one.ignores_request());
    assert!(one.feature(FeatureCode::CORE).is_some());
    let later = GetConfiguration::all().starting_feature(FeatureCode::CORE);
    assert!(parse(later, &bytes).ignores_request());
    assert!(!parse(GetConfiguration::current(), &bytes).ignores_request());
    let mut other = bytes.clone();
    other[34] &= !1; // removable medium is not current
    assert!(parse(GetConfiguration::current(), &other).ignores_request());
    assert!(!parse(GetConfiguration::all(), &other).ignores_request());
    let none = [0, 0, 0, 4, 0, 0, 0, 8];
    let none = parse(GetConfiguration::one(FeatureCode::CORE), &none);
    assert!(!none.ignores_request());
    assert_eq!(none.features().count(), 0);
}

#[test]
fn lengths() {
    let bytes = hex(CASE);
    let header = parse(GetConfiguration::all().allocation_length(8), &bytes[..8]);
    assert_eq!(header.current_profile(), Profile::CD_ROM);
    assert_eq!(header.reply().needed_length(), Some(40));
    assert_eq!(header.features().count(), 0);
    // Cut within a feature.
    let cut = parse(GetConfiguration::all(), &bytes[..34]);
    let last = cut.features().last().unwrap();
    assert_eq!(last, Err(Malformed::Short { need: 4, got: 2 }));
    let cut = parse(GetConfiguration::all(), &bytes[..38]);
    let mut features = cut.features().skip(2);
    assert_eq!(
        features.next(),
        Some(Err(Malformed::Short { need: 8, got: 6 }))
    );
    assert_eq!(features.next(), None);
    let lie = LengthLie::TooHigh {
        claimed: 40,
        arrived: 38,
    };
    assert_eq!(cut.reply().length_field_lies(), Some(lie));
    // A length that is far too high does not matter.
    let mut high = bytes.clone();
    high[..4].fill(0xff);
    let high = parse(GetConfiguration::all(), &high);
    assert_eq!(high.features().filter(Result::is_ok).count(), 3);
    assert!(high.reply().length_field_lies().is_some());
    let mut low = bytes;
    low[3] = 0;
    let low = parse(GetConfiguration::all(), &low);
    assert!(matches!(
        low.reply().length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 4,
            arrived: 40
        })
    ));
    assert_eq!(low.current_profile(), Profile::CD_ROM);
    assert_eq!(
        GetConfiguration::all().parse(ReplyBytes::borrowed(&[0; 7])),
        Err(Malformed::Short { need: 8, got: 7 })
    );
}

#[test]
fn names() {
    assert_eq!(RequestType::CURRENT.to_string(), "current features");
    assert_eq!(RequestType(3).to_string(), "request type 3");
    assert_eq!(PhysicalInterface(7).to_string(), "Serial ATAPI");
    assert_eq!(
        PhysicalInterface(9).to_string(),
        "physical interface 00000009h"
    );
    assert_eq!(FeatureCode(0x0142).to_string(), "OSSC (0142h)");
    let named = (0..=u16::MAX).filter(|code| FeatureCode(*code).name().is_some());
    assert_eq!(named.count(), 61);
    let named = (0..=u16::MAX).filter(|code| Profile(*code).name().is_some());
    assert_eq!(named.count(), 36);
    for (number, name) in [
        (0x0000, "no current profile"),
        (0x000a, "CD-RW"),
        (0x0012, "DVD-RAM"),
        (0x001b, "DVD+R"),
        (0x002b, "DVD+R dual layer"),
        (0x0041, "BD-R sequential recording"),
        (0x0053, "HD DVD-RW"),
        (0xffff, "no standard profile"),
    ] {
        assert_eq!(Profile(number).to_string(), name);
    }
    assert!(Profile::BD_RE.is_bd() && !Profile::HD_DVD_R.is_bd());
    assert!(!Profile::DDCD_R.is_cd() && !Profile::DDCD_R.is_dvd());
    assert!(!Profile::NONE.is_cd() && Profile::DVD_ROM.is_dvd());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
        honest: bool,
        request: u8,
    ) {
        if let (true, Some(field)) = (honest, bytes.get_mut(..4)) {
            field.copy_from_slice(&[0, 0, 0, 196]);
        }
        let command = GetConfiguration::new(RequestType(request));
        if let Ok(reply) = command.parse(ReplyBytes::borrowed(&bytes)) {
            let _ = (reply.ignores_request(), reply.current_profile().to_string());
            let mut length = 8;
            for feature in reply.features().flatten() {
                length += feature.as_bytes().len();
                let _ = (format!("{:?}", feature.data()), feature.code().to_string());
            }
            prop_assert!(length <= bytes.len().max(8));
        }
    }

    #[test]
    fn every_known_feature_can_have_any_length(
        code in 0u16..0x150,
        data in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        let length = u8::try_from(data.len()).unwrap();
        let list = [&code.to_be_bytes()[..], &[0x03, length], &data].concat();
        let feature = Features::new(&list).next().unwrap().unwrap();
        prop_assert_eq!(feature.bytes(), &data[..]);
        let _ = format!("{:?}", feature.data());
    }
}
