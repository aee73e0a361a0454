//! Which of a fixed number of places are free, lowest first.

/// A set of small numbers as bits, 64 to a word. The first word stands apart, because nearly all
/// stations have no more than 64 servers and need no other.
#[derive(Clone, Debug)]
pub(crate) struct FreeSet {
    first: u64,
    others: Box<[u64]>,
    places: usize,
}

impl FreeSet {
    /// All of `places` are free.
    pub(crate) fn all(places: usize) -> Self {
        let word = |index: usize| match places.saturating_sub(64 * index) {
            more @ 0..64 => (1 << more) - 1,
            _ => u64::MAX,
        };
        let others = (1..places.div_ceil(64)).map(word).collect();
        FreeSet { first: word(0), others, places }
    }

    #[inline]
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    /// How many places are taken.
    #[inline]
    pub(crate) fn taken(&self) -> usize {
        let free = |word: u64| word.count_ones() as usize;
        self.places - free(self.first) - self.others.iter().map(|&word| free(word)).sum::<usize>()
    }

    /// Takes the lowest free place.
    #[inline]
    pub(crate) fn take_lowest(&mut self) -> Option<usize> {
        if self.first != 0 {
            let place = self.first.trailing_zeros() as usize;
            self.first &= self.first - 1;
            return Some(place);
        }
        if self.others.is_empty() { None } else { self.take_from_others() }
    }

    #[inline(never)]
    fn take_from_others(&mut self) -> Option<usize> {
        let index = self.others.iter().position(|&word| word != 0)?;
        let word = &mut self.others[index];
        let place = 64 * (index + 1) + word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(place)
    }

    /// Makes a taken place free again.
    #[inline]
    pub(crate) fn put_back(&mut self, place: usize) {
        let word = if place < 64 { &mut self.first } else { &mut self.others[place / 64 - 1] };
        let bit = 1 << (place % 64);
        debug_assert!(*word & bit == 0, "place {place} is free already");
        *word |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_handed_out_from_the_lowest() {
        for places in [2, 63, 64, 65, 130] {
            let mut set = FreeSet::all(places);
            for expected in 0..places {
                assert_eq!(set.take_lowest(), Some(expected));
            }
            assert_eq!(set.take_lowest(), None);
            set.put_back(places - 1);
            set.put_back(0);
            assert_eq!((set.taken(), set.places()), (places - 2, places));
            assert_eq!(set.take_lowest(), Some(0));
        }
    }

    #[test]
    #[should_panic(expected = "free already")]
    fn a_free_place_cannot_be_put_back() {
        FreeSet::all(3).put_back(1);
    }
}
