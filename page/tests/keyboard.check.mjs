// The page without a mouse: from the address bar by Tab alone through a lesson to its end, then to
// the sandbox, a preset, a knob, the clock, the pin. Focus is always to be seen, and never trapped.

import { afterChange, assert, openPage, settled } from "./browser.mjs";

const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    return {
      id: element.id,
      tag: element.tagName,
      seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    };
  });

/** Presses Tab until the element has the focus. */
async function tabTo(page, id, most = 120) {
  const way = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    const { id: now, tag, seen } = await focused(page);
    way.push(now || tag);
    assert(seen || tag === "BODY", `the focus is not to be seen at ${now || tag}`);
    if (now === id) return;
  }
  throw new Error(`Tab never comes to ${id}: ${way.join(" ")}`);
}

export async function check({ browser, file }) {
  const { page, held, context } = await openPage(browser, file, { hash: "#view=lessons" });
  try {
    await page.keyboard.press("Tab");
    assert(
      (await page.evaluate(() => document.activeElement.className)) === "skip",
      "no way past the head",
    );
    await page.keyboard.press("Enter");
    await tabTo(page, "guess");
    for (let i = 0; i < 4; i += 1) await page.keyboard.press("ArrowLeft");
    await tabTo(page, "guess-entry");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("22");
    await tabTo(page, "reveal");
    await afterChange(page, () => page.keyboard.press("Enter"));
    await page.waitForFunction(() => document.activeElement.id === "result-heading");
    assert(
      (await page.locator(".bar-row").first().innerText()).includes("22.0 s"),
      "the typed guess is not shown",
    );
    await tabTo(page, "why-0");
    await page.keyboard.press("ArrowDown");
    assert(await page.locator("#why-1").isChecked(), "no choice by arrow");
    assert(await page.locator("#explanation").isVisible(), "no explanation");
    await tabTo(page, "next");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "lesson-title");
    assert(
      (await page.locator("#lesson-title").innerText()).startsWith("2."),
      "not the next step",
    );
    await clock(page);
    await page.locator("#to-lessons").focus();
    await page.keyboard.press("Tab");
    assert((await focused(page)).id === "to-sandbox", "the sandbox is not next to the lessons");
    await afterChange(page, () => page.keyboard.press("Enter"));
    await sandbox(page);
    await settled(page);
    assert(!held.errors.length, held.errors.join("\n"));
  } finally {
    await context.close();
  }
}

async function clock(page) {
  await settled(page);
  await page.locator("#play").focus();
  if ((await page.locator("#play").innerText()) === "Pause") await page.keyboard.press("Enter");
  const before = await page.locator("#clock").getAttribute("data-seconds");
  await page.locator("#step").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (old) => document.getElementById("clock").dataset.seconds !== old,
    before,
  );
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("clock").dataset.seconds === "0");
  await page.locator("#to-end").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => {
    return document.getElementById("position").value === "1000";
  });
  const words = await page.locator("#now").innerText();
  assert(words.length > 30, `nothing is said of the picture: ${words}`);
}

async function sandbox(page) {
  await page.locator("#preset").focus();
  await afterChange(page, () => page.keyboard.press("ArrowDown"));
  await tabTo(page, "pin");
  await afterChange(page, () => page.keyboard.press("Space"));
  await tabTo(page, "knob-cores");
  await afterChange(page, () => page.keyboard.press("ArrowLeft"));
  const sentence = await page.locator("#answer-pin").innerText();
  assert(
    sentence.startsWith("A, ") && sentence.includes("B, "),
    `no difference in words: ${sentence}`,
  );
  await page.locator("#chart-states summary").focus();
  await page.keyboard.press("Enter");
  // The table is made once the fold is open.
  await page.locator("#chart-states table").waitFor({ state: "visible", timeout: 30_000 });
}
