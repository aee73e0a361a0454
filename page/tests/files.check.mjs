// From the page to work and back: the scenario file gives the same numbers when it is loaded, the
// command and the statement say what was set, and a file that is wrong is refused in the program's
// words.

import { afterChange, assert, figure, openPage } from "./browser.mjs";

const copied = async (page, button, has) => {
  await page.click(button);
  await page.waitForFunction(
    (text) => document.getElementById("exchange-text").value.includes(text),
    has,
  );
  return page.locator("#exchange-text").inputValue();
};

const load = (page, name, text) =>
  page.setInputFiles("#load", { name, mimeType: "text/plain", buffer: Buffer.from(text) });

export async function check({ browser, file }) {
  const hash =
    "#view=sandbox&scenario=nvme-knob-matrix:2&buffers=64&files=2&disks=2&variability=1";
  const { page, held, context } = await openPage(browser, file, { hash });
  try {
    const before = await page.locator("#answer-time").innerText();
    const toml = await copied(page, "#copy-scenario", "[backup]");
    const command = await copied(page, "#copy-command", "bakcast");
    assert(command.startsWith("bakcast predict nvme-knob-matrix:2 --set "), command);
    assert(command.includes("--set backup.buffer_count=64"), command);
    const statement = await copied(page, "#copy-statement", "BACKUP DATABASE");
    assert(
      /BUFFERCOUNT = 64/.test(statement) && (statement.match(/DISK =/g) ?? []).length === 2,
      statement,
    );
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.click("#copy-scenario").then(() => page.click("#save")),
    ]);
    assert(saved.suggestedFilename() === "nvme-knob-matrix-2.toml", saved.suggestedFilename());
    await afterChange(page, () => page.selectOption("#preset", "usb3-laptop:2.4"));
    await afterChange(page, () => load(page, "back.toml", toml));
    assert(
      (await page.locator("#answer-time").innerText()) === before,
      `loaded again: ${await page.locator("#answer-time").innerText()}, was ${before}`,
    );
    const kept = await figure(page);
    const wrong = 'title = "x"\n[volume.data]\ndevise = "n"\nsize = "5 GiB"\n';
    await load(page, "wrong.toml", wrong);
    await page.waitForSelector("#load-refused:not([hidden])");
    const said = await page.locator("#load-refused").innerText();
    for (const words of [
      "unknown key `devise`",
      "wrong.toml:3:1",
      "did you mean",
      "`backup` is missing",
    ]) {
      assert(said.includes(words), `refusal lacks ${words}: ${said}`);
    }
    assert((await figure(page)) === kept, "a wrong file changed the run");
    await load(page, "noise.bin", "\u0000\u0001 no scenario");
    await page.waitForFunction(
      (old) => document.getElementById("load-refused").innerText !== old,
      said,
    );
    assert(!held.errors.length, held.errors.join("\n"));
    assert(!held.requests.length, held.requests.join(", "));
  } finally {
    await context.close();
  }
}
