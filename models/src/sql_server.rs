//! Defaults and limits of SQL Server's BACKUP, each with its source.
//!
//! The engine is one module, so that a second database engine is a second module and not a change
//! of the pipeline. Sources: the vendor's documentation of BACKUP and the printed buffer
//! configurations collected in `docs/architecture.md`.

use crate::quantity::Bytes;

/// Smallest transfer and step of transfer sizes (BACKUP documentation).
pub const TRANSFER_SIZE_STEP: Bytes = Bytes::kibibytes(64);
/// Largest transfer to a disk (BACKUP documentation).
pub const TRANSFER_SIZE_MAX: Bytes = Bytes::mebibytes(4);
/// Transfer size to a disk when none is given (BACKUP documentation).
pub const TRANSFER_SIZE_DEFAULT: Bytes = Bytes::mebibytes(1);
/// Most backup devices of one media set (BACKUP documentation).
pub const STRIPES_MAX: usize = 64;
/// BLOCKSIZE values accepted (BACKUP documentation).
pub const BLOCK_SIZES: [u64; 8] = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
/// Sets of buffers of a compressed backup (trace output of 2014 and later).
pub const SETS_COMPRESSED: u32 = 3;
/// Sets of buffers of an uncompressed backup.
pub const SETS_UNCOMPRESSED: u32 = 1;
/// Outstanding writes the engine itself counts with per backup device: its suggested depth.
pub const WRITE_DEPTH: u32 = 4;
/// Outstanding reads the engine itself counts with per source volume.
pub const READ_DEPTH: u32 = 2;

/// Which releases a default belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferRule {
    /// SQL Server 2008 and later.
    Since2008,
    /// SQL Server 2005.
    Of2005,
}

/// BUFFERCOUNT when none is given: stripes x depth + stripes + 2 x volumes, with depth 4 since
/// 2008 (7, 12, 17, 22, 27 printed for 1 to 5 stripes on one volume) and 3 in 2005 (6 printed).
#[must_use]
pub const fn default_buffer_count(rule: BufferRule, stripes: u32, volumes: u32) -> u32 {
    let depth = match rule {
        BufferRule::Since2008 => WRITE_DEPTH,
        BufferRule::Of2005 => 3,
    };
    stripes * depth + stripes + READ_DEPTH * volumes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_buffer_counts_are_those_the_engine_printed() {
        let since_2008 = |stripes| default_buffer_count(BufferRule::Since2008, stripes, 1);
        assert_eq!([1, 2, 3, 4, 5].map(since_2008), [7, 12, 17, 22, 27]);
        assert_eq!(default_buffer_count(BufferRule::Of2005, 1, 1), 6);
    }
}
