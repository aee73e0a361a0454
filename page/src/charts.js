// Graphs as SVG, drawn for the width they have. Behind each stands a table with the same figures.

const CHART_HEIGHT = 220;
const MARGIN = { left: 58, right: 14, top: 12, bottom: 40 };

/** A frame for a graph: heading, one sentence, the drawing, the table. */
class Chart {
  constructor(id, title) {
    this.title = title;
    this.drawing = make("div", { class: "drawing" });
    this.says = make("p", { class: "says" });
    this.table = make("div", {
      class: "table-wrap",
      tabindex: 0,
      role: "region",
      "aria-label": `${title}, table`,
    });
    this.details = make("details", {}, make("summary", {}, "Figures as a table"), this.table);
    this.extra = make("div", { class: "chart-extra" });
    this.element = make(
      "section",
      { class: "chart", id: `chart-${id}`, "aria-labelledby": `title-${id}` },
      make("h3", { id: `title-${id}` }, title),
      this.extra,
      this.says,
      this.drawing,
      this.details,
    );
    this.details.addEventListener("toggle", () => this.fillTable());
    new ResizeObserver(() => this.redraw()).observe(this.drawing);
  }

  /** `plot(width)` gives the drawing, `table()` the table; `says` is the sentence above. */
  show({ says, plot, table }) {
    this.plot = plot;
    this.makeTable = table;
    setText(this.says, says);
    this.redraw(true);
    this.fillTable();
  }

  redraw(anyway = false) {
    const width = Math.floor(this.drawing.clientWidth);
    if (!this.plot || width < 40 || (!anyway && width === this.width)) return;
    this.width = width;
    const scale = letterScale();
    const svg = this.plot(Math.floor(width / scale));
    for (const side of ["width", "height"])
      svg.setAttribute(side, svg.getAttribute(side) * scale);
    this.drawing.replaceChildren(svg);
  }

  fillTable() {
    if (this.details.open && this.makeTable) this.table.replaceChildren(this.makeTable());
  }
}

/** Round values that cover a range. */
function linearTicks(low, high, about) {
  const span = high - low || 1;
  const raw = span / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step)
    ticks.push(v);
  return ticks;
}

function logTicks(low, high, about) {
  const all = [];
  for (
    let power = Math.floor(Math.log10(low));
    power <= Math.ceil(Math.log10(high));
    power += 1
  ) {
    for (const m of [1, 2, 5]) all.push(m * 10 ** power);
  }
  const inside = all.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  const tens = inside.filter(
    (v) => Number.isInteger(Math.log10(v) + 1e-9) || /^1/.test(v.toExponential()),
  );
  return inside.length <= about ? inside : tens.length ? tens : inside;
}

/** A scale from values to pixels. */
function scaleOf({ low, high, log }, from, to) {
  const [a, b] = log ? [Math.log(low), Math.log(high)] : [low, high];
  const span = b - a || 1;
  return (value) =>
    from + (((log ? Math.log(Math.max(value, low * 1e-6)) : value) - a) / span) * (to - from);
}

/** Axes with grid lines; gives the scales and the group to draw into. */
function plotFrame(width, { label, x, y, height = CHART_HEIGHT }) {
  const box = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const svg = make("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": label,
  });
  const [sx, sy] = [scaleOf(x, box.left, box.right), scaleOf(y, box.bottom, box.top)];
  const room = Math.max(2, Math.floor((box.right - box.left) / 70));
  const xTicks =
    x.ticks ?? (x.log ? logTicks(x.low, x.high, room) : linearTicks(x.low, x.high, room));
  for (const value of y.ticks ?? linearTicks(y.low, y.high, 4)) {
    const at = sy(value);
    svg.append(
      make("line", { class: "grid", x1: box.left, x2: box.right, y1: at, y2: at }),
      make(
        "text",
        { class: "tick", x: box.left - 6, y: at + 4, "text-anchor": "end" },
        y.text(value),
      ),
    );
  }
  let free = -Infinity;
  for (const value of xTicks) {
    const at = sx(value);
    svg.append(
      make("line", { class: "grid", x1: at, x2: at, y1: box.bottom, y2: box.bottom + 4 }),
    );
    const words = x.text(value);
    const half = words.length * 3.6;
    if (at - half < free || at + half > width + 8) continue;
    free = at + half + 6;
    svg.append(
      make("text", { class: "tick", x: at, y: box.bottom + 17, "text-anchor": "middle" }, words),
    );
  }
  svg.append(
    make("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
    make(
      "text",
      {
        class: "axis-name",
        x: (box.left + box.right) / 2,
        y: height - 5,
        "text-anchor": "middle",
      },
      x.name,
    ),
    make(
      "text",
      {
        class: "axis-name",
        "text-anchor": "middle",
        transform: `translate(13 ${(box.top + box.bottom) / 2}) rotate(-90)`,
      },
      y.name,
    ),
  );
  return { svg, sx, sy, box };
}

