// A browser without a network, and a page that is watched: whatever it logs as an error and
// whatever it asks of the world outside is held against it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser with a profile of its own. */
export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "bakcast-page-"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}

/** Opens the page and waits until it is ready. */
export async function openPage(browser, file, { hash = "", context = {}, wait = true } = {}) {
  const own = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  const page = await own.newPage();
  const held = { errors: [], requests: [] };
  page.on("pageerror", (error) => held.errors.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) held.errors.push(message.text());
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!/^(file|data|blob):/.test(address)) held.requests.push(address);
  });
  await page.goto(pathToFileURL(resolve(file)).href + hash);
  if (wait) {
    await ready(page).catch((error) => {
      throw new Error(`${error.message}\n${held.errors.join("\n")}`);
    });
  }
  return { page, held, context: own };
}

/** Until the page has shown what it was asked for. */
export const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, {
    timeout: 30_000,
  });

/** The main figure: a text such as `8.2 s`. */
export const figure = (page, what = "backup") =>
  page.locator(`[data-figure="${what}"]`).innerText();

/** Waits until the answer of a run is another one than before. */
export async function afterChange(page, act) {
  const before = await page.evaluate(() => document.documentElement.dataset.shown ?? "");
  await act();
  await page.waitForFunction((old) => document.documentElement.dataset.shown !== old, before, {
    timeout: 60_000,
  });
}

/** Until nothing is asked of the engine any more. */
export const settled = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.busy === "false", null, {
    timeout: 60_000,
  });

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
