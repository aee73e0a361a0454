// Page and program give the same numbers, to the last digit: the engine out of the page that is
// committed against the program, byte by byte, over every shipped scenario with every variant and
// 100 random ones.
//
//   node page/tests/parity.mjs [--page FILE] [--program FILE] [--random N]

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";

import { engineOf } from "./engine.mjs";
import { firstDifference, randomRequests, shippedRequests } from "./requests.mjs";

const root = new URL("../..", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? `${root}target`;
const { values: options } = parseArgs({
  options: {
    page: { type: "string", default: `${root}page/dist/bakcast.html` },
    program: { type: "string", default: `${target}/release/bakcast` },
    random: { type: "string", default: "100" },
  },
});
if (!existsSync(options.program)) throw new Error(`no program at ${options.program}`);

const answer = engineOf(options.page);

/** The command line that asks the same. */
function argumentsOf(request) {
  const { command, scenario, set = [], seed, replications, level } = request;
  const words = [command];
  if (command === "ask") words.push(request.question);
  if (request.article) words.push(request.article);
  if (scenario) words.push(scenario);
  for (const one of set) words.push("--set", one);
  for (const one of request.vary ?? []) words.push("--vary", one);
  if (request.sql) words.push("--sql", request.sql);
  if (seed !== undefined) words.push("--seed", String(seed));
  if (replications !== undefined) words.push("--replications", String(replications));
  if (level !== undefined) words.push("--level", String(level));
  return [...words, "--format", "json", "--quiet"];
}

function program(request) {
  const ran = spawnSync(options.program, argumentsOf(request), {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { code: ran.status, text: ran.stdout };
}

const requests = [...shippedRequests(program), ...randomRequests(Number(options.random))];
const tally = { same: 0, refused: 0 };
for (const request of requests) {
  const [theirs, ours] = [program(request), answer(JSON.stringify(request))];
  const words = argumentsOf(request).join(" ");
  const { error } = JSON.parse(ours);
  if (error && theirs.code === error.exit_code) {
    tally.refused += 1;
  } else if (!error && theirs.code === 0 && theirs.text === ours) {
    tally.same += 1;
  } else {
    console.error(`not the same: bakcast ${words}`);
    console.error(error ? `the page: ${error.text}` : firstDifference(theirs.text, ours));
    process.exitCode = 1;
  }
}
console.log(`${tally.same} the same to the last byte, ${tally.refused} refused by both`);
// Random requests that are refused compare nothing.
if (tally.refused * 5 > requests.length) {
  console.error("too many are refused");
  process.exitCode = 1;
}
