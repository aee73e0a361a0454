//! CSV: RFC 4180 with a dot in decimals; headings are the names of the fields, absent is empty.

mod ask;
mod calibrate;
mod compare;
mod devices;
mod explain;
mod import;
mod lists;
mod need;
mod night;
mod plan;
mod predict;
mod recommend;
mod sweep;
mod trace;
mod validate;

use serde::Serialize;

use crate::ReportError;

/// Writes rows of one flat struct; the headings are its fields.
pub(crate) fn rows<R: Serialize>(rows: &[R]) -> Result<String, ReportError> {
    let unwritable = |error: String| ReportError::Unwritable(error);
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| unwritable(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| unwritable(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| unwritable(error.to_string()))
}

/// Writes rows whose columns depend on what there is; the first has the headings.
pub(crate) fn written(rows: &[Vec<String>]) -> Result<String, ReportError> {
    let unwritable = |error: String| ReportError::Unwritable(error);
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| unwritable(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| unwritable(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| unwritable(error.to_string()))
}

pub(crate) use ask::ask;
pub(crate) use calibrate::calibrate;
pub(crate) use compare::compare;
pub(crate) use devices::devices;
pub(crate) use explain::explain;
pub(crate) use import::import;
pub(crate) use lists::*;
pub(crate) use need::need;
pub(crate) use night::night;
pub(crate) use night::schedule;
pub(crate) use plan::plan;
pub(crate) use predict::predict;
pub(crate) use recommend::recommend;
pub(crate) use sweep::sweep;
pub(crate) use trace::trace;
pub(crate) use validate::validate;
