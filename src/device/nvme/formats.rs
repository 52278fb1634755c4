//! Who may change the formats of namespaces, and when.
//!
//! What a command on blocks moves follows from the format of its namespace. So
//! within this process a command that may change formats is sent while no such
//! command is in flight in the same subsystem, and afterwards the format is
//! asked for again.

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The subsystems that have a handle that asked for this, by their names.
static SUBSYSTEMS: Mutex<Vec<(String, Weak<Shared>)>> = Mutex::new(Vec::new());

/// What the handles of one subsystem share.
#[derive(Clone, Debug)]
pub(super) struct Formats(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// How many commands may have changed formats.
    count: RwLock<u64>,
    /// How many `Hold`s there are. It becomes more only while `count` is read.
    holds: AtomicUsize,
}

/// Formats stay as they are for as long as this lives. Unlike the guard of
/// [`Formats::keep`] nobody waits for it: meanwhile, what may change formats is
/// refused.
#[cfg(feature = "uring")]
#[derive(Debug)]
pub(super) struct Hold(Arc<Shared>);

#[cfg(feature = "uring")]
impl Drop for Hold {
    fn drop(&mut self) {
        self.0.holds.fetch_sub(1, Ordering::Release);
    }
}

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
        let shared = Arc::new(Shared::default());
        all.push((name.to_owned(), Arc::downgrade(&shared)));
        Self(shared)
    }

    /// Formats stay as they are for as long as the guard lives.
    pub(super) fn keep(&self) -> RwLockReadGuard<'_, u64> {
        self.0.count.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same without a borrow, and how many commands may have changed formats
    /// before.
    #[cfg(feature = "uring")]
    pub(super) fn hold(&self) -> (Hold, u64) {
        let count = self.keep();
        // Within the guard, so that `change` sees either this or comes later.
        self.0.holds.fetch_add(1, Ordering::Relaxed);
        (Hold(Arc::clone(&self.0)), *count)
    }

    /// Waits for the commands in flight, and counts one that may change formats;
    /// `None` while somebody holds them.
    pub(super) fn change(&self) -> Option<RwLockWriteGuard<'_, u64>> {
        let mut count = self.0.count.write().unwrap_or_else(PoisonError::into_inner);
        if self.0.holds.load(Ordering::Acquire) > 0 {
            return None;
        }
        // Also if it will fail: who knows what it did.
        *count += 1;
        Some(count)
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
        drop(same.change().unwrap());
        assert_eq!((*one.keep(), *other.keep()), (1, 0));
        {
            let _kept = one.keep();
            assert!(same.0.count.try_write().is_err(), "a change waits");
            assert!(
                other.0.count.try_write().is_ok(),
                "not for another subsystem"
            );
        }
        drop((one, same));
        assert_eq!(*Formats::named("nqn.a").keep(), 0, "nobody remembers it");
    }

    #[cfg(feature = "uring")]
    #[test]
    fn nothing_changes_while_somebody_holds() {
        let (one, same) = (Formats::named("nqn.held"), Formats::named("nqn.held"));
        let (first, count) = one.hold();
        let (second, _) = same.hold();
        assert_eq!(count, 0);
        assert!(same.change().is_none());
        drop(first);
        assert!(same.change().is_none());
        drop(second);
        drop(same.change().unwrap());
        assert_eq!(one.hold().1, 1);
    }
}
