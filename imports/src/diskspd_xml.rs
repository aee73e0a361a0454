//! XML of diskspd, 2.0 to 2.2.
//!
//! A target stands under every thread that used it: bytes are summed for each path and divided by
//! `TestTimeSeconds`. Settings stand in the profile, in the same order of time spans. Sequential is
//! a target with a stride and without `Random`; `RandomRatio` below 100 is a mix and counts as
//! random. Document types and entities of one's own are refused: diskspd writes none.

use std::collections::BTreeMap;

use quick_xml::XmlVersion;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::caveats::judge;
use crate::error::ImportError;
use crate::figure::{amount, count, counted, document, malformed, rate_text, shown};
use crate::finding::{CautionCode, Direction, Import, Pattern, Rate};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::Source;

pub(crate) const IMPORTER: Importer = Importer { format: Format::DiskspdXml, looks, read };

/// Elements within each other; diskspd uses eight.
const DEEPEST: usize = 64;

fn looks(head: &str) -> bool {
    let has = |part: &str| head.contains(part);
    (has("<Results") && (has("<Tool>") || has("<Profile") || has("<TimeSpan") || has("<System")))
        || (has("<Profile>") && has("<TimeSpans>"))
}

/// What the profile says of a target.
#[derive(Debug, Default, Clone)]
struct Setting {
    values: BTreeMap<String, String>,
}

impl Setting {
    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    fn on(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| value.eq_ignore_ascii_case("true"))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name).and_then(count)
    }

    fn pattern(&self) -> Pattern {
        let above_zero = |name| self.number(name).is_some_and(|number| number > 0);
        if above_zero("Random")
            || above_zero("RandomRatio")
            || self.on("RandomAccess") == Some(true)
        {
            Pattern::Random
        } else if self.get("StrideSize").is_some()
            || self.on("InterlockedSequential").is_some()
            || self.get("RandomRatio").is_some()
        {
            Pattern::Sequential
        } else {
            Pattern::Unknown
        }
    }

    /// Whether the cache of the system was passed by.
    fn direct(&self) -> Option<bool> {
        let off = ["DisableOSCache", "DisableAllCache"].iter().filter_map(|name| self.on(name));
        off.reduce(|one, other| one || other)
    }
}

/// What one target did in one time span, all threads together.
#[derive(Debug, Default)]
struct Done {
    threads: u32,
    file_bytes: Option<u64>,
    bytes: [u64; 2],
    accesses: [u64; 2],
    /// Milliseconds of all accesses.
    waits: [f64; 2],
}

/// A time span of the results.
#[derive(Debug, Default)]
struct Span {
    seconds: Option<f64>,
    targets: Vec<(String, Done)>,
}

/// What was read so far.
#[derive(Debug, Default)]
struct Found {
    version: Option<String>,
    settings: Vec<BTreeMap<String, Setting>>,
    setting: Setting,
    spans: Vec<Span>,
    target: Setting,
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let text = document(source, import)?;
    let begin = ["<Results", "<Profile"].iter().filter_map(|tag| text.find(tag)).min();
    // Console lines may stand before the document, but a document type must be seen.
    let begin = text.find("<?xml").or(text.find("<!DOCTYPE")).into_iter().chain(begin).min();
    let found = walk(&text, begin.unwrap_or(0), import)?;
    import.version = found.version.as_deref().map(shown);
    if found.spans.is_empty() {
        let reason = "it holds settings only, no results: run diskspd with `-Rxml`";
        return Err(malformed(import, reason));
    }
    import.shape = counted(found.spans.len() as u64, "time span");
    for (index, span) in found.spans.iter().enumerate() {
        // Without a setting of its own a span has the last one.
        let settings = found.settings.get(index).or(found.settings.last());
        take_span(import, index, span, settings);
    }
    if import.rates.is_empty() {
        import.refused = Some("no target was read or written".to_string());
    }
    Ok(())
}

fn walk(text: &str, begin: usize, import: &Import) -> Result<Found, ImportError> {
    let line_of = |place: u64| {
        let end = (begin as u64 + place).min(text.len() as u64) as usize;
        text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1
    };
    let mut reader = Reader::from_str(&text[begin..]);
    let mut path: Vec<String> = Vec::new();
    let mut content = String::new();
    let mut found = Found::default();
    loop {
        let event = reader.read_event().map_err(|error| {
            let line = line_of(reader.error_position());
            match error {
                // What was opened is not closed before the end.
                quick_xml::Error::Syntax(_) => too_early(import, line),
                error => malformed(import, format!("its XML is damaged at line {line}: {error}")),
            }
        })?;
        match event {
            Event::Start(tag) => {
                path.push(tag.name().as_ref().to_string());
                content.clear();
                if path.len() > DEEPEST {
                    let line = line_of(reader.buffer_position());
                    let reason = format!("its XML is nested too deeply at line {line}");
                    return Err(malformed(import, reason));
                }
                found.open(&path);
            }
            Event::End(_) => {
                found.close(&path, content.trim());
                path.pop();
                content.clear();
                if path.is_empty() {
                    return Ok(found);
                }
            }
            Event::Text(part) => content.push_str(&part.xml_content(XmlVersion::Implicit1_0)),
            Event::CData(part) => content.push_str(&part.xml_content(XmlVersion::Implicit1_0)),
            Event::GeneralRef(reference) => {
                let resolved = match reference.resolve_char_ref() {
                    Ok(Some(character)) => Some(character),
                    _ => predefined(&reference),
                };
                let Some(character) = resolved else {
                    let reason = "it uses entities of its own, which diskspd does not write";
                    return Err(malformed(import, reason));
                };
                content.push(character);
            }
            Event::DocType(_) => {
                let reason = "it has a document type, which diskspd does not write";
                return Err(malformed(import, reason));
            }
            Event::Eof => return Err(too_early(import, line_of(text.len() as u64))),
            _ => {}
        }
    }
}

