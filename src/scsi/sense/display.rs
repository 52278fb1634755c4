//! One line for people.

use core::fmt;

use super::descriptor::kind;
use super::{AtaRegisters, Sense, SenseFormat, SenseKey};
use crate::scsi::asc::AdditionalSense;

impl fmt::Display for Sense<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        summary(*self, f)?;
        let Some(key) = self.key() else { return Ok(()) };
        // Forwarded sense data is shown one level deep, whatever it holds itself.
        for descriptor in self.descriptors() {
            if let super::SenseDescriptor::Forwarded(inner) = descriptor.decode(key) {
                match inner.source() {
                    0 => f.write_str("; from the copy source: ")?,
                    source => write!(f, "; from copy destination {source}: ")?,
                }
                summary(inner.sense(), f)?;
            }
        }
        Ok(())
    }
}

fn summary(sense: Sense<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match sense.format() {
        SenseFormat::Empty => return f.write_str("no sense data"),
        SenseFormat::Vendor => return f.write_str("vendor specific sense data"),
        SenseFormat::NotSense => {
            let code = sense.response_code().unwrap_or(0);
            return write!(f, "not sense data (response code {code:02X}h)");
        }
        SenseFormat::Fixed | SenseFormat::Descriptor => {}
    }
    if sense.is_deferred() {
        f.write_str("deferred ")?;
    }
    let Some(key) = sense.key() else {
        return f.write_str("sense data without a sense key");
    };
    write!(f, "{key}: ")?;
    match (sense.additional(), sense.asc()) {
        (Some(additional), _) => write!(f, "{additional}")?,
        (None, Some(asc)) => write!(f, "additional sense code {asc:02X}h, qualifier cut off")?,
        (None, None) => f.write_str("additional sense cut off")?,
    }
    let flags = [
        (sense.filemark(), ", filemark"),
        (sense.eom(), ", end of medium"),
        (sense.ili(), ", incorrect length"),
        (sense.sdat_overflow(), ", sense data overflow"),
    ];
    for (_, text) in flags.iter().filter(|flag| flag.0) {
        f.write_str(text)?;
    }
    if let Some(registers) = ata_answer(sense) {
        let AtaRegisters { status, error, .. } = registers;
        write!(f, ", ATA status {status:02X}h error {error:02X}h")?;
    } else {
        numbers(sense, key, f)?;
    }
    if let Some(specific) = sense.sense_key_specific() {
        write!(f, ", {specific}")?;
    } else if let Some(progress) = sense.progress() {
        write!(f, ", {progress} done")?;
    }
    match sense.fru() {
        Some(unit) => write!(f, ", unit {unit:02X}h"),
        None => Ok(()),
    }
}

/// The registers, where they are there beyond doubt.
fn ata_answer(sense: Sense<'_>) -> Option<AtaRegisters> {
    let has_descriptor = || {
        sense
            .descriptors()
            .any(|item| item.kind() == kind::ATA_STATUS_RETURN)
    };
    if sense.additional() == Some(AdditionalSense::ATA_PASS_THROUGH_INFORMATION) || has_descriptor()
    {
        sense.ata_registers()
    } else {
        None
    }
}

fn numbers(sense: Sense<'_>, key: SenseKey, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Many devices set VALID always. A zero is only worth a word where it can be an address.
    let zero_counts = matches!(
        key,
        SenseKey::RECOVERED_ERROR
            | SenseKey::MEDIUM_ERROR
            | SenseKey::HARDWARE_ERROR
            | SenseKey::MISCOMPARE
    );
    if sense.ili() || sense.filemark() || sense.eom() {
        if let Some(residue) = sense.information_signed() {
            write!(f, ", residue {residue}")?;
        }
    } else if let Some(information) = sense.information() {
        if information != 0 || zero_counts {
            write!(f, ", information {information}")?;
        }
    }
    match sense.command_specific() {
        None | Some(0) => Ok(()),
        Some(value) => write!(f, ", command specific {value}"),
    }
}
