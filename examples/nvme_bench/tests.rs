//! What `nvme_bench` plans, refuses and tells.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::{Duration, Instant},
};

use clap::Parser;
use passthru::{Error, device::RingFlags, nvme::Format};
use serde_json::Value;

use crate::{
    arguments::{Cli, Mode},
    drive::{Refusal, Shape, polling_is_fatal},
    guard::mount_point,
    latency::Latency,
    plan::{Places, Share, deal, part_of},
    problem::ERROR_KEYS,
    report::{JSON_KEYS, Report, names},
    tally::{Count, Tally},
};

fn cli(arguments: &[&str]) -> Cli {
    let words = [&["nvme_bench", "/dev/ng0n1"], arguments].concat();
    Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

#[test]
fn what_is_not_given_has_a_sensible_value() {
    let plain = cli(&[]);
    plain.check().unwrap();
    assert_eq!(
        (plain.rw, plain.bs, plain.depth),
        (Mode::Randread, 4096, 128)
    );
    assert_eq!((plain.batch(), plain.complete()), (32, 32));
    assert_eq!(plain.time(), Some(Duration::from_secs(5)));
    let shallow = cli(&["--depth", "4"]);
    assert_eq!((shallow.batch(), shallow.complete()), (4, 4));
    let counted = cli(&["--count", "1", "--batch", "64", "--complete", "1"]);
    assert_eq!((counted.time(), counted.count), (None, Some(1)));
    assert_eq!((counted.batch(), counted.complete()), (64, 1));
    let short = cli(&["--seconds", "0.25"]);
    assert_eq!(short.time(), Some(Duration::from_millis(250)));
    for (text, bytes) in [
        ("512", 512),
        ("4k", 4096),
        ("128K", 131_072),
        ("1M", 1 << 20),
    ] {
        assert_eq!(cli(&["--bs", text]).bs, bytes);
    }
}

#[test]
fn writing_takes_both_the_mode_and_the_word() {
    let refusal = |arguments: &[&str]| cli(arguments).check().unwrap_err().message;
    for mode in ["write", "randwrite"] {
        assert!(refusal(&["--rw", mode]).contains("add --write"));
        cli(&["--rw", mode, "--write"]).check().unwrap();
    }
    assert!(refusal(&["--write"]).contains("only reads"));
    assert!(refusal(&["--write", "--rw", "read"]).contains("only reads"));
    assert!(refusal(&["--depth", "4", "--batch", "5"]).contains("--batch"));
    assert!(refusal(&["--depth", "4", "--complete", "5"]).contains("--complete"));
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_sent() {
    let plain = Format::new(512);
    let of = |format: &Format, bs, limit| Shape::new(format, 1000, bs, limit);
    let shape = of(&plain, 4096, Some(4096)).unwrap();
    assert_eq!((shape.blocks, shape.len), (8, 4096));
    let usage = |made: Result<Shape, Refusal>| match made.unwrap_err() {
        Refusal::Usage(why) => why,
        other => panic!("{other:?}"),
    };
    for bs in [1, 100, 511, 513, 4095] {
        assert!(usage(of(&plain, bs, None)).contains("its block size, 512"));
    }
    assert!(usage(of(&Format::new(0), 512, None)).contains("block size"));
    assert!(usage(of(&plain, 8192, Some(4096))).contains("4096 bytes"));
    assert!(usage(of(&plain, 1001 * 512, None)).contains("1000 blocks"));
    let large = Shape::new(&plain, u64::MAX, 65537 * 512, None);
    assert!(usage(large).contains("65536 blocks"));

    // Metadata that is moved with the data counts for the limit, not for --bs.
    let extended = Format::new(512).metadata(16, true);
    let shape = of(&extended, 4096, Some(8 * 528)).unwrap();
    assert_eq!((shape.blocks, shape.len, shape.metadata), (8, 4224, 16));
    assert!(usage(of(&extended, 4096, Some(4096))).contains("4224 bytes with metadata"));
    assert!(usage(of(&extended, 528, None)).contains("multiple"));
    match of(&Format::new(512).metadata(8, false), 4096, None).unwrap_err() {
        Refusal::Unsupported(why) => assert!(why.contains("8 bytes of separate metadata")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_kernel_that_crashes_is_not_polled_by_several_threads() {
    assert!(polling_is_fatal("6.1.0-57-amd64"));
    for release in [
        "6.12.117+deb12-amd64",
        "6.10.1",
        "6.2.0",
        "5.19",
        "16.1.2",
        "",
    ] {
        assert!(!polling_is_fatal(release), "{release}");
    }
}

#[test]
fn random_places_are_all_reached_and_none_beyond_the_end() {
    for (size, blocks) in [(8, 8), (15, 8), (1000, 8), (1000, 7), (131_072, 1)] {
        let mut places = Places::random(size, blocks, 7);
        let count = size / u64::from(blocks);
        let mut found = BTreeSet::new();
        for _ in 0..count * 20 {
            let slba = places.next();
            assert_eq!(slba % u64::from(blocks), 0);
            assert!(slba + u64::from(blocks) <= size, "{slba} of {size}");
            found.insert(slba);
        }
        assert!(
            found.len() as u64 >= count * 99 / 100,
            "{size}: {}",
            found.len()
        );
    }
    let mut last = Places::random(u64::MAX, 65536, 1);
    assert!((0..1000).all(|_| last.next() <= u64::MAX - 65536));
    // Threads do not all read the same.
    let [mut a, mut b] = [1, 2].map(|seed| Places::random(1 << 40, 8, seed));
    assert!((0..100).all(|_| a.next() != b.next()));
}

#[test]
fn rising_places_wrap_within_the_threads_part() {
    let share = |part, parts| Share {
        device: 0,
        part,
        parts,
    };
    let first = |size, blocks, share: Share, count: usize| {
        let mut places = Places::rising(size, blocks, &share);
        (0..count).map(|_| places.next()).collect::<Vec<_>>()
    };
    assert_eq!(
        first(30, 8, share(0, 1), 5),
        [0, 8, 16, 0, 8],
        "a rest of 6"
    );
    assert_eq!(first(8, 8, share(0, 1), 3), [0, 0, 0]);
    assert_eq!(first(40, 8, share(0, 2), 3), [0, 8, 0]);
    assert_eq!(first(40, 8, share(1, 2), 4), [16, 24, 32, 16]);
    // More threads than places.
    for part in 0..5 {
        let places = first(16, 8, share(part, 5), 4);
        assert!(
            places.iter().all(|slba| [0, 8].contains(slba)),
            "{places:?}"
        );
    }
    for parts in 1..20 {
        let all: BTreeSet<_> = (0..parts)
            .flat_map(|part| first(1000, 8, share(part, parts), 125))
            .collect();
        assert_eq!(all.len(), 125, "{parts}: all places, and no other");
        assert_eq!(all.last(), Some(&992));
    }
    let last = first(u64::MAX, 1, share(1023, 1024), 2);
    assert!(last.iter().all(|slba| *slba > u64::MAX / 1024 * 1022));
}

#[test]
fn devices_are_dealt_out() {
    let dealt = |threads, devices| {
        deal(threads, devices)
            .iter()
            .map(|hand| hand.iter().map(|share| share.device).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(dealt(1, 1), [[0]]);
    assert_eq!(dealt(1, 3), [[0, 1, 2]]);
    assert_eq!(dealt(2, 3), [vec![0, 2], vec![1]]);
    assert_eq!(dealt(3, 1), [[0], [0], [0]]);
    assert_eq!(dealt(5, 2), [[0], [0], [0], [1], [1]]);
    assert_eq!(dealt(4, 2), [[0], [0], [1], [1]]);
    assert_eq!(deal(2, 0), [vec![], vec![]]);
    for threads in 1..9 {
        for devices in 1..9 {
            let mut parts = BTreeMap::<usize, BTreeSet<u64>>::new();
            for share in deal(threads, devices).iter().flatten() {
                assert!(share.part < share.parts);
                assert!(parts.entry(share.device).or_default().insert(share.part));
            }
            assert_eq!(parts.len(), devices, "{threads} threads");
        }
    }
    for (count, threads) in [(10, 3), (2, 3), (7, 7), (u64::MAX, 3)] {
        let parts = (0..threads).map(|thread| part_of(count, thread, threads));
        assert_eq!(parts.sum::<u64>(), count);
    }
}

fn latencies(values: impl IntoIterator<Item = u64>) -> Latency {
    let mut latency = Latency::new().unwrap();
    values.into_iter().for_each(|value| latency.record(value));
    latency
}

fn about(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() < 0.002, "{value} {expected}");
}

#[test]
fn percentiles_are_those_of_all_threads() {
    // 1 to 100,000 ns, by two threads, some several times in a row.
    let mut all = latencies(1..=50_000);
    all.add(latencies((50_001..=100_000).rev()));
    let told = all.summary().to_json();
    assert_eq!(told["count"], 100_000);
    assert_eq!(told["min"], 1);
    for (key, expected) in [
        ("mean", 50_000.0),
        ("p50", 50_000.0),
        ("p90", 90_000.0),
        ("p99", 99_000.0),
        ("p99_9", 99_900.0),
        ("p99_99", 99_990.0),
        ("max", 100_000.0),
    ] {
        about(&told[key], expected);
    }
    let batches = latencies([700, 700, 700, 900, 700]).summary();
    assert_eq!((batches.count, batches.min, batches.max), (5, 700, 900));
    let text = batches.text().join(", ");
    assert!(
        text.starts_with("min 700 ns, mean 740 ns, 50 % 700 ns"),
        "{text}"
    );
    let slow = latencies([12_345_678, 99_000_000_000]).summary().text();
    let slow = slow.join(", ");
    assert!(
        slow.starts_with("min 12.3 ms") && slow.ends_with("max 99.0 s"),
        "{slow}"
    );
    let longer = latencies([1, u64::MAX]).summary();
    assert_eq!(
        (longer.count, longer.max),
        (2, u64::MAX),
        "than is told apart"
    );
    let one = latencies([4_732_901]).summary();
    assert_eq!(
        (one.min, one.mean, one.max),
        (4_732_901, 4_732_901, 4_732_901)
    );
    assert_eq!(one.percentiles, [4_732_901; 5]);
    assert!(latencies([]).summary().to_json().is_null());
    assert!(latencies([]).summary().text().is_empty());
}

fn tally(good: u64, system_calls: u64) -> Tally {
    let begun = Instant::now();
    let count = Count { good, failed: 0 };
    Tally {
        flags: RingFlags::SINGLE_ISSUER | RingFlags::DEFER_TASKRUN,
        begun,
        ended: begun + Duration::from_secs(2),
        devices: [(0, count)].into(),
        latency: Some(latencies((0..good).map(|_| 1000))),
        system_calls,
        causes: BTreeMap::new(),
        problem: None,
    }
}

fn gone() -> Error {
    Error::Gone {
        path: "/dev/ng0n1".into(),
        cdb: None,
        sent: false,
        source: std::io::Error::from_raw_os_error(6),
    }
}

/// All keys, those within others too.
fn all_keys(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                into.insert(key.clone());
                all_keys(value, into);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| all_keys(value, into)),
        _ => {}
    }
}

#[test]
fn the_report_adds_threads_up_and_all_its_keys_are_listed() {
    let arguments = cli(&["--threads", "2"]);
    let mut failing = tally(1000, 40);
    assert!(!failing.failed(gone()), "others would not do better");
    assert!(!failing.failed(gone()));
    failing.devices = [(
        0,
        Count {
            good: 998,
            failed: 2,
        },
    )]
    .into();
    let report = Report::new(&arguments, &[], vec![tally(3000, 60), failing], true);
    let told = report.to_json();
    assert_eq!(
        (&told["commands"], &told["errors"]),
        (&4000.into(), &2.into())
    );
    about(&told["iops"], 1999.0);
    about(&told["bytes_per_second"], 1999.0 * 4096.0);
    about(&told["system_calls_per_command"], 0.025);
    about(&told["threads"][0]["iops"], 1500.0);
    assert_eq!(told["threads"][1]["thread"], 1);
    assert_eq!(told["statuses"][0]["commands"], 2);
    assert_eq!(told["error"]["kind"], "gone");
    assert_eq!(told["interrupted"], true);
    assert_eq!(told["ring_flags"], told["threads"][0]["ring_flags"]);
    assert_eq!(
        told["ring_flags"],
        serde_json::json!(["single_issuer", "defer_taskrun"])
    );

    let mut keys = BTreeSet::new();
    all_keys(&told, &mut keys);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let help = [JSON_KEYS, ERROR_KEYS].concat();
    let listed: BTreeSet<_> = help.split(|c: char| !is_part(c)).collect();
    for key in keys {
        assert!(listed.contains(&*key), "{key} is not listed");
    }
    for name in names(RingFlags::all()) {
        assert!(listed.contains(&*name), "{name} is not listed");
    }

    let mut text = Vec::new();
    report.print(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    for part in [
        "single_issuer defer_taskrun",
        "4000 commands",
        "2 errors, interrupted",
        "0.0250 a command",
        "thread 1",
        "error         2 times: No such device or address",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn nothing_measured_is_no_division_by_zero() {
    let arguments = cli(&["--no-latency"]);
    let mut none = tally(0, 0);
    (none.ended, none.latency) = (none.begun, None);
    for tallies in [vec![none], vec![]] {
        let told = Report::new(&arguments, &[], tallies, false).to_json();
        assert_eq!(told["iops"], 0.0);
        assert_eq!(told["system_calls_per_command"], 0.0);
        assert!(told["latency"].is_null() && told["error"].is_null());
    }
}

#[test]
fn mounts_are_found_by_number_and_by_source() {
    let lines = "22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n\
                 30 22 0:45 / /mnt/two\\040words rw - btrfs /dev/nvme0n1p1 rw\n";
    let by = |wanted: &str| mount_point(lines, |number, source| [number, source].contains(&wanted));
    assert_eq!(by("259:1").as_deref(), Some("/"));
    assert_eq!(by("/dev/nvme0n1p1").as_deref(), Some("/mnt/two\\040words"));
    assert_eq!(by("259:2"), None);
    assert_eq!(mount_point("nonsense\n1 2 3\n - \n", |_, _| true), None);
    assert!(crate::guard::Disk::of(Path::new("/dev/null"), 1).is_none());
}
