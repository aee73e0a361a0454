// Time and motion: play and pause, speed from 0.01 to 1000, one event at a time, the end; and with
// reduced motion nothing moves by itself, and a step shows at once what it leads to.

import { assert, openPage, settled } from "./browser.mjs";

const seconds = async (page) => Number(await page.locator("#clock").getAttribute("data-seconds"));

async function still(page) {
  const look = () =>
    page.evaluate(() =>
      document.querySelector(".picture-frame:not([hidden]) canvas").toDataURL(),
    );
  const first = await look();
  await page.waitForTimeout(400);
  return first === (await look());
}

export async function check({ browser, file }) {
  const calm = await openPage(browser, file, {
    hash: "#view=lessons&lesson=compression",
    context: { reducedMotion: "reduce" },
  });
  try {
    await settled(calm.page);
    assert((await calm.page.locator("#play").innerText()) === "Play", "it plays by itself");
    assert(await still(calm.page), "something moves by itself");
    const before = await calm.page.locator("#now").innerText();
    await calm.page.click("#step");
    await calm.page.waitForFunction(
      (old) => document.getElementById("now").innerText !== old,
      before,
    );
    assert(await still(calm.page), "a step goes on moving");
    assert(!calm.held.errors.length, calm.held.errors.join("\n"));
  } finally {
    await calm.context.close();
  }
  const lively = await openPage(browser, file, { hash: "#view=lessons&lesson=buffer" });
  try {
    const { page } = lively;
    await settled(page);
    await page.waitForFunction(() => document.getElementById("play").innerText === "Pause");
    assert(!(await still(page)), "nothing moves");
    await page.click("#play");
    assert(await still(page), "it goes on after a pause");
    for (const [typed, shown] of [
      ["0.001", "0.01 ×"],
      ["5000", "1000 ×"],
      ["2,5", "2.5 ×"],
    ]) {
      await page.fill("#speed-entry", typed);
      await page.press("#speed-entry", "Enter");
      assert((await page.locator("#speed-entry").inputValue()) === shown, `speed ${typed}`);
    }
    await page.click("#restart");
    let last = await seconds(page);
    let moved = 0;
    for (let step = 0; step < 30; step += 1) {
      await page.click("#step");
      await page
        .waitForFunction(
          (old) => Number(document.getElementById("clock").dataset.seconds) > old,
          last,
          {
            timeout: 2000,
          },
        )
        .catch(() => {});
      const now = await seconds(page);
      assert(now >= last, `a step went back from ${last} to ${now}`);
      if (now > last) moved += 1;
      last = now;
    }
    assert(moved >= 20 && last < 1, `30 steps moved ${moved} times, to ${last} s`);
    await page.click("#to-end");
    const [now, whole] = (await page.locator("#clock").innerText()).split(" of ");
    assert(
      parseFloat(now).toFixed(1) === parseFloat(whole).toFixed(1),
      `the end is ${now} of ${whole}`,
    );
    assert(!lively.held.errors.length, lively.held.errors.join("\n"));
    return `      30 events took ${last} s of the run`;
  } finally {
    await lively.context.close();
  }
}
