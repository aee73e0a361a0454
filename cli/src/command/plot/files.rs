//! Pictures as files.

use std::path::{Path, PathBuf};

use bakcast_report::Document;
use bakcast_report::plot::{Look, PlotError, PlotResult, png, svg};

use crate::args::Plot;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply, is_picture};

/// Whether there is something to open.
pub(super) fn checked(arguments: &Plot, outputs: &Outputs) -> Result<(), Failure> {
    if arguments.open && pictures(outputs).next().is_none() {
        return Err(Failure::usage("--open needs a picture to open: -o x.svg or -o x.png"));
    }
    Ok(())
}

fn pictures(outputs: &Outputs) -> impl Iterator<Item = &PathBuf> {
    outputs.files().iter().filter(|path| is_picture(path))
}

/// The document in every format asked for, pictures among them.
pub(super) fn reply(
    arguments: &Plot,
    outputs: &Outputs,
    document: &Document<PlotResult>,
    look: &Look,
) -> Result<Reply, Failure> {
    let failed = |error: PlotError| Failure::new(Exit::Internal, error);
    let mut boxes = 0;
    let draw = |path: &Path| -> Result<Option<Vec<u8>>, Failure> {
        if !is_picture(path) {
            return Ok(None);
        }
        if path.extension().is_some_and(|own| own.eq_ignore_ascii_case("png")) {
            let drawn = png(&document.result, look).map_err(failed)?;
            boxes = drawn.boxes;
            return Ok(Some(drawn.bytes));
        }
        svg(&document.result, look).map(|text| Some(text.into_bytes())).map_err(failed)
    };
    let mut reply = outputs.reply_with_pictures(document, draw)?;
    if boxes > 0 {
        let characters = if boxes == 1 { "character is" } else { "characters are" };
        reply.messages.push(format!(
            "note: {boxes} {characters} a box in the PNG, whose font has Latin, Greek and \
             Cyrillic letters; an SVG keeps them"
        ));
    }
    reply.opens = arguments.open.then(|| pictures(outputs).next().cloned()).flatten();
    Ok(reply)
}
