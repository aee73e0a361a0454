//! `plan` as CSV: one row a month.

use super::rows;
use crate::ReportError;
use crate::document::{Document, PlanResult};

pub(crate) fn plan(document: &Document<PlanResult>) -> Result<String, ReportError> {
    rows(&document.result.months)
}
