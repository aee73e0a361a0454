// Runs the checks, one after the other, each in a page of its own: node all.mjs PAGE.html [NAME...]

import { readdirSync } from "node:fs";
import { startBrowser } from "./browser.mjs";

const [file, ...names] = process.argv.slice(2);
const all = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".check.mjs"))
  .map((name) => name.replace(".check.mjs", ""));
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`no check ${unknown.join(", ")}; there are: ${all.join(", ")}`);
  process.exit(2);
}

let failed = 0;
const { browser, close } = await startBrowser();
try {
  for (const name of names.length ? names : all) {
    const { check } = await import(`./${name}.check.mjs`);
    const began = Date.now();
    try {
      const said = await check({ browser, file });
      console.log(
        `ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${said ? `\n${said}` : ""}`,
      );
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
} finally {
  await close();
}
process.exit(failed ? 1 : 0);
