// The engine in the committed page is that of today's sources: the same answers, to the last digit.
//
//   node page/tests/fresh.mjs PAGE.html ENGINE.wasm

import { engineOf } from "./engine.mjs";
import { firstDifference, randomRequests } from "./requests.mjs";

const [page, fresh] = process.argv.slice(2);
const [committed, built] = [engineOf(page), engineOf(fresh)];

const scenario = "nvme-knob-matrix:2";
const others = [
  { command: "scenarios" },
  { command: "knobs" },
  { command: "resolve", scenario },
  { command: "show", scenario },
  { command: "statement", scenario },
  { command: "bounds", scenario: "usb3-laptop:2.4", replications: 4 },
  { command: "curve", scenario, vary: ["backup.buffer_count=2..64*2"], replications: 4 },
  { command: "compare", scenario, vary: ["compression=on,off"], replications: 4 },
  { command: "ask", question: "buffers", scenario, replications: 4 },
  { command: "predict", scenario: "nowhere" },
];
const { result } = JSON.parse(built(JSON.stringify({ command: "scenarios" })));
const names = result.scenarios.flatMap((entry) => [entry, ...entry.variants].map((e) => e.name));
const shipped = names.map((name) => ({ command: "predict", scenario: name, replications: 2 }));

let same = 0;
for (const request of [...others, ...shipped, ...randomRequests(30)]) {
  const text = JSON.stringify(request);
  const [old, now] = [committed(text), built(text)];
  if (old === now) {
    same += 1;
  } else {
    console.error(`${page} is stale (run page/build): ${text}\n${firstDifference(now, old)}`);
    process.exitCode = 1;
  }
}
console.log(`${same} answers of the committed engine are those of the sources`);
