// What a learner can turn, on whatever scenario: each knob reads its value from the resolved
// `inputs` of the program's answer and says which assignments (`PATH=VALUE`) set it.

const LAWS = ["spindle", "solid_state", "fixed_rate", "capped", "link"];

/** The law of a device and its parameters. */
function lawOf(inputs, name) {
  const device = inputs.device[name] ?? {};
  const law = LAWS.find((candidate) => device[candidate]);
  return { law, parameters: device[law] ?? {}, via: device.via ?? [] };
}

const unique = (items) => [...new Set(items)];
const sourcesOf = (inputs) => unique(Object.values(inputs.volume).map((volume) => volume.device));
const targetsOf = (inputs) => unique(inputs.backup.stripes);
const ownTargetsOf = (inputs) => {
  const sources = sourcesOf(inputs);
  return targetsOf(inputs).filter((name) => !sources.includes(name));
};
const linksOf = (inputs, names) =>
  unique(names.flatMap((name) => lawOf(inputs, name).via)).filter(
    (name) => lawOf(inputs, name).law === "link",
  );

/** The key of a device's rate in `inputs`, for reading or writing. */
function rateKey(law, direction) {
  if (law === "spindle" || law === "solid_state") return `${direction}_rate`;
  return law === "fixed_rate" || law === "capped" ? "rate" : null;
}

function rateOf(inputs, name, direction) {
  const { law, parameters } = lawOf(inputs, name);
  const key = rateKey(law, direction);
  return key ? parameters[`${key}_bytes_per_second`] : null;
}

/** The assignments that give a device this rate. A burst is never slower than what is allowed. */
function rateSets(inputs, name, direction, rate) {
  const { law, parameters } = lawOf(inputs, name);
  const key = rateKey(law, direction);
  if (!key) return [];
  const sets = [[`device.${name}.${law}.${key}`, rateValue(rate)]];
  const burst = parameters.burst?.rate_bytes_per_second;
  if (burst && burst < rate) sets.push([`device.${name}.${law}.burst.rate`, rateValue(rate)]);
  return sets;
}

const rateValue = (rate) => `${trimZeros((rate / 1e6).toPrecision(6))} MB/s`;
const sizeValue = (bytes) => `${Math.round(bytes)} B`;
const listValue = (names) => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;

const UNITS = [
  ["_bytes_per_second", (value) => `${value} B/s`],
  ["_seconds", (value) => `${Math.round(value * 1e9)} ns`],
  ["_bytes", (value) => `${Math.round(value)} B`],
  ["_fraction", (value) => `${Number((value * 100).toFixed(9))} %`],
];

/** The assignments that make a device exactly like another. */
function cloneSets(inputs, from, name) {
  const walk = (prefix, value) =>
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "null") return [[`${prefix}.null`, "{}"]];
      if (Array.isArray(inner)) {
        return inner.length ? [[`${prefix}.${key}`, listValue(inner)]] : [];
      }
      if (typeof inner === "object") return walk(`${prefix}.${key}`, inner);
      const [ending, text] = UNITS.find(([ending]) => key.endsWith(ending)) ?? ["", String];
      return [[`${prefix}.${key.slice(0, key.length - ending.length)}`, text(inner)]];
    });
  return walk(`device.${name}`, inputs.device[from]);
}

/** Where the files lie after the knobs were turned, and which disks have to be made for it. */
function placement(inputs, values) {
  const own = ownTargetsOf(inputs);
  const sources = sourcesOf(inputs);
  if (values.disks === undefined && values.files === undefined) {
    return { stripes: inputs.backup.stripes, made: [] };
  }
  const files = values.files ?? inputs.backup.stripes.length;
  const disks = Math.min(files, values.disks ?? own.length);
  const names = disks === 0 ? sources.slice() : own.slice(0, disks);
  const model = own[0] ?? sources[0];
  const made = [];
  for (let number = 2; names.length < disks; number += 1) {
    const name = `${model}-${number}`;
    if (inputs.device[name]) continue;
    names.push(name);
    made.push(name);
  }
  const stripes = Array.from({ length: files }, (_, i) => names[i % names.length]);
  return { stripes, made, model };
}

/** The inputs as they are once the files lie there, so that further knobs can be read off them. */
function placed(inputs, { stripes, made, model }) {
  const copies = Object.fromEntries(made.map((name) => [name, inputs.device[model]]));
  return {
    ...inputs,
    device: { ...inputs.device, ...copies },
    backup: { ...inputs.backup, stripes },
  };
}

const ceilingOf = (inputs) => {
  const [link] = linksOf(inputs, targetsOf(inputs));
  return link ? (lawOf(inputs, link).parameters.per_connection_bytes_per_second ?? 0) : 0;
};

