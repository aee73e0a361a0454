// What the page costs: its size, the first paint, a slider's answer (of a first look at 8 runs, and
// of all, which come once the slider rests), frames a second. The figures
// are printed and, if FIGURES names a file, written there; they are only held to wide margins,
// because a busy machine is no fault of the page.

import { statSync, writeFileSync } from "node:fs";
import { assert, median, openPage, settled } from "./browser.mjs";

/** Milliseconds from a slider's input event to the painted answer. */
async function answerTimes(page, id, times, mark) {
  return page.evaluate(
    async ([knob, count, mark, shift]) => {
      const slider = document.getElementById(`knob-${knob}`);
      const taken = [];
      for (let i = 0; i < count; i += 1) {
        const most = Number(slider.max);
        slider.value = String(Math.round(most * (shift + 0.3 * (((i * 7) % count) / count))));
        const answered = new Promise((resolve) => {
          new MutationObserver((_, observer) => {
            observer.disconnect();
            resolve();
          }).observe(document.documentElement, { attributeFilter: [`data-${mark}`] });
        });
        const began = performance.now();
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await answered;
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        taken.push(performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, 350));
      }
      return taken;
    },
    [id, times, mark, mark === "first" ? 0.35 : 0.36],
  );
}

async function sliderFigures(browser, file, hash, id) {
  const { page, context } = await openPage(browser, file, { hash });
  try {
    await settled(page);
    const first = await answerTimes(page, id, 21, "first");
    const all = await answerTimes(page, id, 11, "shown");
    return {
      median_ms: Math.round(median(first)),
      worst_ms: Math.round(Math.max(...first)),
      all_runs_median_ms: Math.round(median(all)),
    };
  } finally {
    await context.close();
  }
}

async function firstPaint(browser, file) {
  const taken = [];
  for (let i = 0; i < 5; i += 1) {
    const { page, context } = await openPage(browser, file, { wait: false });
    try {
      await page.waitForFunction(
        () => performance.getEntriesByName("first-contentful-paint").length,
      );
      taken.push(
        await page.evaluate(
          () => performance.getEntriesByName("first-contentful-paint")[0].startTime,
        ),
      );
    } finally {
      await context.close();
    }
  }
  return Math.round(median(taken));
}

/** Frames a second while it plays: as the browser paints them, and the time the page takes for one. */
async function frameRate(browser, file, hash) {
  const context = { viewport: { width: 1920, height: 1080 } };
  const { page, context: own } = await openPage(browser, file, { hash, context });
  try {
    await settled(page);
    await page.fill("#speed-entry", "0.01");
    await page.press("#speed-entry", "Enter");
    await page.click("#play");
    return await page.evaluate(async () => {
      const gaps = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < 180; i += 1) {
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - last);
        last = now;
      }
      gaps.sort((a, b) => a - b);
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      return {
        mean_per_second: Math.round(10_000 / mean) / 10,
        median_gap_ms: Math.round(gaps[90] * 10) / 10,
        p95_gap_ms: Math.round(gaps[171] * 10) / 10,
      };
    });
  } finally {
    await own.close();
  }
}

export async function check({ browser, file }) {
  const figures = {
    page_bytes: statSync(file).size,
    first_paint_ms: await firstPaint(browser, file),
    slider_article: await sliderFigures(
      browser,
      file,
      "#view=sandbox&scenario=nvme-knob-matrix:2",
      "core_rate",
    ),
    slider_laptop: await sliderFigures(
      browser,
      file,
      "#view=sandbox&scenario=usb3-laptop:2.4",
      "source",
    ),
    slider_20_tb: await sliderFigures(
      browser,
      file,
      "#view=sandbox&scenario=san-to-share-10gbe&size=20000000000000",
      "core_rate",
    ),
    frames_usual: await frameRate(browser, file, "#view=sandbox&scenario=nvme-knob-matrix:2"),
    frames_64_stripes_1000_buffers: await frameRate(
      browser,
      file,
      "#view=sandbox&scenario=san-to-share-10gbe&files=64&buffers=1000&cores=64",
    ),
  };
  if (process.env.FIGURES)
    writeFileSync(process.env.FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  assert(figures.page_bytes <= 3 * 1024 * 1024, `${figures.page_bytes} bytes`);
  assert(figures.first_paint_ms < 5_000, `first paint after ${figures.first_paint_ms} ms`);
  for (const key of ["slider_article", "slider_laptop", "slider_20_tb"]) {
    assert(figures[key].median_ms < 2_000, `${key}: ${figures[key].median_ms} ms`);
  }
  assert(figures.frames_64_stripes_1000_buffers.mean_per_second > 10, "the picture stutters");
  return Object.entries(figures)
    .map(([key, value]) => `      ${key}: ${JSON.stringify(value)}`)
    .join("\n");
}
