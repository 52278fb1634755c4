//! What to do about errors: which are worth a second try, and where they are.

use passthru::{Error, Result, scsi::SenseKey};

use crate::problem::{Code, Problem};

/// What is not done, lest it destroys something.
pub(crate) fn refused(message: impl Into<String>) -> Problem {
    Problem::own(Code::System, "refused", message)
}

/// What was written is not what is there.
pub(crate) fn differs(message: impl Into<String>) -> Problem {
    Problem::own(Code::Device, "differs", message)
}

/// A UNIT ATTENTION tells that something happened; the command was not carried
/// out, and may be sent again.
pub(crate) fn is_unit_attention(error: &Error) -> bool {
    key(error) == Some(SenseKey::UNIT_ATTENTION)
}

/// The device cannot read what it has.
pub(crate) fn is_unreadable(error: &Error) -> bool {
    matches!(
        key(error),
        Some(SenseKey::MEDIUM_ERROR | SenseKey::BLANK_CHECK)
    )
}

fn key(error: &Error) -> Option<SenseKey> {
    match error {
        Error::Check(failure) => failure.outcome().sense().key(),
        _ => None,
    }
}

/// Sends it, and once more if there was a UNIT ATTENTION, which is counted.
#[inline]
pub(crate) fn once_more<T>(attentions: &mut u64, mut send: impl FnMut() -> Result<T>) -> Result<T> {
    let mut result = send();
    if result.as_ref().is_err_and(is_unit_attention) {
        *attentions += 1;
        result = send();
    }
    result
}

/// Which block of `blocks` from `lba` on the device could not read.
pub(crate) fn bad_block(error: &Error, lba: u64, blocks: u32) -> Option<u64> {
    let said = error.outcome()?.sense().information()?;
    (lba..lba.saturating_add(blocks.into()))
        .contains(&said)
        .then_some(said)
}

/// Where it is, in words.
pub(crate) fn place(error: &Error, lba: u64, blocks: u32) -> String {
    match bad_block(error, lba, blocks) {
        Some(block) => format!("bad block at LBA {block}"),
        None => format!(
            "bad block somewhere at LBA {lba} to {}",
            lba.saturating_add(blocks.into()).saturating_sub(1)
        ),
    }
}

/// Blocks that could not be read: first and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BadRange {
    pub(crate) lba: u64,
    pub(crate) blocks: u64,
}

/// Sorted, and those that touch made one.
pub(crate) fn joined(mut ranges: Vec<BadRange>) -> Vec<BadRange> {
    ranges.sort_unstable();
    let mut joined: Vec<BadRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.lba <= last.lba + last.blocks => {
                let end = (range.lba + range.blocks).max(last.lba + last.blocks);
                last.blocks = end - last.lba;
            }
            _ => joined.push(range),
        }
    }
    joined
}
