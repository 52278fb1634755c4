//! Each condition from its codes, in both formats.

use super::{
    built::{fixed, with},
    *,
};

const HALF: Option<Progress> = Some(Progress(0x8000));
const SKS: [u8; 3] = [0x80, 0x80, 0x00];

/// The condition of a key and codes in fixed format, where descriptor format must say the same.
#[track_caller]
fn of(key: u8, asc: u8, ascq: u8) -> Condition {
    let bytes = fixed(0x70, key, [0; 4], asc, ascq, [0; 3]);
    let condition = Sense::parse(&bytes).condition();
    let bytes = with(0x72, key, asc, ascq, &[]);
    assert_eq!(Sense::parse(&bytes).condition(), condition);
    for bytes in [
        fixed(0x71, key, [0; 4], asc, ascq, [0; 3]),
        with(0x73, key, asc, ascq, &[]),
    ] {
        assert_eq!(Sense::parse(&bytes).condition(), Condition::Deferred);
    }
    condition
}

/// What ends by itself: key NOT READY and NO SENSE, with and without a progress.
#[test]
fn work_in_progress() {
    type Work = fn(Option<Progress>) -> Condition;
    let table: [(u8, u8, Work); 20] = [
        (0x04, 0x01, Condition::BecomingReady),
        (0x04, 0x07, Condition::OperationInProgress),
        (0x00, 0x16, Condition::OperationInProgress),
        (0x00, 0x18, Condition::OperationInProgress),
        (0x00, 0x19, Condition::OperationInProgress),
        (0x00, 0x1A, Condition::OperationInProgress),
        (0x00, 0x1B, Condition::OperationInProgress),
        (0x00, 0x1C, Condition::OperationInProgress),
        (0x04, 0x08, Condition::LongWriteInProgress),
        (0x04, 0x04, Condition::Formatting),
        (0x04, 0x1B, Condition::Sanitizing),
        (0x04, 0x09, Condition::SelfTesting),
        (0x04, 0x05, Condition::Rebuilding),
        (0x04, 0x06, Condition::Rebuilding),
        (0x04, 0x13, Condition::OtherWork),
        (0x04, 0x14, Condition::OtherWork),
        (0x04, 0x1A, Condition::OtherWork),
        (0x04, 0x1D, Condition::OtherWork),
        (0x04, 0x24, Condition::OtherWork),
        (0x04, 0x25, Condition::OtherWork),
    ];
    for (asc, ascq, work) in table {
        for key in [0x0, 0x2] {
            assert_eq!(of(key, asc, ascq), work(None), "{asc:02x}/{ascq:02x}");
            let bytes = fixed(0x70, key, [0; 4], asc, ascq, SKS);
            let condition = Sense::parse(&bytes).condition();
            assert_eq!(condition, work(HALF));
            assert_eq!(condition.progress(), HALF);
            assert!(condition.ends_by_itself());
            let specific = [0x02, 6, 0, 0, 0x80, 0x80, 0, 0];
            let bytes = with(0x72, key, asc, ascq, &[&specific]);
            assert_eq!(Sense::parse(&bytes).condition(), work(HALF));
            let own = [0x0A, 6, key, asc, ascq, 0, 0x80, 0];
            let bytes = with(0x72, key, asc, ascq, &[&own]);
            assert_eq!(Sense::parse(&bytes).condition(), work(HALF));
            let another = [0x0A, 6, key, 0x04, 0x2F, 0, 0x80, 0];
            let bytes = with(0x72, key, asc, ascq, &[&another]);
            assert_eq!(Sense::parse(&bytes).condition(), work(None));
        }
        // The same codes under another key are not work.
        assert!(!of(0x5, asc, ascq).ends_by_itself());
        assert!(!of(0x6, asc, ascq).ends_by_itself());
    }
}

