// Puts the page together: node page/inline.mjs ENGINE.wasm OUT.html
//
// `src/index.html` is the page; in it
//   /*inline: A B*/            stands for the files src/A and src/B, with a line break between them
//   /*base64: engine.wasm*/    stands for the module, packed with gzip, which browsers unpack
// and after the line with the character set comes what the build knows: the version, and a policy
// that lets nothing run but the scripts of this file and nothing leave it.

import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const MOST_BYTES = 3 * 1024 * 1024;
const CHARSET = '<meta charset="utf-8">\n';

const [module, out] = process.argv.slice(2);
if (!module || !out) throw new Error("node page/inline.mjs ENGINE.wasm OUT.html");

const here = fileURLToPath(new URL(".", import.meta.url));
const source = (name) => readFileSync(`${here}src/${name}`, "utf8");
const joined = (names) => names.trim().split(/\s+/).map(source).join("\n");

let page = source("index.html").replace(/\/\*inline: ([^*]+)\*\//g, (_, names) => joined(names));

const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const inside = (pattern) => [...page.matchAll(pattern)].map((match) => digest(match[1]));
const scripts = inside(/<script(?: type="module")?>([\s\S]*?)<\/script>/g);
if (!scripts.length) throw new Error("the page has no script");

const policy = [
  "default-src 'none'",
  `script-src ${scripts.join(" ")} 'wasm-unsafe-eval' blob:`,
  // Styles set by scripts on elements are no danger to anybody.
  "style-src 'unsafe-inline'",
  "worker-src blob:",
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const manifest = readFileSync(`${here}../Cargo.toml`, "utf8");
const version = manifest.match(/^version = "([^"]+)"/m)[1];
const head = `<meta name="generator" content="bakcast ${version}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
`;
if (!page.includes(CHARSET)) throw new Error(`index.html lacks ${CHARSET}`);
page = page.replace(CHARSET, () => CHARSET + head);

// The header of gzip has no time in it, and no name: the same module gives the same bytes.
const base64 = gzipSync(readFileSync(module), { level: 9 }).toString("base64");
const marks = page.split("/*base64: engine.wasm*/");
if (marks.length !== 2) throw new Error("index.html takes the module once");
page = marks.join(base64);

const bytes = Buffer.byteLength(page);
if (bytes > MOST_BYTES) throw new Error(`the page has ${bytes} bytes, more than ${MOST_BYTES}`);
writeFileSync(`${out}.part`, page);
renameSync(`${out}.part`, out);
console.log(`${out}: ${bytes} bytes`);
