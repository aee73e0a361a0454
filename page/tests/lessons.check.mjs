// Every lesson walked to its end: guess, reveal, a wrong answer, the right one, the next step; then
// the sandbox opens. What is shown as simulated is what the engine says of that scenario.

import { afterChange, assert, openPage, settled } from "./browser.mjs";

export async function check({ browser, file }) {
  const { page, held, context } = await openPage(browser, file, { hash: "#view=lessons" });
  try {
    const steps = await page.locator(".steps button").count();
    assert(steps >= 10, `only ${steps} steps`);
    const rows = [];
    for (let step = 0; step < steps; step += 1) rows.push(await walk(page, step));
    assert(
      (await page.locator(".steps button.done").count()) === steps,
      "not all steps are done",
    );
    await page.click("#next");
    await page.waitForSelector("#sandbox:not([hidden])");
    await settled(page);
    assert(!held.errors.length, held.errors.join("\n"));
    assert(!held.requests.length, `requests: ${held.requests.join(", ")}`);
    return rows.join("\n");
  } finally {
    await context.close();
  }
}

async function walk(page, step) {
  const title = await page.locator("#lesson-title").innerText();
  assert(title.startsWith(`${step + 1}. `), `step ${step + 1} is not open: ${title}`);
  assert(await page.locator("#graphs").isHidden(), `${title}: graphs give the answer away`);
  assert((await page.locator("#result-heading").count()) === 0, `${title}: revealed already`);
  await page.locator("#guess").press("ArrowRight");
  const guess = await page.locator("#guess-entry").inputValue();
  await afterChange(page, () => page.click("#reveal"));
  await page.waitForSelector("#result-heading");
  const bars = await page.locator(".bar-row").allInnerTexts();
  assert(
    bars[0].replace(/\s+/g, " ") === `your guess ${guess}`,
    `${title}: guess ${bars[0]} is not ${guess}`,
  );
  assert(bars.at(-1).startsWith("simulated"), `${title}: ${bars.join("; ")}`);
  assert(!(await page.locator("#graphs").isHidden()), `${title}: no graphs`);
  const shown = bars.at(-1).split(/\s+/).slice(1).join(" ");
  const answer = await page.locator("#answer-time strong").innerText();
  assert(shown === answer, `${title}: bar ${shown}, answer ${answer}`);
  await choose(page, title);
  assert(
    await page
      .locator(`.steps button >> nth=${step}`)
      .evaluate((b) => b.classList.contains("done")),
    `${title}: not done`,
  );
  const gap = await page.locator(".gap").innerText();
  const last = (await page.locator("#next").innerText()) !== "Next step";
  if (!last) await page.click("#next");
  if (!last)
    await page.waitForFunction(
      (old) => document.getElementById("lesson-title").innerText !== old,
      title,
    );
  return `      ${title}: ${bars
    .slice(1)
    .map((bar) => bar.replace(/\s+/g, " "))
    .join(", ")}. ${gap}`;
}

/** All choices, the right one last seen; exactly one is right. */
async function choose(page, title) {
  const count = await page.locator(".choices input").count();
  assert(count === 3, `${title}: ${count} choices`);
  let right = 0;
  for (let index = 0; index < count; index += 1) {
    await page.check(`#why-${index}`);
    const open = await page.locator("#explanation").isVisible();
    if (open) {
      right += 1;
      const text = await page.locator("#explanation").innerText();
      assert(text.length > 80, `${title}: no explanation`);
    } else {
      assert(
        (await page.locator(".verdict").innerText()).startsWith("Not that"),
        `${title}: no word on it`,
      );
    }
  }
  assert(right === 1, `${title}: ${right} choices are right`);
}
