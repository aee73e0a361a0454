//! Which device a path stands for: a drive letter, a share, a host, a mount.

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// A name for the device, fit for a scenario: `e`, `filer-backup`.
    pub name: String,
    /// The beginning of all paths that lead there: `E:`, `\\filer\backup`; none where no path is
    /// known.
    pub root: Option<String>,
    /// Whether it is `NUL`.
    pub null: bool,
}

impl Place {
    /// The device where no path is known.
    pub(crate) fn unknown() -> Self {
        Place { name: "target".to_string(), root: None, null: false }
    }

    fn at(root: &str) -> Self {
        Place { name: name_of(root), root: Some(root.to_string()), null: false }
    }
}

/// The device that a path stands for.
#[must_use]
pub fn place_of(path: &str) -> Place {
    // fio wants a backslash before the colon of a drive.
    let unescaped = path.trim().replacen(r"\:", ":", 1);
    let path = unescaped.as_str();
    if path.eq_ignore_ascii_case("nul") || path.eq_ignore_ascii_case("nul:") || path == "/dev/null"
    {
        return Place { name: "nul".to_string(), root: Some(path.to_string()), null: true };
    }
    if let Some((scheme, rest)) = path.split_once("://") {
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        return Place { root: Some(host.to_string()), ..Place::at(first_label(scheme, host)) };
    }
    if let Some(rest) = path.strip_prefix(r"\\") {
        let mut parts = rest.split(['\\', '/']);
        let (server, share) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        // `\\?\E:\` and `\\.\E:` are a drive in another spelling.
        if matches!(server, "?" | ".") {
            return place_of(rest.get(2..).unwrap_or_default());
        }
        let root =
            if share.is_empty() { format!(r"\\{server}") } else { format!(r"\\{server}\{share}") };
        return Place::at(&root);
    }
    let mut letters = path.chars();
    if let (Some(drive), Some(':')) = (letters.next(), letters.next())
        && drive.is_ascii_alphabetic()
    {
        return Place::at(&format!("{}:", drive.to_ascii_uppercase()));
    }
    if let Some(rest) = path.strip_prefix('/') {
        // The folder below the root is the mount, as far as a path can tell; `/mnt/x` and
        // `/media/x` are mounts of their own.
        let mut parts = rest.split('/').filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let root = match (first, parts.next()) {
            ("mnt" | "media" | "srv" | "var", Some(second)) => format!("/{first}/{second}"),
            _ => format!("/{first}"),
        };
        return Place::at(&root);
    }
    Place::unknown()
}

/// The first part of a host's name, or the scheme if that is empty.
fn first_label<'a>(scheme: &'a str, host: &'a str) -> &'a str {
    let first = host.split(['.', ':']).next().unwrap_or_default();
    if first.is_empty() { scheme } else { first }
}

/// A name of a device: letters, digits and hyphens.
fn name_of(root: &str) -> String {
    let mut name = String::new();
    for c in root.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name: String = name.trim_end_matches('-').chars().take(40).collect();
    match name.as_str() {
        "" | "source" => format!("target{}{name}", if name.is_empty() { "" } else { "-" }),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_every_kind_have_their_device() {
        for (path, name, root) in [
            (r"E:\Backup\Sales_1.bak", "e", "E:"),
            (r"e:/backup", "e", "E:"),
            (r"\\filer.corp\backup$\Sales.bak", "filer-corp-backup", r"\\filer.corp\backup$"),
            (r"\\?\F:\x.bak", "f", "F:"),
            ("https://acct.blob.core.windows.net/c/s.bak", "acct", "acct.blob.core.windows.net"),
            ("s3://minio.local:9000/b/s.bak", "minio", "minio.local:9000"),
            ("/var/opt/mssql/data/s.bak", "var-opt", "/var/opt"),
            ("/backup/s.bak", "backup", "/backup"),
            ("/mnt/usb/s.bak", "mnt-usb", "/mnt/usb"),
            (r"S:\source", "s", "S:"),
            (r"E\:\bakcast.fio", "e", "E:"),
        ] {
            let place = place_of(path);
            assert_eq!((place.name.as_str(), place.root.as_deref()), (name, Some(root)), "{path}");
            assert!(!place.null);
        }
        assert!(place_of("NUL").null && place_of("/dev/null").null);
        assert_eq!(place_of("no path"), Place::unknown());
        assert_eq!(place_of(""), Place::unknown());
        assert_eq!(place_of("ü:\\x"), Place::unknown());
    }
}
