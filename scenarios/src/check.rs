//! Checking a scenario as written: every problem of it at once.
//!
//! First each value by itself, against the shape read off the schema; then what spans several
//! values. Both work on the tree with its places, so that each problem points to its line.

mod across;
mod capped;
mod ensemble;
mod fields;
mod jobs;
mod night;
mod others;
mod value;

use crate::place::{FILE, Place};
use crate::problem::Problems;
use crate::shape;
use crate::tree::Table;

pub(crate) use across::LAWS;
pub(crate) use capped::burst_below_rate;
pub(crate) use ensemble::MOST_VALUES;
pub(crate) use fields::check_assignment;
pub(crate) use value::flag_meant;

/// Reports every problem of the scenario.
pub(crate) fn check(root: &Table, problems: &mut Problems) {
    let start = Place { source: FILE, start: 0, end: 0 };
    fields::Walk::new(problems).table(shape::scenario(), root, start);
    across::check(root, problems);
    ensemble::check(root, problems);
}
