//! The block of trace flag 3213 and the lines of 3014 and 3004, of both generations of labels.

use std::sync::Arc;

use crate::finding::BufferTrace;
use crate::history::column::plain;
use crate::table::number::{read_size, unit_bytes};

/// Takes a line of a trace into `trace`; false if it is none.
pub(super) fn take(line: &str, trace: &mut Option<BufferTrace>, place: &str) -> bool {
    let found = || BufferTrace { place: place.to_string(), ..BufferTrace::default() };
    if line.contains("buffer configuration parameters") {
        return true;
    }
    let (database, rest) = of_database(line);
    if let Some(rest) = rest {
        let reads = rest.split_once("Number of data file readers =").map(|(_, n)| n.trim());
        let options = rest.split_once("Effective options:").map(|(_, options)| options);
        if reads.is_some() || options.is_some() {
            let trace = trace.get_or_insert_with(found);
            trace.database = database.map(Arc::from).or(trace.database.take());
            if let Some(readers) = reads {
                trace.readers = readers.trim_end_matches('.').parse().ok().or(trace.readers);
            }
            options.into_iter().for_each(|options| effective(options, trace));
        }
        return true;
    }
    let Some((label, value)) = line.rsplit_once(':') else { return false };
    let (label, value) = (plain(label), value.trim());
    let size = || read_size(value, unit_bytes("KB").unwrap_or(1.0), false).map(|(bytes, _)| bytes);
    let count = || value.parse::<u32>().ok();
    let ends = |name: &str| label.ends_with(name);
    if ends("memorylimit") {
        trace.get_or_insert_with(found).limit_bytes = size();
    } else if ends("mediabuffercount") || ends("encodebuffercount") || ends("minmaxtransfersize") {
        return true;
    } else if ends("buffercount") && count().is_some() {
        trace.get_or_insert_with(found).buffer_count = count();
    } else if ends("setsofbuffers") {
        let trace = trace.get_or_insert_with(found);
        trace.sets = count();
        trace.compression = trace.compression.or(trace.sets.map(|sets| sets > 1));
    } else if ends("maxtransfersize") && size().is_some() {
        trace.get_or_insert_with(found).transfer_bytes = size();
    } else if ends("totalbufferspace") {
        trace.get_or_insert_with(found).total_bytes = size();
    } else {
        return false;
    }
    true
}

/// The database of `Backup(X): text` and the text.
fn of_database(line: &str) -> (Option<&str>, Option<&str>) {
    let Some((_, rest)) = line.split_once("Backup(") else { return (None, None) };
    match rest.split_once("): ") {
        Some((database, rest)) => (Some(database), Some(rest)),
        None => (None, None),
    }
}

/// `Checksum=1, Compression=1, Encryption=0, BufferCount=7, MaxTransferSize=1024 KB`.
fn effective(options: &str, trace: &mut BufferTrace) {
    for option in options.split(',') {
        let Some((name, value)) = option.split_once('=') else { continue };
        let value = value.trim();
        match plain(name).as_str() {
            "compression" => trace.compression = Some(value != "0"),
            "buffercount" => trace.buffer_count = value.parse().ok().or(trace.buffer_count),
            "maxtransfersize" => {
                let bytes = read_size(value, 1024.0, false).map(|(bytes, _)| bytes);
                trace.transfer_bytes = bytes.or(trace.transfer_bytes);
            }
            _ => {}
        }
    }
}

/// Whether a trace begins anew with this line.
pub(super) fn begins(line: &str) -> bool {
    line.contains("buffer configuration parameters")
}

/// Whether there is anything in a trace.
pub(super) fn says_anything(trace: &BufferTrace) -> bool {
    trace.buffer_count.is_some() || trace.transfer_bytes.is_some()
}
