//! The tables of the bench `copy`, and what it asks of them.

use super::gate::{Gate, Limit};

/// The one that cannot do its job: a block, bsg or sg node takes pages of a mapping only if they have been touched, and
/// it touches none. Its row says how it failed.
pub(super) const MAY_FAIL: &str = "sgm_dd dio";

const COPIES: &[&str] = &[
    "copy",
    "copy, 2 targets",
    "c loop",
    "c loop, 2 targets",
    "rust loop",
    "rust loop, 2 targets",
    "sgm_dd",
    "sg_dd",
    "sgp_dd, 4 threads",
    MAY_FAIL,
    "sg_dd dio",
    "dd buffered",
    "dd direct",
];

const SLOW_COPIES: &[&str] = &[
    "copy, 4 workers",
    "copy, 1 worker",
    "c loop, 4 workers",
    "rust loop, 4 workers",
    "sgm_dd",
    "sgp_dd, 4 threads",
];

/// A table: the first word of its lines, its title, its rows, and the row that the others are compared with.
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) rows: &'static [&'static str],
    pub(super) base: &'static str,
}

pub(super) const SECTIONS: [Section; 10] = [
    Section {
        name: "64k",
        title: "Copy of 64 MiB, 64 KiB in a command",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "64k-whole",
        title: "The same, each program from its start to its end",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "256k",
        title: "Copy of 64 MiB, 256 KiB in a command",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "256k-whole",
        title: "The same, each program from its start to its end",
        rows: COPIES,
        base: "copy",
    },
    Section {
        name: "slow-64k",
        title: "From and to drives that take 100 us for a command, 64 KiB in a command",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "slow-64k-whole",
        title: "The same, each program from its start to its end",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "slow-256k",
        title: "The same drives, 256 KiB in a command",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "slow-256k-whole",
        title: "The same, each program from its start to its end",
        rows: SLOW_COPIES,
        base: "copy, 4 workers",
    },
    Section {
        name: "read",
        title: "Reading 64 MiB from a block node, 64 KiB at a time",
        rows: &[
            "buffered",
            "O_DIRECT",
            "SG_IO, odd",
            "SG_IO, 8 bytes off",
            "SG_IO aligned",
            "passthru",
        ],
        base: "passthru",
    },
    Section {
        name: "lock",
        title: "The same by SG_IO into anonymous pages, locked or not",
        rows: &[
            "one buffer",
            "one, MAP_LOCKED",
            "new each time",
            "new, MAP_LOCKED",
        ],
        base: "one buffer",
    },
];

const fn gate(section: &'static str, ours: &'static str, base: &'static str, limit: Limit) -> Gate {
    Gate {
        section,
        ours,
        base,
        limit,
    }
}

/// What the figures shall be.
pub(super) const GATES: [Gate; 9] = [
    gate("64k", "copy", "sgm_dd", Limit::FasterBy(3.0)),
    gate("256k", "copy", "sgm_dd", Limit::FasterBy(4.4)),
    gate("64k", "copy", "c loop", Limit::AtMost(1.05)),
    gate("256k", "copy", "c loop", Limit::AtMost(1.05)),
    gate("64k", "copy, 2 targets", "copy", Limit::AtMost(1.7)),
    gate("256k", "copy, 2 targets", "copy", Limit::AtMost(1.7)),
    gate(
        "slow-64k",
        "copy, 4 workers",
        "sgm_dd",
        Limit::FasterBy(4.5),
    ),
    gate(
        "slow-64k",
        "copy, 4 workers",
        "sgp_dd, 4 threads",
        Limit::FasterBy(4.3),
    ),
    gate(
        "slow-256k",
        "copy, 4 workers",
        "sgm_dd",
        Limit::FasterBy(5.2),
    ),
];
