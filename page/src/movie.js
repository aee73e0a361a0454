// One simulated run, as the picture shows it: a coarse film of the whole, and windows in which
// every event has a frame, fetched where somebody looks closely.

/** Events of one window: fewer where many take part in each. */
const windowEvents = (members) => Math.max(60, Math.min(500, Math.round(40_000 / members)));
const COARSE_FRAMES = 240;
const ACTIVITIES = ["working", "starved", "blocked"];

/** What is asked for the whole run. */
const framesWanted = (operation, night) => ({
  operation,
  night,
  count: COARSE_FRAMES,
  intervals: 80,
});

/** Runs that are tried for one that is as long as most, and the events up to which that is cheap. */
const TRIED = 6;
const CHEAP_EVENTS = 200_000;

/**
 * The number of a run that takes about `seconds`: what is watched should be as usual. `ask(more)`
 * asks the engine for frames.
 */
async function usualNight(operation, seconds, ask) {
  let [best, least] = [0, Infinity];
  for (let night = 0; night < TRIED; night += 1) {
    const { result } = await ask({ operation, night, count: 2, intervals: 2 });
    const { elapsed_seconds: elapsed, frames } = result.film;
    const off = Math.abs((elapsed ?? Infinity) - seconds) / seconds;
    if (off < least) [best, least] = [night, off];
    if (off < 0.015 || elapsed === undefined || frames.at(-1).events > CHEAP_EVENTS) break;
  }
  return best;
}

/** Who takes part, in the words of the picture. */
function castOf({ inputs }, cast, operation) {
  const [job] = cast.jobs;
  const [readers, writers] = [job.threads.slice(0, job.readers), job.threads.slice(job.readers)];
  const path = (threads) => unique(threads.flatMap(({ devices }) => devices));
  const sources = path(readers).reverse();
  const targets = path(writers);
  const compresses = operation === "backup" && job.works;
  const ratio = compresses ? Math.max(1, inputs.compression.ratio) : 1;
  return {
    readers: readers.length,
    writers: writers.length,
    cores: job.works ? cast.workers : 0,
    sources: sources.length,
    targets: targets.length,
    buffers: job.raw_buffers,
    sourceDevices: sources,
    targetDevices: targets,
    names: cast.devices.map(({ name }) => name),
    same: sources.some((device) => targets.includes(device)),
    titles: {
      sources: wayTitle("source", sources, readers),
      targets: wayTitle("target", targets, writers),
    },
    ratio,
    writeSize: 0.6,
    job,
    operation,
  };
}

/** What stands above the devices of one side: links on the way are no disks. */
function wayTitle(side, devices, threads) {
  const disks = unique(threads.map((thread) => thread.devices.at(-1)));
  if (disks.length < devices.length) return `network, ${side}`;
  return disks.length === 1 ? `${side} disk` : `${disks.length} ${side} disks`;
}

/** A frame of the film, as the picture and the words need it. */
function frameOf(raw, cast) {
  const [job] = raw.jobs;
  const { buffers, threads } = job;
  const thread = ({ state, under_way: underWay, bytes }) => ({
    state: threadState(state, underWay),
    underWay,
    bytes,
  });
  const device = (index) => {
    const { activity, serving } = raw.devices[index];
    const [transfer] = serving;
    return {
      name: cast.names[index],
      state: ACTIVITIES.indexOf(activity),
      serves: transfer?.done === undefined ? null : transfer,
    };
  };
  const workers = raw.workers
    .slice(0, cast.cores)
    .map(({ activity, done }) => ({ state: ACTIVITIES.indexOf(activity), done: done ?? 0 }));
  return {
    time: raw.at_seconds,
    events: raw.events,
    stage: job.stage,
    free: buffers.raw.free,
    filled: buffers.raw.filled,
    encoded: buffers.encoded.filled,
    readers: threads.slice(0, cast.readers).map(thread),
    writers: threads.slice(cast.readers).map(thread),
    workers,
    sources: cast.sourceDevices.map(device),
    targets: cast.targetDevices.map(device),
    devices: unique([...cast.sourceDevices, ...cast.targetDevices]).map(device),
    bytes: { read: job.read_bytes, written: job.written_bytes },
    places: buffers,
  };
}

/** Of a thread: index of working, starved, blocked or finished. */
function threadState(state, underWay) {
  if (state === "finished") return 3;
  if (underWay > 0) return 0;
  if (state === "awaiting a free buffer") return 2;
  return state === "awaiting its reads" || state === "awaiting its writes" ? 0 : 1;
}

class Movie {
  /** `more(fromSeconds)` asks the engine for a window of events. */
  constructor(document, operation, more) {
    const { result } = document;
    this.more = more;
    this.film = result.film;
    this.cast = castOf(document, this.film.cast, operation);
    this.coarse = this.film.frames.map(withTime);
    this.window = [];
    this.asking = null;
    /** From here on the engine has no more events. */
    this.exhausted = Infinity;
    this.members = this.cast.readers + this.cast.writers + this.cast.cores + 10;
    this.series = result.series;
    const last = this.made(this.coarse, this.coarse.length - 1);
    this.isCut = this.film.elapsed_seconds === undefined;
    this.length = this.film.elapsed_seconds ?? last?.time ?? 0;
    this.events = last?.events ?? 0;
    const perBuffer = this.cast.job.read_size_bytes;
    this.rounds = (last?.bytes.read ?? 0) / perBuffer;
    this.tokens = new Tokens(this.cast);
  }

