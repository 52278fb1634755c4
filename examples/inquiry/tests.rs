//! What `inquiry` sends and what it makes of the replies, with a made-up device.

use std::{cell::RefCell, path::Path};

use passthru::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, SenseBuffer, Status, VpdCode},
};
use serde_json::{Value, json};

use crate::{case, problem::Code, report::Report};

/// Answers INQUIRY from a list: page (None: standard) and bytes. Other pages
/// are refused, and so is more than `limit` bytes.
struct Device {
    replies: Vec<(Option<u8>, Vec<u8>)>,
    limit: usize,
    sent: RefCell<Vec<String>>,
}

impl Device {
    fn new(replies: impl IntoIterator<Item = (Option<u8>, Vec<u8>)>) -> Self {
        Self {
            replies: replies.into_iter().collect(),
            limit: usize::MAX,
            sent: RefCell::default(),
        }
    }

    fn page(bytes: &[u8]) -> Self {
        Self::new([(Some(bytes[1]), bytes.to_vec())])
    }

    fn sent(&self) -> Vec<String> {
        self.sent.take()
    }
}

impl ScsiTransport for Device {
    fn send(&self, cdb: &Cdb, data: Data<'_>, _: &Options) -> Result<Outcome> {
        self.sent.borrow_mut().push(cdb.to_string());
        let requested = data.len();
        let &[0x12, evpd, page, ..] = cdb.as_bytes() else {
            panic!("{cdb} was sent");
        };
        let page = (evpd == 1).then_some(page);
        let reply = self.replies.iter().find(|(code, _)| *code == page);
        let (Some((_, reply)), Data::In(buffer), true) = (reply, data, requested <= self.limit)
        else {
            let mut outcome = Outcome::new(Status::CHECK_CONDITION, requested);
            let sense = [
                0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24, 0, 0, 0, 0, 0,
            ];
            *outcome.sense_mut() = SenseBuffer::from_slice(&sense);
            return Ok(outcome);
        };
        let len = requested.min(reply.len());
        buffer[..len].copy_from_slice(&reply[..len]);
        let mut outcome = Outcome::new(Status::GOOD, requested);
        outcome.set_residual(i32::try_from(requested - len).unwrap());
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("/dev/test")
    }
}

fn json_of(report: &Report) -> Value {
    let object = report.to_json("/dev/test", false);
    assert_eq!(object["path"], "/dev/test");
    object
}

fn text_of(report: &Report, hex: bool) -> String {
    let mut out = Vec::new();
    report.print(&mut out, "/dev/test", hex).unwrap();
    String::from_utf8(out).unwrap()
}

/// The page as JSON and as text.
fn page(bytes: &[u8]) -> (Value, String) {
    let report = Report::page(&Device::page(bytes), VpdCode(bytes[1]))
        .ok()
        .unwrap();
    (json_of(&report), text_of(&report, false))
}

/// Checks that `object` has these keys with these values, perhaps among others.
fn assert_has(object: &Value, expected: &Value) {
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&object[key], value, "{key} in {object:#}");
    }
}

#[test]
fn standard_data_takes_36_bytes_and_then_the_rest() {
    let mut reply = case("lab-qemu-scsicd-inquiry-alloc96");
    reply[58..60].copy_from_slice(&[0x09, 0x60]);
    let device = Device::new([(None, reply)]);
    let report = Report::standard(&device).ok().unwrap();
    assert_eq!(device.sent(), ["12 00 00 00 24 00", "12 00 00 00 60 00"]);
    let expected = json!({
        "vendor": "QEMU", "product": "QEMU CD-ROM", "revision": "2.5+",
        "device_type": 5, "device_type_name": "CD/DVD", "version": 5,
        "version_name": "SPC-3", "removable": true, "command_queueing": true,
        "peripheral_qualifier": 0, "peripheral_qualifier_name": "connected",
        "version_descriptors": [0x960], "target_port_groups": "none",
        "received": 96, "complete": true, "warnings": [],
    });
    assert_has(&json_of(&report), &expected);
    let text = text_of(&report, false);
    assert!(
        text.starts_with("/dev/test: QEMU QEMU CD-ROM 2.5+, CD/DVD"),
        "{text}"
    );
    assert!(
        text.contains("product                   QEMU CD-ROM\n"),
        "{text}"
    );
    let dump = text_of(&report, true);
    assert!(
        dump.contains("51 45 4d 55 20 20 20 20  |....[...QEMU    |"),
        "{dump}"
    );
    assert_eq!(dump.lines().count(), 7);
}

