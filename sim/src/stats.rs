//! Statistics: of observations, of levels over time, and what replications allow to conclude.

mod area;
mod interval;
mod quantile;
mod tally;
mod time_average;

pub(crate) use area::Area;
pub use interval::{ConfidenceInterval, StatisticsError, batch_means};
pub use quantile::{QuantileInterval, quantile, quantile_interval, quantile_to_come};
pub use tally::Tally;
pub use time_average::TimeAverage;
