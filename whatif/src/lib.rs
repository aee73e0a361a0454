//! Questions asked of a scenario.
//!
//! [`explain()`] says where the time goes and what would be gained by removing each part;
//! [`next_to_try`] names the one setting to try first; [`estate`] predicts a night of many jobs and
//! seeks a better order of them. All run the scenario and return data; how
//! it looks is the affair of `bakcast_report`.

pub mod estate;
mod explain;
mod next_to_try;

pub use explain::{
    Bounds, Demand, Explanation, Knee, KneePoint, OperationExplanation, Theory, explain,
};
pub use next_to_try::{NextToTry, next_to_try};
