//! The behaviour of the whole: one binary, one file a behaviour.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod accuracy;
mod ask;
mod bad_input;
mod calibrate;
mod carried;
mod cli;
mod compare;
mod determinism;
mod docs;
mod expected;
mod import;
mod laws;
mod layering;
mod monotony;
mod page;
mod plan;
mod recommend;
mod statements;
mod sweep;
mod teach;
mod theory;
mod tidy;
