//! What a probe finds, for each fault that changes it.

use passthru::{
    scsi::{
        mmc::{C2, Lba, SubChannels},
        sense::Condition,
    },
    unit::{LayoutAnswer, ProbedLayouts},
};

use super::drives;
use crate::mmc_drive::TestDrive;

/// C2 in 294 and in 296 bytes, subchannels raw and Q, and both, as they are tried.
///
/// Given, missing with how many bytes of four sectors, refused, unproven.
fn answers(probed: &ProbedLayouts) -> String {
    let answers = probed.as_slice().iter().map(|one| match one.answer() {
        LayoutAnswer::Given => format!("G{}", one.valid_q()),
        LayoutAnswer::Missing { bytes } => format!("M{bytes}"),
        LayoutAnswer::TooLong { sector_length } => format!("L{sector_length}"),
        LayoutAnswer::Refused(_) => "R".to_owned(),
        LayoutAnswer::Unproven => "U".to_owned(),
        other => panic!("{other:?}"),
    });
    answers.collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_probe_finds_what_the_drive_sends() {
    let mut test = TestDrive::start("default", "");
    let all = "G0 G0 G4 G4 G4 G4 G4 G4";
    let left_out = "M1176 M1184 G4 G4 M1176 M1184 M1176 M1184";
    for drive in &drives(&test) {
        for (faults, expected) in [
            ("", all),
            ("descriptor_sense", all),
            ("no_c2_claim", all),
            ("no_c2_bytes", left_out),
            ("no_c2_bytes short", left_out),
            ("c2_size 294", "G0 R G4 G4 G4 R G4 R"),
            ("c2_size 296", "R G0 G4 G4 R G4 R G4"),
            ("c2_size 1\ndescriptor_sense", "R R G4 G4 R R R R"),
            ("c2_order sub_first", all),
            ("c2_shift 294\nc2 314 0 2352", all),
            ("block_error_first\nc2 314 0 2352", all),
            // Without its CRC, Q proves nothing; the sectors' places do.
            ("no_q_crc", "G0 G0 G4 G0 G4 G4 G0 G0"),
            ("binary_q", "G0 G0 G4 G0 G4 G4 G0 G0"),
            ("recovered 314", all),
        ] {
            test.arm(faults);
            let probed = drive.layouts().probe(Lba(313)).unwrap();
            assert_eq!(answers(&probed), expected, "{faults}");
            let both = probed.get(C2::Pointers294, SubChannels::Raw96).unwrap();
            let is_first = faults.contains("sub_first");
            let c2 = if is_first { 2352 + 96 } else { 2352 };
            assert_eq!(both.layout().c2().unwrap().start, c2, "{faults}");
        }
    }
}

/// Where all bytes are equal only the CRC of Q shows where they lie.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_probe_of_silence_says_that_nothing_is_proven() {
    let mut test = TestDrive::start("track audio 40 silent", "");
    for drive in &drives(&test) {
        for (faults, expected) in [
            ("", "U U G4 G4 G4 G4 G4 G4"),
            ("no_c2_bytes", "U U G4 G4 U U U U"),
            (
                "no_c2_bytes short",
                "M1176 M1184 G4 G4 M1176 M1184 M1176 M1184",
            ),
            ("no_q_crc", "U U G4 U G4 G4 U U"),
        ] {
            test.arm(faults);
            let probed = drive.layouts().probe(Lba(20)).unwrap();
            assert_eq!(answers(&probed), expected, "{faults}");
        }
    }
}

/// What is the matter with the drive and not with a layout ends it.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_probe_passes_on_what_is_no_answer() {
    let mut test = TestDrive::start("default", "");
    for drive in &drives(&test) {
        for (faults, expected) in [
            ("medium_error 301", Condition::MediumError),
            ("unit_attention 28 00", Condition::MediumChanged),
            ("refuse be", Condition::UnknownCommand),
            ("no_medium 01", Condition::NoMedium),
            ("disc audio at 302", Condition::MediumChanged),
        ] {
            test.arm(faults);
            let error = drive.layouts().probe(Lba(300)).unwrap_err();
            let condition = error.outcome().unwrap().sense().condition();
            assert_eq!(condition, expected, "{faults}");
        }
        // Once the main channel has come: in the midst of the probe.
        test.arm("becoming_ready 0\nsense 700006000000000a0000000029000000 count 1 only 00");
        drive.layouts().probe(Lba(300)).unwrap();
        test.arm("short 1 only be");
        drive.layouts().probe(Lba(300)).unwrap_err();
    }
}
