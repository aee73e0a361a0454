//! What the articles claim, held against predicted figures.
//!
//! One function an article; each claim is a comparison of predicted medians and the figures it
//! rests on. Predictions of one article share their random numbers, so small differences count.

use std::collections::BTreeMap;

use crate::article::Article;
use crate::evaluate::RowPrediction;
use crate::validate::ClaimResult;

/// Whether a claim holds, and the figures that say so.
type Verdict = (bool, String);

/// Predicted figures of one article, by row.
struct Rows<'a>(&'a BTreeMap<String, RowPrediction>);

impl Rows<'_> {
    fn backup(&self, row: &str) -> f64 {
        self.0.get(row).map_or(f64::NAN, |p| p.prediction.backup.seconds.median)
    }

    fn verify(&self, row: &str) -> f64 {
        let verify = self.0.get(row).and_then(|p| p.prediction.verify.as_ref());
        verify.map_or(f64::NAN, |v| v.seconds.median)
    }

    fn total(&self, row: &str) -> f64 {
        self.0.get(row).map_or(f64::NAN, |p| p.prediction.total_seconds.median)
    }

    fn written(&self, row: &str) -> u64 {
        self.0.get(row).map_or(0, |p| p.prediction.backup.written_bytes)
    }

    fn memory(&self, row: &str) -> u64 {
        self.0.get(row).map_or(0, |p| p.buffer_memory.get())
    }

    /// Share of time that a row saves against another.
    fn gain(&self, from: &str, to: &str) -> f64 {
        1.0 - self.backup(to) / self.backup(from)
    }
}

/// Every claim of the article with its verdict. A figure that is missing makes a claim fail.
pub(crate) fn claim_results(
    article: &Article,
    predictions: &BTreeMap<String, RowPrediction>,
) -> Vec<ClaimResult> {
    let rows = Rows(predictions);
    let result = |claim: &crate::article::Claim| {
        let verdict = nvme_claim(&claim.id, &rows).or_else(|| usb_claim(&claim.id, &rows));
        let (holds, evidence) = verdict.unwrap_or((false, "nothing checks this claim".to_string()));
        ClaimResult { id: claim.id.clone(), statement: claim.statement.clone(), holds, evidence }
    };
    article.claim.iter().map(result).collect()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn times(a: f64, b: f64) -> String {
    format!("{a:.1} s / {b:.1} s = {:.2}", a / b)
}

fn nvme_claim(id: &str, rows: &Rows<'_>) -> Option<Verdict> {
    Some(match id {
        "N1" => {
            let factor = rows.backup("1") / rows.backup("2");
            let other = ["3", "4", "5"].map(|row| rows.backup("2") / rows.backup(row));
            let best_other = other.into_iter().fold(1.0, f64::max);
            let text = format!(
                "1 to 2: {}; best other change {best_other:.2}",
                times(rows.backup("1"), rows.backup("2"))
            );
            (factor >= 2.5 && factor > best_other, text)
        }
        "N2" => {
            let sizes: Vec<u64> = (2..=9).map(|row| rows.written(&row.to_string())).collect();
            let same = sizes.iter().all(|size| *size == sizes[0] && *size > 0);
            (same, format!("rows 2 to 9 write {:.1} MiB each", sizes[0] as f64 / 1_048_576.0))
        }
        "N3" => {
            let (few, many) = (rows.gain("2", "3"), rows.gain("2", "4"));
            let size = rows.gain("2", "5");
            let holds =
                (0.07..=0.15).contains(&few) && (0.13..=0.22).contains(&many) && many > size;
            let text = format!(
                "64 buffers gain {}, 256 gain {}, transfer size gains {}",
                percent(few),
                percent(many),
                percent(size)
            );
            (holds, text)
        }
        "N4" => {
            let gain = rows.gain("2", "5");
            ((0.0..=0.06).contains(&gain), format!("2 to 5 gains {}", percent(gain)))
        }
        "N5" => {
            let gain = rows.gain("2", "6");
            let fastest = (1..=9).all(|row| rows.backup(&row.to_string()) >= rows.backup("6"));
            let text = format!(
                "2 to 6 gains {}; fastest of all: {}",
                percent(gain),
                if fastest { "yes" } else { "no" }
            );
            (fastest && (0.17..=0.27).contains(&gain), text)
        }
        "N6" => {
            let (eight, nine) = (rows.gain("2", "8"), rows.gain("6", "9"));
            let text = format!("2 to 8 gains {}, 6 to 9 gains {}", percent(eight), percent(nine));
            (eight < 0.0 && nine < 0.0, text)
        }
        "N7" => {
            let slowest = (2..=9).all(|row| rows.backup(&row.to_string()) <= rows.backup("7"));
            (slowest, format!("row 7 takes {:.1} s", rows.backup("7")))
        }
        "N8" => {
            let (four, six) = (rows.memory("4"), rows.memory("6"));
            let mib = |bytes: u64| bytes >> 20;
            let text = format!("{} MiB and {} MiB, three sets each", mib(four), mib(six));
            (four == six && four > 0, text)
        }
        _ => return None,
    })
}

fn usb_claim(id: &str, rows: &Rows<'_>) -> Option<Verdict> {
    let at_least = |pairs: [(f64, f64); 2], factor: f64| -> Verdict {
        let text = pairs.map(|(slow, fast)| times(slow, fast)).join(" and ");
        (pairs.iter().all(|(slow, fast)| slow / fast >= factor), text)
    };
    Some(match id {
        "U1" => {
            let (same, apart) = (rows.total("same-drive"), rows.total("1.1"));
            (same / apart >= 1.6, times(same, apart))
        }
        "U2" => {
            let all = ["1.1", "1.2", "1.3", "1.4"].map(|row| rows.backup(row));
            let least = all.into_iter().fold(f64::INFINITY, f64::min);
            let most = all.into_iter().fold(0.0, f64::max);
            (most / least <= 1.12, times(most, least))
        }
        "U3" => at_least(
            [(rows.verify("1.1"), rows.verify("1.2")), (rows.verify("2.1"), rows.verify("2.3"))],
            3.0,
        ),
        "U4" => at_least(
            [(rows.verify("2.1"), rows.verify("2.2")), (rows.verify("2.3"), rows.verify("2.4"))],
            2.2,
        ),
        "U5" => {
            let (one, three) = (rows.backup("2.1"), rows.backup("2.2"));
            (one / three >= 2.7, times(one, three))
        }
        "U6" => {
            let (drives, compressed) = (rows.backup("2.2"), rows.backup("2.3"));
            (drives / compressed <= 1.35 && compressed < drives, times(drives, compressed))
        }
        "U7" => {
            let (one, three) = (rows.backup("2.3"), rows.backup("2.4"));
            ((one / three - 1.0).abs() <= 0.15, times(one, three))
        }
        "U8" => {
            let best = rows.total("2.4");
            let rest = ["same-drive", "1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3"];
            let next = rest.map(|row| rows.total(row)).into_iter().fold(f64::INFINITY, f64::min);
            (best < next, format!("{best:.1} s against {next:.1} s for the next"))
        }
        _ => return None,
    })
}
