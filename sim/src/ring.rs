//! A first-in first-out queue in a ring whose length is a power of two.
//!
//! It grows when full and never shrinks, so after the longest queue of a run has been seen nothing
//! is allocated any more. Positions count up for ever and are masked on access; there is no
//! wrap-around branch to mispredict.

/// A growable FIFO of small values.
///
/// ```
/// use bakcast_sim::Ring;
///
/// let mut line = Ring::new();
/// line.push("Ada");
/// line.push("Bob");
/// assert_eq!((line.pop(), line.front(), line.len()), (Some("Ada"), Some("Bob"), 1));
/// ```
#[derive(Clone, Debug)]
pub struct Ring<T: Copy> {
    places: Box<[T]>,
    head: usize,
    tail: usize,
}

impl<T: Copy> Ring<T> {
    /// An empty ring; the first value pushed allocates it.
    #[must_use]
    pub fn new() -> Self {
        Ring { places: Box::new([]), head: 0, tail: 0 }
    }

    /// How many values wait.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.tail.wrapping_sub(self.head)
    }

    /// Whether none waits.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head == self.tail
    }

    /// The waiting values, first to last.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let place = |offset| self.head.wrapping_add(offset) & (self.places.len() - 1);
        (0..self.len()).map(move |offset| self.places[place(offset)])
    }

    /// A value joins behind all others.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len() == self.places.len() {
            self.grow(value);
        }
        let place = self.tail & (self.places.len() - 1);
        self.places[place] = value;
        self.tail = self.tail.wrapping_add(1);
    }

    /// The value that [`Ring::pop`] would take.
    #[inline]
    #[must_use]
    pub fn front(&self) -> Option<T> {
        (self.head != self.tail).then(|| self.places[self.head & (self.places.len() - 1)])
    }

    /// Takes the first value, if any waits.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.head == self.tail {
            return None;
        }
        let value = self.places[self.head & (self.places.len() - 1)];
        self.head = self.head.wrapping_add(1);
        Some(value)
    }

    /// The first value goes behind all others.
    #[inline]
    pub fn rotate(&mut self) {
        if self.len() > 1
            && let Some(value) = self.pop()
        {
            self.push(value);
        }
    }

    /// Doubles the places, the waiting values first; `filler` stands in the empty ones, which are
    /// written before they are read.
    #[cold]
    fn grow(&mut self, filler: T) {
        let length = self.places.len();
        let mut places = vec![filler; (2 * length).max(16)].into_boxed_slice();
        for (offset, place) in places.iter_mut().take(length).enumerate() {
            *place = self.places[self.head.wrapping_add(offset) & (length - 1)];
        }
        (self.head, self.tail) = (0, length);
        self.places = places;
    }
}

impl<T: Copy> Default for Ring<T> {
    fn default() -> Self {
        Ring::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_queues_like_the_standard_one(
            pushes in prop::collection::vec(prop::option::weighted(0.6, 0..100u32), 0..400),
        ) {
            let (mut ring, mut reference) = (Ring::new(), VecDeque::new());
            for push in pushes {
                match push {
                    Some(value) => {
                        ring.push(value);
                        reference.push_back(value);
                    }
                    None => prop_assert_eq!(ring.pop(), reference.pop_front()),
                }
                prop_assert_eq!(ring.len(), reference.len());
                prop_assert!(ring.iter().eq(reference.iter().copied()));
            }
        }
    }
}
