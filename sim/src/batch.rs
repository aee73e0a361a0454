//! Many jobs, each of many runs, on all processors, with the same results on any number of them.
//!
//! A job says how many runs its next round has; runs of all jobs in flight are handed out one by
//! one, those of the oldest job first, so that few long jobs and many short ones keep every thread
//! busy alike. The results of a job's runs are added up in order of their number, and the jobs'
//! outputs are handed on in order of their index, whatever the order in which threads finish.
//!
//! Memory is bounded by the number of threads: no more than [`IN_FLIGHT`] jobs a thread are begun
//! and not yet handed on, and no run is begun more than [`AHEAD`] runs a thread before the first
//! one that is missing. No thread ever waits for another: one that finds nothing to do goes, and
//! whoever finds more to do than threads at work calls some back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::Scope;

/// Jobs in flight for each thread.
const IN_FLIGHT: usize = 4;
/// Runs of one job that may wait, for each thread, for one before them.
const AHEAD: u64 = 16;

/// Work made of rounds of runs.
pub trait Job: Send {
    /// What the runs of one round share.
    type Round: Send + Sync;
    /// The result of one run.
    type Run: Send;
    /// What all of them come to.
    type Output: Send;
    /// Why it cannot be done.
    type Error: Send;

    /// One run of a round, by its number from 0; must depend on nothing else.
    ///
    /// # Errors
    ///
    /// If the run fails: the job then fails with the error of its lowest number.
    fn run(round: &Self::Round, number: u64) -> Result<Self::Run, Self::Error>;

    /// Takes the results of a round, in order of their numbers.
    fn add(&mut self, run: Self::Run);

    /// What comes next: at the beginning, and whenever a round is complete.
    ///
    /// # Errors
    ///
    /// If the job cannot go on.
    fn next(&mut self) -> Result<Next<Self::Round, Self::Output>, Self::Error>;
}

/// What comes next in a job.
#[derive(Debug)]
pub enum Next<Round, Output> {
    /// So many runs.
    Round {
        /// What they share.
        round: Round,
        /// How many.
        runs: u64,
    },
    /// Nothing: this is what it came to.
    Done(Output),
}

/// Does jobs `0..count` and hands their outputs to `consume`, with their index and in its order.
///
/// `begin` makes a job when its turn has come; it may be called on any thread, and so may
/// `consume`, by one thread at a time.
///
/// # Errors
///
/// The error of the job with the lowest index, once the outputs of all jobs before it are handed
/// on; jobs after it are not begun any more. An error of `consume` ends the batch there.
pub fn batch<J: Job>(
    count: u64,
    begin: impl Fn(u64) -> Result<J, J::Error> + Sync,
    consume: impl FnMut(u64, J::Output) -> Result<(), J::Error> + Send,
) -> Result<(), J::Error> {
    let threads = rayon::current_num_threads();
    let queue = Queue {
        end: count,
        first: 0,
        places: VecDeque::new(),
        delivering: false,
        workers: 0,
        threads,
        error: None,
    };
    let batch = Batch { begin, consume: Mutex::new(consume), queue: Mutex::new(queue) };
    rayon::scope(|scope| batch.call(&mut lock(&batch.queue), 0, scope));
    let queue = batch.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.error.map_or(Ok(()), Err)
}

/// Nothing is left half done where a thread could panic, and the panic itself is passed on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a job came to.
type Ended<J> = Result<<J as Job>::Output, <J as Job>::Error>;

struct Batch<J: Job, B, C> {
    begin: B,
    consume: Mutex<C>,
    queue: Mutex<Queue<J>>,
}

/// The jobs in flight.
struct Queue<J: Job> {
    /// Jobs from here on are not wanted.
    end: u64,
    /// Index of the first place.
    first: u64,
    places: VecDeque<Place<J>>,
    /// Whether a thread is handing an output on.
    delivering: bool,
    workers: usize,
    threads: usize,
    error: Option<J::Error>,
}

/// Where a job is.
enum Place<J: Job> {
    Beginning,
    Running(Running<J>),
    Done(Ended<J>),
}

struct Running<J: Job> {
    begun: Begun<J>,
    /// Runs handed out.
    taken: u64,
    /// Runs added up.
    added: u64,
}

