//! What spans several values of a capped volume.

use bakcast_models::quantity::ByteRate;

use crate::problem::{Problem, ProblemKind};
use crate::tree::{self, Node, Table};
use crate::words;

/// A burst that is slower than what is always allowed. Two rates that were mixed up are put right;
/// values that are wrong by themselves are reported elsewhere.
pub(crate) fn burst_below_rate(name: &str, device: &Table) -> Option<Problem> {
    let rate = |node: &Node| node.text()?.parse::<ByteRate>().ok();
    let always = tree::find(device, &["capped", "rate"])?;
    let burst = tree::find(device, &["capped", "burst", "rate"])?;
    if rate(burst)? >= rate(always)? {
        return None;
    }
    let path = format!("device.{name}.capped.burst.rate");
    let message = format!(
        "`{}` is {}, less than the {} that are always allowed",
        words::shown(&path),
        burst.shown(),
        always.shown()
    );
    let accepted =
        format!("at least `rate`, {}; leave `burst` out if there is none", always.shown());
    let swapped = format!("`rate = {}` and `burst.rate = {}`", burst.shown(), always.shown());
    let problem = Problem::new(ProblemKind::OutOfRange, burst.place, &path, message);
    Some(problem.found(burst.shown()).accepted(accepted).suggestion(Some(swapped)))
}
