//! Where buffers are.

use serde::Serialize;

/// Where a job's buffers are. Those of each kind sum to their count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct BuffersByPlace {
    /// Raw buffers: of readers.
    pub raw: RawBuffers,
    /// Encoded buffers: of workers. All 0 if nothing is encoded and kept.
    pub encoded: EncodedBuffers,
    /// Media buffers: of writers. All 0 if there are none.
    pub media: MediaBuffers,
}

/// Raw buffers by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RawBuffers {
    /// How many there are. One that holds the end of a volume in a restore counts twice.
    pub count: u32,
    /// Free.
    pub free: u32,
    /// A read into it is under way.
    pub being_read: u32,
    /// Waiting for a worker, or without work for a writer.
    pub filled: u32,
    /// A worker works on it.
    pub worked_on: u32,
    /// A write from it is under way.
    pub being_written: u32,
}

/// Encoded buffers by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct EncodedBuffers {
    /// How many there are.
    pub count: u32,
    /// Free.
    pub free: u32,
    /// A worker fills it.
    pub being_filled: u32,
    /// Waiting for a writer.
    pub filled: u32,
    /// A writer has taken it and waits for a media buffer.
    pub taken: u32,
    /// A write from it is under way.
    pub being_written: u32,
}

/// Media buffers by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MediaBuffers {
    /// How many there are.
    pub count: u32,
    /// Free.
    pub free: u32,
    /// A writer fills it.
    pub being_filled: u32,
    /// A write from it is under way.
    pub being_written: u32,
}
