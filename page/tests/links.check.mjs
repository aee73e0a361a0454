// The address is enough to come back: presets, knobs, pin, axis, operation, seed, a loaded file,
// a lesson; and an address that makes no sense does no harm.

import { readFileSync } from "node:fs";
import { afterChange, assert, openPage, settled } from "./browser.mjs";

const look = async (page) => {
  await settled(page);
  return page.evaluate(() => ({
    answer: document.getElementById("answer-time").innerText,
    name: document.getElementById("answer-name").innerText,
    pin: document.getElementById("answer-pin").innerText,
    axis: document.getElementById("axis").value,
    operation: document.getElementById("operation").value,
    seed: document.getElementById("seed").value,
    curve: document.querySelector("#chart-curve .says").innerText,
  }));
};

const linkOf = async (page) => {
  await page.click("#copy-link");
  await page.waitForFunction(() => document.getElementById("exchange-text").value.includes("#"));
  return page.locator("#exchange-text").inputValue();
};

async function roundTrip(browser, file, hash, act = async () => {}) {
  const first = await openPage(browser, file, { hash });
  let link = "";
  let before = null;
  try {
    await act(first.page);
    before = await look(first.page);
    link = await linkOf(first.page);
    assert(!first.held.errors.length, first.held.errors.join("\n"));
  } finally {
    await first.context.close();
  }
  const second = await openPage(browser, file, { hash: link.slice(link.indexOf("#")) });
  try {
    const after = await look(second.page);
    for (const key of Object.keys(before)) {
      assert(before[key] === after[key], `${hash}: ${key} was ${before[key]}, is ${after[key]}`);
    }
    assert(!second.held.errors.length, second.held.errors.join("\n"));
    return link.length;
  } finally {
    await second.context.close();
  }
}

export async function check({ browser, file }) {
  await roundTrip(browser, file, "#view=sandbox&scenario=usb3-laptop:2.4");
  const turnedLength = await roundTrip(
    browser,
    file,
    "#scenario=nvme-knob-matrix:2",
    async (page) => {
      await afterChange(page, () => page.click("#pin"));
      for (const [id, text] of [
        ["buffers", "64"],
        ["disks", "2"],
        ["transfer", "2 MiB"],
        ["ceiling", "300"],
      ]) {
        await afterChange(page, async () => {
          await page.fill(`#entry-${id}`, text);
          await page.press(`#entry-${id}`, "Enter");
        });
      }
      await page.selectOption("#axis", "cores");
      await page.selectOption("#operation", "verify");
      await afterChange(page, async () => {
        await page.fill("#seed", "7");
        await page.press("#seed", "Enter");
      });
    },
  );
  const toml = readFileSync(
    new URL("../../scenarios/shipped/usb3-laptop.toml", import.meta.url),
    "utf8",
  );
  const fileLength = await roundTrip(browser, file, "#view=sandbox", async (page) => {
    await afterChange(page, () =>
      page.setInputFiles("#load", {
        name: "mine.toml",
        mimeType: "text/plain",
        buffer: Buffer.from(toml),
      }),
    );
    await page.waitForSelector("#variant");
    await afterChange(page, () => page.selectOption("#variant", "2.3"));
  });
  const odd =
    "#view=nowhere&scenario=nvme-knob-matrix:2&buffers=many&axis=x&seed=-1&lesson=none&pin.scenario=";
  const { page, context } = await openPage(browser, file, { hash: odd });
  try {
    assert(
      (await page.locator("#answer-time strong").innerText()) === "8.2 s",
      "an odd address is not read",
    );
  } finally {
    await context.close();
  }
  for (const [name, words] of [
    ["nothing-of-that-name", "nothing-of-that-name"],
    ["night-200-databases", "many backups"],
    ["mine.toml", "a page reads none"],
  ]) {
    const hash = `#view=sandbox&scenario=${name}`;
    const { page: refused, held, context: own } = await openPage(browser, file, { hash });
    try {
      const said = await refused.locator("#failure").innerText();
      assert(said.includes(words), `${name}: ${said}`);
      await refused.locator("#knob-cores").press("ArrowRight");
      await afterChange(refused, () => refused.selectOption("#preset", "usb3-laptop:2.4"));
      assert(await refused.locator("#failure").isHidden(), `${name}: still refused`);
      assert(!held.errors.length, held.errors.join("\n"));
    } finally {
      await own.close();
    }
  }
  const lesson = await openPage(browser, file, { hash: "#view=lessons&lesson=four-files" });
  try {
    assert(
      (await lesson.page.locator("#lesson-title").innerText()).includes("Four files"),
      "not the lesson of the link",
    );
  } finally {
    await lesson.context.close();
  }
  return `      link with seven settings: ${turnedLength} characters; with a whole scenario file: ${fileLength}`;
}