function ceilingSets(inputs, rate) {
  const targets = targetsOf(inputs);
  const links = linksOf(inputs, targets);
  if (rate === 0) {
    return links.map((link) => [`device.${link}.link.per_connection`, "default"]);
  }
  if (links.length) {
    return links.map((link) => [`device.${link}.link.per_connection`, rateValue(rate)]);
  }
  return [
    ["device.path.link.rate", "1000 GB/s"],
    ["device.path.link.round_trip", "0 ns"],
    ["device.path.link.per_connection", rateValue(rate)],
    ...targets.map((name) => [
      `device.${name}.via`,
      listValue([...lawOf(inputs, name).via, "path"]),
    ]),
  ];
}

function variabilitySets(inputs, value) {
  const devices = unique([...sourcesOf(inputs), ...targetsOf(inputs)]);
  const ofDevices = devices
    .map((name) => [name, lawOf(inputs, name).law])
    .filter(([, law]) => law && law !== "link")
    .map(([name, law]) => [`device.${name}.${law}.variability`, String(value)]);
  const ofWork = inputs.compression ? [["compression.variability", String(value)]] : [];
  return [...ofWork, ...ofDevices];
}

const spindlesOf = (inputs) =>
  unique([...sourcesOf(inputs), ...targetsOf(inputs)]).filter(
    (name) => lawOf(inputs, name).law === "spindle",
  );
const totalSize = (inputs) =>
  Object.values(inputs.volume).reduce((sum, volume) => sum + volume.size_bytes, 0);

/**
 * The knobs. `read` gives the scenario's own value, or null where the knob has no meaning;
 * `sets` the assignments for a value, given the inputs after the files were placed.
 */
