//! The stored fits, as they are shipped.

use crate::record::Record;

/// The stored fit of an article.
///
/// # Panics
/// If an embedded file cannot be read: our bug, and a test reads them all.
#[must_use]
pub fn record(article: &str) -> Option<Record> {
    let text = match article {
        "nvme-knob-matrix" => include_str!("../fitted/nvme-knob-matrix.toml"),
        "usb3-laptop" => include_str!("../fitted/usb3-laptop.toml"),
        _ => return None,
    };
    Some(toml::from_str(text).expect("a stored fit"))
}
