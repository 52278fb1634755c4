//! The commands: INQUIRY with the least that works, and once more if the device
//! has more.

use passthru::{
    Result, ScsiTransport, ScsiTransportExt,
    scsi::{Inquiry, StandardInquiry, VpdCode, VpdPage},
};

use crate::problem::chain;

/// A reply, and what is odd about it.
pub(crate) struct Fetched<T> {
    pub(crate) reply: T,
    pub(crate) warnings: Vec<String>,
}

/// The standard data: 36 bytes, and all of it if there is more.
pub(crate) fn standard(device: &impl ScsiTransport) -> Result<Fetched<StandardInquiry<'static>>> {
    let inquiry = Inquiry::standard();
    let mut fetched = Fetched::new(device.query(&inquiry)?);
    if let Some(needed) = fetched.reply.needed_length() {
        let again = device.query(&inquiry.allocation_length(needed));
        fetched.replace(again, needed, |reply| reply.as_bytes().len());
    }
    let Fetched { reply, warnings } = &mut fetched;
    warnings.extend(reply.length_field_lies().map(|lie| lie.to_string()));
    if reply.no_logical_unit() {
        warnings.push("there is no logical unit at this address".to_owned());
    }
    Ok(fetched)
}

/// A page: 252 bytes, and all of it if there is more.
pub(crate) fn page(
    device: &impl ScsiTransport,
    code: VpdCode,
) -> Result<Fetched<VpdPage<'static>>> {
    let inquiry = Inquiry::vpd(code);
    let mut fetched = Fetched::new(device.query(&inquiry)?);
    if let Some(needed) = fetched.reply.needed_length() {
        let again = device.query(&inquiry.allocation_length(needed));
        fetched.replace(again, needed, |reply| reply.arrived().len());
    }
    let Fetched { reply, warnings } = &mut fetched;
    warnings.extend(reply.length_field_lies().map(|lie| lie.to_string()));
    Ok(fetched)
}

impl<T> Fetched<T> {
    fn new(reply: T) -> Self {
        Self {
            reply,
            warnings: Vec::new(),
        }
    }

    /// Takes the second reply, for which `needed` bytes were asked, unless it
    /// failed or has less than the first.
    fn replace(&mut self, again: Result<T>, needed: u16, length: impl Fn(&T) -> usize) {
        match again {
            Ok(reply) if length(&reply) >= length(&self.reply) => self.reply = reply,
            Ok(less) => self.warnings.push(format!(
                "asked for all of its {needed} bytes, the device returned {}: \
                 the first answer is shown",
                length(&less)
            )),
            Err(error) => self.warnings.push(format!(
                "not all of its {needed} bytes could be fetched: {}",
                chain(&error)
            )),
        }
    }
}
