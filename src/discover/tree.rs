//! A made-up sysfs for tests.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use super::Sysfs;

/// A folder that is removed in the end.
pub(super) struct Tree(PathBuf);

impl Tree {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("passthru-sysfs-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(super) fn sysfs(&self) -> Sysfs {
        Sysfs::at(&self.0)
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    pub(super) fn folder(&self, path: &str) {
        fs::create_dir_all(self.path(path)).unwrap();
    }

    pub(super) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The entry of a class (or `block`) for a folder, which is made.
    pub(super) fn link(&self, class: &str, folder: &str) {
        self.folder(folder);
        self.dead_link(class, folder);
    }

    /// The same for one that is not made.
    pub(super) fn dead_link(&self, class: &str, folder: &str) {
        self.folder(class);
        let up = "../".repeat(class.split('/').count());
        let name = Path::new(folder).file_name().unwrap();
        symlink(format!("{up}{folder}"), self.path(class).join(name)).unwrap();
    }

    /// A logical unit with nodes of these classes, such as
    /// `("scsi_generic", "sg0")`.
    pub(super) fn unit(&self, folder: &str, inquiry: &[u8], nodes: &[(&str, &str)]) {
        let (_, address) = folder.rsplit_once('/').unwrap();
        self.file(&format!("{folder}/inquiry"), inquiry);
        self.link(
            "class/scsi_device",
            &format!("{folder}/scsi_device/{address}"),
        );
        for (class, name) in nodes {
            let place = match *class {
                "block" => "block".to_owned(),
                class => format!("class/{class}"),
            };
            self.link(&place, &format!("{folder}/{class}/{name}"));
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Standard INQUIRY data.
pub(super) fn inquiry(device_type: u8, vendor: &str, model: &str, revision: &str) -> Vec<u8> {
    let mut bytes = vec![device_type, 0, 6, 2, 31, 0, 0, 0];
    bytes.extend(format!("{vendor:<8}{model:<16}{revision:<4}").bytes());
    bytes
}
