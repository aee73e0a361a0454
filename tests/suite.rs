//! The behaviour of the whole: one binary, one file a behaviour.

mod accuracy;
mod bad_input;
mod cli;
mod determinism;
mod docs;
mod expected;
mod laws;
mod layering;
mod monotony;
mod theory;
mod tidy;
