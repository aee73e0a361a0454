// Answers of the engine for a reference. What was asked once is kept.

const KEPT = 60;
const kept = new Map();

/** What `ask` gives for a key; a failure is not kept. */
function remembered(key, ask) {
  if (kept.has(key)) return kept.get(key);
  const answer = ask();
  kept.set(key, answer);
  answer.catch(() => kept.delete(key));
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

let engine = null;

const runRequest = (reference, sets, command, more = {}) => ({
  command,
  ...requestOf(reference, sets),
  ...(state.seed === 1 ? {} : { seed: state.seed }),
  ...more,
});

/** The scenario as it is without knobs. */
async function baseOf(reference) {
  const request = { command: "resolve", ...requestOf(reference) };
  const key = JSON.stringify(request);
  const base = await remembered(key, () => engine.front.ask(key, request));
  if (!base.inputs.volume) {
    const name = base.result.scenario;
    throw new EngineError(`\`${name}\` is a night of many backups; this page shows one`, 3);
  }
  return base;
}

async function setsOf(reference) {
  const { inputs } = await baseOf(reference);
  return knobSets(inputs, reference.knobs);
}

/** The prediction. On one channel only the latest question is answered. */
async function predictionOf(reference, channel, replications) {
  const request = runRequest(reference, await setsOf(reference), "predict", { replications });
  return remembered(JSON.stringify(request), () => engine.front.ask(channel, request));
}

/** Anything else about a reference, in the background. Films are large, and none is kept. */
async function askedOf(reference, command, channel, more) {
  const request = runRequest(reference, await setsOf(reference), command, more);
  const ask = () => engine.back.ask(channel, request);
  return command === "frames" ? ask() : remembered(JSON.stringify(request), ask);
}

/** The values that a curve over a knob is drawn through, the present one among them. */
function axisValues(knob, present) {
  const kind = kindOf(knob);
  const values = new Set([present]);
  if (knob.kind === "transfer")
    for (let step = 0; step <= 6; step += 1) values.add(kind.value(step));
  else if (knob.kind === "disks") for (const v of [0, 1, 2, 3, 4, 6, 8]) values.add(v);
  else if (knob.kind === "share") for (const v of [0, 0.25, 0.5, 0.75, 1, 1.5, 2]) values.add(v);
  else if (knob.kind === "time")
    for (const v of [0, 2, 4, 6, 8, 12, 16, 24, 30]) values.add(v / 1000);
  else if (knob.kind === "count") {
    const least = knob.id === "buffers" ? 1 : knob.min;
    for (let value = least; value <= Math.min(knob.max, 512); value *= 2) values.add(value);
  } else {
    const around = present || Math.sqrt(knob.min * knob.max);
    for (const factor of [1 / 8, 1 / 4, 1 / 2, 1 / Math.SQRT2, 1, Math.SQRT2, 2, 4, 8]) {
      const value = roundTo(2)(around * factor);
      if (value >= knob.min && value <= knob.max) values.add(value);
    }
    if (knob.kind === "ceiling") values.add(0);
  }
  return [...values].sort((a, b) => axisPlace(knob, a) - axisPlace(knob, b));
}

/** No ceiling lies behind all ceilings. */
const axisPlace = (knob, value) => (knob.kind === "ceiling" && value === 0 ? Infinity : value);

/**
 * The curve over a knob, point by point, so that it can be dropped for a later one.
 * `fresh` says whether it is still wanted, `more` is told of each point.
 */
async function curveOf(reference, knob, present, fresh, more) {
  const { inputs } = await baseOf(reference);
  const points = [];
  for (const value of axisValues(knob, present)) {
    if (!fresh()) throw new Superseded();
    const knobs =
      value === present ? reference.knobs : turned(reference.knobs, inputs, knob.id, value);
    const request = runRequest(reference, knobSets(inputs, knobs), "curve", {
      vary: [`database.name=${inputs.database.name}`],
    });
    const { result } = await remembered(JSON.stringify(request), () =>
      engine.back.ask("curve", request),
    );
    const [point] = result.points;
    if (point.backup) points.push({ value, ...point });
    more(points);
  }
  return points;
}

/** The smallest value within 2 % of the best: beyond it there is little to gain. */
function kneeOf(points, operation) {
  const seconds = points.map((point) => point[operation]?.seconds ?? Infinity);
  const best = Math.min(...seconds);
  const index = seconds.findIndex((value) => value <= best * 1.02);
  return index >= 0 && Number.isFinite(best) ? points[index] : null;
}