#[test]
fn what_has_no_progress() {
    use Condition::*;
    let table = [
        (0x0, 0x00, 0x00, Nothing),
        (0x0, 0x5E, 0x04, LowPower),
        (0x0, 0x0B, 0x01, Warning),
        (0x0, 0x5D, 0x00, FailurePredicted),
        (0x0, 0x3A, 0x00, NoMedium),
        (0x1, 0x17, 0x00, Recovered),
        (0x1, 0x00, 0x1D, Recovered),
        (0x1, 0x0B, 0x01, Warning),
        (0x1, 0x5D, 0x10, FailurePredicted),
        (0x2, 0x04, 0x00, NotReady),
        (0x2, 0x04, 0x02, StartNeeded),
        (0x2, 0x04, 0x03, InterventionNeeded),
        (0x2, 0x04, 0x0A, PathInTransition),
        (0x2, 0x04, 0x0B, PathStandby),
        (0x2, 0x04, 0x0C, PathUnavailable),
        (0x2, 0x04, 0x11, SpinUpWaits),
        (0x2, 0x04, 0x12, Offline),
        (0x2, 0x04, 0x81, NotReady),
        (0x2, 0x30, 0x00, NotReady),
        (0x2, 0x3A, 0x00, NoMedium),
        (0x2, 0x3A, 0x01, NoMedium),
        (0x2, 0x3A, 0x02, NoMedium),
        (0x3, 0x11, 0x00, MediumError),
        (0x3, 0x02, 0x82, MediumError),
        (0x3, 0x10, 0x00, MediumError),
        (0x3, 0x10, 0x01, ProtectionInformation),
        (0x3, 0x10, 0x05, ProtectionInformation),
        (0x3, 0x10, 0x06, MediumError),
        (0x3, 0x10, 0x80, MediumError),
        (0x4, 0x44, 0x00, HardwareError),
        (0x5, 0x10, 0x03, ProtectionInformation),
        (0x5, 0x20, 0x00, UnknownCommand),
        (0x5, 0x21, 0x00, OutOfRange),
        (0x5, 0x21, 0x04, IllegalRequest),
        (0x5, 0x24, 0x00, InvalidField),
        (0x5, 0x25, 0x00, NoSuchUnit),
        (0x5, 0x26, 0x00, InvalidField),
        (0x5, 0x30, 0x02, WrongMedium),
        (0x5, 0x64, 0x00, WrongMedium),
        (0x5, 0x64, 0x01, IllegalRequest),
        (0x5, 0x2C, 0x00, IllegalRequest),
        (0x6, 0x28, 0x00, MediumChanged),
        (0x6, 0x28, 0x01, ElementsChanged),
        (0x6, 0x28, 0x03, MediumChanged),
        (0x6, 0x29, 0x00, Reset),
        (0x6, 0x29, 0x07, Reset),
        (0x6, 0x2A, 0x01, ParametersChanged),
        (0x6, 0x2A, 0x03, ReservationsChanged),
        (0x6, 0x2A, 0x05, ReservationsChanged),
        (0x6, 0x2A, 0x06, ParametersChanged),
        (0x6, 0x2A, 0x09, CapacityChanged),
        (0x6, 0x3F, 0x0E, LunsChanged),
        (0x6, 0x3F, 0x01, DeviceChanged),
        (0x6, 0x5A, 0x01, OperatorRequest),
        (0x6, 0x0B, 0x01, Warning),
        (0x6, 0x5D, 0x00, FailurePredicted),
        (0x6, 0x2F, 0x00, UnitAttention),
        (0x7, 0x27, 0x00, WriteProtected),
        (0x7, 0x20, 0x02, DataProtect),
        (0x8, 0x64, 0x00, Blank),
        (0x8, 0x00, 0x05, Blank),
        (0x9, 0x80, 0x00, VendorSpecific),
        (0xA, 0x10, 0x00, CopyAborted),
        (0xB, 0x00, 0x00, Aborted),
        (0xB, 0x08, 0x03, TransferError),
        (0xB, 0x0E, 0x02, TransferError),
        (0xB, 0x10, 0x00, Aborted),
        (0xB, 0x10, 0x01, ProtectionInformation),
        (0xB, 0x47, 0x00, TransferError),
        (0xB, 0x4B, 0x00, TransferError),
        (0xC, 0x00, 0x00, VendorSpecific),
        (0xD, 0x00, 0x02, VolumeOverflow),
        (0xE, 0x1D, 0x00, Miscompare),
        (0xF, 0x00, 0x00, Completed),
    ];
    for (key, asc, ascq, condition) in table {
        assert_eq!(
            of(key, asc, ascq),
            condition,
            "{key:x}/{asc:02x}/{ascq:02x}"
        );
        assert!(!condition.ends_by_itself());
        assert_eq!(condition.progress(), None);
        // Progress belongs to work alone.
        let bytes = fixed(0x70, key, [0; 4], asc, ascq, SKS);
        assert_eq!(Sense::parse(&bytes).condition(), condition);
    }
}

#[test]
fn tape_marks_are_no_silence() {
    for flags in [0x80, 0x40, 0x20] {
        let bytes = fixed(0xF0, flags, [0, 0, 0, 1], 0, 1, [0; 3]);
        assert_eq!(Sense::parse(&bytes).condition(), Condition::Mark);
        let bytes = with(0x72, 0, 0, 1, &[&[0x04, 2, 0, flags]]);
        assert_eq!(Sense::parse(&bytes).condition(), Condition::Mark);
    }
}

#[test]
fn cut_sense_is_judged_by_its_key() {
    let bytes = fixed(0x70, 0x06, [0; 4], 0x29, 0x00, [0; 3]);
    let of = |length: usize| Sense::parse(&bytes[..length]).condition();
    assert_eq!(of(2), Condition::Unknown);
    assert_eq!(of(3), Condition::UnitAttention);
    assert_eq!(of(13), Condition::UnitAttention);
    assert_eq!(of(14), Condition::Reset);
    // NOT READY without its reason is nothing to wait for.
    let bytes = fixed(0x70, 0x02, [0; 4], 0x04, 0x01, [0; 3]);
    assert_eq!(Sense::parse(&bytes[..13]).condition(), Condition::NotReady);
    for silent in [&[][..], &[0; 18], &[0x7F, 0x02, 0x04, 0x01], &[0x21, 0, 0]] {
        assert_eq!(Sense::parse(silent).condition(), Condition::Unknown);
    }
}
