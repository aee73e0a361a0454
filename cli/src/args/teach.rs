//! `teach`.

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast teach                     writes bakcast.html here
  bakcast teach -o lesson.html --open
  bakcast teach -o /media/stick     a folder: bakcast.html goes there";

/// `teach`.
#[derive(Debug, Args)]
pub(crate) struct Teach {
    /// Opens the page in the browser as well
    #[arg(long)]
    pub(crate) open: bool,
}
