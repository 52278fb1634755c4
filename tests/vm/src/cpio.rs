//! Writes cpio archives in the "newc" format, which the kernel unpacks as its first root file system.

use std::collections::BTreeSet;
use std::io::{self, Write};

/// An archive being written. Parent folders are added as needed, with mode 0755.
#[derive(Debug)]
pub(crate) struct Archive<W> {
    out: W,
    written: u64,
    inode: u32,
    folders: BTreeSet<String>,
}

/// The fields of an entry's header that differ between entries.
struct Entry<'a> {
    name: &'a str,
    mode: u32,
    device: (u32, u32),
    body: &'a [u8],
}

const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const SYMLINK: u32 = 0o120_000;
const CHARACTER_DEVICE: u32 = 0o020_000;

impl<W: Write> Archive<W> {
    /// Starts an archive with its root folder, which everyone can enter.
    pub(crate) fn new(out: W) -> io::Result<Self> {
        let mut archive = Self {
            out,
            written: 0,
            inode: 0,
            folders: BTreeSet::new(),
        };
        archive.folder("/", 0o755)?;
        Ok(archive)
    }

    /// Adds a folder.
    pub(crate) fn folder(&mut self, path: &str, permissions: u32) -> io::Result<()> {
        let name = relative(path);
        self.parents(name)?;
        if self.folders.insert(name.to_owned()) {
            let name = if name.is_empty() { "." } else { name };
            self.entry(&Entry {
                name,
                mode: FOLDER | permissions,
                device: (0, 0),
                body: &[],
            })?;
        }
        Ok(())
    }

    /// Adds a file.
    pub(crate) fn file(&mut self, path: &str, permissions: u32, body: &[u8]) -> io::Result<()> {
        let name = relative(path);
        self.parents(name)?;
        self.entry(&Entry {
            name,
            mode: FILE | permissions,
            device: (0, 0),
            body,
        })
    }

    /// Adds a symbolic link.
    pub(crate) fn symlink(&mut self, path: &str, target: &str) -> io::Result<()> {
        let name = relative(path);
        self.parents(name)?;
        self.entry(&Entry {
            name,
            mode: SYMLINK | 0o777,
            device: (0, 0),
            body: target.as_bytes(),
        })
    }

    /// Adds a character device node.
    pub(crate) fn character_device(
        &mut self,
        path: &str,
        permissions: u32,
        device: (u32, u32),
    ) -> io::Result<()> {
        let name = relative(path);
        self.parents(name)?;
        self.entry(&Entry {
            name,
            mode: CHARACTER_DEVICE | permissions,
            device,
            body: &[],
        })
    }

    /// Ends the archive; another one may follow it in the same file.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.entry(&Entry {
            name: "TRAILER!!!",
            mode: 0,
            device: (0, 0),
            body: &[],
        })?;
        self.pad(512)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn parents(&mut self, name: &str) -> io::Result<()> {
        for (end, _) in name.match_indices('/') {
            let parent = &name[..end];
            if !self.folders.contains(parent) {
                self.folder(parent, 0o755)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.inode += 1;
        let length = u32::try_from(entry.body.len()).map_err(|_| {
            io::Error::other(format!("{} is too large for a cpio archive", entry.name))
        })?;
        let name_length = u32::try_from(entry.name.len() + 1).map_err(io::Error::other)?;
        let (major, minor) = entry.device;
        // magic, ino, mode, uid, gid, nlink, mtime, filesize, devmajor, devminor, rdevmajor, rdevminor, namesize, check
        let fields = [
            self.inode,
            entry.mode,
            0,
            0,
            1,
            0,
            length,
            0,
            0,
            major,
            minor,
            name_length,
            0,
        ];
        let mut header = String::from("070701");
        for field in fields {
            header.push_str(&format!("{field:08x}"));
        }
        self.bytes(header.as_bytes())?;
        self.bytes(entry.name.as_bytes())?;
        self.bytes(&[0])?;
        self.pad(4)?;
        self.bytes(entry.body)?;
        self.pad(4)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn pad(&mut self, to: u64) -> io::Result<()> {
        while self.written % to != 0 {
            self.bytes(&[0])?;
        }
        Ok(())
    }
}

fn relative(path: &str) -> &str {
    path.trim_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(fill: impl FnOnce(&mut Archive<Vec<u8>>) -> io::Result<()>) -> Vec<u8> {
        let mut archive = Archive::new(Vec::new()).unwrap();
        fill(&mut archive).unwrap();
        archive.finish().unwrap()
    }

    /// Reads an archive back as (name, mode, body), following the format's description.
    fn entries(mut bytes: &[u8]) -> Vec<(String, u32, Vec<u8>)> {
        let mut found = Vec::new();
        loop {
            assert_eq!(&bytes[..6], b"070701");
            let field = |n: usize| {
                let text = std::str::from_utf8(&bytes[6 + 8 * n..14 + 8 * n]).unwrap();
                u32::from_str_radix(text, 16).unwrap()
            };
            let (mode, length, name_length) = (field(1), field(6) as usize, field(11) as usize);
            let name = String::from_utf8(bytes[110..110 + name_length - 1].to_vec()).unwrap();
            let body = (110 + name_length).next_multiple_of(4);
            if name == "TRAILER!!!" {
                return found;
            }
            found.push((name, mode, bytes[body..body + length].to_vec()));
            bytes = &bytes[(body + length).next_multiple_of(4)..];
        }
    }

    #[test]
    fn root_folder_is_open_to_all() {
        assert_eq!(
            entries(&archive(|_| Ok(()))),
            [(".".to_owned(), 0o40755, Vec::new())]
        );
    }

    #[test]
    fn parents_come_first_and_once() {
        let bytes = archive(|a| {
            a.file("/usr/bin/one", 0o755, b"12345")?;
            a.file("/usr/bin/two", 0o644, b"")?;
            a.symlink("/usr/three", "bin/one")
        });
        let names: Vec<_> = entries(&bytes)
            .into_iter()
            .map(|(name, mode, _)| (name, mode))
            .collect();
        let expected = [
            (".", 0o40755),
            ("usr", 0o40755),
            ("usr/bin", 0o40755),
            ("usr/bin/one", 0o100_755),
            ("usr/bin/two", 0o100_644),
            ("usr/three", 0o120_777),
        ];
        assert_eq!(names, expected.map(|(name, mode)| (name.to_owned(), mode)));
        assert_eq!(entries(&bytes)[3].2, b"12345");
        assert_eq!(entries(&bytes)[5].2, b"bin/one");
    }

    #[test]
    fn archives_can_follow_each_other() {
        assert_eq!(archive(|a| a.file("x", 0o600, b"y")).len() % 512, 0);
    }
}
