//! The stored fits, as they are shipped.

use crate::record::Record;

macro_rules! stored {
    ($($id:literal),+ $(,)?) => {
        [$(($id, include_str!(concat!("../fitted/", $id, ".toml")))),+]
    };
}

const STORED: [(&str, &str); 9] = stored![
    "nvme-knob-matrix",
    "usb3-laptop",
    "public-multifile-nvme-2020",
    "public-unc-share-files",
    "public-nul-algorithms-2025",
    "pair-dotnine-2013",
    "pair-randal-2008",
    "pair-blobeater-2016",
    "pair-unisys-2008",
];

/// The stored fit of an article.
///
/// # Panics
/// If an embedded file cannot be read: our bug, and a test reads them all.
#[must_use]
pub fn record(article: &str) -> Option<Record> {
    let (_, text) = STORED.iter().find(|(id, _)| *id == article)?;
    Some(toml::from_str(text).expect("a stored fit"))
}
