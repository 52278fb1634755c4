//! What `nvme` makes of replies.

use std::collections::BTreeSet;

use passthru::nvme::identify::{CommandSet, ControllerData, NamespaceData};

use crate::{
    id_ctrl, id_ns, keys, logs, print,
    value::{Fields, Value, bits, explained, field, num, read, text},
};

fn json(fields: &Fields) -> serde_json::Value {
    let mut out = Vec::new();
    print::json(&mut out, fields).unwrap();
    assert!(out.is_ascii());
    serde_json::from_slice(&out).unwrap()
}

fn lines(fields: &Fields) -> String {
    let mut out = Vec::new();
    print::text(&mut out, fields).unwrap();
    String::from_utf8(out).unwrap()
}

/// Bytes that differ from one another for a while.
fn pattern(len: usize) -> Vec<u8> {
    (0..len)
        .map(|at| u8::try_from(at * 7 % 251).unwrap())
        .collect()
}

/// All keys, those within others too.
fn all_keys(value: &serde_json::Value, into: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                into.insert(key.clone());
                all_keys(value, into);
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| all_keys(value, into)),
        _ => {}
    }
}

/// What is printed is listed, and what is listed is printed; `prose` are the
/// words between the keys.
fn assert_documented(help: &str, fields: &Fields, prose: &str) {
    let mut printed = BTreeSet::new();
    all_keys(&json(fields), &mut printed);
    printed.insert("path".to_owned());
    let (_, list) = help.split_once("around them.\n").unwrap();
    let (list, _) = list.split_once("\nA failure").unwrap();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let listed: BTreeSet<String> = list
        .split(|c: char| !is_part(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let missing: Vec<_> = printed.difference(&listed).collect();
    assert!(missing.is_empty(), "not in --help: {missing:?}");
    let prose: BTreeSet<_> = prose.split_whitespace().map(str::to_owned).collect();
    let too_much: Vec<_> = listed
        .difference(&printed)
        .filter(|word| !prose.contains(*word))
        .collect();
    assert!(too_much.is_empty(), "never printed: {too_much:?}");
}

fn controller() -> Vec<u8> {
    let mut bytes = pattern(4096);
    bytes[4..24].copy_from_slice(b"S1\x1b[2J              ");
    bytes[24..64].copy_from_slice(format!("{:<40}", "A model \u{7f}").as_bytes());
    bytes[64..72].copy_from_slice(b"1.0\0\0\0\0\0");
    bytes[263] = 1;
    bytes[2048 + 3] = 0b11;
    bytes
}

#[test]
fn id_ctrl_is_what_the_library_says() {
    let bytes = controller();
    let data = ControllerData::parse(&bytes).unwrap();
    let object = json(&id_ctrl::fields(&bytes, false).unwrap());
    let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap();
    for (key, number) in [
        ("vid", u64::from(data.vendor_id())),
        ("ssvid", data.subsystem_vendor_id().into()),
        ("mdts", data.max_transfer_exponent().into()),
        ("cntlid", data.controller_id().into()),
        ("ver", data.version().raw().into()),
        ("rtd3r", micros(data.d3_resume_latency())),
        ("rtd3e", micros(data.d3_entry_latency())),
        ("oaes", data.async_events().bits().into()),
        ("ctratt", data.attributes().bits().into()),
        ("rrls", data.read_recovery_levels().into()),
        ("bpcap", data.boot_partition_capabilities().into()),
        ("nssl", micros(data.subsystem_shutdown_latency())),
        ("plsi", data.power_loss_signaling().into()),
        ("cntrltype", data.controller_type().raw().into()),
        ("crcap", data.reachability_capabilities().into()),
        ("nvmsr", data.subsystem_report().into()),
        ("mec", data.management_endpoints().into()),
        ("oacs", data.admin_commands().bits().into()),
        ("frmw", data.firmware_updates().into()),
        ("lpa", data.log_attributes().bits().into()),
        ("rpmbs", data.rpmb_support().into()),
        ("dsto", data.self_test_options().into()),
        ("fwug", data.firmware_granularity_raw().into()),
        ("sanicap", data.sanitize().bits().into()),
        ("hmmaxd", data.host_memory_descriptors().into()),
        ("nsetidmax", data.nvm_set_maximum().into()),
        ("endgidmax", data.endurance_group_maximum().into()),
        ("anacap", data.ana().bits().into()),
        ("anagrpmax", data.ana_group_maximum().into()),
        ("nanagrpid", data.ana_groups().into()),
        ("domainid", data.domain_id().into()),
        ("kpioc", data.key_per_io_capabilities().into()),
        ("maxcmd", data.max_outstanding().into()),
        ("nn", data.namespaces().into()),
        ("oncs", data.io_commands().bits().into()),
        ("fna", data.format_attributes().bits().into()),
        ("vwc", data.write_cache_raw().into()),
        ("nwpc", data.write_protection().bits().into()),
        ("ocfs", data.copy_formats().into()),
        ("sgls", data.sgl_support().into()),
        ("mnan", data.namespaces_maximum().into()),
        ("maxcna", data.attachments_maximum().into()),
        ("oaqd", data.optimal_queue_depth().into()),
        ("rhiri", data.refresh_interval().into()),
        ("hirt", data.refresh_time().into()),
        ("cmmrtd", data.tracking_descriptors().into()),
        ("minmrtg", data.tracking_granularity_minimum().into()),
        ("trattr", data.tracking_attributes().into()),
        ("mcudmq", data.migration_queues().into()),
        ("mcmr", data.data_queue_ranges().into()),
        ("mcdqpc", data.data_queue_prps().into()),
        ("msdbd", data.capsule_descriptors().into()),
        ("dctype", data.discovery_type().into()),
    ] {
        assert_eq!(object[key], number, "{key}");
    }
    for (key, capacity) in [
        ("tnvmcap", data.total_capacity()),
        ("unvmcap", data.unallocated_capacity()),
        ("megcap", data.endurance_group_capacity_maximum()),
        ("maxdna", data.domain_attachments_maximum()),
    ] {
        assert_eq!(object[key], capacity.to_string(), "{key}: above 64 bits");
    }
    assert_eq!(object["sn"], "S1\x1b[2J");
    assert_eq!(object["mn"], data.model());
    assert_eq!(object["fr"], "1.0");
    let oui = data.oui();
    let ieee = u64::from(u32::from_be_bytes([0, oui[0], oui[1], oui[2]]));
    assert_eq!(object["ieee"], ieee);
    assert_eq!(object["psds"].as_array().unwrap().len(), 2);
    let state = &object["psds"][0];
    assert_eq!(
        (&state["max_power_scale"], &state["non-operational_state"]),
        (&1.into(), &1.into())
    );
    let first = data.power_states().next().unwrap();
    assert_eq!(state["read_tput"], first.read_throughput());
    assert_eq!(state["write_lat"], first.write_latency());
    assert_eq!(state["active_power_work"], first.workload());
    assert_eq!(
        state["force_quiesce_vault_scale"],
        first.quiescence_vault().scale
    );
    assert_eq!(object["vs"].as_str().unwrap().len(), 2048);
}

#[test]
fn id_ns_is_what_the_library_says() {
    let mut bytes = pattern(4096);
    bytes[24] = 0xff;
    bytes[25] = 2;
    bytes[26] = 1;
    let data = NamespaceData::parse(&bytes).unwrap();
    let object = json(&id_ns::fields(&bytes, false).unwrap());
    for (key, number) in [
        ("nsze", data.size()),
        ("ncap", data.capacity()),
        ("nuse", data.utilization()),
        ("nsfeat", data.features().bits().into()),
        ("mc", data.metadata().bits().into()),
        ("dpc", data.protection_capabilities().bits().into()),
        ("nmic", data.sharing().bits().into()),
        ("rescap", data.reservations().bits().into()),
        ("nabo", data.atomic_boundary_offset().into()),
        ("mssrl", data.copy_range_maximum().into()),
        ("mcl", data.copy_maximum().into()),
        ("kpios", data.key_per_io().into()),
        ("anagrpid", data.ana_group().into()),
        ("nvmsetid", data.nvm_set().into()),
        ("endgid", data.endurance_group().into()),
    ] {
        assert_eq!(object[key], number, "{key}");
    }
    let formats = object["lbafs"].as_array().unwrap();
    assert_eq!(formats.len(), data.formats().count());
    let used: Vec<_> = formats
        .iter()
        .filter(|format| format["in_use"] == 1)
        .collect();
    assert_eq!(used.len(), 1);
    assert_eq!(
        (&used[0]["lbaf"], &used[0]["ds"]),
        (&1.into(), &bytes[134].into())
    );
    assert_eq!(object["eui64"].as_str().unwrap().len(), 16);
}

#[test]
fn people_get_what_programs_get_and_no_control_characters() {
    let bytes = controller();
    let programs = id_ctrl::fields(&bytes, false).unwrap();
    let people = id_ctrl::fields(&bytes, true).unwrap();
    let names = |fields: &Fields| -> Vec<_> {
        fields
            .iter()
            .map(|field| (field.key.clone(), field.value.clone()))
            .collect()
    };
    assert_eq!(names(&programs)[..100], names(&people)[..100]);
    let text = lines(&people);
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
    for key in ["oacs", "psds", "max_power", "subnqn"] {
        assert!(text.contains(key), "{text}");
    }
    let zero = id_ctrl::fields(&[0; 4096], true).unwrap();
    assert_eq!(json(&zero)["vs"], serde_json::Value::Null);
    assert!(id_ctrl::fields(&[0; 100], true).is_err());
    assert!(id_ns::fields(&[], true).is_err());
}

#[test]
fn keys_are_documented() {
    let nsid = |mut fields: Fields| {
        fields.push(field("nsid", 1_u32));
        fields
    };
    let fields = id_ctrl::fields(&controller(), false).unwrap();
    let prose = "the device as given array of byte with and vendor s 1024 bytes in hex null if they are zero";
    assert_documented(keys::ID_CTRL, &fields, prose);
    let fields = nsid(id_ns::fields(&pattern(4096), false).unwrap());
    let prose = "in hex array of its index 0 or 1 the vendor s 3712 bytes null if they are zero";
    assert_documented(keys::ID_NS, &fields, prose);
    let descriptors = [
        3, 16, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 4, 1, 0, 0, 2,
    ];
    let fields = nsid(id_ns::descriptors(&descriptors).unwrap());
    let prose = "array of its offset eui64 nguid uuid csi other a UUID in usual form others hex";
    assert_documented(keys::NS_DESCS, &fields, prose);
    let found = &json(&fields)["ns-descs"];
    assert_eq!(found[0]["nid"], "01020304-0506-0708-090a-0b0c0d0e0f10");
    assert_eq!(
        (&found[1]["loc"], &found[1]["nid"]),
        (&20.into(), &"02".into())
    );
    let fields = logs::smart(&pattern(512), false).unwrap();
    assert_documented(keys::SMART, &fields, "kelvin null no such sensor");
    let fields = logs::errors(&pattern(128), false);
    let prose = "array of the entries in use last error first 15 bits";
    assert_documented(keys::ERROR_LOG, &fields, prose);
    let fields = logs::firmware(&pattern(512), false).unwrap();
    assert_documented(keys::FW_LOG, &fields, "null the slot is empty");
    let fields = logs::effects(&[0; 4096], CommandSet::NVM, false).unwrap();
    let prose = "the command set objects for admin and I O commands opcode in decimal to effects \
                 those that have any";
    assert_documented(keys::EFFECTS, &fields, prose);
}

#[test]
fn logs_are_read_to_their_ends() {
    let smart = pattern(512);
    let object = json(&logs::smart(&smart, false).unwrap());
    let u32_at = |at: usize| u32::from_le_bytes(smart[at..at + 4].try_into().unwrap());
    assert_eq!(object["thm_temp2_total_time"], u32_at(228));
    assert_eq!(object["critical_comp_time"], u32_at(196));
    let counter = u128::from_le_bytes(smart[176..192].try_into().unwrap());
    assert_eq!(object["num_err_log_entries"], counter.to_string());
    assert!(logs::smart_is_blank(&[0; 512]) && !logs::smart_is_blank(&smart));
    let object = json(&logs::smart(&[0; 512], false).unwrap());
    assert!(object["temperature_sensor_8"].is_null());
    assert_eq!(object["power_on_hours"], 0);

    // Two entries of which one is in use: LBA out of range, do not retry.
    let mut errors = vec![0; 128];
    errors[64] = 9;
    errors[76..78].copy_from_slice(&0x8101_u16.to_le_bytes());
    let fields = logs::errors(&errors, true);
    let object = json(&fields);
    assert_eq!(object["errors"].as_array().unwrap().len(), 1);
    let error = &object["errors"][0];
    assert_eq!(
        (&error["status_field"], &error["phase_tag"]),
        (&0x4080.into(), &1.into())
    );
    assert!(
        lines(&fields).contains("LBA Out of Range"),
        "{}",
        lines(&fields)
    );

    let mut effects = vec![0; 4096];
    effects[4 * 6] = 1;
    effects[1024 + 4] = 3;
    let object = json(&logs::effects(&effects, CommandSet::NVM, false).unwrap());
    assert_eq!(object["acs"], serde_json::json!({"6": 1}));
    assert_eq!(object["iocs"], serde_json::json!({"1": 3}));
    let firmware = json(&logs::firmware(&[0; 512], true).unwrap());
    assert!(firmware["frs7"].is_null());
}

#[test]
fn values_as_json_and_text() {
    let rows = [
        num("n", 0, 16, "number"),
        bits("b", 0, 2, "bits"),
        text("t", 16, 4, "text"),
    ];
    let mut bytes = [0xff; 20];
    bytes[16..].copy_from_slice(b"\"\\ \0");
    let fields = read(&rows, &bytes, &(), true);
    let object = json(&fields);
    assert_eq!(object["n"], u128::MAX.to_string());
    assert_eq!(object["b"], 0xffff);
    assert_eq!(object["t"], "\"\\");
    assert!(lines(&fields).contains("0xffff"));
    bytes[8..16].fill(0);
    assert_eq!(json(&read(&rows, &bytes, &(), false))["n"], u64::MAX);
    // What a short reply does not have is null, not zero.
    assert!(json(&read(&rows, &bytes[..17], &(), false))["t"].is_null());
    let fields = vec![
        field(
            "list",
            Value::List(vec![Value::Null, true.into(), Value::List(Vec::new())]),
        ),
        explained("object", Value::Object(Vec::new()), "empty"),
    ];
    let expected = serde_json::json!({"list": [null, true, []], "object": {}});
    assert_eq!(json(&fields), expected);
    assert_eq!(crate::meaning::bytes(15_362_991_415_296), "15.3 TB");
    assert_eq!(crate::meaning::bytes(999), "999 bytes");
    assert_eq!(crate::meaning::kelvin(303), "30 C");
    assert_eq!(crate::meaning::watts(Some(8_500_000)), "8.5000 W");
}
