//! Equal intervals that cover a run whose length is not known before.
//!
//! There are at most so many of them. When the run outgrows them, each two become one: they are
//! then twice as long, and half as many. So memory is bounded, and at the end between half of them
//! and all are in use.

/// Values of each of the intervals in use.
#[derive(Debug, Clone)]
pub(super) struct Grid<T> {
    width_ns: u64,
    most: usize,
    pub(super) cells: Vec<T>,
}

impl<T: Default> Grid<T> {
    /// At most `most` intervals (two at the least), at first of so many nanoseconds.
    pub(super) fn new(most: usize, width_ns: u64) -> Self {
        let most = most.max(2).next_multiple_of(2);
        Grid { width_ns: width_ns.max(1), most, cells: Vec::new() }
    }

    pub(super) fn width_ns(&self) -> u64 {
        self.width_ns
    }

    /// Makes the intervals reach `end_ns`; `merge` adds the second value to the first.
    pub(super) fn reach(&mut self, end_ns: u64, mut merge: impl FnMut(&mut T, &T)) {
        while end_ns.div_ceil(self.width_ns) > self.most as u64 {
            self.width_ns *= 2;
            let mut cells = std::mem::take(&mut self.cells).into_iter();
            while let Some(mut first) = cells.next() {
                if let Some(second) = cells.next() {
                    merge(&mut first, &second);
                }
                self.cells.push(first);
            }
        }
        let count = end_ns.div_ceil(self.width_ns) as usize;
        if self.cells.len() < count {
            self.cells.resize_with(count, T::default);
        }
    }

    /// The interval of a time that has been reached. One at the very end belongs to the last.
    pub(super) fn at(&mut self, at_ns: u64) -> Option<&mut T> {
        let index = (at_ns / self.width_ns) as usize;
        let last = self.cells.len().checked_sub(1)?;
        self.cells.get_mut(index.min(last))
    }

    /// Calls `add` with each interval of a span that has been reached, and the nanoseconds of the
    /// span in it.
    pub(super) fn spread(&mut self, begin_ns: u64, end_ns: u64, mut add: impl FnMut(&mut T, u64)) {
        let mut at = begin_ns;
        while at < end_ns {
            let index = at / self.width_ns;
            let until = end_ns.min((index + 1).saturating_mul(self.width_ns));
            add(&mut self.cells[index as usize], until - at);
            at = until;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spread_is_all_there_however_often_intervals_are_merged() {
        let mut grid: Grid<u64> = Grid::new(7, 1);
        let mut at = 0;
        for step in 1..200 {
            grid.reach(at + step, |sum, more| *sum += more);
            grid.spread(at, at + step, |sum, part| *sum += part);
            at += step;
            assert!(grid.cells.len() <= 8);
            assert_eq!(grid.cells.iter().sum::<u64>(), at);
            let full = grid.cells.len() - 1;
            assert!(grid.cells[..full].iter().all(|sum| *sum == grid.width_ns()));
        }
        assert!(grid.cells.len() >= 4);
    }

    #[test]
    fn intervals_that_are_long_enough_stay_as_they_are() {
        let mut grid: Grid<u64> = Grid::new(10, 100);
        grid.reach(1000, |sum, more| *sum += more);
        assert_eq!((grid.width_ns(), grid.cells.len()), (100, 10));
        *grid.at(1000).expect("it is reached") += 1;
        assert_eq!(grid.cells[9], 1);
    }
}
