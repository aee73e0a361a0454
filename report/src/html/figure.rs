//! A chart beside the table of its numbers.

use super::details;
use super::markup::{Markup, tag};

/// A chart, what it shows, and its numbers.
pub(super) fn figure(caption: &str, chart: Markup, numbers: Markup) -> Markup {
    if chart.is_empty() {
        return numbers;
    }
    let inner = tag("figcaption", &[], caption).line().and(chart).line();
    tag("figure", &[], inner).line().and(details("The numbers behind it", numbers))
}
