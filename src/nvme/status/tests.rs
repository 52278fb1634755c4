use super::*;
use proptest::prelude::*;

#[test]
fn the_table_is_sorted_and_has_no_code_twice() {
    assert!(table::NAMES.is_sorted_by(|one, two| one.0 < two.0));
    assert_eq!(table::NAMES.len(), 174);
    for (code, name) in table::NAMES {
        let status = StatusCode::from_raw(*code);
        assert_eq!(status.raw(), *code);
        assert!(
            status.code_type() <= StatusCodeType::PATH_RELATED && !status.is_vendor_specific(),
            "{code:04X}h"
        );
        assert!(
            name.starts_with(char::is_uppercase) && name.trim() == *name && name.is_ascii(),
            "{code:04X}h"
        );
        let same = table::NAMES.iter().filter(|row| row.1 == *name).count();
        assert_eq!(same, 1, "{name}");
    }
}

#[test]
fn each_type_has_as_many_codes_as_its_figure() {
    let of = |code_type| {
        let codes = table::NAMES.iter().map(|row| StatusCode::from_raw(row.0));
        codes.filter(|code| code.code_type() == code_type).count()
    };
    assert_eq!(of(StatusCodeType::GENERIC), 44 + 10);
    assert_eq!(of(StatusCodeType::COMMAND_SPECIFIC), 64 + 1 + 29 + 10);
    assert_eq!(of(StatusCodeType::MEDIA_AND_DATA_INTEGRITY), 9);
    assert_eq!(of(StatusCodeType::PATH_RELATED), 7);
}

#[test]
fn names_over_the_whole_range() {
    let expected = [
        (0x0000, "Successful Completion"),
        (0x0002, "Invalid Field in Command"),
        (0x000B, "Invalid Namespace or Format"),
        (0x000F, "Data SGL Length Invalid"),
        (0x0018, "Host Identifier Inconsistent Format"),
        (0x001D, "Sanitize In Progress"),
        (0x0024, "Admin Command Media Not Ready"),
        (0x002A, "Invalid Placement Handle List"),
        (0x002C, "Sanitize Namespace In Progress"),
        (0x0080, "LBA Out of Range"),
        (0x0084, "Format In Progress"),
        (0x0089, "Key Exists"),
        (0x0105, "Asynchronous Event Request Limit Exceeded"),
        (0x0109, "Invalid Log Page"),
        (0x0116, "Namespace Identifier Unavailable"),
        (0x0118, "Namespace Already Attached"),
        (0x011D, "Device Self-test In Progress"),
        (0x0125, "ANA Attach Failed"),
        (0x012C, "Invalid I/O Command Set"),
        (0x013B, "Controller Data Queue Full"),
        (0x0141, "Cross-Controller Reset Limit Exceeded"),
        (0x017F, "Stream Resource Allocation Failed"),
        (0x0180, "Conflicting Attributes"),
        (0x0183, "Command Size Limit Exceeded"),
        (0x0185, "Incompatible Namespace or Format"),
        (0x0190, "Discover Restart"),
        (0x0191, "Authentication Required"),
        (0x019C, "Successful Media Verification Read"),
        (0x01B8, "Zoned Boundary Error"),
        (0x01BF, "Invalid Zone State Transition"),
        (0x0280, "Write Fault"),
        (0x0285, "Compare Failure"),
        (0x0288, "End-to-End Storage Tag Check Error"),
        (0x0300, "Internal Path Error"),
        (0x0303, "Asymmetric Access Transition"),
        (0x0371, "Command Aborted By Host"),
    ];
    for (code, name) in expected {
        assert_eq!(StatusCode::from_raw(code).name(), Some(name), "{code:04X}h");
    }
    for reserved in [
        0x0017, 0x002D, 0x007F, 0x008A, 0x00C0, 0x0104, 0x0117, 0x0142, 0x017E, 0x019D, 0x01B5,
        0x0200, 0x0289, 0x0304, 0x0361, 0x0400, 0x0700, 0x07FF,
    ] {
        let code = StatusCode::from_raw(reserved);
        assert_eq!(code.name(), None, "{reserved:04X}h");
    }
}

/// What QEMU's and the kernel's targets were seen to answer.
#[test]
fn statuses_from_real_controllers() {
    let seen = [
        (0x4080, StatusCode::LBA_OUT_OF_RANGE, "LBA Out of Range"),
        (0x4001, StatusCode::INVALID_OPCODE, "Invalid Command Opcode"),
        (
            0x4002,
            StatusCode::INVALID_FIELD,
            "Invalid Field in Command",
        ),
        (
            0x400B,
            StatusCode::INVALID_NAMESPACE_OR_FORMAT,
            "Invalid Namespace or Format",
        ),
        (
            0x400F,
            StatusCode::DATA_SGL_LENGTH_INVALID,
            "Data SGL Length Invalid",
        ),
    ];
    for (raw, code, name) in seen {
        let status = NvmeStatus::from_raw(raw);
        assert_eq!(status.raw(), raw);
        assert_eq!(status.status_code(), code);
        assert_eq!(status.code_type(), StatusCodeType::GENERIC);
        assert_eq!(u16::from(status.code()), raw & 0xFF);
        assert_eq!(status.name(), Some(name));
        assert!(status.do_not_retry() && !status.more() && !status.is_success());
        assert_eq!(status.retry_delay(), 0);
        let number = raw & 0xFF;
        assert_eq!(
            status.to_string(),
            format!("{name} ({number:04X}h), do not retry")
        );
    }
}

