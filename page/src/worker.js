// The engine in a worker: compiles the module once, answers one request after the other. A module
// that has trapped is thrown away and made anew, so that one bad request harms no other.
"use strict";

let compiling = null;
let instance = null;

/** Base64 of the module, which may be packed with gzip. */
async function compile(base64) {
  const text = atob(base64);
  let bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  }
  return WebAssembly.compile(bytes);
}

async function answer(request) {
  instance ??= new WebAssembly.Instance(await compiling, {});
  const { memory, buf_alloc, buf_free, run } = instance.exports;
  const input = new TextEncoder().encode(JSON.stringify(request));
  const address = buf_alloc(input.length);
  new Uint8Array(memory.buffer).set(input, address);
  const packed = BigInt.asUintN(64, run(address, input.length));
  const [at, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
  buf_free(address, input.length);
  buf_free(at, length);
  return JSON.parse(text);
}

onmessage = async ({ data: { module, number, request } }) => {
  if (module) {
    compiling = compile(module);
    compiling.catch(() => {});
    return;
  }
  try {
    const document = await answer(request);
    if (document.error) postMessage({ number, failure: document.error });
    else postMessage({ number, answer: document });
  } catch (error) {
    instance = null;
    postMessage({
      number,
      failure: { text: `the engine failed: ${error.message}`, exit_code: 1 },
    });
  }
};
