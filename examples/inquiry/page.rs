//! The names of vital product data pages on the command line.

use std::str::FromStr;

use passthru::scsi::VpdCode;

/// A page as `--vpd` takes it: two hex digits (80, 0x80, 80h) or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageArgument(pub(crate) VpdCode);

const NAMES: &[(&[&str], VpdCode)] = &[
    (&["supported", "sv"], VpdCode::SUPPORTED_PAGES),
    (&["serial", "sn"], VpdCode::SERIAL_NUMBER),
    (&["designators", "di"], VpdCode::DEVICE_IDENTIFICATION),
    (&["block-limits", "bl"], VpdCode::BLOCK_LIMITS),
    (
        &["block-characteristics", "bdc"],
        VpdCode::BLOCK_CHARACTERISTICS,
    ),
    (&["provisioning", "lbpv"], VpdCode::PROVISIONING),
];

impl FromStr for PageArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, code)) = NAMES.iter().find(|(names, _)| names.contains(&text)) {
            return Ok(Self(*code));
        }
        let lower = text.to_ascii_lowercase();
        let digits = match lower.strip_prefix("0x") {
            Some(digits) => digits,
            None => lower.strip_suffix('h').unwrap_or(&lower),
        };
        let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u8::from_str_radix(digits, 16) {
            Ok(code) if all_hex => Ok(Self(VpdCode(code))),
            _ => Err(format!(
                "no page code (hex, 00 to ff) and none of {}",
                all_names()
            )),
        }
    }
}

fn all_names() -> String {
    let names: Vec<_> = NAMES
        .iter()
        .flat_map(|(names, _)| names.iter().copied())
        .collect();
    names.join(", ")
}
