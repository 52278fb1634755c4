//! Units and flags in words.

use std::time::Duration;

/// The names of the flags that are set.
pub(crate) fn flags<F: bitflags::Flags>(flags: &F) -> String {
    let names: Vec<_> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase().replace('_', " "))
        .collect();
    names.join(", ")
}

/// Yes or no.
pub(crate) fn yes(flag: bool) -> String {
    if flag { "yes" } else { "no" }.to_owned()
}

/// A temperature, from kelvin.
pub(crate) fn kelvin(kelvin: u16) -> String {
    if kelvin == 0 {
        "not reported".to_owned()
    } else {
        format!("{} C", i32::from(kelvin) - 273)
    }
}

pub(crate) fn maybe_kelvin(temperature: Option<u16>) -> String {
    kelvin(temperature.unwrap_or(0))
}

/// A number of bytes with the decimal prefix that fits.
pub(crate) fn bytes(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    let mut unit = "bytes";
    let (mut whole, mut tenths) = (bytes, 0);
    for next in UNITS {
        if whole < 1000 {
            break;
        }
        tenths = whole % 1000 / 100;
        whole /= 1000;
        unit = next;
    }
    match unit {
        "bytes" => format!("{whole} bytes"),
        _ => format!("{whole}.{tenths} {unit}"),
    }
}

/// A time, which zero is not.
pub(crate) fn time(time: Duration) -> String {
    if time.is_zero() {
        "not reported".to_owned()
    } else {
        // In ASCII.
        format!("{time:?}").replace('\u{b5}', "u")
    }
}

/// Microwatts in watts.
pub(crate) fn watts(power: Option<u32>) -> String {
    match power {
        None => "not reported".to_owned(),
        Some(power) => format!("{}.{:04} W", power / 1_000_000, power / 100 % 10_000),
    }
}
