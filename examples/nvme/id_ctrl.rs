//! `id-ctrl`: the Identify Controller data structure. NVMe Base 2.1, Figure 312.

use passthru::nvme::{
    Malformed,
    identify::{ControllerData, PowerState},
};

use crate::{
    meaning::{bytes, flags, maybe_kelvin, time, watts, yes},
    value::{Fields, Row, Value, bits, field, num, read, text, uuid_at},
};

type Data = ControllerData;

/// All but the power states and what is the vendor's.
pub(crate) static ROWS: &[Row<Data>] = &[
    bits("vid", 0, 2, "PCI vendor"),
    bits("ssvid", 2, 2, "PCI subsystem vendor"),
    text("sn", 4, 20, "serial number"),
    text("mn", 24, 40, "model"),
    text("fr", 64, 8, "firmware revision"),
    num("rab", 72, 1, "arbitration burst").means(|c| format!("{} commands", c.arbitration_burst())),
    bits("ieee", 73, 3, "IEEE identifier of the vendor"),
    bits("cmic", 76, 1, "sharing").means(|c| flags(&c.sharing())),
    num("mdts", 77, 1, "longest transfer").means(|c| match c.max_transfer(4096) {
        Some(most) => format!("{most} bytes, if its least page is 4096"),
        None => "no limit".to_owned(),
    }),
    num("cntlid", 78, 2, "controller identifier"),
    bits("ver", 80, 4, "version").means(|c| c.version().to_string()),
    num("rtd3r", 84, 4, "time to leave D3cold").means(|c| time(c.d3_resume_latency())),
    num("rtd3e", 88, 4, "time to enter D3cold").means(|c| time(c.d3_entry_latency())),
    bits("oaes", 92, 4, "asynchronous events").means(|c| flags(&c.async_events())),
    bits("ctratt", 96, 4, "attributes").means(|c| flags(&c.attributes())),
    bits("rrls", 100, 2, "read recovery levels"),
    bits("bpcap", 102, 1, "boot partitions"),
    num("nssl", 104, 4, "time to shut down").means(|c| time(c.subsystem_shutdown_latency())),
    bits("plsi", 110, 1, "power loss signaling"),
    num("cntrltype", 111, 1, "type").means(|c| c.controller_type().to_string()),
    uuid_at("fguid", 112, "identifier of the field replaceable unit"),
    num("crdt1", 128, 2, "command retry delay 1").means(|c| time(c.retry_delay(1))),
    num("crdt2", 130, 2, "command retry delay 2").means(|c| time(c.retry_delay(2))),
    num("crdt3", 132, 2, "command retry delay 3").means(|c| time(c.retry_delay(3))),
    bits("crcap", 134, 1, "reachability"),
    bits("nvmsr", 253, 1, "NVM subsystem report"),
    num("vwci", 254, 1, "writes of vital product data left").means(|c| {
        c.vpd_writes_left()
            .map_or("not known".to_owned(), |left| left.to_string())
    }),
    bits("mec", 255, 1, "management endpoints"),
    bits("oacs", 256, 2, "admin commands").means(|c| flags(&c.admin_commands())),
    num("acl", 258, 1, "abort limit").means(|c| c.abort_limit().to_string()),
    num("aerl", 259, 1, "limit of asynchronous events")
        .means(|c| c.async_event_limit().to_string()),
    bits("frmw", 260, 1, "firmware").means(|c| {
        let fixed = if c.first_slot_read_only() {
            ", the first read-only"
        } else {
            ""
        };
        format!("{} slots{fixed}", c.firmware_slots())
    }),
    bits("lpa", 261, 1, "log pages").means(|c| flags(&c.log_attributes())),
    num("elpe", 262, 1, "error log").means(|c| format!("{} entries", c.error_log_entries())),
    num("npss", 263, 1, "power states").means(|c| c.power_states().len().to_string()),
    bits(
        "avscc",
        264,
        1,
        "admin vendor commands in the standard's format",
    )
    .means(|c| yes(c.admin_vendor_standard_format())),
    bits("apsta", 265, 1, "autonomous power states").means(|c| yes(c.autonomous_power())),
    num("wctemp", 266, 2, "warning temperature").means(|c| maybe_kelvin(c.warning_temperature())),
    num("cctemp", 268, 2, "critical temperature").means(|c| maybe_kelvin(c.critical_temperature())),
    num("mtfa", 270, 2, "time to activate firmware").means(|c| time(c.firmware_activation_time())),
    num("hmpre", 272, 4, "preferred host memory")
        .means(|c| bytes(c.host_memory_preferred().into())),
    num("hmmin", 276, 4, "least host memory").means(|c| bytes(c.host_memory_minimum().into())),
    num("tnvmcap", 280, 16, "capacity").means(|c| bytes(c.total_capacity())),
    num("unvmcap", 296, 16, "capacity not allocated").means(|c| bytes(c.unallocated_capacity())),
    bits("rpmbs", 312, 4, "replay protected memory blocks").means(|c| yes(c.rpmb().is_some())),
    num("edstt", 316, 2, "extended self-test").means(|c| time(c.extended_self_test_time())),
    bits("dsto", 318, 1, "self-test options"),
    num("fwug", 319, 1, "firmware granularity").means(|c| match c.firmware_granularity() {
        Some(unit) => bytes(unit.into()),
        None => "none".to_owned(),
    }),
    num("kas", 320, 2, "keep alive granularity").means(|c| time(c.keep_alive_granularity())),
    bits("hctma", 322, 2, "host controlled thermal management")
        .means(|c| yes(c.host_thermal_management())),
    num("mntmt", 324, 2, "its least temperature")
        .means(|c| maybe_kelvin(c.thermal_management_minimum())),
    num("mxtmt", 326, 2, "its greatest temperature")
        .means(|c| maybe_kelvin(c.thermal_management_maximum())),
    bits("sanicap", 328, 4, "sanitize").means(|c| flags(&c.sanitize())),
    num("hmminds", 332, 4, "least entry of host memory")
        .means(|c| bytes(c.host_memory_descriptor_minimum().into())),
    num("hmmaxd", 336, 2, "most entries of host memory"),
    num("nsetidmax", 338, 2, "greatest NVM set"),
    num("endgidmax", 340, 2, "greatest endurance group"),
    num("anatt", 342, 1, "time of an ANA transition").means(|c| time(c.ana_transition_time())),
    bits("anacap", 343, 1, "asymmetric access").means(|c| flags(&c.ana())),
    num("anagrpmax", 344, 4, "greatest ANA group"),
    num("nanagrpid", 348, 4, "ANA groups"),
    num("pels", 352, 4, "persistent event log")
        .means(|c| bytes(c.persistent_event_log_size().into())),
    num("domainid", 356, 2, "domain"),
    bits("kpioc", 358, 1, "key per I/O"),
    num("mptfawr", 360, 2, "time to activate firmware without reset")
        .means(|c| time(c.firmware_activation_processing_time())),
    num("megcap", 368, 16, "greatest endurance group")
        .means(|c| bytes(c.endurance_group_capacity_maximum())),
    num("tmpthha", 384, 1, "temperature hysteresis"),
    num("cqt", 386, 2, "time to be quiet").means(|c| time(c.command_quiesce_time())),
    bits("sqes", 512, 1, "submission queue entry").means(|c| {
        let (least, most) = c.submission_entry_sizes();
        format!("{least} to {most} bytes")
    }),
    bits("cqes", 513, 1, "completion queue entry").means(|c| {
        let (least, most) = c.completion_entry_sizes();
        format!("{least} to {most} bytes")
    }),
    num("maxcmd", 514, 2, "most commands in flight"),
    num("nn", 516, 4, "greatest namespace identifier"),
    bits("oncs", 520, 2, "I/O commands").means(|c| flags(&c.io_commands())),
    bits("fuses", 522, 2, "fused compare and write").means(|c| yes(c.fused_compare_write())),
    bits("fna", 524, 1, "format").means(|c| flags(&c.format_attributes())),
    bits("vwc", 525, 1, "volatile write cache").means(|c| yes(c.has_write_cache())),
    num("awun", 526, 2, "atomic write").means(|c| format!("{} blocks", c.atomic_write_normal())),
    num("awupf", 528, 2, "atomic at power failure")
        .means(|c| format!("{} blocks", c.atomic_write_power_fail())),
    bits(
        "icsvscc",
        530,
        1,
        "I/O vendor commands in the standard's format",
    )
    .means(|c| yes(c.io_vendor_standard_format())),
    bits("nwpc", 531, 1, "write protection").means(|c| flags(&c.write_protection())),
    num("acwu", 532, 2, "atomic compare and write")
        .means(|c| format!("{} blocks", c.atomic_compare_write())),
    bits("ocfs", 534, 2, "copy formats"),
    bits("sgls", 536, 4, "scatter gather lists").means(|c| yes(c.has_sgls())),
    num("mnan", 540, 4, "most namespaces"),
    num("maxdna", 544, 16, "most attachments in the domain"),
    num("maxcna", 560, 4, "most attachments here"),
    num("oaqd", 564, 4, "optimal queue depth"),
    num("rhiri", 568, 1, "refresh interval"),
    num("hirt", 569, 1, "refresh time"),
    num("cmmrtd", 570, 2, "tracking descriptors"),
    num("nmmrtd", 572, 2, "tracking descriptors of the subsystem"),
    num("minmrtg", 574, 1, "least tracking granularity"),
    num("maxmrtg", 575, 1, "greatest tracking granularity"),
    bits("trattr", 576, 1, "tracking"),
    num("mcudmq", 578, 2, "migration queues"),
    num("mnsudmq", 580, 2, "migration queues of the subsystem"),
    num("mcmr", 582, 2, "data queue ranges"),
    num("nmcmr", 584, 2, "data queue ranges of the subsystem"),
    num("mcdqpc", 586, 2, "PRPs of a data queue"),
    text("subnqn", 768, 256, "NVMe qualified name of the subsystem"),
    num("ioccsz", 1792, 4, "command capsule").means(|c| bytes(c.command_capsule_size().into())),
    num("iorcsz", 1796, 4, "response capsule").means(|c| bytes(c.response_capsule_size().into())),
    num("icdoff", 1800, 2, "data in a capsule begins at")
        .means(|c| format!("byte {}", c.capsule_data_offset())),
    bits("fcatt", 1802, 1, "static controllers").means(|c| yes(c.static_controllers())),
    num("msdbd", 1803, 1, "SGL descriptors in a capsule"),
    bits("ofcs", 1804, 2, "fabrics commands: disconnect").means(|c| yes(c.disconnect())),
    num("dctype", 1806, 1, "discovery controller"),
];