#[test]
fn an_old_disk_is_asked_once() {
    let device = Device::new([(None, case("piscsi-458-inquiry-scsi1-rz24"))]);
    let report = Report::standard(&device).ok().unwrap();
    assert_eq!(device.sent(), ["12 00 00 00 24 00"]);
    let expected = json!({"vendor": "DEC", "version": 1, "removable": false, "received": 36});
    assert_has(&json_of(&report), &expected);
}

#[test]
fn a_device_that_gives_only_36_bytes_is_shown_with_a_warning() {
    let mut device = Device::new([(None, case("lab-qemu-scsicd-inquiry-alloc96"))]);
    device.limit = 36;
    let report = Report::standard(&device).ok().unwrap();
    assert_eq!(device.sent().len(), 2);
    let object = json_of(&report);
    assert_has(
        &object,
        &json!({"vendor": "QEMU", "received": 36, "complete": false}),
    );
    let warning = object["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("96 bytes") && warning.contains("ILLEGAL REQUEST"),
        "{warning}"
    );
    assert_eq!(report.warnings().count(), 1);
}

#[test]
fn the_second_command_is_the_last() {
    // 300 bytes, then 400: it grew between the two commands.
    let device = Device::new([(Some(0x83), [&[0, 0x83, 0x01, 0x8c][..], &[0; 300]].concat())]);
    let report = Report::page(&device, VpdCode(0x83)).ok().unwrap();
    assert_eq!(device.sent(), ["12 01 83 00 fc 00", "12 01 83 01 90 00"]);
    let object = json_of(&report);
    assert_has(
        &object,
        &json!({"received": 304, "page_length": 396, "complete": false}),
    );
    assert_eq!(object["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_serial_number_cannot_steer_the_terminal() {
    let (object, text) = page(b"\0\x80\0\x0b  AB\x1b[2J\xff \0");
    assert_has(
        &object,
        &json!({"page": 0x80, "serial": "AB\u{1b}[2J\u{fffd}"}),
    );
    assert!(text.contains("AB\\u{1b}[2J"), "{text}");
    let mut out = Vec::new();
    crate::output::json(&mut out, &object).unwrap();
    assert!(out.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~')));
    assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), object);

    let (object, _) = page(&case("libstoragemgmt-207-vpd80-trailing-spaces"));
    let serial = object["serial"].as_str().unwrap();
    assert!(!serial.is_empty() && serial.trim() == serial, "{serial}");
}

#[test]
fn designators_have_names_and_bytes() {
    let mut bytes = vec![0x00, 0x83, 0x00, 44];
    bytes.extend([0x61, 0x93, 0, 8, 0x50, 0, 0xc5, 0, 0x12, 0x34, 0x56, 0x78]);
    bytes.extend(b"\x02\x01\0\x10QEMU    QM00001 ");
    bytes.extend([0x01, 0x03, 0, 200, 1, 2, 3, 4, 5, 6, 7, 8]);
    let (object, text) = page(&bytes);
    let list = object["designators"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    let naa = json!({
        "name": "naa.5000c50012345678", "type": 3, "type_name": "NAA",
        "association": 1, "association_name": "target port", "code_set": 1,
        "code_set_name": "binary", "protocol": 6, "protocol_name": "SAS",
        "identifier": "5000c50012345678", "text": null,
    });
    assert_eq!(list[0], naa);
    let t10 = json!({"type": 1, "text": "QEMU    QM00001", "protocol": null, "association": 0});
    assert_has(&list[1], &t10);
    let (reserved, _) = page(b"\0\x83\0\x05\x09\x3f\0\x01a");
    let expected = json!({
        "type_name": null, "association": 3, "association_name": "reserved association",
        "code_set_name": "code set 9h",
    });
    assert_has(&reserved["designators"][0], &expected);
    assert!(
        object["stopped_by"]
            .as_str()
            .unwrap()
            .starts_with("designator 3:")
    );
    assert!(text.contains("naa.5000c50012345678"), "{text}");
}

#[test]
fn pages_of_disks_have_null_for_what_is_absent() {
    let (object, text) = page(&[0, 0xb0, 0, 12, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 0]);
    let expected = json!({
        "maximum_transfer_length": 256, "optimal_transfer_length_granularity": 8,
        "optimal_transfer_length": null, "maximum_unmap_lba_count": null,
        "write_same_non_zero": false, "page_name": "block limits",
    });
    assert_has(&object, &expected);
    assert!(
        text.contains("optimal transfer length                       -\n"),
        "{text}"
    );

    let (object, _) = page(&[0, 0xb1, 0, 4, 0x1c, 0x20, 0, 0x03]);
    let expected = json!({
        "rotation": "rotating", "rpm": 7200, "form_factor": 3,
        "form_factor_name": "2.5 inch", "zoned": null,
    });
    assert_has(&object, &expected);
    let (object, _) = page(&[0, 0xb1, 0, 5, 0xff, 0xff, 0, 0x09, 0x30]);
    let reserved = json!({
        "rotation": "reserved", "rpm": null, "form_factor_name": "form factor 9h",
        "zoned": "reserved",
    });
    assert_has(&object, &reserved);

    let (object, _) = page(&[0, 0xb2, 0, 4, 0, 0x84, 2, 0]);
    let expected = json!({
        "unmap_supported": true, "unmapped_reads": "zeros", "provisioning_type": 2,
        "provisioning_type_name": "thin provisioned", "group": null,
    });
    assert_has(&object, &expected);
}

#[test]
fn unknown_pages_are_bytes_up_to_the_page_length() {
    let bytes = case("nkscan-24-vpdF0-len31-padded-spaces");
    let (object, text) = page(&bytes);
    assert_has(
        &object,
        &json!({"page": 0xf0, "page_name": null, "complete": true}),
    );
    assert_eq!(object["bytes"].as_str().unwrap().len(), 2 * (0x31 + 4));
    assert!(
        text.starts_with("/dev/test: page f0h\n00000000  06 f0 00 31"),
        "{text}"
    );

    // B0h of a tape drive is another page than that of a disk.
    let (object, _) = page(&[1, 0xb0, 0, 2, 1, 0]);
    assert_has(
        &object,
        &json!({"bytes": "01b000020100", "page_name": "sequential-access device capabilities"}),
    );
    assert!(object.get("write_same_non_zero").is_none());
}

#[test]
fn all_goes_on_after_a_refused_page() {
    let device = Device::new([
        (None, case("piscsi-458-inquiry-scsi1-rz24")),
        (Some(0x00), vec![0, 0, 0, 5, 0x00, 0x83, 0x80, 0x80, 0xc0]),
        (Some(0x80), b"\0\x80\0\x04AB12".to_vec()),
        (Some(0xc0), vec![0, 0xc1, 0, 1, 7]),
    ]);
    let report = Report::all(&device).ok().unwrap();
    assert_eq!(
        device.sent(),
        [
            "12 00 00 00 24 00",
            "12 01 00 00 fc 00",
            "12 01 83 00 fc 00",
            "12 01 80 00 fc 00",
            "12 01 c0 00 fc 00",
        ]
    );
    let object = json_of(&report);
    assert_eq!(object["standard"]["vendor"], "DEC");
    assert_eq!(
        object["vpd"]["00"]["pages"],
        json!([0, 0x83, 0x80, 0x80, 0xc0])
    );
    assert_eq!(object["vpd"]["80"]["serial"], "AB12");
    assert!(object["vpd"].get("83").is_none());
    let errors = object["errors"].as_array().unwrap();
    assert_eq!(
        (&errors[0]["page"], &errors[1]["page"]),
        (&0x83.into(), &0xc0.into())
    );
    let refused = &errors[0]["error"];
    assert_eq!(refused["kind"], "check");
    assert_eq!(refused["outcome"]["sense"]["asc"], 0x24);
    assert_eq!(errors[1]["error"]["kind"], "malformed");
    assert!(
        report
            .errors()
            .iter()
            .all(|(_, problem)| problem.code == Code::Device)
    );
    // The message says each thing once.
    let message = errors[1]["error"]["message"].as_str().unwrap();
    assert_eq!(message.matches("c1h").count(), 1, "{message}");
    let text = text_of(&report, false);
    assert!(
        text.contains("\n\n/dev/test: unit serial number (80h)\n  serial  AB12\n"),
        "{text}"
    );
}

#[test]
fn help_lists_every_key() {
    let (help, _) = crate::run_for(0, "inquiry", &["--help"]);
    let (identification, _) = page(b"\0\x83\0\x09\x02\x01\0\x05QEMU1");
    let mut objects = vec![identification["designators"][0].clone(), identification];
    for bytes in [
        &[0, 0, 0, 1, 0][..],
        b"\0\x80\0\x01A",
        &[0, 0xb0, 0, 0],
        &[0, 0xb1, 0, 0],
        &[0, 0xb2, 0, 0],
        &[0, 0xc0, 0, 0],
    ] {
        objects.push(page(bytes).0);
    }
    let device = Device::new([(None, case("piscsi-458-inquiry-scsi1-rz24"))]);
    objects.push(json_of(&Report::standard(&device).ok().unwrap()));
    let all = json_of(&Report::all(&device).ok().unwrap());
    objects.extend([
        all["errors"][0].clone(),
        all["errors"][0]["error"].clone(),
        all,
    ]);
    for key in objects
        .iter()
        .flat_map(|object| object.as_object().unwrap().keys())
    {
        let listed = help
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| word == key);
        assert!(listed, "--help does not list {key}");
    }
}