const pathOf = (points, sx, sy) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`).join("");

function bandOf(points, sx, sy) {
  const up = points.map(([x, , high]) => [x, high]);
  const down = points.map(([x, low]) => [x, low]).reverse();
  return `${pathOf(up, sx, sy)}${pathOf(down, sx, sy).replace("M", "L")}Z`;
}

/** A mark with its name beside it, kept inside the frame. */
function markAt(sx, sy, box, [x, y], name, kind, below = false) {
  const [px, py] = [sx(x), sy(y)];
  const late = px > (box.left + box.right) / 2;
  const high = !below && py > box.top + 24;
  const shape =
    kind === "knee"
      ? make("path", {
          class: "mark knee",
          d: `M${px} ${py - 7}L${px + 7} ${py}L${px} ${py + 7}L${px - 7} ${py}Z`,
        })
      : make("circle", { class: `mark ${kind}`, cx: px, cy: py, r: 6 });
  return [
    shape,
    make(
      "text",
      {
        class: "mark-name",
        x: late ? px - 10 : px + 10,
        y: high ? py - 10 : Math.min(box.bottom - 6, py + 20),
        "text-anchor": late ? "end" : "start",
      },
      name,
    ),
  ];
}

/** Patterns for states, so that no colour is needed to tell them. */
function statePatterns(prefix) {
  const dot = make(
    "pattern",
    { id: `${prefix}-starved`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    make("rect", { class: "fill-starved", width: 6, height: 6 }),
    make("circle", { class: "ink-starved", cx: 3, cy: 3, r: 1.1 }),
  );
  const stripe = make(
    "pattern",
    {
      id: `${prefix}-blocked`,
      width: 7,
      height: 7,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    make("rect", { class: "fill-blocked", width: 7, height: 7 }),
    make("rect", { class: "ink-blocked", width: 2.4, height: 7 }),
  );
  return make("defs", {}, dot, stripe);
}

/** Bars of working, starved, blocked, one a station. */
function stateBars(width, rows, label) {
  const [rowHeight, left] = [30, Math.min(150, width * 0.34)];
  const height = rows.length * rowHeight + 26;
  const svg = make(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    statePatterns("bars"),
  );
  const span = width - left - 14;
  rows.forEach(({ name, working, starved, blocked }, index) => {
    const y = index * rowHeight + 4;
    svg.append(
      make(
        "text",
        { class: "tick", x: left - 8, y: y + 16, "text-anchor": "end" },
        shortened(name, Math.floor(left / 7)),
      ),
    );
    let x = left;
    for (const [state, share] of [
      ["working", working],
      ["starved", starved],
      ["blocked", blocked],
    ]) {
      const w = Math.max(0, share * span);
      if (w < 0.5) continue;
      svg.append(
        make("rect", {
          class: `bar ${state}`,
          x,
          y,
          width: w,
          height: 22,
          fill: state === "working" ? "var(--working)" : `url(#bars-${state})`,
        }),
      );
      if (w > 40) {
        svg.append(
          make("rect", { class: "plate", x: x + 4, y: y + 3, width: 36, height: 16, rx: 3 }),
          make(
            "text",
            { class: "tick", x: x + 22, y: y + 15.5, "text-anchor": "middle" },
            percentText(share),
          ),
        );
      }
      x += w;
    }
  });
  for (const share of [0, 0.5, 1]) {
    svg.append(
      make(
        "text",
        {
          class: "tick",
          x: left + share * span,
          y: height - 6,
          "text-anchor": share === 1 ? "end" : share ? "middle" : "start",
        },
        percentText(share),
      ),
    );
  }
  return svg;
}

const shortened = (text, most) =>
  text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
