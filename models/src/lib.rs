//! Bytes, devices, buffers and threads of a backup pipeline.

pub mod device;
pub mod outcome;
pub mod pipeline;
pub mod plan;
pub mod quantity;
pub mod sql_server;
pub mod station_clock;
pub mod wait;
