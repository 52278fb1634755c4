//! The shared libraries a program needs in the guest.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::output::capture_text;
use crate::workspace::clean_command;

/// The libraries of a program, the loader among them, as (path in the guest, path on this machine).
///
/// Libraries found in `extra` folders come to the guest's usual library folder.
pub(crate) fn needed(program: &Path, extra: &[PathBuf]) -> Result<Vec<(String, PathBuf)>> {
    if is_static(program) {
        return Ok(Vec::new());
    }
    let mut ldd = clean_command("ldd");
    ldd.arg(program).env("LC_ALL", "C");
    if !extra.is_empty() {
        ldd.env("LD_LIBRARY_PATH", std::env::join_paths(extra)?);
    }
    let text = capture_text(&mut ldd)?;
    if let Some(line) = text.lines().find(|line| line.contains("not found")) {
        anyhow::bail!(
            "{} cannot run in the guest: {}",
            program.display(),
            line.trim()
        );
    }
    Ok(paths(&text)
        .into_iter()
        .map(|path| (guest_path(&path, extra), path))
        .collect())
}

/// Whether a program needs no libraries.
pub(crate) fn is_static(program: &Path) -> bool {
    // ldd fails on anything that is not dynamic.
    capture_text(clean_command("ldd").arg(program)).is_err()
}

/// The folders of an unpacked tree that hold shared libraries. Those of Ceph look for one of theirs by an absolute path.
pub(crate) fn folders(tree: &Path) -> Vec<PathBuf> {
    [
        "usr/lib/x86_64-linux-gnu",
        "usr/lib/x86_64-linux-gnu/ceph",
        "lib/x86_64-linux-gnu",
        "usr/lib",
        "lib",
    ]
    .map(|folder| tree.join(folder))
    .into_iter()
    .filter(|folder| folder.is_dir())
    .collect()
}

fn paths(ldd: &str) -> Vec<PathBuf> {
    ldd.lines()
        .filter_map(|line| {
            let path = line.split("=>").last()?.trim().split(" (").next()?;
            path.starts_with('/').then(|| PathBuf::from(path))
        })
        .collect()
}

fn guest_path(path: &Path, extra: &[PathBuf]) -> String {
    match path.file_name() {
        Some(name) if extra.iter().any(|folder| path.starts_with(folder)) => {
            format!("/lib/x86_64-linux-gnu/{}", name.to_string_lossy())
        }
        _ => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_loader_are_read_from_ldd() {
        let text = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                    \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1a)\n\
                    \t/lib64/ld-linux-x86-64.so.2 (0x00007f1b)\n";
        let expected = [
            "/lib/x86_64-linux-gnu/libc.so.6",
            "/lib64/ld-linux-x86-64.so.2",
        ]
        .map(PathBuf::from);
        assert_eq!(paths(text), expected);
    }
}
