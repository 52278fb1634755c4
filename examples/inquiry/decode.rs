//! Replies as fields. Keys that are here stay: programs read them.

use passthru::scsi::{
    Malformed, StandardInquiry, Text, Vpd, VpdCode, VpdPage,
    vpd::{
        BlockCharacteristics, BlockLimits, Designator, DeviceIdentification, MediumRotation,
        Provisioning, SerialNumber, SupportedPages,
    },
};
use serde_json::Value;

use crate::{
    fields::{Fields, Item},
    output::hex_string,
};

/// What the fields have for a value that the standard has not assigned.
const RESERVED: &str = "reserved";

/// The trimmed text of a field; null if none of it came.
fn field(text: Text<'_>) -> Value {
    (!text.as_bytes().is_empty())
        .then(|| text.trimmed().into_owned())
        .into()
}

pub(crate) fn standard(data: &StandardInquiry<'_>) -> Fields {
    let (qualifier, version) = (data.peripheral_qualifier(), data.version());
    let tpgs = data.target_port_groups().and_then(|groups| groups.name());
    Fields::default()
        .value("vendor", field(data.vendor()))
        .value("product", field(data.product()))
        .value("revision", field(data.revision()))
        .code(
            "device_type",
            data.device_type().0,
            data.device_type().name(),
        )
        .code("peripheral_qualifier", qualifier.0, Some(qualifier))
        .code("version", version.0, version.name())
        .value("removable", data.removable())
        .value("conglomerate", data.conglomerate())
        .value("response_data_format", data.response_data_format())
        .value("additional_length", data.additional_length())
        .value("normal_aca", data.normal_aca())
        .value("hierarchical_addressing", data.hierarchical_addressing())
        .value("storage_array_controller", data.storage_array_controller())
        .value("target_port_groups", tpgs)
        .value("third_party_copy", data.third_party_copy())
        .value("protection", data.protection())
        .value("enclosure_services", data.enclosure_services())
        .value("multi_port", data.multi_port())
        .value("command_queueing", data.command_queueing())
        .value("vendor_specific", hex_string(data.vendor_specific()))
        .value(
            "version_descriptors",
            data.version_descriptors().collect::<Value>(),
        )
}

/// The fields of a page that is known here; nothing for other pages, whose
/// bytes are all there is.
pub(crate) fn page(page: &VpdPage<'_>) -> Result<Option<Fields>, Malformed> {
    let (page, on_disk) = (page.clone(), page.device_type().is_block());
    Ok(Some(match page.code() {
        VpdCode::SUPPORTED_PAGES => {
            let device_type = page.device_type();
            let list = SupportedPages.read(page)?;
            let pages = list.pages().map(|code| (code, code.name_for(device_type)));
            Fields::default().item("pages", Item::Pages(pages.collect()))
        }
        VpdCode::SERIAL_NUMBER => {
            let page = SerialNumber.read(page)?;
            Fields::default().value("serial", page.serial().trimmed().into_owned())
        }
        VpdCode::DEVICE_IDENTIFICATION => designators(page)?,
        VpdCode::BLOCK_LIMITS if on_disk => block_limits(page)?,
        VpdCode::BLOCK_CHARACTERISTICS if on_disk => block_characteristics(page)?,
        VpdCode::PROVISIONING if on_disk => provisioning(page)?,
        _ => return Ok(None),
    }))
}

fn designators(page: VpdPage<'_>) -> Result<Fields, Malformed> {
    let page = DeviceIdentification.read(page)?;
    let (mut list, mut stopped) = (Vec::new(), None);
    for item in page.designators() {
        match item {
            Ok(item) => list.push(designator(&item)),
            Err(error) => stopped = Some(format!("designator {}: {error}", list.len() + 1)),
        }
    }
    Ok(Fields::default()
        .item("designators", Item::List(list))
        .item("stopped_by", Item::Remark(stopped)))
}

fn designator(item: &Designator<'_>) -> Fields {
    let (association, protocol) = (item.association(), item.protocol());
    Fields::default()
        .value("name", item.to_string())
        .code(
            "type",
            item.designator_type().0,
            item.designator_type().name(),
        )
        .code(
            "association",
            association.0,
            association.name().or(Some("reserved association")),
        )
        .code("code_set", item.code_set().0, Some(item.code_set()))
        .code(
            "protocol",
            protocol.map(|protocol| protocol.0),
            protocol.and_then(|protocol| protocol.name()),
        )
        .value("identifier", hex_string(item.bytes()))
        .value(
            "text",
            item.as_text().map(|text| text.trimmed().into_owned()),
        )
}

