//! Runs that configurations have in common are made once.
//!
//! A run is a function of the machine, the plan, the replication and what costs nothing, so two
//! configurations that agree in these have the run in common. Often that is all of a configuration
//! (a knob that does not apply), more often the verification alone: its files have the same sizes
//! however many buffers the backup had. Only the devices a plan uses count, and the processors only
//! where something is compressed.
//!
//! The last [`KEPT`] runs of each sort are kept within a batch, more across batches
//! ([`super::Kept`]). Which runs a configuration found here depends on
//! the order in which threads came by, what they came to does not.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::{
    BackupError, Relief, Terms, simulate_backup, simulate_restore, simulate_verify,
};
use bakcast_models::plan::{self, Machine, Place};

use super::PredictOptions;
use super::luck::with_streams;
use crate::resolve::{Members, Resolved};

/// Runs kept of each sort within a batch.
const KEPT: usize = 1024;

type Answer = Result<Arc<Outcome>, BackupError>;

/// Runs that may be asked for again, of one seed and one way to simulate.
pub(super) struct Memo {
    backups: Shelf<plan::Backup>,
    verifies: Shelf<plan::Verify>,
    restores: Shelf<plan::Restore>,
}

impl Default for Memo {
    fn default() -> Self {
        Memo::of(KEPT)
    }
}

impl Memo {
    /// One that keeps so many runs of each sort.
    pub(super) fn of(kept: usize) -> Self {
        Memo { backups: Shelf::of(kept), verifies: Shelf::of(kept), restores: Shelf::of(kept) }
    }
}

/// Runs of one sort.
struct Shelf<P> {
    kept: usize,
    books: Mutex<Books<P>>,
}

struct Books<P> {
    by_print: BTreeMap<u64, Vec<Arc<Book<P>>>>,
    /// Fingerprints in the order in which runs came.
    order: VecDeque<u64>,
}

/// A run, made or being made.
struct Book<P> {
    key: Key<P>,
    answer: OnceLock<Answer>,
}

/// All that a run depends on, but for what a whole batch has in common.
struct Key<P> {
    machine: Arc<Machine>,
    plan: Arc<P>,
    replication: u64,
    relief: Relief,
}

/// A sort of plan.
trait Plan: PartialEq {
    fn places(&self) -> impl Iterator<Item = &Place>;

    fn is_compressed(&self) -> bool;

    /// Some of what tells plans apart.
    fn hash(&self, hasher: &mut DefaultHasher);
}

impl Plan for plan::Backup {
    fn places(&self) -> impl Iterator<Item = &Place> {
        jobs(self).flat_map(|backup| {
            backup.volumes.iter().map(|volume| &volume.place).chain(&backup.stripes)
        })
    }

    fn is_compressed(&self) -> bool {
        jobs(self).any(|backup| backup.compression.is_some())
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        let buffers = self.buffers;
        (buffers.count, buffers.transfer_size.get(), self.stripes.len()).hash(hasher);
        self.volumes.iter().for_each(|volume| volume.bytes.get().hash(hasher));
    }
}

/// A backup and those that run beside it.
fn jobs(backup: &plan::Backup) -> impl Iterator<Item = &plan::Backup> {
    iter::once(backup).chain(backup.beside.iter().map(|beside| &beside.backup))
}

impl Plan for plan::Verify {
    fn places(&self) -> impl Iterator<Item = &Place> {
        self.stripes.iter().map(|(place, _)| place)
    }

    fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        (self.buffer_count, self.transfer_size.get()).hash(hasher);
        self.stripes.iter().for_each(|(_, bytes)| bytes.get().hash(hasher));
    }
}

impl Plan for plan::Restore {
    fn places(&self) -> impl Iterator<Item = &Place> {
        let volumes = self.volumes.iter().map(|volume| &volume.place);
        self.stripes.iter().map(|(place, _)| place).chain(volumes)
    }

    fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        (self.buffer_count, self.transfer_size.get(), self.zeroed.get()).hash(hasher);
        self.stripes.iter().for_each(|(_, bytes)| bytes.get().hash(hasher));
    }
}

impl<P: Plan> Key<P> {
    fn print(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let Relief { devices, processor, fixed_cost, buffers, beside } = &self.relief;
        (self.replication, devices, processor, fixed_cost, buffers, beside).hash(&mut hasher);
        self.plan.hash(&mut hasher);
        hasher.finish()
    }

    fn is(&self, other: &Self) -> bool {
        self.replication == other.replication
            && self.relief == other.relief
            && (Arc::ptr_eq(&self.plan, &other.plan) || self.plan == other.plan)
            && (Arc::ptr_eq(&self.machine, &other.machine) || self.agrees_in_machine(other))
    }

    fn agrees_in_machine(&self, other: &Self) -> bool {
        let (mine, theirs) = (&self.machine, &other.machine);
        let same = |device: usize| mine.devices.get(device) == theirs.devices.get(device);
        let uses = |place: &Place| same(place.device) && place.via.iter().all(|via| same(*via));
        self.plan.places().all(uses)
            && (!self.plan.is_compressed() || mine.processor == theirs.processor)
    }
}

