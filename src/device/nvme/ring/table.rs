//! What is in flight, by number.

/// Values by numbers that are given to them, and found by them at a cost that
/// does not depend on how many there are.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: Vec<Option<T>>,
    /// The numbers of the empty ones.
    free: Vec<u32>,
}

impl<T> Table<T> {
    /// Room for `capacity` values: no more, and nothing is allocated later.
    pub(crate) fn new(capacity: u32) -> Self {
        Self {
            slots: (0..capacity).map(|_| None).collect(),
            free: (0..capacity).rev().collect(),
        }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// How many more there is room for.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.free.len()
    }

    /// Puts a value in; gives it back if there is no room.
    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> Result<u32, T> {
        let Some(number) = self.free.pop() else {
            return Err(value);
        };
        match self.slots.get_mut(number as usize) {
            Some(slot) => *slot = Some(value),
            None => return Err(value),
        }
        Ok(number)
    }

    /// The value with that number.
    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    /// Takes the value with that number out.
    #[inline]
    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.slots.get_mut(number as usize)?.take()?;
        // There is room: the list once had all numbers.
        self.free.push(number);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again_and_only_then() {
        let mut table = Table::new(3);
        let numbers: Vec<_> = ["a", "b", "c"]
            .map(|value| table.insert(value).unwrap())
            .into();
        assert_eq!(numbers, [0, 1, 2]);
        assert_eq!(table.insert("d"), Err("d"));
        assert_eq!((table.len(), table.room()), (3, 0));
        assert_eq!(table.remove(1), Some("b"));
        assert_eq!(table.remove(1), None, "twice");
        assert_eq!(table.remove(3), None, "beyond the end");
        assert_eq!((table.len(), table.room()), (2, 1));
        assert_eq!(table.insert("e"), Ok(1));
        *table.get_mut(1).unwrap() = "f";
        assert_eq!(table.remove(1), Some("f"));
        assert_eq!(table.get_mut(1), None);
        assert_eq!((table.remove(0), table.remove(2)), (Some("a"), Some("c")));
        assert_eq!((table.len(), table.room()), (0, 3));
        assert_eq!(Table::new(0).insert(1), Err(1));
    }
}
