// Every slider moved, by key, and every knob typed; each gives an answer, and what is not accepted
// is refused beside the knob without harm to the run. Both articles' knobs are all moved, of the
// other scenarios those that the articles do not show.

import { afterChange, assert, openPage, settled } from "./browser.mjs";

/** So many of them have all their knobs moved. */
const IN_FULL = 2;
const SCENARIOS = [
  "nvme-knob-matrix:2",
  "usb3-laptop:1.3",
  "san-to-share-10gbe",
  "object-store",
  "cloud-capped-disks",
];

export async function check({ browser, file }) {
  const moved = new Set();
  const all = new Set();
  for (const [number, scenario] of SCENARIOS.entries()) {
    const hash = `#view=sandbox&scenario=${scenario}`;
    const { page, held, context } = await openPage(browser, file, { hash });
    try {
      const knobs = await page.locator(".knob").evaluateAll((elements) =>
        elements.map((element) => ({
          id: element.querySelector("input[id^=knob-]").id.slice(5),
          hidden: element.hidden,
        })),
      );
      for (const { id, hidden } of knobs) {
        all.add(id);
        if (number >= IN_FULL && moved.has(id)) continue;
        if (hidden || (await page.locator(`#knob-${id}`).isHidden())) continue;
        await move(page, id);
        moved.add(id);
      }
      if (scenario === SCENARIOS[0]) await typed(page);
      await settled(page);
      assert(!held.errors.length, `${scenario}: ${held.errors.join("\n")}`);
    } finally {
      await context.close();
    }
  }
  const never = [...all].filter((id) => !moved.has(id));
  assert(!never.length, `never moved: ${never.join(", ")}`);
  return `      ${moved.size} knobs in ${SCENARIOS.length} scenarios`;
}

async function move(page, id) {
  const knob = page.locator(`#knob-${id}`);
  if ((await knob.getAttribute("type")) === "checkbox") {
    await afterChange(page, () => knob.click());
    await afterChange(page, () => knob.click());
    return;
  }
  const before = await knob.inputValue();
  const most = await knob.getAttribute("max");
  await knob.focus();
  await afterChange(page, () => knob.press(before === most ? "ArrowLeft" : "ArrowRight"));
  assert(
    await page.locator("#failure").isHidden(),
    `${id}: ${await page.locator("#failure").innerText()}`,
  );
  const entry = await page.locator(`#entry-${id}`).inputValue();
  const said = await knob.getAttribute("aria-valuetext");
  assert(entry && said, `${id}: no value shown`);
  for (const [key, end] of [
    ["End", most],
    ["Home", await knob.getAttribute("min")],
  ]) {
    if ((await knob.inputValue()) === end) continue;
    await afterChange(page, () => knob.press(key));
    const said = await page.locator("#failure").innerText();
    assert(await page.locator("#failure").isHidden(), `${id} at its end: ${said}`);
  }
  const own = page.locator(`#knob-${id} ~ .own, .knob:has(#knob-${id}) .own`).first();
  if (await own.isVisible()) await afterChange(page, () => own.click());
}

async function typed(page) {
  const entry = page.locator("#entry-source");
  await afterChange(page, async () => {
    await entry.fill("0,5 GB/s");
    await entry.press("Enter");
  });
  assert((await entry.inputValue()) === "500 MB/s", `typed rate: ${await entry.inputValue()}`);
  const before = await page.locator("#answer-time").innerText();
  for (const bad of ["fast", "-3", "1e99 GB/s", ""]) {
    await entry.fill(bad);
    await entry.press("Enter");
    assert(await page.locator("#refusal-source").isVisible(), `not refused: ${bad}`);
    assert(
      (await page.locator("#refusal-source").innerText()).startsWith("accepted: "),
      "no word on what is accepted",
    );
  }
  assert(
    (await page.locator("#answer-time").innerText()) === before,
    "a refused value changed the run",
  );
  await afterChange(page, async () => {
    await entry.fill("1 GB/s");
    await entry.press("Enter");
  });
  assert(await page.locator("#refusal-source").isHidden(), "still refused");
}
