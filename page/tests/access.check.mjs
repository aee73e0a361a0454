// axe-core finds no violation of levels A and AA: each view, light and dark, narrow and wide, a
// lesson revealed, a refused file, the sheet with its answers, tables open.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterChange, assert, openPage, settled } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function violations(page, where) {
  await settled(page);
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    (levels) => axe.run(document, { runOnly: { type: "tag", values: levels } }),
    LEVELS,
  );
  return found.map(
    ({ id, help, nodes }) =>
      `${where}: ${id} (${help}): ${nodes
        .slice(0, 3)
        .map((node) => `${node.target} ${node.failureSummary}`)
        .join(" | ")}`,
  );
}

const SCENES = [
  ["lesson", "#view=lessons&lesson=compression", async () => {}],
  [
    "lesson revealed",
    "#view=lessons&lesson=moved",
    async (page) => {
      await afterChange(page, () => page.click("#reveal"));
      await page.check("#why-0");
      await page.check("#why-1");
    },
  ],
  [
    "sandbox with a pin",
    "#view=sandbox&scenario=usb3-laptop:1.3&pin.scenario=usb3-laptop:1.1",
    async (page) => {
      for (const summary of await page.locator("summary").all()) await summary.click();
    },
  ],
  [
    "refusals",
    "#view=sandbox&scenario=nvme-knob-matrix:2",
    async (page) => {
      await page.fill("#entry-cores", "many");
      await page.press("#entry-cores", "Enter");
      await page.setInputFiles("#load", {
        name: "wrong.toml",
        mimeType: "text/plain",
        buffer: Buffer.from("title = 3"),
      });
      await page.waitForSelector("#load-refused:not([hidden])");
    },
  ],
  [
    "sheet",
    "#view=sheet",
    async (page) => {
      await page.check("#show-answers");
    },
  ],
];

export async function check({ browser, file }) {
  const found = [];
  let looked = 0;
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
  ]) {
    for (const [name, hash, act] of SCENES) {
      const context = { viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" };
      const { page, context: own } = await openPage(browser, file, { hash, context });
      try {
        await act(page);
        found.push(...(await violations(page, `${name}, ${colorScheme}, ${width} px`)));
        looked += 1;
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `${name}, ${width} px: ${wide} px too wide`);
      } finally {
        await own.close();
      }
    }
  }
  assert(!found.length, found.join("\n"));
  return `      ${looked} scenes without a violation of ${LEVELS.join(", ")}`;
}
