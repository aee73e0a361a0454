//! The members of an ensemble: parameter sets, each of which makes another scenario of one.
//!
//! A member is resolved when it is asked for, and asked for night by night, so it has to be cheap:
//! the scenario is there as a value, only the tables that hold a knob of the ensemble are read
//! anew, and resolving goes the way of every scenario. Of configurations that have such a table in
//! common it is read once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bakcast_models::plan::Buffers;
use serde_json::Value as Json;

use super::part::Part;
use super::{ResolveError, Resolved, Verification};
use crate::schema::{Ensemble, Parameter, Scenario, keys_of};

/// The parameter sets of a scenario, as many as its ensemble has members.
#[derive(Debug, Clone, PartialEq)]
pub struct Members(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sets: Arc<ParameterSets>,
    /// The scenario itself, without its ensemble.
    scenario: Scenario,
    /// Its tables that members have values in; absent where it is that of the sets.
    own: Vec<Option<Part>>,
    /// What the scenario itself comes to where it may be changed after resolving.
    buffers: Buffers,
    verification: Option<Verification>,
}

/// What tables are shared follows from the rest and from what came before.
impl PartialEq for Inner {
    fn eq(&self, other: &Self) -> bool {
        self.sets == other.sets
            && self.scenario == other.scenario
            && self.buffers == other.buffers
            && self.verification == other.verification
    }
}

/// An ensemble by the tables it has values in, shared by the configurations of a scenario.
#[derive(Debug)]
pub(crate) struct ParameterSets {
    ensemble: Ensemble,
    count: usize,
    tables: Vec<Table>,
}

/// Two of one ensemble are the same, whatever has been read by now.
impl PartialEq for ParameterSets {
    fn eq(&self, other: &Self) -> bool {
        self.ensemble == other.ensemble
    }
}

/// A table that members have values in.
#[derive(Debug)]
struct Table {
    /// Its keys; none: the whole scenario.
    keys: Vec<String>,
    knobs: Vec<Knob>,
    /// It as the first configuration had it, and as each member makes it.
    read: OnceLock<(Part, Vec<OnceLock<Part>>)>,
}

/// A knob in it.
#[derive(Debug)]
struct Knob {
    /// The keys within the table.
    keys: Vec<String>,
    /// The name of the parameter it takes its value of.
    parameter: String,
}

impl ParameterSets {
    pub(crate) fn new(ensemble: &Ensemble) -> Self {
        let mut tables: BTreeMap<Vec<String>, Vec<Knob>> = BTreeMap::new();
        for (name, parameter) in &ensemble.parameter {
            for path in &parameter.paths {
                let keys: Vec<_> = keys_of(path).into_iter().map(str::to_string).collect();
                let (table, knob) = keys.split_at(Part::depth(&keys).min(keys.len()));
                let knob = Knob { keys: knob.to_vec(), parameter: name.clone() };
                tables.entry(table.to_vec()).or_default().push(knob);
            }
        }
        let table = |(keys, knobs)| Table { keys, knobs, read: OnceLock::new() };
        ParameterSets {
            count: ensemble.members().max(1),
            // The whole scenario first, if it is among them.
            tables: tables.into_iter().map(table).collect(),
            ensemble: ensemble.clone(),
        }
    }

    pub(crate) fn ensemble(&self) -> &Ensemble {
        &self.ensemble
    }

    /// A table with the values of a member.
    fn member_of(&self, table: &Table, own: &Part, member: usize) -> Result<Part, ResolveError> {
        let refused = |reason| ResolveError::NotAMember { path: table.keys.join("."), reason };
        let mut json = own.json().map_err(refused)?;
        for knob in &table.knobs {
            let parameter = self.ensemble.parameter.get(&knob.parameter);
            insert(&mut json, &knob.keys, parameter.map_or(Json::Null, |p| value(p, member)));
        }
        own.read(json).map_err(refused)
    }
}

