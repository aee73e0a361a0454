//! Settings of a target: from the section of parameters, or from the command line alone.

use crate::figure::{leading, size};
use crate::finding::Pattern;

/// What is known of how a target was used.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    pub(super) path: Option<String>,
    pub(super) block: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) threads: Option<u32>,
    pub(super) pattern: Option<Pattern>,
    pub(super) direct: Option<bool>,
    pub(super) write_through: Option<bool>,
    pub(super) file_bytes: Option<u64>,
    pub(super) limited: bool,
}

impl Settings {
    /// Defaults of the program, changed by the options of a command line.
    pub(super) fn of_command(command: &str) -> Self {
        let mut settings = Self {
            block: Some(64 << 10),
            depth: Some(2),
            threads: Some(1),
            pattern: Some(Pattern::Sequential),
            direct: Some(false),
            write_through: Some(false),
            ..Self::default()
        };
        for word in command.split_whitespace().skip(1) {
            if let Some(option) = word.strip_prefix(['-', '/']) {
                settings.take_option(option);
            }
        }
        settings
    }

    fn take_option(&mut self, option: &str) {
        let mut letters = option.chars();
        let Some(letter) = letters.next() else { return };
        let value = letters.as_str();
        let number = || leading(value).map(|(number, _)| number.min(1e9) as u32);
        match letter {
            'b' => self.block = size(value).or(self.block),
            'o' => self.depth = number().or(self.depth),
            't' | 'F' => self.threads = number().or(self.threads),
            // `-rs0` is sequential, `-rs50` a mix.
            'r' if value == "s0" => self.pattern = Some(Pattern::Sequential),
            'r' => self.pattern = Some(Pattern::Random),
            'c' => self.file_bytes = size(value),
            'g' => self.limited = true,
            'h' => (self.direct, self.write_through) = (Some(true), Some(true)),
            'S' => self.take_cache(value),
            _ => {}
        }
    }

    fn take_cache(&mut self, value: &str) {
        let has = |letter| value.contains(letter);
        let direct = value.is_empty() || has('h') || has('u');
        self.direct = Some(direct);
        self.write_through = Some(has('h') || has('w'));
    }

    /// Takes a line of the section of parameters.
    pub(super) fn take_line(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let number = || leading(value).map(|(number, _)| number.min(1e9) as u32);
        match name.trim() {
            "block size" => self.block = size(value),
            "threads per file" => self.threads = number(),
            name if name.starts_with("number of outstanding I/O") => self.depth = number(),
            "max file size" => {}
            name if name.starts_with("throughput rate-limited") => self.limited = true,
            _ => self.take_words(line),
        }
    }

    fn take_words(&mut self, line: &str) {
        let has = |part: &str| line.contains(part);
        if has("random I/O") || has("mixed random/sequential") {
            self.pattern = Some(Pattern::Random);
        } else if has("sequential I/O") {
            self.pattern = Some(Pattern::Sequential);
        }
        if has("software cache disabled") || has("software and hardware") {
            self.direct = Some(true);
        } else if has("using software cache") {
            self.direct = Some(false);
        }
        if has("writethrough on") {
            self.write_through = Some(true);
        } else if has("writethrough off") || has("using hardware write cache") {
            self.write_through = Some(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_says_as_much_as_the_parameters() {
        let settings = Settings::of_command("diskspd.exe -c64M -b4K -r4K -t4 -o8 -w100 -Suw x.dat");
        let wanted = Settings {
            path: None,
            block: Some(4096),
            depth: Some(8),
            threads: Some(4),
            pattern: Some(Pattern::Random),
            direct: Some(true),
            write_through: Some(true),
            file_bytes: Some(64 << 20),
            limited: false,
        };
        assert_eq!(settings, wanted);
        let settings = Settings::of_command("diskspd /b1M /si -Sb x-r.dat");
        assert_eq!(settings.pattern, Some(Pattern::Sequential));
        assert_eq!((settings.block, settings.direct), (Some(1 << 20), Some(false)));
    }

    #[test]
    fn parameters_of_all_versions_are_understood() {
        let mut settings = Settings::default();
        for line in [
            "block size: 1MiB",
            "using interlocked sequential I/O (stride: 1MiB)",
            "number of outstanding I/O operations per thread: 8",
            "threads per file: 2",
            "software cache disabled",
            "using hardware write cache, writethrough off",
        ] {
            settings.take_line(line);
        }
        assert_eq!((settings.block, settings.depth), (Some(1 << 20), Some(8)));
        assert_eq!(settings.pattern, Some(Pattern::Sequential));
        assert_eq!((settings.direct, settings.write_through), (Some(true), Some(false)));
    }
}