#[test]
fn each_bit_is_in_one_field() {
    let fields = |raw| {
        let status = NvmeStatus::from_raw(raw);
        (
            status.code(),
            status.code_type().raw(),
            status.retry_delay(),
            status.more(),
            status.do_not_retry(),
        )
    };
    assert_eq!(fields(0x0000), (0, 0, 0, false, false));
    assert_eq!(fields(0x00FF), (0xFF, 0, 0, false, false));
    assert_eq!(fields(0x0700), (0, 7, 0, false, false));
    assert_eq!(fields(0x0800), (0, 0, 1, false, false));
    assert_eq!(fields(0x1800), (0, 0, 3, false, false));
    assert_eq!(fields(0x2000), (0, 0, 0, true, false));
    assert_eq!(fields(0x4000), (0, 0, 0, false, true));
    assert_eq!(fields(0x8000), (0, 0, 0, false, false));
    assert_eq!(NvmeStatus::from_raw(0xFFFF).raw(), 0x7FFF);
    assert_eq!(StatusCode::from_raw(0xFFFF).raw(), 0x07FF);
    assert_eq!(StatusCodeType::from_raw(0xFF).raw(), 7);
    assert_eq!(NvmeStatus::from_phase_tagged(0xFFFF).raw(), 0x7FFF);
    assert_eq!(
        NvmeStatus::from_phase_tagged(0x0001),
        NvmeStatus::SUCCESS,
        "the phase is no part of it"
    );
}

#[test]
fn success_is_told_by_code_and_type() {
    for raw in [0x0000, 0x0800, 0x2000, 0x4000] {
        assert!(NvmeStatus::from_raw(raw).is_success(), "{raw:04X}h");
    }
    for raw in [0x0001, 0x0100, 0x0300, 0x0700] {
        assert!(!NvmeStatus::from_raw(raw).is_success(), "{raw:04X}h");
    }
    assert_eq!(NvmeStatus::default(), NvmeStatus::SUCCESS);
    assert_eq!(StatusCode::default(), StatusCode::SUCCESS);
}

#[test]
fn firmware_that_waits_for_a_reset() {
    let reset = |raw| NvmeStatus::from_raw(raw).needs_reset();
    assert_eq!(reset(0x010B), Some(FirmwareReset::Conventional));
    assert_eq!(reset(0x0110), Some(FirmwareReset::Subsystem));
    assert_eq!(reset(0x0111), Some(FirmwareReset::Controller));
    assert_eq!(reset(0x6111), Some(FirmwareReset::Controller));
    let others = (0..0x0800).filter(|raw| reset(*raw).is_some()).count();
    assert_eq!(others, 3);
    assert_eq!(
        FirmwareReset::Conventional.to_string(),
        "conventional reset"
    );
}

#[test]
fn everything_is_shown() {
    let show = |raw| NvmeStatus::from_raw(raw).to_string();
    assert_eq!(show(0x0000), "Successful Completion (0000h)");
    assert_eq!(
        show(0x0821),
        "Command Interrupted (0021h), retry after CRDT1"
    );
    assert_eq!(
        show(0x7881),
        "Capacity Exceeded (0081h), more in the error log, do not retry"
    );
    assert_eq!(
        show(0x3A81),
        "Unrecovered Read Error (0281h), more in the error log, retry after CRDT3"
    );
    assert_eq!(show(0x07C1), "vendor specific (07C1h)");
    assert_eq!(show(0x0700), "vendor specific (0700h)");
    assert_eq!(show(0x02C1), "vendor specific (02C1h)");
    assert_eq!(show(0x04C1), "unassigned (04C1h)");
    assert_eq!(show(0x0017), "unassigned (0017h)");
    assert_eq!(
        format!("{:?}", NvmeStatus::from_raw(0x4080)),
        "NvmeStatus(0x4080: LBA Out of Range (0080h), do not retry)"
    );
    assert_eq!(
        format!("{:?}", StatusCode::ACCESS_DENIED),
        "StatusCode(Access Denied (0286h))"
    );
    assert_eq!(
        [0, 1, 2, 3, 4, 7].map(|raw| StatusCodeType::from_raw(raw).to_string()),
        [
            "generic",
            "command specific",
            "media and data integrity",
            "path related",
            "status code type 4h",
            "vendor specific",
        ]
    );
}

/// The constants of the source, with the names that the table has for their values.
#[test]
fn every_constant_has_a_name() {
    let source = include_str!("code.rs");
    let mut seen = Vec::new();
    for line in source.lines() {
        let Some((_, number)) = line.split_once(": Self = Self(0x") else {
            continue;
        };
        let number = number.strip_suffix(");").unwrap();
        let code = u16::from_str_radix(number, 16).unwrap();
        assert!(StatusCode::from_raw(code).name().is_some(), "{line}");
        assert!(source.contains(&format!("/// {number}h: ")), "{line}");
        seen.push(code);
    }
    assert_eq!(seen.len(), 94);
    assert!(seen.is_sorted_by(|one, two| one < two), "{seen:04X?}");
}

proptest! {
    #[test]
    fn any_number_is_a_status(raw: u16) {
        let status = NvmeStatus::from_raw(raw);
        prop_assert_eq!(status.raw(), raw & 0x7FFF);
        prop_assert_eq!(StatusCode::new(status.code_type(), status.code()), status.status_code());
        prop_assert_eq!(status.status_code().raw(), raw & 0x07FF);
        prop_assert_eq!(status.is_success(), status.status_code() == StatusCode::SUCCESS);
        prop_assert_eq!(NvmeStatus::from_phase_tagged(raw).raw(), raw >> 1);
        let number = format!("({:04X}h)", raw & 0x07FF);
        prop_assert!(status.to_string().contains(&number));
        let debug = format!("{status:?}");
        prop_assert!(debug.contains(&number));
        prop_assert!(status.retry_delay() <= 3);
        let _ = (status.needs_reset(), status.code_type().to_string());
    }
}