impl Members {
    /// The members of a scenario that comes to `resolved` by itself.
    pub(super) fn new(
        scenario: &Scenario,
        sets: Arc<ParameterSets>,
        resolved: &Resolved,
    ) -> Result<Self, ResolveError> {
        let scenario = scenario.without_ensemble();
        let own = sets.tables.iter().map(|table| {
            let none = || ResolveError::NotAMember {
                path: table.keys.join("."),
                reason: "there is no such name".to_string(),
            };
            let (first, _) = match table.read.get() {
                Some(read) => read,
                None => {
                    let part = Part::of(&scenario, &table.keys).ok_or_else(none)?;
                    let members = (0..sets.count).map(|_| OnceLock::new()).collect();
                    table.read.get_or_init(|| (part, members))
                }
            };
            if first.is_in(&scenario, &table.keys) {
                return Ok(None);
            }
            Part::of(&scenario, &table.keys).map(Some).ok_or_else(none)
        });
        let own = own.collect::<Result<_, _>>()?;
        Ok(Members(Arc::new(Inner {
            sets,
            scenario,
            own,
            buffers: resolved.backup.buffers,
            verification: resolved.verification.clone(),
        })))
    }

    /// How many there are, at least 1.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.sets.count
    }

    /// Whether every member can be resolved.
    pub(super) fn check(&self) -> Result<(), ResolveError> {
        (0..self.count()).try_for_each(|member| self.0.resolve(member, "").map(|_| ()))
    }
}

impl Inner {
    fn resolve(&self, member: usize, name: &str) -> Result<Resolved, ResolveError> {
        let mut scenario = self.scenario.clone();
        for (table, own) in self.sets.tables.iter().zip(&self.own) {
            let part = match (own, table.read.get()) {
                (Some(own), _) => self.sets.member_of(table, own, member)?,
                (None, Some((first, members))) => match members[member].get() {
                    Some(part) => part.clone(),
                    None => {
                        let part = self.sets.member_of(table, first, member)?;
                        members[member].get_or_init(|| part).clone()
                    }
                },
                (None, None) => unreachable!("a table is taken before it is asked for"),
            };
            part.put(&mut scenario, &table.keys);
        }
        scenario.decide(name)
    }
}

impl Resolved {
    /// What is simulated in this night: the member of the ensemble whose turn it is, without the
    /// others and without warnings. Buffers and a verification that were set after resolving stay
    /// as they were set, and so do other jobs that were taken away.
    #[must_use]
    pub fn of_night(&self, replication: u64) -> Cow<'_, Resolved> {
        let Some(Members(inner)) = &self.members else { return Cow::Borrowed(self) };
        let member = (replication % inner.sets.count as u64) as usize;
        let mut resolved = inner
            .resolve(member, &self.name)
            .unwrap_or_else(|error| unreachable!("member {member} has been checked: {error}"));
        if self.backup.buffers != inner.buffers {
            resolved.backup.buffers = self.backup.buffers;
        }
        if self.verification != inner.verification {
            resolved.verification.clone_from(&self.verification);
        }
        if self.backup.beside.is_empty() {
            resolved.backup.beside.clear();
        }
        Cow::Owned(resolved)
    }
}

/// The value of a member as a file holds it.
fn value(parameter: &Parameter, member: usize) -> Json {
    let number = parameter.values.get(member).copied().unwrap_or(f64::NAN);
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    match parameter.unit.as_deref() {
        None | Some("") if whole => Json::from(number as i64),
        None | Some("") => Json::from(number),
        Some(_) => parameter.text(member).map_or(Json::Null, Json::from),
    }
}

/// Puts a value where the keys lead.
fn insert(json: &mut Json, keys: &[String], value: Json) {
    let Some((key, rest)) = keys.split_first() else {
        *json = value;
        return;
    };
    if !json.is_object() {
        *json = Json::Object(serde_json::Map::new());
    }
    if let Json::Object(entries) = json {
        match entries.get_mut(key) {
            Some(inner) => insert(inner, rest, value),
            None => insert(entries.entry(key.clone()).or_insert(Json::Null), rest, value),
        }
    }
}