impl<P> Shelf<P> {
    fn of(kept: usize) -> Self {
        let books = Books { by_print: BTreeMap::new(), order: VecDeque::new() };
        Shelf { kept, books: Mutex::new(books) }
    }
}

impl<P: Plan> Shelf<P> {
    /// The run of this key: made now, found, or waited for while another thread makes it.
    fn run(&self, key: Key<P>, make: impl FnOnce(&Key<P>) -> Answer) -> Answer {
        let book = self.book(key);
        book.answer.get_or_init(|| make(&book.key)).clone()
    }

    fn book(&self, key: Key<P>) -> Arc<Book<P>> {
        let print = key.print();
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        let same = books.by_print.entry(print).or_default();
        if let Some(book) = same.iter().find(|book| book.key.is(&key)) {
            return Arc::clone(book);
        }
        let book = Arc::new(Book { key, answer: OnceLock::new() });
        same.push(Arc::clone(&book));
        books.order.push_back(print);
        if books.order.len() > self.kept {
            books.forget_one();
        }
        book
    }
}

impl<P> Books<P> {
    fn forget_one(&mut self) {
        let Some(print) = self.order.pop_front() else { return };
        let Some(same) = self.by_print.get_mut(&print) else { return };
        same.remove(0);
        if same.is_empty() {
            self.by_print.remove(&print);
        }
    }
}

/// Makes the runs of one configuration, or finds them.
pub(super) struct Runner<'a, C> {
    configuration: C,
    options: &'a PredictOptions,
    /// Absent where nothing is kept.
    memo: Option<&'a Memo>,
    /// What is simulated in a night: of each member of the ensemble when its first night comes,
    /// or the same in all nights.
    nights: Vec<OnceLock<Box<Night>>>,
}

/// What is simulated in a night.
struct Night {
    /// The member of the ensemble; absent: the configuration itself.
    member: Option<Resolved>,
    machine: Arc<Machine>,
    backup: Arc<plan::Backup>,
}

impl Night {
    fn new(resolved: Cow<'_, Resolved>) -> Self {
        let machine = Arc::new(resolved.machine.clone());
        let backup = Arc::new(resolved.backup.clone());
        let member = match resolved {
            Cow::Borrowed(_) => None,
            Cow::Owned(member) => Some(member),
        };
        Night { member, machine, backup }
    }
}

impl<'a, C: AsRef<Resolved>> Runner<'a, C> {
    pub(super) fn new(
        configuration: C,
        options: &'a PredictOptions,
        memo: Option<&'a Memo>,
    ) -> Self {
        let members = configuration.as_ref().members.as_ref().map_or(1, Members::count);
        let nights = (0..members).map(|_| OnceLock::new()).collect();
        Runner { configuration, options, memo, nights }
    }

    fn night(&self, replication: u64) -> &Night {
        let members = self.nights.len() as u64;
        let night = &self.nights[(replication % members) as usize];
        night.get_or_init(|| Box::new(Night::new(self.resolved().of_night(replication))))
    }

    pub(super) fn configuration(&self) -> &C {
        &self.configuration
    }

    pub(super) fn resolved(&self) -> &Resolved {
        self.configuration.as_ref()
    }

    /// A backup of this night, with some of its parts at no cost.
    pub(super) fn backup(&self, replication: u64, relief: &Relief) -> Answer {
        let make = |machine: &Machine, plan: &plan::Backup, relief: &Relief| {
            let usual = self.options.terms(relief.clone());
            let terms = Terms { main_alone: *relief != Relief::NONE, ..usual };
            with_streams(self.options.seed, replication, |streams| {
                simulate_backup(machine, plan, streams, &terms).map(Arc::new)
            })
        };
        let Night { machine, backup, .. } = self.night(replication);
        let Some(memo) = self.memo else { return make(machine, backup, relief) };
        let (machine, plan) = (Arc::clone(machine), Arc::clone(backup));
        let key = Key { machine, plan, replication, relief: relief.clone() };
        memo.backups.run(key, |key| make(&key.machine, &key.plan, &key.relief))
    }

