// Buffers as things that can be followed. The engine says how many buffers are where; a buffer
// that leaves a place goes to the nearest place down the flow that lacks one.

const [FREE, READING, FILLED, WORKED, WRITTEN] = [0, 1, 2, 3, 4];
const PLACES = ["free", "readers", "filled", "cores", "writers"];

/** Raw buffers stay the same for ever; compressed ones are born at a core, end at a writer. */
class Tokens {
  constructor(cast) {
    this.cast = cast;
    this.number = 0;
    this.raw = Array.from({ length: cast.buffers }, () => this.born("free", 0, "free"));
    this.encoded = [];
    this.outgoing = [];
  }

  born(place, at, kind, size = 1) {
    this.number += 1;
    return { id: this.number, place, at, kind, size };
  }

  /**
   * Moves the buffers to where the frame has them; gives all that are to be drawn. `done` is the
   * share of its buffer that each worker has compressed: a buffer in a core gets smaller.
   */
  follow(frame, done) {
    this.moveRaw(frame, done);
    this.moveEncoded(frame);
    return [...this.raw, ...this.encoded, ...this.outgoing];
  }

  moveRaw(frame, done) {
    const wanted = wantedRaw(frame, this.cast);
    const spare = [];
    for (const token of this.raw) {
      const key = `${token.place} ${token.at}`;
      const left = wanted.get(key)?.count ?? 0;
      if (left > 0) wanted.get(key).count = left - 1;
      else spare.push(token);
    }
    // Those furthest down the flow move first, so that each makes room for the one behind it.
    const open = [...wanted.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.order - a.order);
    for (const slot of open) {
      for (; slot.count > 0 && spare.length; slot.count -= 1) this.move(spare, slot);
    }
    for (const token of this.raw) {
      token.kind = token.place === "free" || token.place === "readers" ? "free" : "raw";
      token.size = 1;
      if (token.place === "readers") token.kind = "raw";
      if (token.place === "cores") {
        token.size = 1 + (1 / this.cast.ratio - 1) * (done[token.at] ?? 0);
      }
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
    [token.place, token.at] = [slot.place, slot.at];
  }

  moveEncoded(frame) {
    const small = 1 / this.cast.ratio;
    const { encoded, writers } = frame;
    while (this.encoded.length > encoded) this.encoded.shift();
    while (this.encoded.length < encoded) {
      const token = this.born("encoded", 0, "encoded", small);
      token.from = "cores";
      this.encoded.push(token);
    }
    if (!this.cast.cores) return;
    const outgoing = [];
    writers.forEach(({ underWay }, at) => {
      for (let i = 0; i < underWay; i += 1) {
        const own = this.outgoing.find((token) => token.at === at && !outgoing.includes(token));
        const token = own ?? this.born("writers", at, "encoded", this.cast.writeSize);
        token.from = "encoded";
        outgoing.push(token);
      }
    });
    this.outgoing = outgoing;
  }
}

/** Slots and how many raw buffers each has to hold. */
function wantedRaw(frame, cast) {
  const wanted = new Map();
  const want = (order, at, count) => {
    if (count > 0)
      wanted.set(`${PLACES[order]} ${at}`, { order, place: PLACES[order], at, count });
  };
  want(FREE, 0, frame.free);
  frame.readers.forEach(({ underWay }, at) => want(READING, at, underWay));
  want(FILLED, 0, frame.filled);
  frame.workers.forEach((work, at) => want(WORKED, at, work.state === 0 ? 1 : 0));
  if (!cast.cores) frame.writers.forEach(({ underWay }, at) => want(WRITTEN, at, underWay));
  return wanted;
}
