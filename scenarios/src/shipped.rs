//! The scenarios shipped with the program.

/// A shipped scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name: that of its file, without `.toml`.
    pub name: &'static str,
    /// The file, word for word.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(Shipped { name: $name, text: include_str!(concat!("../shipped/", $name, ".toml")) }),+]
    };
}

static SHIPPED: [Shipped; 11] = shipped![
    "nvme-knob-matrix",
    "usb3-laptop",
    "multifile-nvme-2020",
    "share-files",
    "nul-algorithms-2025",
    "disk-to-usb-disk",
    "four-volumes-nvme",
    "san-to-share-10gbe",
    "cloud-capped-disks",
    "two-backups-one-share",
    "night-200-databases",
];

/// The tables of jobs that shipped scenarios name.
static TABLES: [(&str, &str); 1] =
    [("night-200-databases.csv", include_str!("../shipped/night-200-databases.csv"))];

/// The shipped table of jobs of this name.
#[must_use]
pub fn find_table(name: &str) -> Option<&'static str> {
    TABLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Every shipped scenario, the measured ones first.
#[must_use]
pub fn shipped() -> &'static [Shipped] {
    &SHIPPED
}

/// The shipped scenario of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|scenario| scenario.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_and_the_folder_agree() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shipped");
        let files = std::fs::read_dir(folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut in_folder: Vec<_> =
            names.filter_map(|name| name.strip_suffix(".toml").map(str::to_string)).collect();
        let mut listed: Vec<_> = SHIPPED.iter().map(|scenario| scenario.name).collect();
        in_folder.sort_unstable();
        listed.sort_unstable();
        assert_eq!(in_folder, listed);
    }
}