fn too_early(import: &Import, line: usize) -> ImportError {
    let reason = format!(
        "its XML ends too early, at line {line}: was the run interrupted, or the file cut?"
    );
    malformed(import, reason)
}

fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// The last names of a path: grandparent, parent, itself.
fn last_three(path: &[String]) -> [&str; 3] {
    let name = |back: usize| {
        path.len().checked_sub(back).and_then(|at| path.get(at)).map_or("", String::as_str)
    };
    [name(3), name(2), name(1)]
}

impl Found {
    fn open(&mut self, path: &[String]) {
        match last_three(path) {
            [_, "TimeSpans", "TimeSpan"] => self.settings.push(BTreeMap::new()),
            [_, "Results", "TimeSpan"] => self.spans.push(Span::default()),
            [_, "Targets", "Target"] => self.setting = Setting::default(),
            [_, "Thread", "Target"] => self.target = Setting::default(),
            _ => {}
        }
    }

    fn close(&mut self, path: &[String], content: &str) {
        match last_three(path) {
            ["System", "Tool", "Version"] => self.version = Some(format!("diskspd {content}")),
            ["Targets", "Target", name] => {
                self.setting.values.insert(name.to_string(), content.to_string());
            }
            [_, "Targets", "Target"] => {
                let setting = std::mem::take(&mut self.setting);
                if let (Some(path), Some(span)) = (setting.get("Path"), self.settings.last_mut()) {
                    span.insert(path.to_string(), setting.clone());
                }
            }
            ["Results", "TimeSpan", "TestTimeSeconds"] => {
                if let Some(span) = self.spans.last_mut() {
                    span.seconds = amount(content).filter(|seconds| *seconds > 0.0);
                }
            }
            ["Thread", "Target", name] => {
                self.target.values.insert(name.to_string(), content.to_string());
            }
            [_, "Thread", "Target"] => self.close_target(),
            _ => {}
        }
    }

    fn close_target(&mut self) {
        let target = std::mem::take(&mut self.target);
        let (Some(path), Some(span)) = (target.get("Path"), self.spans.last_mut()) else { return };
        let at = match span.targets.iter().position(|(other, _)| other == path) {
            Some(at) => at,
            None => {
                span.targets.push((path.to_string(), Done::default()));
                span.targets.len() - 1
            }
        };
        let done = &mut span.targets[at].1;
        done.threads += 1;
        done.file_bytes = done.file_bytes.or(target.number("FileSize"));
        for (index, way) in ["Read", "Write"].into_iter().enumerate() {
            let number = |name: &str| target.number(name).unwrap_or(0);
            let accesses = number(&format!("{way}Count"));
            let bytes = number(&format!("{way}Bytes"));
            done.bytes[index] = done.bytes[index].saturating_add(bytes);
            done.accesses[index] = done.accesses[index].saturating_add(accesses);
            let wait = target.get(&format!("Average{way}LatencyMilliseconds")).and_then(amount);
            done.waits[index] += wait.unwrap_or(0.0) * accesses as f64;
        }
    }
}

