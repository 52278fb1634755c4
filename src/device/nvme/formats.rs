//! Who may change the formats of namespaces, and when.
//!
//! What a command on blocks moves follows from the format of its namespace. So
//! within this process a command that may change formats is sent while no such
//! command is in flight in the same subsystem, and afterwards the format is
//! asked for again.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak},
};

/// The subsystems that have a handle that asked for this, by their names.
static SUBSYSTEMS: Mutex<Vec<(String, Weak<RwLock<u64>>)>> = Mutex::new(Vec::new());

/// What the handles of one subsystem share: how many commands may have changed
/// formats.
#[derive(Clone, Debug)]
pub(super) struct Formats(Arc<RwLock<u64>>);

impl Formats {
    /// Of the subsystem that a node belongs to. `folder` is the node's in sysfs;
    /// its own or its parent's file `subsysnqn` names the subsystem. All that
    /// cannot be told apart are taken for one.
    pub(super) fn of(folder: &Path) -> Self {
        let name = std::iter::once(folder)
            .chain(folder.parent())
            .find_map(|folder| fs::read_to_string(folder.join("subsysnqn")).ok())
            .unwrap_or_default();
        Self::named(&name)
    }

    fn named(name: &str) -> Self {
        let mut all = SUBSYSTEMS.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, shared)| shared.strong_count() > 0);
        let known = all.iter().find(|(other, _)| other == name);
        if let Some(shared) = known.and_then(|(_, shared)| shared.upgrade()) {
            return Self(shared);
        }
        let shared = Arc::new(RwLock::new(0));
        all.push((name.to_owned(), Arc::downgrade(&shared)));
        Self(shared)
    }

    /// Formats stay as they are for as long as the guard lives.
    pub(super) fn keep(&self) -> RwLockReadGuard<'_, u64> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the commands in flight, and counts one that may change formats.
    pub(super) fn change(&self) -> RwLockWriteGuard<'_, u64> {
        let mut count = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Also if it will fail: who knows what it did.
        *count += 1;
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_of_one_subsystem_share_and_others_do_not() {
        let (one, same, other) = (
            Formats::named("nqn.a"),
            Formats::named("nqn.a"),
            Formats::named("nqn.b"),
        );
        assert_eq!((*one.keep(), *other.keep()), (0, 0));
        drop(same.change());
        assert_eq!((*one.keep(), *other.keep()), (1, 0));
        {
            let _kept = one.keep();
            assert!(same.0.try_write().is_err(), "a change waits");
            assert!(other.0.try_write().is_ok(), "not for another subsystem");
        }
        drop((one, same));
        assert_eq!(*Formats::named("nqn.a").keep(), 0, "nobody remembers it");
    }
}
