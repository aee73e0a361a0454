// Numbers as text. Data rates and sizes are decimal (MB = 10^6 bytes); what belongs to buffers is
// binary (MiB = 2^20 bytes), because transfer sizes are.

const significant = (value, digits = 3) => {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const places = Math.max(0, Math.min(6, digits - 1 - magnitude));
  return trimZeros(value.toFixed(places));
};

function trimZeros(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A length of time in the words of the program: `8.2 s`, `1 min 35 s`, `2 h 4 min`. */
function durationText(seconds) {
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 0) return `-${durationText(-seconds)}`;
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return `${significant(seconds * 1e6, 2)} µs`;
  if (seconds < 0.1) return `${significant(seconds * 1e3, 2)} ms`;
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A range of times; the unit once if both ends share it. */
function rangeText(low, high) {
  const [from, to] = [durationText(low), durationText(high)];
  if (from === to) return from;
  const [, number, unit] = from.match(/^([\d.]+) (s|ms)$/) ?? [];
  return unit && to.endsWith(` ${unit}`) && !to.includes("min")
    ? `${number} to ${to}`
    : `${from} to ${to}`;
}

/** A simulated duration with its range. */
const withRange = ({ seconds, low_seconds: low, high_seconds: high }) =>
  `${durationText(seconds)} (${rangeText(low, high)})`;

/** A position on the clock of a run, with digits that fit its whole length. */
function clockText(seconds, whole) {
  if (whole >= 600) return durationText(seconds);
  const places = whole < 1 ? 6 : whole < 60 ? 4 : 3;
  return `${seconds.toFixed(places)} s`;
}

const rateText = (bytesPerSecond) => `${significant(bytesPerSecond / 1e6, 3)} MB/s`;

function bytesText(bytes) {
  for (const [unit, size] of [
    ["TB", 1e12],
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ]) {
    if (bytes >= size) return `${significant(bytes / size, 3)} ${unit}`;
  }
  return `${Math.round(bytes)} B`;
}

function binaryText(bytes) {
  for (const [unit, size] of [
    ["TiB", 2 ** 40],
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 1024],
  ]) {
    if (bytes >= size) return `${significant(bytes / size, 4)} ${unit}`;
  }
  return `${Math.round(bytes)} B`;
}

const percentText = (share) => `${Math.round(share * 100)} %`;

const countText = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`. */
function listText(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
