//! Users and other load: how much of it, and on what.

use bakcast_models::device::OtherLoad;

use super::across::Across;
use crate::problem::{Problem, ProblemKind};
use crate::shape::Quantity;
use crate::tree::{self, Node, Table};
use crate::words;

impl Across<'_> {
    /// The load on the processors.
    pub(super) fn users_of_processors(&mut self) {
        let Some(table) = tree::find(self.root, &["processor"]).and_then(Node::table) else {
            return;
        };
        self.other_load(table, "processor");
    }

    /// The load on a device.
    pub(super) fn users_of_device(&mut self, name: &str, table: &Table) {
        let path = format!("device.{name}");
        self.other_load(table, &path);
        let share = read(table, "other_load", Quantity::Fraction).filter(|(_, share)| *share > 0.0);
        let request = read(table, "other_request", Quantity::Period);
        let law = self.law(name);
        if let (Some("null"), Some((node, _))) = (law, share) {
            let fault = "NUL is no device: nobody else uses it";
            self.unfit(node, &format!("{path}.other_load"), fault, "`0 %`, or no `other_load`");
        }
        if let (Some(law @ ("null" | "link")), Some((node, _))) = (law, request) {
            let fault = match law {
                "link" => "the packets of others are so short that they are a lower rate",
                _ => "NUL is no device: nobody else uses it",
            };
            self.unfit(node, &format!("{path}.other_request"), fault, "no `other_request`");
        }
    }

    fn unfit(&mut self, node: &Node, path: &str, fault: &str, accepted: &str) {
        let message = format!("`{}` cannot be set: {fault}", words::shown(path));
        let problem = Problem::new(ProblemKind::UnfitDevice, node.place, path, message);
        self.problems.report(problem.found(node.shown()).accepted(accepted));
    }

    /// The range of the two knobs, wherever they stand.
    fn other_load(&mut self, table: &Table, before: &str) {
        let most = OtherLoad::MOST;
        let (least, longest) = (OtherLoad::SHORTEST, OtherLoad::LONGEST);
        let ranges = [
            ("other_load", Quantity::Fraction, 0.0, most.get(), format!("at most {most}")),
            (
                "other_request",
                Quantity::Period,
                least.as_seconds(),
                longest.as_seconds(),
                format!("from {least} to {longest}"),
            ),
        ];
        for (key, quantity, from, to, accepted) in ranges {
            let Some((node, value)) = read(table, key, quantity) else { continue };
            if (from..=to).contains(&value) {
                continue;
            }
            let path = format!("{before}.{key}");
            let message = format!("`{}` cannot be {}", words::shown(&path), node.shown());
            let problem = Problem::new(ProblemKind::OutOfRange, node.place, &path, message)
                .found(node.shown())
                .accepted(accepted);
            self.problems.report(problem);
        }
    }
}

/// A value that is right by itself.
fn read<'a>(table: &'a Table, key: &str, quantity: Quantity) -> Option<(&'a Node, f64)> {
    let node = &table.get(key)?.node;
    Some((node, quantity.read(node.text()?).ok()?))
}
