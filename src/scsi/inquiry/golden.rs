//! Standard data of real and emulated drives, every field of it. Where each comes from is said in
//! its file.

use crate::scsi::{
    DeviceType, Inquiry, PeripheralQualifier, Query, ReplyBytes, ScsiVersion, StandardInquiry,
    Tpgs, golden::hex,
};

macro_rules! case {
    ($name:literal) => {
        hex(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/cases/",
            $name,
            ".hex"
        )))
    };
}

/// Parses `bytes` as the answer to a command that asked for `asked`.
fn answer(bytes: &[u8], asked: u16) -> StandardInquiry<'_> {
    Inquiry::standard()
        .allocation_length(asked)
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

/// The answer of every accessor, so that a test names all that is there.
#[derive(Debug, PartialEq)]
struct Fields<'a> {
    qualifier: PeripheralQualifier,
    device_type: DeviceType,
    removable: bool,
    conglomerate: bool,
    version: ScsiVersion,
    normal_aca: bool,
    hierarchical_addressing: bool,
    response_data_format: u8,
    additional_length: u8,
    storage_array_controller: Option<bool>,
    target_port_groups: Option<Tpgs>,
    third_party_copy: Option<bool>,
    protection: Option<bool>,
    enclosure_services: Option<bool>,
    multi_port: Option<bool>,
    command_queueing: Option<bool>,
    vendor: &'a [u8],
    product: &'a [u8],
    revision: &'a [u8],
    vendor_specific: &'a [u8],
    version_descriptors: Vec<u16>,
    needed_length: Option<u16>,
    lies: bool,
    line: String,
}

impl Fields<'static> {
    /// What the drives below have in common: a logical unit that is there, and
    /// flags that none of them sets.
    fn usual() -> Self {
        Self {
            qualifier: PeripheralQualifier::CONNECTED,
            device_type: DeviceType::OPTICAL,
            removable: true,
            conglomerate: false,
            version: ScsiVersion::SPC_3,
            normal_aca: false,
            hierarchical_addressing: false,
            response_data_format: 2,
            additional_length: 31,
            storage_array_controller: Some(false),
            target_port_groups: Some(Tpgs::NONE),
            third_party_copy: Some(false),
            protection: Some(false),
            enclosure_services: Some(false),
            multi_port: Some(false),
            command_queueing: Some(false),
            vendor: b"",
            product: b"",
            revision: b"",
            vendor_specific: b"",
            version_descriptors: Vec::new(),
            needed_length: None,
            lies: false,
            line: String::new(),
        }
    }
}

impl<'a> Fields<'a> {
    fn of(data: &'a StandardInquiry<'_>) -> Self {
        assert_eq!(data.is_connected(), !data.no_logical_unit());
        assert_eq!(data.is_truncated(), data.needed_length().is_some());
        Self {
            qualifier: data.peripheral_qualifier(),
            device_type: data.device_type(),
            removable: data.removable(),
            conglomerate: data.conglomerate(),
            version: data.version(),
            normal_aca: data.normal_aca(),
            hierarchical_addressing: data.hierarchical_addressing(),
            response_data_format: data.response_data_format(),
            additional_length: data.additional_length(),
            storage_array_controller: data.storage_array_controller(),
            target_port_groups: data.target_port_groups(),
            third_party_copy: data.third_party_copy(),
            protection: data.protection(),
            enclosure_services: data.enclosure_services(),
            multi_port: data.multi_port(),
            command_queueing: data.command_queueing(),
            vendor: data.vendor().as_bytes(),
            product: data.product().as_bytes(),
            revision: data.revision().as_bytes(),
            vendor_specific: data.vendor_specific(),
            version_descriptors: data.version_descriptors().collect(),
            needed_length: data.needed_length(),
            lies: data.length_field_lies().is_some(),
            line: data.to_string(),
        }
    }
}

#[test]
fn plextor_px_40ts() {
    let bytes = case!("bluescsi-v2-127-inquiry-plextor-lun0");
    let data = answer(&bytes, 0x30);
    assert_eq!(
        Fields::of(&data),
        Fields {
            version: ScsiVersion::SCSI_2,
            additional_length: 0x33,
            vendor: b"PLEXTOR ",
            product: b"CD-ROM PX-40TS  ",
            revision: b"1.11",
            vendor_specific: b"02/21/00 01:",
            // 56 bytes are there, 48 were asked for: cut, no lie.
            needed_length: Some(56),
            line: "PLEXTOR CD-ROM PX-40TS 1.11, CD/DVD (05h), SCSI-2".to_owned(),
            ..Fields::usual()
        }
    );
    assert_eq!(data.as_bytes(), bytes);
    assert_eq!(data.clone().into_owned(), data);
}

#[test]
fn qemu_ide_cd_fills_up_with_zeros() {
    let bytes = case!("lab-qemu-idecd-inquiry-alloc96");
    let data = answer(&bytes, 96);
    assert_eq!(
        Fields::of(&data),
        Fields {
            normal_aca: true,
            hierarchical_addressing: true,
            vendor: b"QEMU    ",
            product: b"QEMU DVD-ROM    ",
            revision: b"2.5+",
            // 36 bytes are data, though the residual says that 96 came.
            vendor_specific: b"",
            line: "QEMU QEMU DVD-ROM 2.5+, CD/DVD (05h), SPC-3".to_owned(),
            ..Fields::usual()
        }
    );
    assert_eq!(data.as_bytes().len(), 96);
}

#[test]
fn qemu_scsi_cd() {
    let bytes = case!("lab-qemu-scsicd-inquiry-alloc96");
    let data = answer(&bytes, 96);
    let whole = || Fields {
        hierarchical_addressing: true,
        additional_length: 0x5b,
        command_queueing: Some(true),
        vendor: b"QEMU    ",
        product: b"QEMU CD-ROM     ",
        revision: b"2.5+",
        vendor_specific: &[0; 20],
        line: "QEMU QEMU CD-ROM 2.5+, CD/DVD (05h), SPC-3".to_owned(),
        ..Fields::usual()
    };
    assert_eq!(Fields::of(&data), whole());
    // The usual first command gets 36 of them.
    let first = answer(&bytes[..36], 36);
    assert_eq!(
        Fields::of(&first),
        Fields {
            vendor_specific: b"",
            needed_length: Some(96),
            ..whole()
        }
    );
}

#[test]
fn dec_rz24_is_scsi_1() {
    let bytes = case!("piscsi-458-inquiry-scsi1-rz24");
    let data = answer(&bytes, 36);
    assert_eq!(
        Fields::of(&data),
        Fields {
            device_type: DeviceType::DISK,
            removable: false,
            version: ScsiVersion::SCSI_1,
            response_data_format: 1,
            vendor: b"DEC     ",
            product: b"RZ24     (C) DEC",
            revision: b"1D18",
            line: "DEC RZ24     (C) DEC 1D18, disk (00h), SCSI-1".to_owned(),
            ..Fields::usual()
        }
    );
    assert_eq!(data.as_bytes(), bytes);
}
