// The engine as the page carries it, for Node: from bakcast.html, or from a file of its own.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The bytes of the module in a page, or of a .wasm file. */
export function moduleOf(file) {
  if (file.endsWith(".wasm")) return readFileSync(file);
  const page = readFileSync(file, "utf8");
  const found = page.match(/<script[^>]*id="engine-wasm"[^>]*>([^<]*)<\/script>/);
  if (!found) throw new Error(`${file} carries no engine`);
  return gunzipSync(Buffer.from(found[1].trim(), "base64"));
}

/** An engine that answers texts with texts; one that has trapped is made anew. */
export function engineOf(file) {
  const module = new WebAssembly.Module(moduleOf(file));
  const imports = WebAssembly.Module.imports(module);
  if (imports.length) throw new Error(`the module wants ${JSON.stringify(imports)}`);
  let instance = null;
  return (request) => {
    instance ??= new WebAssembly.Instance(module, {});
    const { memory, buf_alloc, buf_free, run } = instance.exports;
    const bytes = new TextEncoder().encode(request);
    try {
      const at = buf_alloc(bytes.length);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      const packed = BigInt.asUintN(64, run(at, bytes.length));
      buf_free(at, bytes.length);
      const [out, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
      const text = new TextDecoder().decode(new Uint8Array(memory.buffer, out, length));
      buf_free(out, length);
      return text;
    } catch (error) {
      instance = null;
      throw error;
    }
  };
}
