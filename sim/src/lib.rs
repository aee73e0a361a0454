//! The discrete-event kernel of bakcast: it knows time, and nothing of bytes.
//!
//! A simulation is a [`Model`] that answers ends. Its [`Calendar`] has one [`Slot`] for everything
//! that can end; [`run`] takes the earliest end, the model answers it and writes new ends into the
//! calendar, and so on. Who is served is the affair of stations ([`Station`], [`SharedStation`],
//! [`Delay`], [`TokenPool`]), which also count; how long a service takes is the affair of the
//! model, which draws it from a [`Distribution`] with a named [`Stream`].
//!
//! Time is counted in whole nanoseconds ([`SimTime`], [`Span`]), equal times keep the order of
//! scheduling, and randomness comes from (seed, replication, name) alone, so a run is a function of
//! its input on every machine and on any number of threads.
//!
//! # An M/M/1 queue in full
//!
//! ```
//! use bakcast_sim::{
//!     Calendar, Flow, Limits, Model, SimTime, Slot, Span, Station, Stream, Streams, run,
//! };
//!
//! const ARRIVAL: Slot = Slot::new(0);
//! const SERVICE: Slot = Slot::new(1);
//!
//! struct Till {
//!     station: Station<()>,
//!     arrivals: Stream,
//!     services: Stream,
//! }
//!
//! impl Till {
//!     /// Half as long as the mean time between arrivals.
//!     fn service(&mut self) -> Span {
//!         Span::from_seconds(0.5 * self.services.exponential())
//!     }
//! }
//!
//! impl Model for Till {
//!     fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
//!         if slot == ARRIVAL {
//!             calendar.schedule(ARRIVAL, now + Span::from_seconds(self.arrivals.exponential()));
//!             if self.station.arrive(now, ()).is_some() {
//!                 calendar.schedule(SERVICE, now + self.service());
//!             }
//!         } else if self.station.depart(now, 0).1.is_some() {
//!             calendar.schedule(SERVICE, now + self.service());
//!         } else {
//!             calendar.cancel(SERVICE);
//!         }
//!         if now.as_seconds() < 50_000.0 { Flow::Continue } else { Flow::Stop }
//!     }
//! }
//!
//! # fn main() -> Result<(), bakcast_sim::RunError> {
//! let streams = Streams::new(1, 0);
//! let (arrivals, services) = (streams.named("arrivals"), streams.named("services"));
//! let mut till = Till { station: Station::new(1), arrivals, services };
//! let mut calendar = Calendar::new(2);
//! calendar.schedule(ARRIVAL, SimTime::ZERO);
//! let summary = run(&mut till, &mut calendar, Limits::NONE)?;
//! let statistics = till.station.statistics(summary.end);
//! assert!((statistics.utilization - 0.5).abs() < 0.02);
//! assert!((statistics.mean_jobs - 1.0).abs() < 0.1);
//! # Ok(())
//! # }
//! ```
//!
//! # What else is here
//!
//! - [`replicate`] and its kin run independent repeats on all processors, [`batch`] those of many
//!   jobs; [`ConfidenceInterval`], [`Tally`], [`TimeAverage`], [`quantile_interval`] and
//!   [`batch_means`] say what they mean.
//! - [`mean_value_analysis`], [`convolution`] and bounds give exact answers where there are any.
//! - [`ClosedNetwork`] simulates such networks with any distribution: for teaching, and for the
//!   tests that compare simulation and theory.

mod batch;
mod calendar;
mod delay;
mod distribution;
mod free_set;
mod line;
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
mod variates;

pub use batch::{Job, Next, batch};
pub use calendar::{Calendar, Slot};
pub use delay::Delay;
pub use distribution::{Distribution, DistributionError};
pub use line::Line;
pub use network::{
    ClosedNetwork, Horizon, NetworkError, NetworkResult, NetworkStation, Routing, StationKind,
};
pub use product_form::{
    Bounds, Demand, Equilibrium, ProductFormError, StationEquilibrium, asymptotic_bounds,
    balanced_job_bounds, convolution, mean_value_analysis,
};
pub use replication::{replicate, try_replicate};
pub use ring::Ring;
pub use run::{Flow, Limits, Model, RunError, RunSummary, run};
pub use sharing::SharedStation;
pub use station::{Station, StationStatistics};
pub use stats::{
    ConfidenceInterval, QuantileInterval, StatisticsError, Tally, TimeAverage, batch_means,
    quantile, quantile_interval, quantile_to_come,
};
pub use stream::{Stream, Streams};
pub use time::{SimTime, Span};
pub use tokens::{TokenPool, TokenStatistics};
pub use variates::{Tapes, Variates};