/// A power state descriptor.
static POWER: &[Row<PowerState>] = &[
    num("max_power", 0, 2, "most power").means(|p| watts(p.max_power())),
    bits("flags", 3, 1, "the two that follow, as they come"),
    num("max_power_scale", 3, 1, "its unit: 0 0.01 W, 1 0.0001 W"),
    num("non-operational_state", 3, 1, "takes I/O commands").means(|p| yes(p.is_operational())),
    num("entry_lat", 4, 4, "time to enter").means(|p| time(p.entry_latency())),
    num("exit_lat", 8, 4, "time to leave").means(|p| time(p.exit_latency())),
    num("read_tput", 12, 1, "rank of read throughput"),
    num("read_lat", 13, 1, "rank of read latency"),
    num("write_tput", 14, 1, "rank of write throughput"),
    num("write_lat", 15, 1, "rank of write latency"),
    num("idle_power", 16, 2, "idle power").means(|p| watts(p.idle_power())),
    num("idle_scale", 18, 1, "its unit: 1 0.0001 W, 2 0.01 W"),
    num("active_power", 20, 2, "active power").means(|p| watts(p.active_power())),
    num("active_power_work", 22, 1, "workload"),
    num("active_scale", 22, 1, "unit of active power"),
    num(
        "emerg_power_fail_recover_time",
        23,
        1,
        "ready after a power failure",
    ),
    num("emerg_power_fail_recover_scale", 26, 1, "its unit"),
    num(
        "force_quiesce_vault_time",
        24,
        1,
        "saves its data when forced quiet",
    ),
    num("force_quiesce_vault_scale", 26, 1, "its unit"),
    num(
        "emerg_power_fail_vault_time",
        25,
        1,
        "saves its data in a power failure",
    ),
    num("emerg_power_fail_vault_scale", 27, 1, "its unit"),
];

