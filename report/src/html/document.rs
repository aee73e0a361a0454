//! What a page is made of: the same as JSON has.

mod backup;
mod evidence;
mod pair;

pub use backup::{
    HelpResult, NightsResult, PageResult, ParameterSpread, StatementsResult, toml_of,
};
pub use evidence::{ArticleEvidence, EvidenceResult, EvidenceRow, UnmeasuredEvidence};
pub use pair::{LineResult, PairResult, PairSide};

use serde::Serialize;

use crate::document::NightResult;

/// A page about a night of many jobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NightPageResult {
    /// The command that makes the page again.
    pub command_line: String,
    /// The night, as `predict` has it.
    #[serde(flatten)]
    pub prediction: NightResult,
    /// What the numbers rest on.
    pub evidence: EvidenceResult,
    /// The scenario as a file, every default written out.
    #[serde(skip)]
    pub toml: String,
    /// How far its parameters are known.
    #[serde(skip)]
    pub parameters: Vec<ParameterSpread>,
}
