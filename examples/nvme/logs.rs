//! `smart`, `error-log`, `fw-log` and `effects`: log pages with all their
//! fields.

use passthru::nvme::{
    Malformed, NvmeStatus, Query, Queue,
    identify::CommandSet,
    log::{CommandEffects, Effects, FirmwareSlots, SmartHealth},
};

use crate::{
    meaning::{bytes, kelvin},
    value::{Fields, Row, Value, bits, explained, field, num, read, text},
};

type Smart = SmartHealth;

fn units(count: u128) -> String {
    bytes(count.saturating_mul(512_000))
}

/// SMART / Health Information, up to the sensors.
pub(crate) static SMART: &[Row<Smart>] = &[
    bits("critical_warning", 0, 1, "critical").means(|s| s.critical_warning().to_string()),
    num("temperature", 1, 2, "kelvin").means(|s| kelvin(s.temperature())),
    num("avail_spare", 3, 1, "spare capacity left, %"),
    num("spare_thresh", 4, 1, "warns below, %"),
    num("percent_used", 5, 1, "life used, %"),
    bits(
        "endurance_grp_critical_warning_summary",
        6,
        1,
        "critical in an endurance group",
    )
    .means(|s| s.endurance_group_warning().to_string()),
    num("data_units_read", 32, 16, "read, 512,000 bytes each")
        .means(|s| units(s.data_units_read())),
    num("data_units_written", 48, 16, "written, 512,000 bytes each")
        .means(|s| units(s.data_units_written())),
    num("host_read_commands", 64, 16, "read commands"),
    num("host_write_commands", 80, 16, "write commands"),
    num("controller_busy_time", 96, 16, "minutes with I/O"),
    num("power_cycles", 112, 16, "times powered on"),
    num("power_on_hours", 128, 16, "hours powered on"),
    num("unsafe_shutdowns", 144, 16, "power losses without notice"),
    num("media_errors", 160, 16, "errors of media or data integrity"),
    num("num_err_log_entries", 176, 16, "errors logged in its life"),
    num(
        "warning_temp_time",
        192,
        4,
        "minutes above the warning temperature",
    ),
    num(
        "critical_comp_time",
        196,
        4,
        "minutes above the critical temperature",
    ),
];

const SENSORS: [&str; 8] = [
    "temperature_sensor_1",
    "temperature_sensor_2",
    "temperature_sensor_3",
    "temperature_sensor_4",
    "temperature_sensor_5",
    "temperature_sensor_6",
    "temperature_sensor_7",
    "temperature_sensor_8",
];

/// What comes behind the sensors.
pub(crate) static THROTTLE: &[Row<Smart>] = &[
    num("thm_temp1_trans_count", 216, 4, "times slowed down lightly"),
    num("thm_temp2_trans_count", 220, 4, "times slowed down heavily"),
    num(
        "thm_temp1_total_time",
        224,
        4,
        "seconds slowed down lightly",
    ),
    num(
        "thm_temp2_total_time",
        228,
        4,
        "seconds slowed down heavily",
    ),
];

/// The fields of SMART / Health Information.
pub(crate) fn smart(reply: &[u8], for_people: bool) -> Result<Fields, Malformed> {
    let page = SmartHealth::page().parse(reply)?;
    let mut fields = read(SMART, reply, &page, for_people);
    for (number, key) in (1..).zip(SENSORS) {
        let sensor = page.sensor(number);
        let meaning = match sensor {
            Some(temperature) if for_people => format!("kelvin: {}", kelvin(temperature)),
            _ => String::new(),
        };
        fields.push(explained(key, Value::or_null(sensor), meaning));
    }
    fields.extend(read(THROTTLE, reply, &page, for_people));
    Ok(fields)
}

/// Whether the page is one that no drive gives.
pub(crate) fn smart_is_blank(reply: &[u8]) -> bool {
    SmartHealth::page()
        .parse(reply)
        .is_ok_and(|page| page.is_blank())
}

/// The bytes of one entry of the error log.
pub(crate) const ERROR: usize = 64;

