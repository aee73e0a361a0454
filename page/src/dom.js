// Elements without a framework.

/** The element with this identifier. */
const byId = (id) => document.getElementById(id);

/**
 * Makes an element: `make("p", { class: "note", onclick: f }, "text", child)`.
 * Keys that begin with `on` are listeners; `true` is an empty attribute, `false` and `null` none.
 */
function make(tag, attributes = {}, ...children) {
  const svg = SVG_TAGS.has(tag);
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG_TAGS = new Set([
  "svg",
  "g",
  "path",
  "line",
  "rect",
  "circle",
  "text",
  "polyline",
  "polygon",
  "defs",
  "pattern",
  "title",
]);

/** Sets the text only where it changes, so that nothing is announced or laid out for nothing. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A table with a caption: `head` are texts, each row begins with its heading. */
function makeTable(caption, head, rows) {
  return make(
    "table",
    {},
    make("caption", {}, caption),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        head.map((text) => make("th", { scope: "col" }, text)),
      ),
    ),
    make(
      "tbody",
      {},
      rows.map(([first, ...rest]) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, first),
          rest.map((text) => make("td", {}, text)),
        ),
      ),
    ),
  );
}

/** Says something to those who cannot see it, once. */
function announce(text) {
  byId("announcer").textContent = text;
}

/** A value of the style sheet, in the theme of now. */
const styleValue = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** How much larger than usual the page is set: drawings grow with its letters. */
const letterScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const reducedMotion = () =>
  document.documentElement.dataset.motion === "less" ||
  (document.documentElement.dataset.motion !== "full" &&
    matchMedia("(prefers-reduced-motion: reduce)").matches);

/** Copies text; where the browser refuses, the text stays selected in its box. */
async function copyText(text, box) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    box.focus();
    box.select();
    return document.execCommand("copy");
  }
}

/** Hands a text to the reader as a file. */
function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
