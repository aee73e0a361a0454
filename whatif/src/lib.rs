//! Questions asked of a scenario.
//!
//! [`explain()`] says where the time goes and what would be gained by removing each part;
//! [`next_to_try`] names the one setting to try first. What is varied is read by [`Vary`], which
//! configurations that makes is said by a [`Design`], and all of them are run by one [`Runner`], so
//! that they can be paired night by night ([`Paired`]); [`compare()`] and [`views()`] read answers
//! off them. [`estate`] predicts a night of many jobs and seeks a better order of them. All return
//! data; how it looks is the affair of `bakcast_report`.

mod ask;
mod compare;
mod design;
pub mod estate;
mod explain;
mod levers;
mod need;
mod next_to_try;
mod paired;
mod plan;
mod recommend;
mod runner;
mod sensitivity;
mod vary;
mod views;

pub use ask::{
    Alternative, Answer, AskError, AskOptions, FLIP_FACTOR, Fit, Flip, KindAnswer, OperationAnswer,
    Question, Surer, Told, Tried, ask,
};
pub use compare::{CompareError, Compared, Comparison, Failed, MOST_COMPARED, Verdict, compare};
pub use design::{Configuration, Design, DesignError, LARGEST_LIST, MOST_CONFIGURATIONS};
pub use explain::{
    Bounds, Demand, Explanation, Footing, Knee, KneePoint, OperationExplanation, Theory, explain,
    footings,
};
pub use levers::{Lever, LeverSide, LeverUnit, LeverValue, levers};
pub use need::{Demanded, MOST as NEED_FACTOR, Needed, Part, PartNeed, need};
pub use next_to_try::{NextToTry, next_to_try};
pub use paired::{Paired, THRESHOLD};
pub use plan::{
    Ahead, CostClass, Curve, Growth, Month, Plan, PlanChange, PlanError, Stop, normal_quantile,
    plan,
};
pub use recommend::{
    Advice, Beyond, Evaluated, Knob, Lattice, Limit, Measure, Recommendation, Rung, Settings,
    Subject, Wanted, memory_of, processor_share, recommend, usual_devices,
};
pub use runner::{Cancelled, Ended, GoOn, Operation, Outcome, Ran, Runner};
pub use sensitivity::{Sensitivity, sensitivity};
pub use vary::{Change, MOST_VALUES, Setting, Vary, VaryError};
pub use views::{BestOf, Effect, EffectValue, Point, Views, views};