    /// The verification of this backup's files in this night, if there is one: on the machine as
    /// the backup leaves it.
    pub(super) fn verify(
        &self,
        backup: &Outcome,
        replication: u64,
        relief: &Relief,
    ) -> Result<Option<Arc<Outcome>>, BackupError> {
        let Night { member, machine, .. } = self.night(replication);
        let resolved = member.as_ref().unwrap_or(self.resolved());
        let Some(plan) = resolved.verify(&backup.stripe_bytes) else { return Ok(None) };
        let credits = backup.credits.iter().map(|credit| credit.map(|credit| credit.left));
        let has_credit = backup.credits.iter().any(Option::is_some);
        let left = has_credit.then(|| machine.left_with(credits));
        let make = |machine: &Machine, plan: &plan::Verify, relief: &Relief| {
            let terms = self.options.terms(relief.clone());
            with_streams(self.options.seed, replication, |streams| {
                simulate_verify(machine, plan, streams, &terms).map(Arc::new)
            })
        };
        let Some(memo) = self.memo else {
            return make(left.as_ref().unwrap_or(machine), &plan, relief).map(Some);
        };
        let machine = left.map_or_else(|| Arc::clone(machine), Arc::new);
        let plan = Arc::new(plan);
        let key = Key { machine, plan, replication, relief: relief.clone() };
        memo.verifies.run(key, |key| make(&key.machine, &key.plan, &key.relief)).map(Some)
    }

    /// The restore of this backup's files at the speeds of this night, if there is one: on the
    /// machine as it is at first, for it is not the same day.
    pub(super) fn restore(
        &self,
        backup: &Outcome,
        replication: u64,
        relief: &Relief,
    ) -> Result<Option<Arc<Outcome>>, BackupError> {
        let Night { member, machine, .. } = self.night(replication);
        let resolved = member.as_ref().unwrap_or(self.resolved());
        let Some(plan) = resolved.restore(&backup.stripe_bytes) else { return Ok(None) };
        let make = |machine: &Machine, plan: &plan::Restore, relief: &Relief| {
            let terms = self.options.terms(relief.clone());
            with_streams(self.options.seed, replication, |streams| {
                simulate_restore(machine, plan, streams, &terms).map(Arc::new)
            })
        };
        let Some(memo) = self.memo else { return make(machine, &plan, relief).map(Some) };
        let (machine, plan) = (Arc::clone(machine), Arc::new(plan));
        let key = Key { machine, plan, replication, relief: relief.clone() };
        memo.restores.run(key, |key| make(&key.machine, &key.plan, &key.relief)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scenario, Set};

    fn resolved(sets: &[(&str, &str)]) -> Resolved {
        let small = ("volume.data.size", "8 MiB");
        let sets = sets.iter().chain([&small]).map(|(path, value)| Set::new(*path, *value));
        Scenario::load_reference("usb3-laptop:2.3", &sets.collect::<Vec<_>>()).unwrap().resolved
    }

    /// Runs of a backup and its verification that were made for these configurations.
    fn made(configurations: &[Resolved]) -> (usize, usize) {
        let (memo, options) = (Memo::default(), PredictOptions::DEFAULT);
        for configuration in configurations {
            let runner = Runner::new(configuration, &options, Some(&memo));
            for replication in 0..3 {
                let backup = runner.backup(replication, &Relief::NONE).unwrap();
                runner.verify(&backup, replication, &Relief::NONE).unwrap();
            }
        }
        memo.made()
    }

    impl Memo {
        /// Backups and verifications that are kept.
        pub(in super::super) fn made(&self) -> (usize, usize) {
            (self.backups.len(), self.verifies.len())
        }
    }

    impl<P> Shelf<P> {
        fn len(&self) -> usize {
            let books = self.books.lock().unwrap();
            assert_eq!(books.order.len(), books.by_print.values().map(Vec::len).sum::<usize>());
            books.order.len()
        }
    }

    #[test]
    fn what_configurations_have_in_common_is_run_once() {
        let base = || resolved(&[]);
        assert_eq!(made(&[base()]), (3, 3));
        assert_eq!(made(&[base(), base(), base()]), (3, 3));
        let more_buffers = resolved(&[("backup.buffer_count", "50")]);
        assert_eq!(made(&[base(), more_buffers]), (6, 3));
        let unused_device = resolved(&[("device.d3.spindle.read_rate", "10 MB/s")]);
        assert_eq!(made(&[base(), unused_device]), (3, 3));
        let target = resolved(&[("device.d2.spindle.read_rate", "10 MB/s")]);
        assert_eq!(made(&[base(), target]), (6, 6));
        let processors = [("processor.logical_processors", "2")];
        assert_eq!(made(&[base(), resolved(&processors)]), (6, 6));
        let plain = ("backup.compression", "false");
        let same = [resolved(&[plain]), resolved(&[plain, processors[0]])];
        assert_eq!(made(&same), (3, 3));
    }

    #[test]
    fn only_the_last_runs_are_kept() {
        let shelf: Shelf<plan::Backup> = Shelf::of(KEPT);
        let Resolved { machine, backup, .. } = resolved(&[]);
        let (machine, plan) = (Arc::new(machine), Arc::new(backup));
        let failed = || Err(BackupError::TooLong { days: 1 });
        for replication in 0..3 * KEPT as u64 {
            let (machine, plan) = (Arc::clone(&machine), Arc::clone(&plan));
            let key = Key { machine, plan, replication, relief: Relief::NONE };
            assert!(shelf.run(key, |_| failed()).is_err());
        }
        assert_eq!(shelf.len(), KEPT);
    }
}
