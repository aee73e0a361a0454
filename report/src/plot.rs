//! Pictures: data in, SVG or PNG out, without fonts or libraries of the system.
//!
//! Every kind of picture is one file with one struct of data, its [`Chart`]: the same data are also
//! its table ([`Table`]) and its text form for a terminal, so that no picture shows what cannot be
//! read. Drawing goes through one door (`door.rs`).

mod axis;
mod chart;
mod data;
mod distribution;
mod door;
mod font;
mod frame;
mod grid;
mod growth;
mod knob;
mod look;
mod measured;
mod pareto;
mod scene;
mod stages;
mod term;
mod time;
mod words;

pub use chart::{Cell, Chart, Origin, PlotResult, Table, png, svg};
pub use data::{has, value_of};
pub use distribution::DistributionChart;
pub use door::{PlotError, Png};
pub use grid::{GridCell, GridChart, Shows};
pub use growth::{GrowthChart, GrowthPoint};
pub use knob::{KnobChart, KnobPoint, MeasuredPoint};
pub use look::{Look, Size, Theme};
pub use measured::{MeasuredChart, MeasuredRow};
pub use pareto::{ParetoChart, ParetoPoint};
pub use stages::{Stage, StagesChart};
pub use term::Glyphs;
pub use time::{TimeChart, TimeInterval};
pub use words::name;
