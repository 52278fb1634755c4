//! What is in flight, by number.

/// The number after the last free slot, and that of a slot that is taken.
const END: u32 = u32::MAX;
const TAKEN: u32 = u32::MAX - 1;

/// Slots by numbers, each free or taken. Finding one costs the same however many
/// are taken.
///
/// A slot keeps its value when it is free: who frees it takes out what matters.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: Box<[Slot<T>]>,
    /// The first free slot; each has the next one's number.
    first: u32,
    len: u32,
}

#[derive(Debug)]
struct Slot<T> {
    value: T,
    /// The next free slot, if it is free.
    next: u32,
}

/// A slot that is free.
pub(crate) struct Vacant<'a, T> {
    slot: &'a mut Slot<T>,
    first: &'a mut u32,
    len: &'a mut u32,
}

/// A slot that is taken.
pub(crate) struct Taken<'a, T> {
    slot: &'a mut Slot<T>,
    number: u32,
    first: &'a mut u32,
    len: &'a mut u32,
}

impl<T: Default> Table<T> {
    /// `capacity` slots: no more, and nothing is allocated later. There are at
    /// most 2^32 - 2.
    pub(crate) fn new(capacity: u32) -> Self {
        let capacity = capacity.min(TAKEN);
        let slot = |number| Slot {
            value: T::default(),
            next: if number + 1 < capacity {
                number + 1
            } else {
                END
            },
        };
        Self {
            slots: (0..capacity).map(slot).collect(),
            first: if capacity > 0 { 0 } else { END },
            len: 0,
        }
    }

    /// How many are taken.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// How many are free.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.slots.len() - self.len()
    }

    /// A free slot.
    #[inline]
    pub(crate) fn vacant(&mut self) -> Option<Vacant<'_, T>> {
        Some(Vacant {
            slot: self.slots.get_mut(self.first as usize)?,
            first: &mut self.first,
            len: &mut self.len,
        })
    }

    /// The slot with that number, if it is taken.
    #[inline]
    pub(crate) fn taken(&mut self, number: u64) -> Option<Taken<'_, T>> {
        let slot = self.slots.get_mut(usize::try_from(number).ok()?)?;
        // It is below the number of slots.
        #[allow(clippy::cast_possible_truncation)]
        let number = number as u32;
        (slot.next == TAKEN).then_some(Taken {
            slot,
            number,
            first: &mut self.first,
            len: &mut self.len,
        })
    }
}

impl<'a, T> Vacant<'a, T> {
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        *self.first
    }

    /// What it has from before, or what it shall have once it is taken.
    #[inline]
    pub(crate) fn value(&mut self) -> &mut T {
        &mut self.slot.value
    }

    /// Takes it.
    #[inline]
    pub(crate) fn take(self) -> &'a mut T {
        *self.first = std::mem::replace(&mut self.slot.next, TAKEN);
        *self.len += 1;
        &mut self.slot.value
    }
}

impl<T> Taken<'_, T> {
    #[inline]
    pub(crate) fn value(&mut self) -> &mut T {
        &mut self.slot.value
    }

    /// Frees it.
    #[inline]
    pub(crate) fn free(self) {
        self.slot.next = std::mem::replace(self.first, self.number);
        *self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(table: &mut Table<&'static str>, value: &'static str) -> Option<u32> {
        let vacant = table.vacant()?;
        let number = vacant.number();
        *vacant.take() = value;
        Some(number)
    }

    fn value(table: &mut Table<&'static str>, number: u64) -> Option<&'static str> {
        table.taken(number).map(|mut slot| *slot.value())
    }

    #[test]
    fn numbers_are_used_again_and_only_then() {
        let mut table = Table::new(3);
        let numbers = ["a", "b", "c"].map(|value| insert(&mut table, value));
        assert_eq!(numbers, [Some(0), Some(1), Some(2)]);
        assert_eq!(insert(&mut table, "d"), None);
        assert_eq!((table.len(), table.room()), (3, 0));
        assert_eq!(value(&mut table, 1), Some("b"));
        table.taken(1).unwrap().free();
        assert_eq!(value(&mut table, 1), None);
        for beyond in [3, TAKEN.into(), END.into(), 1 << 32, u64::MAX] {
            assert_eq!(value(&mut table, beyond), None);
        }
        assert_eq!((table.len(), table.room()), (2, 1));
        assert_eq!(insert(&mut table, "e"), Some(1));
        assert_eq!(value(&mut table, 1), Some("e"));
        assert_eq!(value(&mut table, 0), Some("a"));
        for number in [2, 0, 1] {
            table.taken(number).unwrap().free();
        }
        // The last to be freed is the first to be used.
        let numbers = ["f", "g", "h", "i"].map(|value| insert(&mut table, value));
        assert_eq!(numbers, [Some(1), Some(0), Some(2), None]);
    }

    #[test]
    fn a_table_may_have_no_slots() {
        let mut table = Table::<u8>::new(0);
        assert!(table.vacant().is_none() && table.taken(0).is_none());
        assert_eq!(table.room(), 0);
    }
}
