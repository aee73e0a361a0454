//! What threads do while a backup or a restore runs, and the vendor's names for it.
//!
//! States are named by what a thread does and on which side it is. The vendor's wait types are
//! read differently by different authors, and both BACKUPIO and BACKUPBUFFER occur on both sides;
//! [`wait_type`] is the one table, each line with its source. Of a restore no thread stacks were
//! found: its readers and writers are taken to wait as those of a backup do.

use bakcast_sim::{SimTime, Span};

/// Which side of the pipeline a thread is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The coordinator of the job.
    Coordinator,
    /// Readers: of volumes in a backup, of backup files in a verification or a restore.
    Source,
    /// Workers that compress or decompress.
    Processor,
    /// Writers: of backup files in a backup, of volumes in a restore.
    Target,
}

impl Side {
    /// The side as printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Coordinator => "coordinator",
            Side::Source => "source",
            Side::Processor => "processor",
            Side::Target => "target",
        }
    }
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadState {
    /// Nothing yet: the job is being set up.
    Starting,
    /// A reader waits for a free buffer.
    AwaitingBuffer,
    /// A reader waits for its reads.
    AwaitingRead,
    /// A worker compresses or decompresses.
    Working,
    /// A worker waits for a raw buffer.
    Idle,
    /// A worker has a raw buffer but waits for a free encoded buffer.
    AwaitingEncodedBuffer,
    /// A writer waits for a filled buffer.
    AwaitingFilledBuffer,
    /// A writer waits for its writes.
    AwaitingWrite,
    /// The coordinator waits for readers and writers.
    Coordinating,
    /// The thread has done its part and waits for the others.
    Finished,
    /// A writer zeroes its files.
    Zeroing,
}

impl ThreadState {
    /// How many states there are.
    pub const COUNT: usize = 11;

    const ALL: [ThreadState; Self::COUNT] = [
        ThreadState::Starting,
        ThreadState::AwaitingBuffer,
        ThreadState::AwaitingRead,
        ThreadState::Working,
        ThreadState::Idle,
        ThreadState::AwaitingEncodedBuffer,
        ThreadState::AwaitingFilledBuffer,
        ThreadState::AwaitingWrite,
        ThreadState::Coordinating,
        ThreadState::Finished,
        ThreadState::Zeroing,
    ];

    /// The state as printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ThreadState::Starting => "starting",
            ThreadState::AwaitingBuffer => "awaiting a free buffer",
            ThreadState::AwaitingRead => "awaiting its reads",
            ThreadState::Working => "working",
            ThreadState::Idle => "awaiting a raw buffer",
            ThreadState::AwaitingEncodedBuffer => "awaiting an encoded buffer",
            ThreadState::AwaitingFilledBuffer => "awaiting a filled buffer",
            ThreadState::AwaitingWrite => "awaiting its writes",
            ThreadState::Coordinating => "awaiting readers and writers",
            ThreadState::Finished => "finished",
            ThreadState::Zeroing => "zeroing files",
        }
    }
}

/// The vendor's wait type for a thread in this state; `None` where the server shows none.
///
/// | state | wait type | source |
/// |---|---|---|
/// | reader awaiting a free buffer | BACKUPBUFFER | SQLskills wait library; thread stacks of a backup to one slow volume |
/// | reader awaiting its reads | BACKUPIO | thread stacks of a backup from a slow source |
/// | writer awaiting a filled buffer | BACKUPBUFFER | the same stacks, writers' side |
/// | writer awaiting its writes | BACKUPIO | SQLskills wait library |
/// | coordinator during the copy | ASYNC_IO_COMPLETION | the same stacks |
/// | finished thread | BACKUPTHREAD | practitioners' description |
/// | writer zeroing files | PREEMPTIVE_OS_WRITEFILEGATHER | SQLskills wait library |
/// | workers | none | compression runs on hidden background workers; no task of the session shows it |
#[must_use]
pub const fn wait_type(state: ThreadState) -> Option<&'static str> {
    match state {
        ThreadState::AwaitingBuffer | ThreadState::AwaitingFilledBuffer => Some("BACKUPBUFFER"),
        ThreadState::AwaitingRead | ThreadState::AwaitingWrite => Some("BACKUPIO"),
        ThreadState::Coordinating => Some("ASYNC_IO_COMPLETION"),
        ThreadState::Finished => Some("BACKUPTHREAD"),
        ThreadState::Zeroing => Some("PREEMPTIVE_OS_WRITEFILEGATHER"),
        ThreadState::Starting
        | ThreadState::Working
        | ThreadState::Idle
        | ThreadState::AwaitingEncodedBuffer => None,
    }
}