/// What shares a byte with another field: its first bit and its mask.
const PARTS: [(&str, u32, u128); 11] = [
    ("max_power_scale", 0, 1),
    ("non-operational_state", 1, 1),
    ("read_tput", 0, 0x1f),
    ("read_lat", 0, 0x1f),
    ("write_tput", 0, 0x1f),
    ("write_lat", 0, 0x1f),
    ("idle_scale", 6, 3),
    ("active_power_work", 0, 7),
    ("active_scale", 6, 3),
    ("emerg_power_fail_recover_scale", 0, 0x0f),
    ("force_quiesce_vault_scale", 4, 0x0f),
];

/// The fields of Identify Controller.
pub(crate) fn fields(reply: &[u8], for_people: bool) -> Result<Fields, Malformed> {
    let data = ControllerData::parse(reply)?;
    let mut fields = read(ROWS, reply, &data, for_people);
    let descriptors = reply.get(2048..3072).unwrap_or_default().chunks_exact(32);
    let states = data.power_states().zip(descriptors);
    let states = states.map(|(state, bytes)| Value::Object(power(&state, bytes, for_people)));
    fields.push(field("psds", Value::List(states.collect())));
    fields.push(field("vs", Value::bytes(data.vendor_specific())));
    Ok(fields)
}

fn power(state: &PowerState, bytes: &[u8], for_people: bool) -> Fields {
    let mut fields = read(POWER, bytes, state, for_people);
    for field in &mut fields {
        let part = PARTS.iter().find(|(key, ..)| *key == field.key);
        if let (Some((_, shift, mask)), Value::Number(number)) = (part, &mut field.value) {
            *number = *number >> shift & mask;
        }
    }
    fields
}