fn block_limits(page: VpdPage<'_>) -> Result<Fields, Malformed> {
    let page = BlockLimits.read(page)?;
    Ok(Fields::default()
        .value("write_same_non_zero", page.write_same_non_zero())
        .value(
            "maximum_compare_and_write_length",
            page.maximum_compare_and_write_length(),
        )
        .value(
            "optimal_transfer_length_granularity",
            page.optimal_transfer_length_granularity(),
        )
        .value("maximum_transfer_length", page.maximum_transfer_length())
        .value("optimal_transfer_length", page.optimal_transfer_length())
        .value("maximum_prefetch_length", page.maximum_prefetch_length())
        .value("maximum_unmap_lba_count", page.maximum_unmap_lba_count())
        .value(
            "maximum_unmap_descriptor_count",
            page.maximum_unmap_descriptor_count(),
        )
        .value(
            "optimal_unmap_granularity",
            page.optimal_unmap_granularity(),
        )
        .value(
            "unmap_granularity_alignment",
            page.unmap_granularity_alignment(),
        )
        .value(
            "maximum_write_same_length",
            page.maximum_write_same_length(),
        )
        .value(
            "maximum_atomic_transfer_length",
            page.maximum_atomic_transfer_length(),
        )
        .value("atomic_alignment", page.atomic_alignment())
        .value(
            "atomic_transfer_length_granularity",
            page.atomic_transfer_length_granularity(),
        )
        .value(
            "maximum_atomic_transfer_length_with_boundary",
            page.maximum_atomic_transfer_length_with_boundary(),
        )
        .value(
            "maximum_atomic_boundary_size",
            page.maximum_atomic_boundary_size(),
        ))
}

fn block_characteristics(page: VpdPage<'_>) -> Result<Fields, Malformed> {
    let page = BlockCharacteristics.read(page)?;
    let (rotation, form_factor) = (page.rotation(), page.form_factor());
    Ok(Fields::default()
        .value(
            "rotation",
            rotation.map(|rate| rate.name().unwrap_or(RESERVED)),
        )
        .value("rpm", rotation.and_then(MediumRotation::rpm))
        .value("product_type", page.product_type())
        .code("form_factor", form_factor.map(|form| form.0), form_factor)
        .value(
            "zoned",
            page.zoned().map(|zoned| zoned.name().unwrap_or(RESERVED)),
        )
        .value(
            "write_after_block_erase_required",
            page.write_after_block_erase_required(),
        )
        .value(
            "write_after_crypto_erase_required",
            page.write_after_crypto_erase_required(),
        )
        .value(
            "background_operation_control",
            page.background_operation_control(),
        )
        .value("fua_behavior", page.fua_behavior())
        .value(
            "verify_of_unmapped_supported",
            page.verify_of_unmapped_supported(),
        )
        .value(
            "depopulation_time_s",
            page.depopulation_time().map(|time| time.as_secs()),
        ))
}

fn provisioning(page: VpdPage<'_>) -> Result<Fields, Malformed> {
    let page = Provisioning.read(page)?;
    let reads = page.unmapped_reads();
    let kind = page.provisioning_type();
    Ok(Fields::default()
        .code("provisioning_type", kind.map(|kind| kind.0), kind)
        .value("unmap_supported", page.unmap_supported())
        .value("write_same_16_unmaps", page.write_same_16_unmaps())
        .value("write_same_10_unmaps", page.write_same_10_unmaps())
        .value(
            "unmapped_reads",
            reads.map(|reads| reads.name().unwrap_or(RESERVED)),
        )
        .value("anchor_supported", page.anchor_supported())
        .value("descriptor_present", page.descriptor_present())
        .value("threshold_exponent", page.threshold_exponent())
        .value("threshold_set_size", page.threshold_set_size())
        .value("threshold_percentage", page.threshold_percentage())
        .value("minimum_percentage", page.minimum_percentage())
        .item("group", Item::Group(page.group()?.as_ref().map(designator))))
}
