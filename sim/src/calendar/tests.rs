use std::cmp::Reverse;
use std::collections::BinaryHeap;

use proptest::prelude::*;

use super::*;

fn at(nanos: u64) -> SimTime {
    SimTime::from_nanos(nanos)
}

#[test]
fn an_empty_calendar_has_nothing_next() {
    for slots in [0, 1, 8, 9, 16, 17] {
        let calendar = Calendar::new(slots);
        assert_eq!(calendar.next(), None);
        assert_eq!(calendar.pending(), 0);
        assert_eq!(calendar.slots(), slots);
    }
}

#[test]
fn scheduling_again_replaces_the_pending_end() {
    for slots in [3, 12, 20] {
        let mut calendar = Calendar::new(slots);
        calendar.schedule(Slot::new(2), at(9));
        calendar.schedule(Slot::new(2), at(11));
        assert_eq!(calendar.pending(), 1);
        assert_eq!(calendar.time_of(Slot::new(2)), Some(at(11)));
        assert_eq!(calendar.time_of(Slot::new(1)), None);
        calendar.cancel(Slot::new(2));
        calendar.cancel(Slot::new(2));
        assert_eq!(calendar.next(), None);
    }
}

#[test]
fn equal_times_keep_the_order_of_scheduling() {
    for slots in [8, 16, 64] {
        let mut calendar = Calendar::new(slots);
        let order = [5, 0, 7, 3];
        for index in order {
            calendar.schedule(Slot::new(index), at(4));
        }
        for index in order {
            assert_eq!(calendar.next(), Some((at(4), Slot::new(index))));
            calendar.cancel(Slot::new(index));
        }
    }
}

#[test]
fn the_largest_calendar_works_at_the_latest_time() {
    let mut calendar = Calendar::new(Calendar::SLOTS_MAX);
    let last = Slot::new(Calendar::SLOTS_MAX - 1);
    calendar.schedule(last, SimTime::MAX);
    assert_eq!(calendar.next(), Some((SimTime::MAX, last)));
    let mut small = Calendar::new(8);
    small.schedule(Slot::new(7), SimTime::MAX);
    assert_eq!(small.next(), Some((SimTime::MAX, Slot::new(7))));
}

#[test]
#[should_panic(expected = "more than a calendar can hold")]
fn too_many_slots_are_refused() {
    let _ = Calendar::new(Calendar::SLOTS_MAX + 1);
}

#[test]
#[should_panic(expected = "slot 3 of 3")]
fn a_slot_that_does_not_exist_is_refused() {
    Calendar::new(3).schedule(Slot::new(3), at(1));
}

/// What a test does to a calendar and to the reference.
#[derive(Clone, Debug)]
enum Step {
    Schedule { slot: usize, nanos: u64 },
    Cancel { slot: usize },
    Advance { nanos: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    // Few distinct times, so that ties are the rule, and now and then one that is days away, so
    // that a row has to move its base or give way to a tree.
    let gap = prop_oneof![60 => 0..6u64, 1 => 1..1u64 << 50];
    prop_oneof![
        4 => (0..usize::MAX, gap).prop_map(|(slot, nanos)| Step::Schedule { slot, nanos }),
        1 => (0..usize::MAX).prop_map(|slot| Step::Cancel { slot }),
        3 => (0..4u64).prop_map(|nanos| Step::Advance { nanos }),
    ]
}

/// The obvious calendar: a heap of (time, order of scheduling, slot); entries that were replaced
/// or cancelled are dropped when they surface.
struct Reference {
    heap: BinaryHeap<Reverse<(u64, u64, usize)>>,
    current: Vec<Option<u64>>,
    scheduled: u64,
}

impl Reference {
    fn schedule(&mut self, slot: usize, nanos: u64) {
        self.heap.push(Reverse((nanos, self.scheduled, slot)));
        self.current[slot] = Some(self.scheduled);
        self.scheduled += 1;
    }

    fn next(&mut self) -> Option<(u64, usize)> {
        while let Some(&Reverse((nanos, number, slot))) = self.heap.peek() {
            if self.current[slot] == Some(number) {
                return Some((nanos, slot));
            }
            self.heap.pop();
        }
        None
    }
}

/// Runs past the 8192 ranks of a row several times, with ties all the way.
#[test]
fn a_row_can_be_scheduled_for_ever() {
    let slots = 5;
    let mut calendar = Calendar::new(slots);
    let mut reference =
        Reference { heap: BinaryHeap::new(), current: vec![None; slots], scheduled: 0 };
    for slot in 0..slots {
        calendar.schedule(Slot::new(slot), at(0));
        reference.schedule(slot, 0);
    }
    for step in 0..50_000 {
        let (nanos, slot) = reference.next().unwrap();
        assert_eq!(calendar.next(), Some((at(nanos), Slot::new(slot))));
        let next = nanos + (step * 7919) % 4 * 1_000_000_000_000;
        calendar.schedule(Slot::new(slot), at(next));
        reference.schedule(slot, next);
        if step % 11 == 0 {
            let other = (step % 5) as usize;
            calendar.schedule(Slot::new(other), at(nanos));
            reference.schedule(other, nanos);
        }
    }
    assert!(matches!(calendar.entries, Entries::Row8(_)), "nothing here needs a tree");
}

/// Ends more than 78 hours apart turn a row into a tree, whatever the order they come in.
#[test]
fn ends_far_apart_are_kept_in_order() {
    let far = 1 << 60;
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut calendar = Calendar::new(3);
        for index in order {
            calendar.schedule(Slot::new(index), at(index as u64 * far));
        }
        for index in 0..3 {
            assert_eq!(calendar.next(), Some((at(index as u64 * far), Slot::new(index))));
            assert_eq!(calendar.time_of(Slot::new(index)), Some(at(index as u64 * far)));
            calendar.cancel(Slot::new(index));
        }
    }
}

proptest! {
    #[test]
    fn the_calendar_agrees_with_a_heap(
        slots in prop_oneof![1..=8usize, 9..=16usize, 17..=70usize],
        steps in prop::collection::vec(step(), 1..300),
    ) {
        let mut calendar = Calendar::new(slots);
        let mut reference =
            Reference { heap: BinaryHeap::new(), current: vec![None; slots], scheduled: 0 };
        let mut now = 0;
        for step in steps {
            match step {
                Step::Schedule { slot, nanos } => {
                    calendar.schedule(Slot::new(slot % slots), at(now + nanos));
                    reference.schedule(slot % slots, now + nanos);
                }
                Step::Cancel { slot } => {
                    calendar.cancel(Slot::new(slot % slots));
                    reference.current[slot % slots] = None;
                }
                Step::Advance { nanos } => {
                    // As in a run: the head ends and its slot starts something new.
                    if let Some((time, slot)) = reference.next() {
                        now = time;
                        calendar.schedule(Slot::new(slot), at(now + nanos));
                        reference.schedule(slot, now + nanos);
                    }
                }
            }
            let expected = reference.next().map(|(nanos, slot)| (at(nanos), Slot::new(slot)));
            prop_assert_eq!(calendar.next(), expected);
            let armed = reference.current.iter().filter(|number| number.is_some()).count();
            prop_assert_eq!(calendar.pending(), armed);
        }
    }
}
