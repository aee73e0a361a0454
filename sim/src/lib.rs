//! The discrete-event kernel.

mod calendar;
mod delay;
mod distribution;
mod free_set;
mod network;
mod product_form;
mod replication;
mod ring;
mod run;
mod sharing;
mod station;
mod stats;
mod stream;
mod time;
mod tokens;

pub use calendar::{Calendar, Slot};
pub use delay::Delay;
pub use distribution::{Distribution, DistributionError};
pub use network::{
    ClosedNetwork, Horizon, NetworkError, NetworkResult, NetworkStation, Routing, StationKind,
};
pub use product_form::{
    Bounds, Demand, Equilibrium, ProductFormError, StationEquilibrium, asymptotic_bounds,
    balanced_job_bounds, convolution, mean_value_analysis,
};
pub use replication::{replicate, replicate_each, try_replicate};
pub use run::{Flow, Limits, Model, RunError, RunSummary, run};
pub use sharing::SharedStation;
pub use station::{Station, StationStatistics};
pub use stats::{
    ConfidenceInterval, QuantileInterval, StatisticsError, Tally, TimeAverage, batch_means,
    quantile, quantile_interval,
};
pub use stream::{Stream, Streams};
pub use time::{SimTime, Span};
pub use tokens::{TokenPool, TokenStatistics};
