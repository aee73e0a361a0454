//! A first-in first-out queue in a ring whose length is a power of two.
//!
//! It grows when full and never shrinks, so after the longest queue of a run has been seen nothing
//! is allocated any more. Positions count up for ever and are masked on access; there is no
//! wrap-around branch to mispredict.

/// A growable FIFO of small values.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T: Copy> {
    places: Box<[T]>,
    head: usize,
    tail: usize,
}

impl<T: Copy> Ring<T> {
    /// An empty ring; the first value pushed allocates it.
    pub(crate) fn new() -> Self {
        Ring { places: Box::new([]), head: 0, tail: 0 }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.tail.wrapping_sub(self.head)
    }

    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        if self.len() == self.places.len() {
            self.grow(value);
        }
        let place = self.tail & (self.places.len() - 1);
        self.places[place] = value;
        self.tail = self.tail.wrapping_add(1);
    }

    /// The value that [`Ring::pop`] would take.
    #[inline]
    pub(crate) fn front(&self) -> Option<T> {
        (self.head != self.tail).then(|| self.places[self.head & (self.places.len() - 1)])
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        if self.head == self.tail {
            return None;
        }
        let value = self.places[self.head & (self.places.len() - 1)];
        self.head = self.head.wrapping_add(1);
        Some(value)
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
            }
        }
    }
}