  /** A frame, made when it is first looked at. */
  made(frames, index) {
    const slot = frames[Math.max(0, index)];
    slot.frame ??= frameOf(slot.raw, this.cast);
    return slot.frame;
  }

  get eventsPerSecond() {
    return this.events / Math.max(this.length, 1e-9);
  }

  caption() {
    const what = `one run of the ${this.cast.operation}, ${durationText(this.length)}`;
    const cut = this.isCut ? ", its beginning" : "";
    const same = this.cast.same ? "; source and target are one disk" : "";
    return `${what}${cut}, ${this.events} events${same}`;
  }

  /** A time at which something is going on: a little after the copying has begun. */
  interesting() {
    const moving = ({ raw: { jobs } }) => jobs[0].stage === "copying" && jobs[0].read_bytes > 0;
    return this.coarse.find(moving)?.time ?? 0;
  }

  hasWindow(time) {
    const { window } = this;
    return window.length > 1 && time >= window[0].time && time < window.at(-1).time;
  }

  /** Sees to it that there is a window around a time; `ahead` fetches the next in good time. */
  async want(time, ahead = false) {
    const { window } = this;
    const near = this.hasWindow(time);
    const late = near && time > window[0].time + (window.at(-1).time - window[0].time) * 0.6;
    if (
      (near && !(ahead && late)) ||
      this.asking ||
      time >= Math.min(this.length, this.exhausted)
    )
      return this.asking;
    this.asking = this.more(time, windowEvents(this.members));
    try {
      const { result } = await this.asking;
      const frames = result.film.frames.map(withTime);
      if (frames.length > 1) this.window = frames;
      else this.exhausted = time;
      return frames;
    } catch (error) {
      if (!(error instanceof Superseded)) this.failed = error;
      return null;
    } finally {
      this.asking = null;
    }
  }

  frameAt(time) {
    const frames = this.hasWindow(time) ? this.window : this.coarse;
    return this.made(frames, indexAt(frames, time));
  }

  /** The time of the next event, if the window around has it. */
  eventAfter(time) {
    if (!this.hasWindow(time))
      return this.coarse[indexAt(this.coarse, time) + 1]?.time ?? Infinity;
    const { window } = this;
    let index = indexAt(window, time) + 1;
    while (index < window.length && window[index].time <= time) index += 1;
    return window[index]?.time ?? Infinity;
  }

  /** How long nothing ends here, where that is far longer than usual: the drive pauses. */
  quietAt(time) {
    if (!this.hasWindow(time)) return 0;
    const index = indexAt(this.window, time);
    const gap = this.window[index + 1].time - this.window[index].time;
    return gap > 15 / this.eventsPerSecond && gap > 0.02 ? gap : 0;
  }

  /** What is drawn: members with states, tokens, who waits for whom. */
  snapshotAt(time) {
    const inWindow = this.hasWindow(time);
    const frames = inWindow ? this.window : this.coarse;
    const index = Math.max(0, indexAt(frames, time));
    const frame = this.made(frames, index);
    const next = inWindow && index + 1 < frames.length ? this.made(frames, index + 1) : null;
    const done = frame.workers.map((worker, at) =>
      progress(worker, next?.workers[at], frame, next, time),
    );
    const tokens = this.tokens.follow(frame, done);
    return {
      tokens,
      waits: waitsOf(frame, this.cast),
      sources: served(frame.sources, next?.sources, frame, next, time),
      targets: served(frame.targets, next?.targets, frame, next, time),
      readers: frame.readers,
      writers: frame.writers,
      cores: frame.workers,
      queued: { free: frame.free, filled: frame.filled, encoded: frame.encoded },
    };
  }
}

const withTime = (raw) => ({ time: raw.at_seconds, raw, frame: null });

/** The last frame that is not after a time. */
function indexAt(frames, time) {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Devices with how much of their transfer is done, between two frames. */
function served(devices, after, frame, next, time) {
  return devices.map((device, index) => {
    const { serves } = device;
    if (!serves || !next || next.time <= frame.time) return device;
    const then = after[index].serves;
    const goal = then && then.done > serves.done ? then.done : 1;
    const share = (time - frame.time) / (next.time - frame.time);
    const done = device.state === 0 ? serves.done + (goal - serves.done) * share : serves.done;
    return { ...device, serves: { ...serves, done } };
  });
}

/** How much of its buffer a worker has done, between two frames. */
function progress(worker, after, frame, next, time) {
  if (!after || after.done <= worker.done || next.time <= frame.time) return worker.done;
  return (
    worker.done + ((after.done - worker.done) * (time - frame.time)) / (next.time - frame.time)
  );
}
