//! Signals that end the reading, and leave the drive as it was found.

use std::{
    fs,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
    flag,
};

use crate::problem::Problem;

/// Sets the flag on the first Ctrl-C, SIGTERM, or when the terminal goes away, and ends
/// at once with this code on the second.
pub(crate) fn on_interrupt(set: &Arc<AtomicBool>, code: u8) -> Result<(), Problem> {
    let failed = |error| Problem::file("a handler for signals", &error);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // What nohup or a shell's & has set is meant so.
        if is_ignored(&status, signal) {
            continue;
        }
        flag::register_conditional_shutdown(signal, code.into(), Arc::clone(set))
            .and_then(|_| flag::register(signal, Arc::clone(set)))
            .map_err(failed)?;
    }
    // A file that is too long for a limit is an error of the write, then.
    flag::register(SIGXFSZ, Arc::default())
        .map(drop)
        .map_err(failed)
}

/// Whether the process was started with the signal ignored, by /proc/self/status.
pub(crate) fn is_ignored(status: &str, signal: i32) -> bool {
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = u32::try_from(signal - 1)
        .ok()
        .and_then(|bit| 1_u64.checked_shl(bit));
    mask.zip(bit).is_some_and(|(mask, bit)| mask & bit != 0)
}
