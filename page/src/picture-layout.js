// Where everything in the picture is. The flow goes from left to right on a wide canvas, from top
// to bottom on a narrow one; free buffers go back along the side.

const COLUMNS = ["sources", "readers", "filled", "cores", "encoded", "writers", "targets"];
const WEIGHTS = {
  sources: 1.1,
  readers: 0.9,
  filled: 1.1,
  cores: 1.4,
  encoded: 1.1,
  writers: 1.1,
  targets: 1.2,
};
const STATIONS = ["sources", "readers", "cores", "writers", "targets"];

/** A grid of `count` cells in a rectangle, as near to squares as they get. */
function grid(rect, count, largest, gap = 2) {
  const cells = Math.max(1, count);
  const { x, y, w, h } = rect;
  let best = null;
  const most = Math.min(cells, Math.max(1, Math.floor(w / 3)));
  for (let columns = 1; columns <= most; columns += 1) {
    const rows = Math.ceil(cells / columns);
    const size = Math.min(w / columns, h / rows, largest);
    if (!best || size > best.size + 0.01) best = { columns, rows, size };
  }
  const { columns, rows, size } = best;
  const left = x + (w - columns * size) / 2;
  const top = y + (h - rows * size) / 2;
  const inner = Math.max(1.5, size - (size > 7 ? gap : 1));
  const cell = (index) => ({
    x: left + (index % columns) * size + (size - inner) / 2,
    y: top + Math.floor(index / columns) * size + (size - inner) / 2,
    w: inner,
    h: inner,
  });
  return { cell, size: inner, columns, rows };
}

/** Fills a rectangle with `count` cells side by side, across the flow. */
function stack(rect, count, widest, tallest) {
  const cells = Math.max(1, count);
  const { x, y, w, h } = rect;
  if (cells > 12) return grid(rect, cells, tallest);
  const across = w > h * 1.2;
  const length = (across ? w : h) / cells;
  const cw = Math.min(across ? length - 4 : w, widest);
  const ch = Math.min(across ? h : length - 4, tallest);
  const left = across ? x + (w - cells * length) / 2 : x + (w - cw) / 2;
  const used = Math.min(length, (across ? cw : ch) + 6);
  const first = across ? x + (w - cells * used) / 2 : y + (h - cells * used) / 2;
  const cell = (index) =>
    across
      ? { x: first + index * used + (used - cw) / 2, y: y + (h - ch) / 2, w: cw, h: ch }
      : { x: left, y: first + index * used + (used - ch) / 2, w: cw, h: ch };
  return { cell, size: Math.min(cw, ch) };
}

/** The rectangles of all parts for this many of each, on a canvas of this size. */
function layOut(width, height, counts) {
  const upright = width < 560;
  const names = COLUMNS.filter(
    (name) =>
      (counts.cores > 0 || (name !== "cores" && name !== "encoded")) &&
      (counts.writers > 0 || !["encoded", "writers", "targets"].includes(name)),
  );
  const total = names.reduce((sum, name) => sum + WEIGHTS[name], 0);
  const side = upright ? Math.max(70, width * 0.24) : Math.max(64, height * 0.26);
  const flow = upright ? height : width;
  const parts = {};
  let at = 0;
  for (const name of names) {
    const length = (flow * WEIGHTS[name]) / total;
    const rect = upright
      ? { x: side, y: at, w: width - side, h: length }
      : { x: at, y: 0, w: length, h: height - side };
    parts[name] = { rect: inset(rect, upright), name };
    at += length;
  }
  const free = upright
    ? { x: 4, y: height * 0.12, w: side - 14, h: height * 0.76 }
    : { x: width * 0.13, y: height - side + 26, w: width * 0.74, h: side - 32 };
  parts.free = { rect: free, name: "free" };
  for (const name of STATIONS) {
    if (parts[name])
      parts[name].cells = stationCells(parts[name].rect, name, counts[name], upright);
  }
  const room = Math.max(1, counts.buffers);
  const queueCell = upright ? 15 : 20;
  parts.free.cells = grid(free, room, queueCell);
  for (const name of ["filled", "encoded"]) {
    if (parts[name]) parts[name].cells = grid(parts[name].rect, room, queueCell);
  }
  return { upright, parts, width, height, token: parts.free.cells.size };
}

/** Room for the title above and the words below a station. */
function inset(rect, upright) {
  return upright
    ? { x: rect.x + 96, y: rect.y + 5, w: rect.w - 122, h: rect.h - 10 }
    : { x: rect.x + 8, y: rect.y + 62, w: rect.w - 16, h: rect.h - 96 };
}

function stationCells(rect, name, count, upright) {
  if (name === "cores") return grid(rect, count, upright ? 30 : 40, 4);
  const tallest = upright ? rect.h : 76;
  return stack(rect, count, upright ? 92 : 110, count > 12 ? 34 : tallest);
}
