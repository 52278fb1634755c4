//! The outcome of a command for programs.

use passthru::{IoPath, Outcome, Verdict};
use serde_json::{Value, json};

use crate::output::hex_string;

/// Everything that an outcome holds; sense data is null when there was none.
pub(crate) fn to_json(outcome: &Outcome) -> Value {
    let (status, host, driver) = (outcome.status(), outcome.host(), outcome.driver());
    json!({
        "verdict": verdict_name(outcome.verdict()),
        "status": status.0,
        "status_name": status.name(),
        "host_status": host.0,
        "host_status_name": host.name(),
        "driver_status": driver.0,
        "driver_status_name": driver.name(),
        "sense": sense_json(outcome),
        "requested": outcome.requested(),
        "transferred": outcome.transferred(),
        "claimed": outcome.claimed(),
        "residual": outcome.residual(),
        "duration_ms": outcome.duration().map(|time| u64::try_from(time.as_millis()).ok()),
        "io_path": io_path_name(outcome.io_path()),
    })
}

fn sense_json(outcome: &Outcome) -> Value {
    if outcome.sense_bytes().is_empty() {
        return Value::Null;
    }
    let sense = outcome.sense();
    json!({
        "bytes": hex_string(outcome.sense_bytes()),
        "text": sense.to_string(),
        "deferred": sense.is_deferred(),
        "key": sense.key().map(|key| key.0),
        "key_name": sense.key().and_then(|key| key.name()),
        "asc": sense.asc(),
        "ascq": sense.ascq(),
        "information": sense.information(),
    })
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::GoodWithSense => "good_with_sense",
        Verdict::Check => "check",
        Verdict::Deferred => "deferred",
        Verdict::CheckWithoutSense => "check_without_sense",
        Verdict::Status => "status",
        Verdict::Transport => "transport",
        _ => "other",
    }
}

/// How the data was moved, in one word.
pub(crate) fn io_path_name(path: IoPath) -> &'static str {
    match path {
        IoPath::Indirect => "indirect",
        IoPath::Direct => "direct",
        IoPath::Mixed => "mixed",
        _ => "unknown",
    }
}
