//! What tells the rows of one sweep from those of another.

use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Document, Set};
use bakcast_whatif::Design;

use crate::args::Sweep;

/// A 64-bit FNV-1a of all that rows depend on: the same on every machine and in every release of
/// the compiler. It tells mistakes apart, and is no protection from anybody.
struct Hasher(u64);

impl Hasher {
    fn add(&mut self, bytes: &[u8]) {
        // With its length, so that `a`, `bc` is not `ab`, `c`.
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The fingerprint of a sweep, as its rows carry it; that of all its shards is the same.
pub(super) fn of(
    document: &Document,
    (variant, sets): (Option<&str>, &[Set]),
    arguments: &Sweep,
    options: &PredictOptions,
    design: &Design,
) -> String {
    let mut hasher = Hasher(0xcbf2_9ce4_8422_2325);
    hasher.add(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.add(document.text().as_bytes());
    hasher.add(variant.unwrap_or_default().as_bytes());
    sets.iter().for_each(|set| hasher.add(set.to_string().as_bytes()));
    hasher.add(format!("{options:?} {}", arguments.bottleneck).as_bytes());
    arguments.require.iter().for_each(|limit| hasher.add(limit.to_string().as_bytes()));
    for axis in design.axes() {
        hasher.add(axis.path.as_bytes());
        axis.settings.iter().for_each(|setting| hasher.add(setting.label.as_bytes()));
    }
    for index in 0..design.count() {
        design.values(index).iter().for_each(|value| hasher.add(&(*value as u64).to_le_bytes()));
    }
    format!("{:016x}", hasher.0)
}