/// Nanoseconds by state, in the order of [`ThreadState`].
pub type ThreadTimes = [u64; ThreadState::COUNT];

/// `total` divided in the proportion of `parts`, to the nanosecond: what rounding leaves goes to
/// the largest part. All zero parts give it to the first.
#[must_use]
pub fn in_proportion(parts: &[u64], total: u64) -> Vec<u64> {
    let sum: u64 = parts.iter().sum();
    let scaled = |part: u64| match sum {
        0 => 0,
        _ => u64::try_from(u128::from(part) * u128::from(total) / u128::from(sum)).unwrap_or(0),
    };
    let mut shares: Vec<u64> = parts.iter().map(|part| scaled(*part)).collect();
    let rest = total - shares.iter().sum::<u64>();
    let largest = (0..parts.len()).max_by_key(|index| (parts[*index], usize::MAX - index));
    if let Some(share) = largest.and_then(|index| shares.get_mut(index)) {
        *share += rest;
    }
    shares
}

/// Time by state of one thread; sums to the elapsed time exactly.
#[derive(Debug, Clone)]
pub struct ThreadClock {
    state: ThreadState,
    since: SimTime,
    spent: ThreadTimes,
}

impl ThreadClock {
    /// A thread that begins in `state` at the start of the run.
    #[must_use]
    pub fn new(state: ThreadState) -> Self {
        ThreadClock { state, since: SimTime::ZERO, spent: [0; ThreadState::COUNT] }
    }

    /// The state the thread is in.
    #[inline]
    #[must_use]
    pub fn state(&self) -> ThreadState {
        self.state
    }

    /// The thread turns to `state`.
    #[inline]
    pub fn enter(&mut self, now: SimTime, state: ThreadState) {
        if state != self.state {
            self.spent[self.state as usize] += now.since(self.since).as_nanos();
            self.since = now;
            self.state = state;
        }
    }

    /// Nanoseconds by state up to `now`, in the order of [`ThreadState`].
    #[must_use]
    pub fn totals(&self, now: SimTime) -> ThreadTimes {
        let mut spent = self.spent;
        spent[self.state as usize] += now.since(self.since).as_nanos();
        spent
    }

    /// Adds `skipped` nanoseconds spent as those between the totals `from` and `to` were.
    pub fn extend(&mut self, from: &ThreadTimes, to: &ThreadTimes, skipped: u64) {
        let spent: Vec<u64> = from.iter().zip(to).map(|(from, to)| to - from).collect();
        for (sum, share) in self.spent.iter_mut().zip(in_proportion(&spent, skipped)) {
            *sum += share;
        }
    }

    /// Time by state up to `now`, states never entered left out; `skipped` is what
    /// [`ThreadClock::extend`] added.
    ///
    /// # Panics
    /// If the times do not sum to `now` and `skipped`: our bug.
    #[must_use]
    pub fn finish(self, now: SimTime, skipped: Span) -> Vec<(ThreadState, Span)> {
        let spent = self.totals(now);
        let elapsed = now.as_nanos() + skipped.as_nanos();
        assert_eq!(spent.iter().sum::<u64>(), elapsed, "a thread lost time");
        let spent = ThreadState::ALL.iter().zip(spent);
        spent.filter(|(_, n)| *n > 0).map(|(s, n)| (*s, Span::from_nanos(n))).collect()
    }
}
