//! The file beside an output that is not complete: how far it is.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use serde_json::{Value, json};

use crate::{
    arguments::SectorRange,
    gaps::Gaps,
    image::{file_problem, refused, synced, with_suffix},
    problem::Problem,
    trouble::{BadSectors, cut_bad},
};

/// What an output is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) sector: &'static str,
    pub(crate) sector_length: usize,
    pub(crate) range: SectorRange,
    /// What of it is zeros and was not read.
    pub(crate) gaps: Gaps,
    /// By which the disc is known again.
    pub(crate) disc: String,
}

impl Content {
    fn to_json(&self) -> Value {
        json!({
            "version": 1,
            "sector": self.sector,
            "sector_length": self.sector_length,
            "first": self.range.first,
            "end": self.range.end,
            "left_out": self.gaps.to_json(),
            "disc": self.disc,
        })
    }

    pub(crate) fn bytes_before(&self, lba: i32) -> u64 {
        u64::from(lba.abs_diff(self.range.first)) * self.sector_length as u64
    }
}

/// Writes it: never half of it.
pub(crate) fn note(
    path: &Path,
    content: &Content,
    next: i32,
    bad: &[BadSectors],
) -> Result<(), Problem> {
    let state = json!({
        "content": content.to_json(),
        "next": next,
        "bad": bad.iter().map(bad_json).collect::<Vec<_>>(),
    });
    let new = with_suffix(path, ".new");
    let write = || {
        let mut file = fs::File::create(&new)?;
        writeln!(file, "{state:#}")?;
        synced(file.sync_data())?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        // It is of no use, and on a full disk in the way.
        let _ = fs::remove_file(&new);
        file_problem(path, &error)
    })
}

/// Whether there is something else, which must not be overwritten.
pub(crate) fn is_foreign(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let text = fs::read(path).unwrap_or_default();
            let state: Value = serde_json::from_slice(&text).unwrap_or_default();
            state.get("content").is_none()
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

/// How far an interrupted output of `len` bytes is; anything else that is there is an
/// error.
pub(crate) fn earlier(
    path: &Path,
    noted: &Path,
    content: &Content,
    len: u64,
) -> Result<(i32, Vec<BadSectors>), Problem> {
    let text = match fs::read_to_string(noted) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(refused(
                path,
                "is there already, and is no output that was interrupted: remove it, or name \
                 another file",
            ));
        }
        Err(error) => return Err(file_problem(noted, &error)),
    };
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    let wanted = content.to_json();
    let here = state.get("content").cloned().unwrap_or_default();
    for (key, value) in wanted.as_object().into_iter().flatten() {
        let other = here.get(key).unwrap_or(&Value::Null);
        if other != value {
            return Err(refused(
                path,
                &format!(
                    "is an output that was interrupted, with another `{key}` ({other}, now \
                     {value}): give the same arguments and disc, or name another file"
                ),
            ));
        }
    }
    let next = state.get("next").and_then(Value::as_i64);
    let next = next
        .and_then(|next| i32::try_from(next).ok())
        .filter(|next| (content.range.first..=content.range.end).contains(next))
        .filter(|&next| content.bytes_before(next) <= len);
    let list = state.get("bad").and_then(Value::as_array);
    // One that cannot be read would be taken for good sectors.
    let bad: Option<Vec<_>> = list.and_then(|list| list.iter().map(bad_of).collect());
    if let (Some(next), Some(mut bad)) = (next, bad) {
        // Where it stopped at a sector, that is tried again.
        cut_bad(&mut bad, next);
        if are_in_order(&bad, content.range.first, next) {
            return Ok((next, bad));
        }
    }
    Err(refused(
        path,
        &format!("cannot be gone on with: {} is damaged", noted.display()),
    ))
}

/// Whether each entry has sectors, and all are between the two and behind each other.
fn are_in_order(bad: &[BadSectors], first: i32, next: i32) -> bool {
    let mut from = i64::from(first);
    for entry in bad {
        let end = i64::from(entry.lba) + i64::from(entry.sectors);
        if i64::from(entry.lba) < from || entry.sectors == 0 || end > i64::from(next) {
            return false;
        }
        from = end;
    }
    true
}

/// For `--json` and for the file beside the output.
pub(crate) fn bad_json(bad: &BadSectors) -> Value {
    json!({
        "lba": bad.lba,
        "sectors": bad.sectors,
        "reason": bad.reason,
        "not_sent": bad.missing,
    })
}

fn bad_of(value: &Value) -> Option<BadSectors> {
    Some(BadSectors {
        lba: i32::try_from(value.get("lba")?.as_i64()?).ok()?,
        sectors: u32::try_from(value.get("sectors")?.as_u64()?).ok()?,
        reason: value.get("reason")?.as_str()?.to_owned(),
        missing: value.get("not_sent")?.as_bool()?,
    })
}
