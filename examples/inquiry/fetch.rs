//! The commands: INQUIRY with the least that works, and once more if the device
//! has more.

use passthru::{
    Result, ScsiTransport, ScsiTransportExt,
    scsi::{
        Inquiry, StandardInquiry,
        vpd::{VpdCode, VpdPage},
    },
};

use crate::problem::chain;

/// A reply, and what is odd about it.
pub(crate) struct Fetched<T> {
    pub(crate) reply: T,
    pub(crate) warnings: Vec<String>,
}

/// The standard data: 36 bytes, and all of it if there is more.
pub(crate) fn standard(device: &impl ScsiTransport) -> Result<Fetched<StandardInquiry<'static>>> {
    let mut reply = device.query(&Inquiry::standard())?;
    let mut warnings = Vec::new();
    if let Some(needed) = reply.needed_length() {
        let again = Inquiry::standard().allocation_length(clamp(needed));
        match device.query(&again) {
            Ok(all) if all.as_bytes().len() >= reply.as_bytes().len() => reply = all,
            Ok(less) => warnings.push(second_was_shorter(needed, less.as_bytes().len())),
            Err(error) => warnings.push(second_failed(needed, &error)),
        }
    }
    warnings.extend(reply.length_field_lies().map(|lie| lie.to_string()));
    if reply.no_logical_unit() {
        warnings.push("there is no logical unit at this address".to_owned());
    }
    Ok(Fetched { reply, warnings })
}

/// A page: 252 bytes, and all of it if there is more.
pub(crate) fn page(
    device: &impl ScsiTransport,
    code: VpdCode,
) -> Result<Fetched<VpdPage<'static>>> {
    let mut reply = device.query(&Inquiry::vpd(code))?;
    let mut warnings = Vec::new();
    if let Some(needed) = reply.needed_length() {
        let again = Inquiry::vpd(code).allocation_length(clamp(needed));
        match device.query(&again) {
            Ok(all) if all.arrived().len() >= reply.arrived().len() => reply = all,
            Ok(less) => warnings.push(second_was_shorter(needed, less.arrived().len())),
            Err(error) => warnings.push(second_failed(needed, &error)),
        }
    }
    warnings.extend(reply.length_field_lies().map(|lie| lie.to_string()));
    Ok(Fetched { reply, warnings })
}

fn clamp(needed: usize) -> u16 {
    u16::try_from(needed).unwrap_or(u16::MAX)
}

fn second_was_shorter(needed: usize, got: usize) -> String {
    format!(
        "asked for all of its {needed} bytes, the device returned {got}: the first answer is shown"
    )
}

fn second_failed(needed: usize, error: &passthru::Error) -> String {
    format!(
        "not all of its {needed} bytes could be fetched: {}",
        chain(error)
    )
}
