// How long answers take: the engine of the page in Node, median of 21 after one to warm up. Where
// others use the machine too, the time of the processor says more.
//
//   node page/tests/speed.mjs [PAGE.html | ENGINE.wasm]

import { engineOf } from "./engine.mjs";

const file = process.argv[2] ?? new URL("../dist/bakcast.html", import.meta.url).pathname;
const answer = engineOf(file);
const large = ["volume.data.size=20 TiB"];
const requests = {
  "predict, 32 nights": { command: "predict", scenario: "nvme-knob-matrix:2" },
  "predict, 8 nights": { command: "predict", scenario: "nvme-knob-matrix:2", replications: 8 },
  "predict usb3-laptop:2.4, 32 nights": { command: "predict", scenario: "usb3-laptop:2.4" },
  "predict 20 TiB, 32 nights": { command: "predict", scenario: "nvme-knob-matrix:2", set: large },
  "predict 20 TiB, 8 nights": {
    command: "predict", scenario: "nvme-knob-matrix:2", set: large, replications: 8,
  },
  "curve of 8 values, 8 nights": {
    command: "curve", scenario: "nvme-knob-matrix:2", vary: ["buffer_count=2..256*2"], replications: 8,
  },
  "frames of the whole": { command: "frames", scenario: "nvme-knob-matrix:2" },
  "bounds, 8 nights": { command: "bounds", scenario: "nvme-knob-matrix:2", replications: 8 },
};

for (const [name, request] of Object.entries(requests)) {
  const text = JSON.stringify(request);
  const { error } = JSON.parse(answer(text));
  if (error) throw new Error(`${name}: ${error.text}`);
  const before = process.cpuUsage();
  const times = Array.from({ length: 21 }, () => {
    const begun = performance.now();
    answer(text);
    return performance.now() - begun;
  });
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000 / times.length;
  times.sort((a, b) => a - b);
  const [median, least] = [times[10], times[0]].map((time) => time.toFixed(1));
  console.log(`${name}: ${median} ms (fastest ${least}, processor ${processor.toFixed(1)})`);
}
