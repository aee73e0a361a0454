//! Users and other load: what a scenario says of it, as the simulation takes it.

use bakcast_models::device::{Device, OtherLoad};
use bakcast_models::quantity::{ByteRate, Fraction, Period};

/// The load on a device; `request` is the time of one request, if the scenario says it.
pub(super) fn on_device(
    law: &Device,
    share: Fraction,
    request: Option<Period>,
) -> Option<OtherLoad> {
    load(share, request.unwrap_or_else(|| usual_request(law)))
}

/// The load on each processor.
pub(super) fn on_processor(share: Fraction, request: Period) -> Option<OtherLoad> {
    load(share, request)
}

fn load(share: Fraction, request: Period) -> Option<OtherLoad> {
    (share > Fraction::ZERO).then_some(OtherLoad { share, request })
}

/// What a request of a user takes, where the scenario does not say it; assumption. A disk is
/// positioned for it and moves next to nothing; a solid state drive answers within its latency; of
/// a device that is nothing but a rate, an extent is read, as the database does.
fn usual_request(law: &Device) -> Period {
    match law {
        Device::Spindle(disk) => disk.positioning,
        Device::SolidState(_) | Device::Null(_) => Period::from_nanos(100_000),
        Device::FixedRate(device) => extent_at(device.rate),
        Device::Capped(volume) => extent_at(volume.rate),
        Device::Link(link) => extent_at(link.rate),
    }
}

/// The time of 64 KiB, eight pages.
fn extent_at(rate: ByteRate) -> Period {
    Period::from_nanos((65_536e9 / rate.get()).round().min(1e10) as u64)
}
