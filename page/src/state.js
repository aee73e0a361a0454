// What the page shows, and the same as an address: everything after `#` is enough to come back.

/** A reference: a scenario by name, or a file with its text, and the knobs that were turned. */
const makeReference = (name, knobs = {}, file = null) => ({ name, knobs: { ...knobs }, file });

const FIRST = makeReference("nvme-knob-matrix:2");
const VIEWS = ["lessons", "sandbox", "sheet"];
const OPERATIONS = ["backup", "verify", "total"];

const state = {
  view: "lessons",
  lesson: 0,
  run: FIRST,
  pin: null,
  axis: "buffers",
  operation: "backup",
  seed: 1,
};

/** What the engine is asked about a reference, the knobs as assignments. */
function requestOf(reference, sets = []) {
  const { file } = reference;
  const [base, variant] = splitName(reference.name);
  if (file) {
    return {
      scenario: file.text,
      name: file.name,
      variant: file.variant || undefined,
      set: sets,
    };
  }
  const template = TEMPLATES[base];
  return template
    ? { scenario: template, name: `${base}.toml`, variant, set: sets }
    : { scenario: reference.name, set: sets };
}

function splitName(name) {
  const [base, ...rest] = name.split(":");
  return [base, rest.length ? rest.join(":") : undefined];
}

const sameReference = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Knob values as `id=value` pairs under a prefix. */
function writeReference(parameters, reference, prefix) {
  if (!reference.file) parameters.set(`${prefix}scenario`, reference.name);
  for (const [id, value] of Object.entries(reference.knobs)) {
    parameters.set(`${prefix}${id}`, String(value));
  }
}

function readKnobs(parameters, prefix) {
  const knobs = {};
  for (const knob of KNOBS) {
    const text = parameters.get(`${prefix}${knob.id}`);
    if (text === null) continue;
    if (knob.kind === "flag") knobs[knob.id] = text === "true";
    else {
      const value = Number(text);
      const own = knob.auto && value === 0;
      if (text !== "" && (own || accepted(knob, value))) knobs[knob.id] = value;
    }
  }
  return knobs;
}

/** The address of the state, without `#`. */
async function addressOf({ view, lesson, run, pin, axis, operation, seed }) {
  const parameters = new URLSearchParams();
  parameters.set("view", view);
  if (view === "lessons") {
    parameters.set("lesson", LESSONS[lesson].id);
    return parameters.toString();
  }
  if (view === "sheet") return parameters.toString();
  writeReference(parameters, run, "");
  if (axis !== "buffers") parameters.set("axis", axis);
  if (operation !== "backup") parameters.set("operation", operation);
  if (seed !== 1) parameters.set("seed", String(seed));
  if (pin) writeReference(parameters, pin, "pin.");
  for (const [reference, prefix] of [
    [run, ""],
    [pin, "pin."],
  ]) {
    if (!reference?.file) continue;
    parameters.set(`${prefix}file`, reference.file.name);
    if (reference.file.variant) parameters.set(`${prefix}variant`, reference.file.variant);
    const shared = prefix && run.file?.text === reference.file.text;
    if (!shared) parameters.set(`${prefix}toml`, await packed(reference.file.text));
  }
  return parameters.toString();
}

/** The state of an address; what is not understood is left as it was at first. */
async function stateOf(address) {
  const parameters = new URLSearchParams(address.replace(/^#/, ""));
  const one = (name, known, usual) =>
    known.includes(parameters.get(name)) ? parameters.get(name) : usual;
  const view = one("view", VIEWS, parameters.has("scenario") ? "sandbox" : "lessons");
  const lesson = Math.max(
    0,
    LESSONS.findIndex(({ id }) => id === parameters.get("lesson")),
  );
  const run = (await readReference(parameters, "", null)) ?? FIRST;
  const pin = await readReference(parameters, "pin.", run.file);
  const seed = Number(parameters.get("seed"));
  return {
    view,
    lesson,
    run,
    pin,
    axis: one(
      "axis",
      KNOBS.filter((knob) => knob.kind !== "flag").map(({ id }) => id),
      "buffers",
    ),
    operation: one("operation", OPERATIONS, "backup"),
    seed: Number.isSafeInteger(seed) && seed >= 0 && parameters.has("seed") ? seed : 1,
  };
}

async function readReference(parameters, prefix, sharedFile) {
  const fileName = parameters.get(`${prefix}file`);
  const knobs = readKnobs(parameters, prefix);
  if (fileName) {
    const toml = parameters.get(`${prefix}toml`);
    const text = toml === null ? sharedFile?.text : await unpacked(toml).catch(() => null);
    if (!text) return null;
    const variant = parameters.get(`${prefix}variant`) ?? "";
    return makeReference(fileName, knobs, { name: fileName, text, variant });
  }
  const name = parameters.get(`${prefix}scenario`);
  return name ? makeReference(name, knobs) : null;
}

/** Text as deflated base64 that fits an address. */
async function packed(text) {
  const bytes = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(text),
  );
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

async function through(transform, bytes) {
  const writer = transform.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const read = new Response(transform.readable).arrayBuffer();
  await Promise.all([written, read]);
  return new Uint8Array(await read);
}