fn take_span(
    import: &mut Import,
    index: usize,
    span: &Span,
    settings: Option<&BTreeMap<String, Setting>>,
) {
    let Some(seconds) = span.seconds else {
        import.ignore("time span without a test time");
        return;
    };
    for (path, done) in &span.targets {
        let setting = settings.and_then(|all| all.get(path)).cloned().unwrap_or_default();
        if setting.number("Throughput").is_some_and(|limit| limit > 0) {
            let text = format!("`{}` was held down by -g: not what it can do", shown(path));
            import.caution(CautionCode::Limited, text);
        }
        for (at, direction) in [Direction::Read, Direction::Write].into_iter().enumerate() {
            let (bytes, accesses) = (done.bytes[at], done.accesses[at]);
            if bytes == 0 {
                continue;
            }
            let way = if at == 0 { "read" } else { "write" };
            let wait = done.waits[at] / accesses.max(1) as f64 / 1000.0;
            let rate = Rate {
                label: format!("time span {} {way}", index + 1),
                target: Some(path.clone()),
                direction,
                pattern: setting.pattern(),
                bytes_per_second: bytes as f64 / seconds,
                block_bytes: setting.number("BlockSize"),
                depth: setting.number("RequestCount").and_then(|depth| depth.try_into().ok()),
                jobs: done.threads,
                seconds: Some(seconds),
                direct: setting.direct(),
                file_bytes: done.file_bytes,
                latency_seconds: (wait > 0.0).then_some(wait),
                mixed: done.bytes.iter().all(|bytes| *bytes > 0),
            };
            import.field(
                format!("Results/TimeSpan[{}]/Thread/Target[{}]", index + 1, shown(path)),
                format!("{bytes} bytes of {} threads in {seconds} s", done.threads),
                &format!("{way}: {}", rate_text(rate.bytes_per_second)),
            );
            judge(import, &rate, "-Sh");
            import.rates.push(rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import_from;

    fn read(text: &[u8]) -> Result<Import, ImportError> {
        import_from("x", text, &ImportOptions::default())
    }

    fn document(setting: &str, span: &str) -> String {
        format!(
            "<Results><System><Tool><Version>2.0.21</Version></Tool></System>\n<Profile>\
             <TimeSpans><TimeSpan><Targets><Target><Path>a&amp;b.dat</Path>\
             <BlockSize>65536</BlockSize>{setting}<RequestCount>4</RequestCount></Target>\
             </Targets></TimeSpan></TimeSpans></Profile>\n{span}</Results>"
        )
    }

    const SPAN: &str = "<TimeSpan><TestTimeSeconds>10.00</TestTimeSeconds>\
        <Thread><Id>0</Id><Target><Path>a&#38;b.dat</Path><FileSize>8589934592</FileSize>\
        <ReadBytes>655360000</ReadBytes><ReadCount>10000</ReadCount><WriteBytes>0</WriteBytes>\
        <AverageReadLatencyMilliseconds>4.0</AverageReadLatencyMilliseconds></Target></Thread>\
        <Thread><Id>1</Id><Target><Path>a&amp;b.dat</Path><FileSize>8589934592</FileSize>\
        <ReadBytes>655360000</ReadBytes><ReadCount>10000</ReadCount><WriteBytes>0</WriteBytes>\
        <AverageReadLatencyMilliseconds>2.0</AverageReadLatencyMilliseconds></Target></Thread>\
        </TimeSpan>";
    const SEQUENTIAL: &str = "<DisableOSCache>true</DisableOSCache><StrideSize>65536</StrideSize>";

    #[test]
    fn threads_of_a_path_are_summed_in_either_encoding() {
        let text = document(SEQUENTIAL, SPAN);
        let wide: Vec<u8> =
            format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes(), &wide] {
            let import = read(bytes).expect("an import");
            let [rate] = import.rates.as_slice() else { panic!("{:?}", import.rates) };
            assert_eq!(rate.target.as_deref(), Some("a&b.dat"));
            assert_eq!((rate.bytes_per_second, rate.jobs), (131_072_000.0, 2));
            assert_eq!((rate.depth, rate.latency_seconds), (Some(4), Some(0.003)));
            assert_eq!((rate.pattern, rate.direct), (Pattern::Sequential, Some(true)));
            assert!(import.cautions.is_empty(), "{:?}", import.cautions);
        }
    }

    #[test]
    fn random_targets_and_caches_are_told() {
        for setting in ["<Random>65536</Random>", "<RandomRatio>50</RandomRatio>"] {
            let text = document(&format!("<DisableOSCache>false</DisableOSCache>{setting}"), SPAN);
            let import = read(text.as_bytes()).expect("an import");
            assert_eq!(import.rates[0].pattern, Pattern::Random);
            assert_eq!(import.rates[0].direct, Some(false));
        }
    }

    #[test]
    fn several_time_spans_stay_apart() {
        let import = read(document(SEQUENTIAL, &SPAN.repeat(2)).as_bytes()).expect("an import");
        assert_eq!(import.rates.len(), 2);
        assert_eq!(import.rates[1].label, "time span 2 read");
    }

    #[test]
    fn bombs_and_damage_are_refused() {
        let text = document(SEQUENTIAL, SPAN);
        let bomb = format!("<!DOCTYPE Results [<!ENTITY a \"aaaa\">]>{text}");
        let entity = text.replace("a&amp;b", "&lol;");
        let deep = format!("<Results><Tool>{}", "<a>".repeat(1000));
        let settings = document(SEQUENTIAL, "");
        for (text, reason) in [
            (bomb.as_str(), "document type"),
            (entity.as_str(), "entities"),
            (deep.as_str(), "nested"),
            (settings.as_str(), "no results"),
            (&text[..text.len() - 20], "ends too early"),
        ] {
            let error = read(text.as_bytes()).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
