// The picture: disks, reader, buffers going round, cores, writers. It draws what a snapshot of the
// run says, and lets buffers glide to where they belong; it knows no engine and no clock.

const STATE_WORDS = ["working", "starved", "blocked", "finished"];
const TITLES = {
  sources: ["source disk", "source disks"],
  readers: ["reader", "readers"],
  cores: ["core", "cores"],
  writers: ["writer", "writers"],
  targets: ["target disk", "target disks"],
  filled: ["filled"],
  encoded: ["compressed"],
  free: ["free buffers"],
};

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.glide = new Map();
    this.colours = null;
    new ResizeObserver(() => {
      this.measured = null;
      this.draw();
    }).observe(canvas);
  }

  /** What is drawn from now on: counts of all parts and, each frame, a snapshot. */
  show(cast) {
    this.cast = cast;
    this.glide.clear();
    this.measured = null;
  }

  recolour() {
    this.colours = null;
    this.draw();
  }

  measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    const scale = letterScale();
    this.context.setTransform(ratio * scale, 0, 0, ratio * scale, 0, 0);
    this.layout = layOut(width / scale, height / scale, this.cast);
    this.measured = true;
    this.glide.clear();
  }

  /** Draws a snapshot; `passed` seconds have gone by since the last. */
  draw(snapshot = this.last, passed = 0) {
    if (!this.cast || !snapshot || !this.canvas.clientWidth) return;
    this.last = snapshot;
    if (!this.measured) this.measure();
    this.colours ??= readColours(this.context);
    const { context, layout } = this;
    context.clearRect(0, 0, layout.width, layout.height);
    context.font = `600 13px ${this.colours.font}`;
    this.drawPipes();
    this.drawFrames(snapshot);
    for (const name of STATIONS) if (layout.parts[name]) this.drawStation(name, snapshot[name]);
    this.drawTokens(snapshot, passed);
    this.drawWaits(snapshot);
  }

  /** The way round, as broad quiet lines behind everything. */
  drawPipes() {
    const {
      context,
      layout: { parts, upright, width },
      colours,
    } = this;
    const end = parts.writers ?? parts.cores ?? parts.filled;
    const [first, last] = [parts.readers.rect, (parts.targets ?? end).rect];
    const free = parts.free.rect;
    context.strokeStyle = colours.pipe;
    context.lineWidth = 10;
    context.lineJoin = "round";
    context.beginPath();
    if (upright) {
      const x = first.x + first.w / 2;
      context.moveTo(x, parts.sources.rect.y);
      context.lineTo(x, last.y + last.h);
      context.moveTo(x, last.y - 8);
      context.lineTo(free.x + free.w / 2, last.y - 8);
      context.lineTo(free.x + free.w / 2, first.y + first.h + 4);
      context.lineTo(x, first.y + first.h + 4);
    } else {
      const y = first.y + first.h / 2;
      const back = free.y + free.h / 2;
      const [from, to] = [end.rect, first].map((rect) => rect.x + rect.w / 2);
      context.moveTo(parts.sources.rect.x, y);
      context.lineTo(width - 12, y);
      context.moveTo(from, y);
      context.lineTo(from, back);
      context.lineTo(to, back);
      context.lineTo(to, y);
    }
    context.stroke();
  }

  /** Titles, frames of queues, and the words below stations. */
  drawFrames(snapshot) {
    const {
      context,
      layout: { parts, upright },
      colours,
    } = this;
    for (const [name, part] of Object.entries(parts)) {
      const { rect } = part;
      const queue = name === "free" || name === "filled" || name === "encoded";
      if (queue) {
        context.fillStyle = colours.queue;
        context.strokeStyle = colours.line;
        context.lineWidth = 1;
        roundRect(context, rect.x - 4, rect.y - 4, rect.w + 8, rect.h + 8, 8);
        context.fill();
        context.stroke();
      }
      const count = this.cast[name];
      const words = TITLES[name];
      const counted = queue || count === 1 ? words[0] : `${count} ${words[1]}`;
      const title = this.cast.titles[name] ?? counted;
      const below = queue ? String(snapshot.queued[name] ?? 0) : summary(snapshot[name]);
      this.label(part, title, below, upright);
    }
  }

  label({ rect, name }, title, below, upright) {
    const { context, colours } = this;
    context.fillStyle = colours.text;
    if (upright && name !== "free") {
      context.textAlign = "right";
      context.textBaseline = "middle";
      const y = rect.y + rect.h / 2;
      this.text(title, rect.x - 10, y - 8, 92, 600);
      this.text(below, rect.x - 10, y + 8, 92, 400);
      return;
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const x = rect.x + rect.w / 2;
    if (name === "free" && !upright) {
      this.text(`${title}: ${below}`, x, rect.y - 9, rect.w, 600);
      return;
    }
    if (name === "free") {
      this.text("free", x, rect.y - 24, rect.w + 10, 600);
      this.text(below, x, rect.y - 9, rect.w, 400);
      return;
    }
    this.text(title, x, 16, rect.w + 14, 600);
    this.text(below, x, rect.y + rect.h + 22, rect.w + 14, 400);
  }

  text(text, x, y, widest, weight) {
    this.context.font = `${weight} ${this.layout.upright ? 12 : 13}px ${this.colours.font}`;
    this.context.fillText(text, x, y, widest);
  }

  drawStation(name, members) {
    const {
      context,
      layout: { parts },
      colours,
    } = this;
    const { cells } = parts[name];
    members.forEach((member, index) => {
      const { x, y, w, h } = cells.cell(index);
      const state = STATE_WORDS[member.state];
      context.fillStyle = colours[state].fill;
      roundRect(context, x, y, w, h, Math.min(6, w / 4));
      context.fill();
      if (colours[state].pattern) {
        context.fillStyle = colours[state].pattern;
        context.fill();
      }
      context.strokeStyle = colours[state].edge;
      context.lineWidth = w > 14 ? 2 : 1;
      context.stroke();
      if (w > 56 && h > 26 && member.name) this.nameIn(member.name, x, y, w, h, colours[state]);
      if (member.serves && w > 24) this.drawService(member.serves, x, y, w, h, colours[state]);
    });
  }

  /** What a device does now, and how far it is with it. */
  drawService({ reads, done }, x, y, w, h, { edge, ink }) {
    const { context } = this;
    context.fillStyle = edge;
    context.fillRect(x + 5, y + h - 10, (w - 10) * Math.max(0, Math.min(1, done)), 5);
    if (w < 70 || h < 50) return;
    context.fillStyle = ink;
    context.font = `12px ${this.colours.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(reads ? "reads" : "writes", x + w / 2, y + h / 2 + 6, w - 10);
  }

  nameIn(name, x, y, w, h, { ink, plate }) {
    const { context } = this;
    context.font = `600 12px ${this.colours.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const wide = Math.min(w - 8, context.measureText(name).width + 8);
    context.fillStyle = plate;
    context.fillRect(x + w / 2 - wide / 2, y + 4, wide, 16);
    context.fillStyle = ink;
    context.fillText(name, x + w / 2, y + 12.5, w - 10);
  }

  /** Buffers; a compressed one is smaller by the ratio. */
  drawTokens(snapshot, passed) {
    const {
      context,
      layout: { parts, token },
      colours,
      glide,
    } = this;
    const step = reducedMotion() || passed === 0 ? 1 : 1 - Math.exp(-passed * 14);
    const inQueue = { free: 0, filled: 0, encoded: 0 };
    const atCell = new Map();
    for (const item of snapshot.tokens) {
      const aim = this.aim(item, parts, token, inQueue, atCell);
      if (!aim) continue;
      let now = glide.get(item.id);
      item.age += passed;
      if (!now) glide.set(item.id, (now = birthplace(item, parts) ?? { ...aim }));
      now.x += (aim.x - now.x) * step;
      now.y += (aim.y - now.y) * step;
      now.size += (aim.size - now.size) * step;
      const colour =
        item.kind === "free"
          ? colours.freeBuffer
          : item.kind === "encoded"
            ? colours.encodedBuffer
            : colours.rawBuffer;
      context.fillStyle = colour.fill;
      context.strokeStyle = colour.edge;
      context.lineWidth = 1;
      const half = now.size / 2;
      if (now.size < 7) {
        context.fillRect(now.x - half, now.y - half, now.size, now.size);
      } else {
        context.fillRect(now.x - half, now.y - half, now.size, now.size);
        context.strokeRect(now.x - half + 0.5, now.y - half + 0.5, now.size - 1, now.size - 1);
      }
    }
  }

  aim(item, parts, token, inQueue, atCell) {
    const part = parts[item.place] ?? parts.filled;
    const size = Math.max(3, token * Math.sqrt(item.size));
    if (item.place in inQueue) {
      const cell = part.cells.cell(inQueue[item.place]);
      inQueue[item.place] += 1;
      return { x: cell.x + cell.w / 2, y: cell.y + cell.h / 2, size };
    }
    const cell = part.cells.cell(item.at);
    const key = `${item.place}${item.at}`;
    const before = atCell.get(key) ?? 0;
    atCell.set(key, before + 1);
    const room = Math.max(1, Math.floor((cell.w - 6) / (token + 2)));
    const shown = Math.min(before, room - 1);
    const fit = Math.min(size, cell.w - 4, cell.h - 4);
    const left =
      cell.w > token * 2 ? cell.x + 5 + shown * (token + 2) + token / 2 : cell.x + cell.w / 2;
    const low = cell.h > 40 ? cell.y + cell.h - 6 - token / 2 : cell.y + cell.h / 2;
    return { x: left, y: low, size: fit };
  }

  /** Arrows from who waits to whom it waits for, with what it lacks. */
  drawWaits(snapshot) {
    const {
      layout: { parts, upright },
    } = this;
    snapshot.waits.forEach((wait, index) => {
      const [from, to] = [parts[wait.from], parts[wait.to]];
      if (!from || !to) return;
      if (upright) this.drawWaitUpright(wait, from.rect, to.rect, index);
      else this.drawWaitAcross(wait, from.rect, to.rect, index);
    });
  }

  drawWaitAcross(wait, a, b, index) {
    const y = a.y - 4;
    const end = { x: b.x + b.w / 2 + (index % 2 ? 8 : -8), y: y + 2 };
    const start = { x: a.x + a.w / 2 + (index % 2 ? 8 : -8), y };
    const control = { x: (start.x + end.x) / 2, y: y - 20 - index * 32 };
    this.arrow(wait, start, control, end);
    this.waitLabel(wait, control.x, y - 10 - index * 16);
  }

  drawWaitUpright(wait, a, b, index) {
    const x = a.x + a.w + 2;
    const start = { x, y: a.y + a.h / 2 };
    const end = { x, y: b.y + b.h / 2 + (b.y < a.y ? 6 : -6) };
    this.arrow(wait, start, { x: x + 16 + index * 6, y: (start.y + end.y) / 2 }, end);
  }

  arrow({ state }, start, control, end) {
    const { context, colours } = this;
    context.strokeStyle = context.fillStyle = colours[state].edge;
    context.lineWidth = 2;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.quadraticCurveTo(control.x, control.y, end.x, end.y);
    context.stroke();
    context.setLineDash([]);
    arrowHead(context, control, end);
  }

  waitLabel({ what, state }, x, y) {
    const { context, colours } = this;
    const words = `waits for ${what}`;
    context.font = `12px ${colours.font}`;
    const wide = context.measureText(words).width + 8;
    context.fillStyle = colours.plate;
    context.fillRect(x - wide / 2, y - 9, wide, 17);
    context.fillStyle = colours[state].edge;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(words, x, y);
  }
}

/** How many of a kind work, starve or are blocked; one word if there is one. */
function summary(members) {
  if (members.length === 1) return STATE_WORDS[members[0].state];
  const counts = [0, 0, 0, 0];
  for (const member of members) counts[member.state] += 1;
  const some = STATE_WORDS.map((word, state) => [counts[state], word]).filter(([count]) => count);
  if (some.length === 1) return `all ${some[0][1]}`;
  return some.map(([count, word]) => `${count} ${word}`).join(", ");
}

/** What is made at a core begins there. */
function birthplace({ from, size }, parts) {
  if (!from || !parts[from.place]?.cells) return null;
  const { x, y, w, h } = parts[from.place].cells.cell(from.at);
  return { x: x + w / 2, y: y + h / 2, size: 8 * Math.sqrt(size) };
}

function arrowHead(context, from, to) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  context.beginPath();
  context.moveTo(to.x, to.y);
  for (const turn of [2.7, -2.7]) {
    context.lineTo(to.x + 9 * Math.cos(angle + turn), to.y + 9 * Math.sin(angle + turn));
  }
  context.closePath();
  context.fill();
}

