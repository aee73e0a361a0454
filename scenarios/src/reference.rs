//! How a scenario is named on the command line: `NAME`, `NAME:VARIANT`, `FILE.toml`,
//! `FILE.toml:VARIANT`.

use std::path::PathBuf;

/// Where a scenario comes from, and which variant of it is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Shipped, or a file.
    pub origin: ScenarioOrigin,
    /// The variant after the colon.
    pub variant: Option<String>,
}

/// Where a scenario comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioOrigin {
    /// The name of a shipped scenario.
    Shipped(String),
    /// A file.
    File(PathBuf),
}

impl Reference {
    /// Reads the text; never fails, for a file may have any name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (base, variant) = split(text);
        Reference { origin: ScenarioOrigin::parse(base), variant: variant.map(str::to_string) }
    }
}

impl ScenarioOrigin {
    /// A file if it ends in `.toml` or names a folder, else a shipped name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let is_file = text.to_ascii_lowercase().ends_with(".toml") || text.contains(['/', '\\']);
        if is_file {
            ScenarioOrigin::File(PathBuf::from(text))
        } else {
            ScenarioOrigin::Shipped(text.to_string())
        }
    }
}

/// Splits at the last colon, unless it belongs to the path: `C:\x.toml`, `C:x.toml`, `a:b.toml`.
fn split(text: &str) -> (&str, Option<&str>) {
    let Some((base, variant)) = text.rsplit_once(':') else { return (text, None) };
    let of_path = variant.contains(['/', '\\']) || variant.to_ascii_lowercase().ends_with(".toml");
    if of_path { (text, None) } else { (base, Some(variant)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (ScenarioOrigin, Option<String>) {
        let reference = Reference::parse(text);
        (reference.origin, reference.variant)
    }

    fn shipped(name: &str) -> ScenarioOrigin {
        ScenarioOrigin::Shipped(name.to_string())
    }

    fn file(name: &str) -> ScenarioOrigin {
        ScenarioOrigin::File(PathBuf::from(name))
    }

    #[test]
    fn names_files_and_variants_are_told_apart() {
        let variant = |name: &str| Some(name.to_string());
        assert_eq!(parsed("nvme"), (shipped("nvme"), None));
        assert_eq!(parsed("nvme:6"), (shipped("nvme"), variant("6")));
        assert_eq!(parsed("usb3-laptop:2.4"), (shipped("usb3-laptop"), variant("2.4")));
        assert_eq!(parsed("a/b.toml"), (file("a/b.toml"), None));
        assert_eq!(parsed("a/b.toml:x"), (file("a/b.toml"), variant("x")));
        assert_eq!(parsed("b.TOML:x"), (file("b.TOML"), variant("x")));
        assert_eq!(parsed("./mine:x"), (file("./mine"), variant("x")));
        assert_eq!(parsed("nvme:"), (shipped("nvme"), variant("")));
        assert_eq!(parsed(""), (shipped(""), None));
    }

    #[test]
    fn a_drive_letter_is_no_variant() {
        assert_eq!(parsed(r"C:\x.toml"), (file(r"C:\x.toml"), None));
        assert_eq!(parsed(r"C:\x.toml:v"), (file(r"C:\x.toml"), Some("v".to_string())));
        assert_eq!(parsed("C:x.toml"), (file("C:x.toml"), None));
        assert_eq!(parsed("C:/x.toml"), (file("C:/x.toml"), None));
    }
}
