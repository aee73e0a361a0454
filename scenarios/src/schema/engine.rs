//! The rules of the database engine that the evidence leaves open.

use bakcast_models::quantity::Period;
use bakcast_models::{plan, sql_server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of the database engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Time from the statement to the first read: checkpoint, opening the media, allocation scan.
    #[serde(default = "default_start")]
    pub start: Period,
    /// Time from the last write to the end of the statement.
    #[serde(default = "default_finish")]
    pub finish: Period,
    /// Which release's rule gives BUFFERCOUNT when none is written.
    #[serde(default)]
    pub buffer_rule: BufferRule,
    /// How filled buffers are dealt to the writers.
    #[serde(default)]
    pub writer_queue: WriterQueue,
    /// What becomes of compressed bytes.
    #[serde(default)]
    pub encoded_writes: EncodedWrites,
    /// What bounds the number of processors that compress at a time.
    #[serde(default)]
    pub workers: Workers,
    /// Reads one reader keeps outstanding.
    #[serde(default = "default_read_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub read_depth: u32,
    /// Writes one writer keeps outstanding.
    #[serde(default = "default_write_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub write_depth: u32,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            start: default_start(),
            finish: default_finish(),
            buffer_rule: BufferRule::default(),
            writer_queue: WriterQueue::default(),
            encoded_writes: EncodedWrites::default(),
            workers: Workers::default(),
            read_depth: default_read_depth(),
            write_depth: default_write_depth(),
        }
    }
}

/// Printed in a small trace (sources in `docs/architecture.md`).
fn default_start() -> Period {
    Period::from_nanos(260_000_000)
}

/// Closing the media and writing the history; assumption.
fn default_finish() -> Period {
    Period::from_nanos(100_000_000)
}

/// What the engine itself counts with per source volume.
fn default_read_depth() -> u32 {
    sql_server::READ_DEPTH
}

/// What the engine itself counts with per backup device.
fn default_write_depth() -> u32 {
    sql_server::WRITE_DEPTH
}

/// Which release's rule gives BUFFERCOUNT when none is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum BufferRule {
    /// 5 x stripes + 2 x volumes: SQL Server 2008 and later.
    #[default]
    #[serde(rename = "since-2008")]
    Since2008,
    /// 4 x stripes + 2 x volumes: SQL Server 2005.
    #[serde(rename = "2005")]
    Of2005,
}

impl From<BufferRule> for sql_server::BufferRule {
    fn from(rule: BufferRule) -> Self {
        match rule {
            BufferRule::Since2008 => sql_server::BufferRule::Since2008,
            BufferRule::Of2005 => sql_server::BufferRule::Of2005,
        }
    }
}

/// How filled buffers are dealt to the writers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriterQueue {
    /// All writers take from one queue, so a faster file takes more.
    #[default]
    Shared,
    /// Each writer in its turn.
    Turns,
}

impl From<WriterQueue> for plan::WriterQueue {
    fn from(queue: WriterQueue) -> Self {
        match queue {
            WriterQueue::Shared => plan::WriterQueue::Shared,
            WriterQueue::Turns => plan::WriterQueue::Turns,
        }
    }
}

/// What becomes of compressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EncodedWrites {
    /// Collected into writes of up to the transfer size.
    #[default]
    Collected,
    /// Copied into a media buffer and written, one write for each buffer read.
    PerBuffer,
    /// Written straight from the encoded buffer, one write for each buffer read: two sets of
    /// buffers instead of three.
    InPlace,
}

impl From<EncodedWrites> for plan::EncodedWrites {
    fn from(writes: EncodedWrites) -> Self {
        match writes {
            EncodedWrites::Collected => plan::EncodedWrites::Collected,
            EncodedWrites::PerBuffer => plan::EncodedWrites::PerBuffer,
            EncodedWrites::InPlace => plan::EncodedWrites::InPlace,
        }
    }
}

/// What bounds the number of processors that compress at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Workers {
    /// Processors, and encoded buffers in flight.
    #[default]
    ProcessorsAndBuffers,
    /// Processors alone.
    Processors,
}

impl From<Workers> for plan::Workers {
    fn from(workers: Workers) -> Self {
        match workers {
            Workers::ProcessorsAndBuffers => plan::Workers::ProcessorsAndBuffers,
            Workers::Processors => plan::Workers::Processors,
        }
    }
}
