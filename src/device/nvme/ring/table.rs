//! What is in flight, by number.

/// Slots by numbers, each free or taken. Finding one costs the same however many
/// are taken.
///
/// A slot keeps its value when it is free: who frees it takes out what matters.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: Vec<Slot<T>>,
    /// The numbers of the free ones.
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    taken: bool,
    value: T,
}

impl<T: Default> Table<T> {
    /// `capacity` slots: no more, and nothing is allocated later.
    pub(crate) fn new(capacity: u32) -> Self {
        let slot = |_| Slot {
            taken: false,
            value: T::default(),
        };
        Self {
            slots: (0..capacity).map(slot).collect(),
            free: (0..capacity).rev().collect(),
        }
    }

    /// How many are taken.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// How many are free.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.free.len()
    }

    /// A free slot, with its number; [`take`](Self::take) takes it.
    #[inline]
    pub(crate) fn vacant(&mut self) -> Option<(u32, &mut T)> {
        let number = *self.free.last()?;
        let slot = self.slots.get_mut(number as usize)?;
        Some((number, &mut slot.value))
    }

    /// Takes the slot that [`vacant`](Self::vacant) gives.
    #[inline]
    pub(crate) fn take(&mut self) {
        if let Some(number) = self.free.pop() {
            if let Some(slot) = self.slots.get_mut(number as usize) {
                slot.taken = true;
            }
        }
    }

    /// The slot with that number, if it is taken.
    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots
            .get_mut(number as usize)
            .filter(|slot| slot.taken)
            .map(|slot| &mut slot.value)
    }

    /// Frees a slot that is taken.
    #[inline]
    pub(crate) fn free(&mut self, number: u32) {
        if let Some(slot) = self.slots.get_mut(number as usize) {
            if slot.taken {
                slot.taken = false;
                // There is room: the list once had all numbers.
                self.free.push(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(table: &mut Table<&'static str>, value: &'static str) -> Option<u32> {
        let (number, slot) = table.vacant()?;
        *slot = value;
        table.take();
        Some(number)
    }

    #[test]
    fn numbers_are_used_again_and_only_then() {
        let mut table = Table::new(3);
        let numbers = ["a", "b", "c"].map(|value| insert(&mut table, value));
        assert_eq!(numbers, [Some(0), Some(1), Some(2)]);
        assert_eq!(insert(&mut table, "d"), None);
        assert_eq!((table.len(), table.room()), (3, 0));
        assert_eq!(table.get_mut(1), Some(&mut "b"));
        table.free(1);
        assert_eq!(table.get_mut(1), None);
        table.free(1);
        table.free(3);
        assert_eq!(table.get_mut(3), None, "beyond the end");
        assert_eq!((table.len(), table.room()), (2, 1), "freed once");
        assert_eq!(insert(&mut table, "e"), Some(1));
        assert_eq!(table.get_mut(1), Some(&mut "e"));
        assert_eq!(table.get_mut(0), Some(&mut "a"));
    }

    #[test]
    fn a_slot_that_was_only_looked_at_stays_free() {
        let mut table = Table::new(1);
        *table.vacant().unwrap().1 = 7;
        assert_eq!((table.get_mut(0).copied(), table.len()), (None, 0));
        table.take();
        assert_eq!((table.get_mut(0).copied(), table.len()), (Some(7), 1));
        table.take();
        assert_eq!(table.len(), 1, "there is no other");
        assert!(Table::<u8>::new(0).vacant().is_none());
    }
}