function roundRect(context, x, y, w, h, radius) {
  context.beginPath();
  context.roundRect(x, y, w, h, Math.max(0, radius));
}

/** Colours of the theme, with the patterns that tell states apart without them. */
function readColours(context) {
  const state = (name, pattern) => ({
    fill: styleValue(`--${name}`),
    edge: styleValue(`--${name}-edge`),
    ink: styleValue("--text"),
    plate: styleValue("--surface"),
    pattern: pattern && context.createPattern(pattern(styleValue(`--${name}-edge`)), "repeat"),
  });
  const buffer = (name) => ({ fill: styleValue(`--${name}`), edge: styleValue("--buffer-edge") });
  return {
    working: state("working"),
    starved: state("starved", dots),
    blocked: state("blocked", stripes),
    finished: state("finished"),
    rawBuffer: buffer("buffer-raw"),
    encodedBuffer: buffer("buffer-encoded"),
    freeBuffer: buffer("buffer-free"),
    text: styleValue("--text"),
    line: styleValue("--line"),
    pipe: styleValue("--pipe"),
    queue: styleValue("--queue"),
    plate: styleValue("--surface"),
    font: styleValue("--font"),
  };
}

function tile(size, paint) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  paint(canvas.getContext("2d"), size);
  return canvas;
}

const dots = (colour) =>
  tile(8, (context) => {
    context.fillStyle = colour;
    for (const [x, y] of [
      [2, 2],
      [6, 6],
    ]) {
      context.beginPath();
      context.arc(x, y, 1.1, 0, 7);
      context.fill();
    }
  });

const stripes = (colour) =>
  tile(8, (context, size) => {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    for (const shift of [-size, 0, size]) {
      context.beginPath();
      context.moveTo(shift, size);
      context.lineTo(shift + size, 0);
      context.stroke();
    }
  });