static ERROR_ROWS: &[Row<NvmeStatus>] = &[
    num("error_count", 0, 8, "number of the error"),
    num("sqid", 8, 2, "submission queue"),
    bits("cmdid", 10, 2, "command identifier"),
    bits("status_field", 12, 2, "status").means(NvmeStatus::to_string),
    num("phase_tag", 12, 2, "phase tag"),
    bits(
        "parm_error_location",
        14,
        2,
        "byte and bit of the command that is wrong",
    ),
    num("lba", 16, 8, "first block with the error"),
    num("nsid", 24, 4, "namespace"),
    bits("vs", 28, 1, "log page of the vendor that says more"),
    num("trtype", 29, 1, "transport"),
    num("csi", 30, 1, "command set"),
    bits("opcode", 31, 1, "opcode"),
    bits("cs", 32, 8, "command specific"),
    bits("trtype_spec_info", 40, 2, "transport specific"),
    num("lpver", 63, 1, "version of the page"),
];

/// The entries of Error Information that are in use.
pub(crate) fn errors(reply: &[u8], for_people: bool) -> Fields {
    let entries = reply
        .chunks_exact(ERROR)
        .filter(|entry| entry.iter().take(8).any(|byte| *byte != 0));
    let list = entries.map(|entry| {
        let tagged = match entry {
            [_, _, _, _, _, _, _, _, _, _, _, _, low, high, ..] => {
                u16::from_le_bytes([*low, *high])
            }
            _ => 0,
        };
        let status = NvmeStatus::from_phase_tagged(tagged);
        let mut fields = read(ERROR_ROWS, entry, &status, for_people);
        for field in &mut fields {
            match (&*field.key, &mut field.value) {
                ("status_field", Value::Bits(number)) => *number >>= 1,
                ("phase_tag", Value::Number(number)) => *number &= 1,
                _ => {}
            }
        }
        Value::Object(fields)
    });
    let list = list.collect();
    vec![field("errors", Value::List(list))]
}

static FIRMWARE: &[Row<FirmwareSlots>] = &[
    bits("afi", 0, 1, "firmware").means(|f| match f.next() {
        Some(next) => format!("slot {} runs, slot {next} after the next reset", f.active()),
        None => format!("slot {} runs", f.active()),
    }),
    text("frs1", 8, 8, "revision in slot 1"),
    text("frs2", 16, 8, "revision in slot 2"),
    text("frs3", 24, 8, "revision in slot 3"),
    text("frs4", 32, 8, "revision in slot 4"),
    text("frs5", 40, 8, "revision in slot 5"),
    text("frs6", 48, 8, "revision in slot 6"),
    text("frs7", 56, 8, "revision in slot 7"),
];

/// The fields of Firmware Slot Information.
pub(crate) fn firmware(reply: &[u8], for_people: bool) -> Result<Fields, Malformed> {
    let page = FirmwareSlots::page().parse(reply)?;
    let mut fields = read(FIRMWARE, reply, &page, for_people);
    for field in &mut fields {
        if matches!(&field.value, Value::Text(text) if text.is_empty()) {
            field.value = Value::Null;
        }
    }
    Ok(fields)
}

/// The commands of a controller that Commands Supported and Effects names, by
/// opcode.
pub(crate) fn effects(
    reply: &[u8],
    set: CommandSet,
    for_people: bool,
) -> Result<Fields, Malformed> {
    let page = CommandEffects::page(set.raw()).parse(reply)?;
    let table = |queue| {
        let commands = (0..=u8::MAX).filter_map(|opcode| {
            let effects = page.of(queue, opcode);
            let words = if for_people {
                format!("{opcode:02x}h: {}", in_words(effects))
            } else {
                String::new()
            };
            let value = Value::Bits(effects.raw().into());
            (effects.raw() != 0).then(|| explained(opcode.to_string(), value, words))
        });
        Value::Object(commands.collect())
    };
    let admin = table(Queue::Admin);
    let io = table(Queue::Io);
    Ok(vec![
        explained("csi", set.raw(), set.to_string()),
        explained("acs", admin, "admin commands"),
        explained("iocs", io, "I/O commands"),
    ])
}

fn in_words(effects: Effects) -> String {
    let mut words = Vec::new();
    for (flag, word) in [
        (effects.changes_blocks(), "changes blocks"),
        (effects.changes_namespace(), "changes a namespace"),
        (
            effects.changes_inventory(),
            "changes which namespaces there are",
        ),
        (effects.changes_controller(), "changes the controller"),
        (effects.selects_uuid(), "takes a UUID index"),
    ] {
        if flag {
            words.push(word);
        }
    }
    match effects.exclusion() {
        1 => words.push("alone on the namespace"),
        2 => words.push("alone on all namespaces"),
        _ => {}
    }
    if !effects.is_supported() {
        words.push("not supported");
    }
    if words.is_empty() {
        words.push("no effects");
    }
    words.join(", ")
}
