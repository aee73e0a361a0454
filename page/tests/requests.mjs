// Requests that page and program are both asked.

/** Every shipped scenario and variant, as predict; and one of each other command. */
export function shippedRequests(program) {
  const { text } = program({ command: "scenarios" });
  const names = JSON.parse(text).result.scenarios.flatMap((entry) => [
    entry.name,
    ...entry.variants.map((variant) => variant.name),
  ]);
  if (names.length < 40) throw new Error(`${names.length} scenarios are too few`);
  const predicts = names.map((scenario) => ({ command: "predict", scenario, replications: 4 }));
  const sql =
    "BACKUP DATABASE StackOverflow TO DISK = N'F:\\so.bak' WITH COMPRESSION, BUFFERCOUNT = 50;";
  return [
    ...predicts,
    { command: "predict", scenario: "nvme-knob-matrix:2" },
    { command: "predict", scenario: "usb3-laptop", sql, replications: 2, set: ["backup.verify=false"] },
    { command: "explain", scenario: "usb3-laptop:2.4", replications: 2 },
    { command: "compare", scenario: "nvme-knob-matrix:2", vary: ["buffer_count=8..32*2"], replications: 3 },
    { command: "validate", article: "usb3-laptop", replications: 2 },
    { command: "knobs" },
    { command: "ask", question: "striping", scenario: "usb3-laptop:2.4", replications: 3 },
  ];
}

/** A generator of numbers of [0, 1) that gives the same everywhere (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const BASES = [
  "nvme-knob-matrix", "usb3-laptop", "multifile-nvme-2020", "share-files", "nul-algorithms-2025",
  "disk-to-usb-disk", "four-volumes-nvme", "san-to-share-10gbe", "cloud-capped-disks",
  "two-backups-one-share",
];

/** Scenarios with random settings and seeds. */
export function randomRequests(count) {
  const draw = generator(20261201);
  const whole = (least, most) => least + Math.floor(draw() * (most - least + 1));
  const one = (list) => list[whole(0, list.length - 1)];
  const settings = [
    () => `backup.buffer_count=${whole(1, 300)}`,
    () => `backup.transfer_size=${64 * 2 ** whole(0, 6)} KiB`,
    () => `backup.compression=${one(["true", "false"])}`,
    () => `processor.logical_processors=${whole(1, 32)}`,
    () => `compression.rate=${whole(20, 900)} MB/s`,
    () => `compression.ratio=${(1 + draw() * 5).toFixed(3)}`,
    () => `compression.variability=${draw().toFixed(3)}`,
    () => `engine.start=${whole(0, 5)} s`,
  ];
  return Array.from({ length: count }, () => ({
    command: "predict",
    scenario: one(BASES),
    set: settings.filter(() => draw() < 0.4).map((setting) => setting()),
    seed: whole(0, 2 ** 40),
    replications: whole(1, 6),
    level: one([0.5, 0.8, 0.9, 0.99]),
  }));
}

/** Where two texts part. */
export function firstDifference(left, right) {
  const [ours, theirs] = [right.split("\n"), left.split("\n")];
  const line = theirs.findIndex((text, index) => text !== ours[index]);
  return `line ${line + 1}: program ${theirs[line]} | page ${ours[line]}`;
}