/// A round that is begun.
struct Begun<J: Job> {
    job: Arc<Mutex<Progress<J>>>,
    round: Arc<J::Round>,
    /// The number of the round.
    ordinal: u64,
    runs: u64,
}

/// A job, and the results of runs before which one is missing.
struct Progress<J: Job> {
    job: J,
    ordinal: u64,
    added: u64,
    waiting: VecDeque<Option<Result<J::Run, J::Error>>>,
    failed: bool,
}

enum Task<J: Job> {
    Begin { index: u64 },
    Run { index: u64, number: u64, begun: Begun<J> },
}

/// What a task changes.
enum Step<J: Job> {
    Round(Begun<J>),
    Added { ordinal: u64, added: u64, failed: bool },
    Done(Ended<J>),
}

impl<J, B, C> Batch<J, B, C>
where
    J: Job,
    B: Fn(u64) -> Result<J, J::Error> + Sync,
    C: FnMut(u64, J::Output) -> Result<(), J::Error> + Send,
{
    /// Calls threads for what is to be done, but for what the caller will do itself.
    fn call<'scope>(&'scope self, queue: &mut Queue<J>, own: usize, scope: &Scope<'scope>) {
        let wanted = queue.open_tasks().saturating_sub(own);
        let called = wanted.min(queue.threads - queue.workers);
        queue.workers += called;
        (0..called).for_each(|_| scope.spawn(move |scope| self.work(scope)));
    }

    fn work<'scope>(&'scope self, scope: &Scope<'scope>) {
        let mut queue = lock(&self.queue);
        loop {
            queue = self.deliver(queue);
            if queue.workers < queue.threads {
                self.call(&mut queue, 1, scope);
            }
            let Some(task) = queue.take() else {
                queue.workers -= 1;
                return;
            };
            drop(queue);
            let (index, step) = self.perform(task);
            queue = lock(&self.queue);
            queue.note(index, step);
        }
    }

    /// Hands on the outputs whose turn it is.
    fn deliver<'q>(&'q self, mut queue: MutexGuard<'q, Queue<J>>) -> MutexGuard<'q, Queue<J>> {
        while !queue.delivering
            && let Some((index, result)) = queue.next_done()
        {
            queue.delivering = true;
            drop(queue);
            let delivered = result.and_then(|output| lock(&self.consume)(index, output));
            queue = lock(&self.queue);
            queue.delivering = false;
            if let Err(error) = delivered {
                queue.error.get_or_insert(error);
                queue.end = index + 1;
            }
        }
        queue
    }

    fn perform(&self, task: Task<J>) -> (u64, Step<J>) {
        match task {
            Task::Begin { index } => {
                let step = (self.begin)(index).map(|job| {
                    let progress = Arc::new(Mutex::new(Progress::new(job)));
                    lock(&progress).go_on(&progress)
                });
                (index, step.unwrap_or_else(|error| Step::Done(Err(error))))
            }
            Task::Run { index, number, begun } => {
                let result = J::run(&begun.round, number);
                (index, lock(&begun.job).put(number, result, &begun))
            }
        }
    }
}

impl<J: Job> Queue<J> {
    fn in_flight(&self) -> usize {
        self.places.len() + usize::from(self.delivering)
    }

    /// Places of jobs that are still wanted.
    fn wanted(&mut self) -> impl Iterator<Item = (u64, &mut Place<J>)> {
        let count = usize::try_from(self.end.saturating_sub(self.first)).unwrap_or(usize::MAX);
        (self.first..).zip(self.places.iter_mut().take(count))
    }

    fn may_begin(&self) -> usize {
        let begun = self.first + self.places.len() as u64;
        let left = usize::try_from(self.end.saturating_sub(begun)).unwrap_or(usize::MAX);
        left.min((IN_FLIGHT * self.threads).saturating_sub(self.in_flight()))
    }

    /// Tasks that could be taken now, as far as there can be threads for them.
    fn open_tasks(&mut self) -> usize {
        let (threads, may_begin) = (self.threads, self.may_begin());
        let running = self.wanted().filter_map(|(_, place)| match place {
            Place::Running(running) => Some(running.open(threads) as usize),
            Place::Beginning | Place::Done(_) => None,
        });
        running.fold(may_begin, usize::saturating_add).min(threads + 1)
    }

