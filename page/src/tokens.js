// Buffers as things that can be followed. The engine says how many buffers are where and what each
// thread has done; from frame to frame, buffers whose read, work or write has ended are let go, and
// every place that lacks one takes the nearest up the flow.

const [FREE, READING, FILLED, WORKED, WRITTEN] = [0, 1, 2, 3, 4];
const PLACES = ["free", "readers", "filled", "cores", "writers"];

/** Compressed buffers on their way to a writer: most at once, and the seconds of their way. */
const MOST_FLYING = 24;
const FLYING_SECONDS = 0.7;

/** Raw buffers stay the same for ever; compressed ones are born at a core, end at a writer. */
class Tokens {
  constructor(cast) {
    this.cast = cast;
    this.number = 0;
    this.stamp = 0;
    this.raw = Array.from({ length: cast.buffers }, () => this.born("free", 0, "free"));
    this.encoded = [];
    this.flying = [];
    this.outgoing = [];
    this.before = null;
  }

  born(place, at, kind, size = 1, from = null) {
    this.number += 1;
    return { id: this.number, place, at, kind, size, from, since: this.stamp, age: 0 };
  }

  /**
   * Moves the buffers to where the frame has them; gives all that are to be drawn. `done` is the
   * share of its buffer that each worker has compressed: a buffer in a core gets smaller.
   */
  follow(frame, done) {
    if (frame !== this.before) {
      this.stamp += 1;
      const worked = this.letGo(frame);
      this.moveRaw(frame);
      if (this.cast.cores && this.cast.writers) this.moveEncoded(frame, worked);
      this.before = frame;
    }
    for (const token of this.raw) {
      const isFree = token.place === "free";
      token.kind = isFree ? "free" : "raw";
      const atCore = token.place === "cores";
      token.size = atCore ? 1 + (1 / this.cast.ratio - 1) * (done[token.at] ?? 0) : 1;
    }
    this.flying = this.flying.filter(({ age }) => age < FLYING_SECONDS);
    return [...this.raw, ...this.encoded, ...this.flying, ...this.outgoing];
  }

  /** Lets go of buffers with which a thread has finished; gives the cores that have. */
  letGo(frame) {
    const { before, cast } = this;
    if (!before || frame.time < before.time) return [];
    const count = (now, then) => Math.ceil((now.bytes - then.bytes) / cast.job.read_size_bytes);
    frame.readers.forEach((reader, at) =>
      this.release("readers", at, count(reader, before.readers[at]), "filled"),
    );
    const worked = [];
    frame.workers.forEach((worker, at) => {
      const then = before.workers[at];
      if (then.state !== 0 || (worker.state === 0 && worker.done >= then.done)) return;
      worked.push(at);
      this.release("cores", at, 1, "free");
    });
    if (!cast.cores) {
      frame.writers.forEach((writer, at) =>
        this.release("writers", at, count(writer, before.writers[at]), "free"),
      );
    }
    return worked;
  }

  /** The first that came to a place goes on to the next. */
  release(place, at, count, next) {
    if (count <= 0) return;
    const here = this.raw.filter((token) => token.place === place && token.at === at);
    here.sort((a, b) => a.since - b.since);
    for (const token of here.slice(0, count)) {
      Object.assign(token, { place: next, at: 0, since: this.stamp });
    }
  }

  moveRaw(frame) {
    const wanted = wantedRaw(frame, this.cast);
    const spare = [];
    for (const token of this.raw) {
      const slot = wanted.get(token.place)?.get(token.at);
      if (slot && slot.count > 0) slot.count -= 1;
      else spare.push(token);
    }
    // Those furthest down the flow move first, so that each makes room for the one behind it.
    const open = [...wanted.values()]
      .flatMap((slots) => [...slots.values()])
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.order - a.order);
    for (const slot of open) {
      for (; slot.count > 0 && spare.length; slot.count -= 1) this.move(spare, slot);
    }
  }

  move(spare, slot) {
    let best = 0;
    let least = Infinity;
    spare.forEach((token, index) => {
      const way = (slot.order - PLACES.indexOf(token.place) + PLACES.length) % PLACES.length;
      if (way < least) [best, least] = [index, way];
    });
    const [token] = spare.splice(best, 1);
    Object.assign(token, { place: slot.place, at: slot.at, since: this.stamp });
  }

  /** What a core has finished goes to the queue, or at once to a writer that collects it. */
  moveEncoded({ encoded, writers }, worked) {
    const small = 1 / this.cast.ratio;
    const collecting = Math.max(
      0,
      writers.findIndex(({ state }) => state !== 3),
    );
    const fly = (from) => {
      if (this.flying.length >= MOST_FLYING) this.flying.shift();
      this.flying.push(this.born("writers", collecting, "encoded", small, from));
    };
    while (this.encoded.length > encoded) {
      const token = this.encoded.shift();
      if (this.flying.length < MOST_FLYING) {
        this.flying.push(Object.assign(token, { place: "writers", at: collecting, age: 0 }));
      }
    }
    for (const at of worked) {
      const from = { place: "cores", at };
      if (this.encoded.length < encoded) {
        this.encoded.push(this.born("encoded", 0, "encoded", small, from));
      } else fly(from);
    }
    while (this.encoded.length < encoded) {
      this.encoded.push(this.born("encoded", 0, "encoded", small, { place: "cores", at: 0 }));
    }
    const outgoing = [];
    writers.forEach(({ underWay }, at) => {
      const own = this.outgoing.filter((token) => token.at === at).slice(0, underWay);
      while (own.length < underWay) {
        own.push(this.born("writers", at, "encoded", this.cast.writeSize));
      }
      outgoing.push(...own);
    });
    this.outgoing = outgoing;
  }
}

/** Slots by place and number, and how many raw buffers each has to hold. */
function wantedRaw(frame, cast) {
  const wanted = new Map();
  const want = (order, at, count) => {
    if (count <= 0) return;
    const place = PLACES[order];
    if (!wanted.has(place)) wanted.set(place, new Map());
    wanted.get(place).set(at, { order, place, at, count });
  };
  want(FREE, 0, frame.free);
  frame.readers.forEach(({ underWay }, at) => want(READING, at, underWay));
  want(FILLED, 0, frame.filled);
  frame.workers.forEach((work, at) => want(WORKED, at, work.state === 0 ? 1 : 0));
  if (!cast.cores) frame.writers.forEach(({ underWay }, at) => want(WRITTEN, at, underWay));
  return wanted;
}