const KNOBS = [
  {
    id: "size",
    group: "Database",
    label: "Database size",
    kind: "size",
    min: 1e8,
    max: 2e13,
    help: "Data that a full backup reads.",
    read: totalSize,
    sets: (value, inputs) =>
      Object.entries(inputs.volume).map(([name, volume]) => [
        `volume.${name}.size`,
        sizeValue((volume.size_bytes / totalSize(inputs)) * value),
      ]),
  },
  {
    id: "source",
    group: "Source",
    label: "Source rate",
    kind: "rate",
    min: 1e7,
    max: 1e10,
    help: "How fast one source disk can be read.",
    read: (inputs) => rateOf(inputs, sourcesOf(inputs)[0], "read"),
    sets: (value, inputs) =>
      sourcesOf(inputs).flatMap((name) => rateSets(inputs, name, "read", value)),
  },
  {
    id: "compression",
    group: "Processor",
    label: "Compression",
    kind: "flag",
    help: "COMPRESSION: fewer bytes to write, work for the processor.",
    read: (inputs) => inputs.backup.compression,
    sets: (value) => [["backup.compression", String(value)]],
  },
  {
    id: "cores",
    group: "Processor",
    label: "Cores",
    kind: "count",
    min: 1,
    max: 128,
    help: "Logical processors that may compress.",
    read: (inputs) => inputs.processor.logical_processors,
    sets: (value) => [["processor.logical_processors", String(value)]],
  },
  {
    id: "core_rate",
    group: "Processor",
    label: "Processor rate",
    kind: "rate",
    min: 1e7,
    max: 2e9,
    help: "What one core compresses in a second.",
    read: (inputs) => inputs.compression?.rate_bytes_per_second ?? null,
    sets: (value) => [["compression.rate", rateValue(value)]],
  },
  {
    id: "ratio",
    group: "Processor",
    label: "Compression ratio",
    kind: "ratio",
    min: 1,
    max: 20,
    help: "Size before compression divided by size after: a property of the data.",
    read: (inputs) => inputs.compression?.ratio ?? null,
    sets: (value) => [["compression.ratio", String(value)]],
  },
  {
    id: "files",
    group: "Target",
    label: "Backup files",
    kind: "count",
    min: 1,
    max: 64,
    help: "Stripes: one writer each.",
    read: (inputs) => inputs.backup.stripes.length,
    sets: () => [],
  },
  {
    id: "disks",
    group: "Target",
    label: "Target disks",
    kind: "disks",
    min: 0,
    max: 16,
    help: "0: the files lie on the disk that holds the data. More: on so many other disks.",
    read: (inputs) => ownTargetsOf(inputs).length,
    sets: () => [],
  },
  {
    id: "target",
    group: "Target",
    label: "Target rate",
    kind: "rate",
    min: 1e7,
    max: 1e10,
    help: "How fast one target disk can be written.",
    read: (inputs) => {
      const [name] = targetsOf(inputs);
      const { law } = lawOf(inputs, name);
      const shared =
        sourcesOf(inputs).includes(name) && (law === "fixed_rate" || law === "capped");
      return shared ? null : rateOf(inputs, name, "write");
    },
    sets: (value, inputs) =>
      targetsOf(inputs).flatMap((name) => rateSets(inputs, name, "write", value)),
  },
  {
    id: "network",
    group: "Target",
    label: "Network rate",
    kind: "rate",
    min: 1e7,
    max: 1e10,
    help: "What all files together get over the network.",
    read: (inputs) => {
      const [link] = linksOf(inputs, targetsOf(inputs));
      return link ? lawOf(inputs, link).parameters.rate_bytes_per_second : null;
    },
    sets: (value, inputs) =>
      linksOf(inputs, targetsOf(inputs)).map((link) => [
        `device.${link}.link.rate`,
        rateValue(value),
      ]),
  },
  {
    id: "ceiling",
    group: "Target",
    label: "Ceiling per file",
    kind: "ceiling",
    min: 1e6,
    max: 5e9,
    help: "The most that one file gets, whatever the disk can do, as on shares.",
    read: (inputs) => {
      const sources = sourcesOf(inputs);
      return targetsOf(inputs).some((name) => sources.includes(name)) ? null : ceilingOf(inputs);
    },
    sets: (value, inputs) => ceilingSets(inputs, value),
  },
  {
    id: "seek",
    group: "Target",
    label: "Seek cost",
    kind: "time",
    min: 0,
    max: 0.03,
    help: "Time a rotating disk loses when it turns from one stream to another.",
    read: (inputs) => {
      const [name] = spindlesOf(inputs);
      return name ? lawOf(inputs, name).parameters.positioning_seconds : null;
    },
    sets: (value, inputs) =>
      spindlesOf(inputs).map((name) => [
        `device.${name}.spindle.positioning`,
        `${Math.round(value * 1e6)} us`,
      ]),
  },
  {
    id: "buffers",
    group: "Buffers",
    label: "BUFFERCOUNT",
    kind: "count",
    min: 1,
    max: 1000,
    auto: "server's own count",
    help: "Buffers in circulation. Left alone, the server decides by files and volumes.",
    read: (inputs) => inputs.backup.buffer_count,
    sets: (value) => [["backup.buffer_count", value === 0 ? "default" : String(value)]],
  },
  {
    id: "transfer",
    group: "Buffers",
    label: "MAXTRANSFERSIZE",
    kind: "transfer",
    min: 65536,
    max: 4194304,
    help: "Size of one buffer: the most that one read or write moves.",
    read: (inputs) => inputs.backup.transfer_size_bytes,
    sets: (value) => [["backup.transfer_size", `${value / 1024} KiB`]],
  },
  {
    id: "variability",
    group: "Buffers",
    label: "Variability",
    kind: "share",
    min: 0,
    max: 2,
    help: "How uneven transfers are: 0 is clockwork, 1 as irregular as chance.",
    read: (inputs) => lawOf(inputs, sourcesOf(inputs)[0]).parameters.variability ?? null,
    sets: (value, inputs) => variabilitySets(inputs, value),
  },
];

const knobById = (id) => KNOBS.find((knob) => knob.id === id);

/** The value that a knob stands at, or null where it has no meaning. */
function knobValue(knob, inputs, values) {
  const own = knob.read(inputs);
  if (own === null) return null;
  const value = values[knob.id] ?? own;
  return knob.auto && value === 0 ? own : value;
}

/** All assignments of the knobs that were turned, the makings of further disks first. */
function knobSets(inputs, values) {
  const place = placement(inputs, values);
  const after = placed(inputs, place);
  const sets = place.made.flatMap((name) => cloneSets(inputs, place.model, name));
  if (values.files !== undefined || values.disks !== undefined) {
    sets.push(["backup.stripes", listValue(place.stripes)]);
  }
  for (const knob of KNOBS) {
    const value = values[knob.id];
    if (value !== undefined && knob.read(after) !== null) sets.push(...knob.sets(value, after));
  }
  return sets.map(([path, value]) => `${path}=${value}`);
}

/** Files and disks go together: no disk without a file. */
function turned(values, inputs, id, value) {
  const next = { ...values, [id]: value };
  if (value === undefined) delete next[id];
  const files = next.files ?? inputs.backup.stripes.length;
  const disks = next.disks ?? ownTargetsOf(inputs).length;
  if (disks > files && id === "disks") next.files = disks;
  if (disks > files && id === "files") next.disks = files;
  return next;
}