    fn take(&mut self) -> Option<Task<J>> {
        let threads = self.threads;
        for (index, place) in self.wanted() {
            if let Place::Running(running) = place
                && running.open(threads) > 0
            {
                let number = running.taken;
                running.taken += 1;
                return Some(Task::Run { index, number, begun: running.begun.another() });
            }
        }
        if self.may_begin() == 0 {
            return None;
        }
        let index = self.first + self.places.len() as u64;
        self.places.push_back(Place::Beginning);
        Some(Task::Begin { index })
    }

    fn note(&mut self, index: u64, step: Step<J>) {
        // An output that is handed on has left its place; nothing of its job is under way then,
        // unless it has failed.
        let Some(offset) = index.checked_sub(self.first) else { return };
        let Some(place) = self.places.get_mut(offset as usize) else { return };
        if matches!(place, Place::Done(_)) {
            return;
        }
        match step {
            Step::Round(begun) => *place = Place::Running(Running { begun, taken: 0, added: 0 }),
            Step::Added { ordinal, added, failed } => {
                if let Place::Running(running) = place
                    && running.begun.ordinal == ordinal
                {
                    running.added = running.added.max(added);
                    if failed {
                        running.begun.runs = running.taken;
                        self.end = self.end.min(index + 1);
                    }
                }
            }
            Step::Done(result) => {
                if result.is_err() {
                    self.end = self.end.min(index + 1);
                }
                *place = Place::Done(result);
            }
        }
    }

    fn next_done(&mut self) -> Option<(u64, Ended<J>)> {
        if self.first >= self.end || !matches!(self.places.front(), Some(Place::Done(_))) {
            return None;
        }
        let Some(Place::Done(result)) = self.places.pop_front() else { return None };
        self.first += 1;
        Some((self.first - 1, result))
    }
}

impl<J: Job> Running<J> {
    /// Runs that may be handed out now.
    fn open(&self, threads: usize) -> u64 {
        self.begun.runs.min(self.added + AHEAD * threads as u64).saturating_sub(self.taken)
    }
}

impl<J: Job> Begun<J> {
    fn another(&self) -> Self {
        let (job, round) = (Arc::clone(&self.job), Arc::clone(&self.round));
        Begun { job, round, ..*self }
    }
}

impl<J: Job> Progress<J> {
    fn new(job: J) -> Self {
        Progress { job, ordinal: 0, added: 0, waiting: VecDeque::new(), failed: false }
    }

    /// The next round, or the end.
    fn go_on(&mut self, own: &Arc<Mutex<Self>>) -> Step<J> {
        loop {
            match self.job.next() {
                Ok(Next::Round { runs: 0, .. }) => {}
                Ok(Next::Round { round, runs }) => {
                    self.ordinal += 1;
                    self.added = 0;
                    let (job, round) = (Arc::clone(own), Arc::new(round));
                    return Step::Round(Begun { job, round, ordinal: self.ordinal, runs });
                }
                Ok(Next::Done(output)) => return Step::Done(Ok(output)),
                Err(error) => return Step::Done(Err(error)),
            }
        }
    }

    /// Takes the result of a run, and adds up as far as none is missing.
    fn put(&mut self, number: u64, result: Result<J::Run, J::Error>, begun: &Begun<J>) -> Step<J> {
        if self.failed {
            return self.added(true);
        }
        let failed = result.is_err();
        // Not below: what is added up was all put here before.
        let offset = (number - self.added) as usize;
        if self.waiting.len() <= offset {
            self.waiting.resize_with(offset + 1, || None);
        }
        self.waiting[offset] = Some(result);
        while let Some(Some(_)) = self.waiting.front() {
            match self.waiting.pop_front().flatten() {
                Some(Ok(run)) => self.job.add(run),
                Some(Err(error)) => {
                    self.failed = true;
                    return Step::Done(Err(error));
                }
                None => {}
            }
            self.added += 1;
        }
        if self.added == begun.runs { self.go_on(&begun.job) } else { self.added(failed) }
    }

    fn added(&self, failed: bool) -> Step<J> {
        Step::Added { ordinal: self.ordinal, added: self.added, failed }
    }
}

#[cfg(test)]
mod tests;
