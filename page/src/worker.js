// The engine in a worker: compiles the module once, answers one request after the other. A module
// that has trapped is thrown away and made anew, so that one bad request harms no other.
"use strict";

let compiled = null;
let instance = null;

function compile(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  compiled = new WebAssembly.Module(bytes);
}

function answer(request) {
  instance ??= new WebAssembly.Instance(compiled, {});
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

onmessage = ({ data: { module, number, request } }) => {
  if (module) {
    compile(module);
    return;
  }
  try {
    const document = answer(request);
    if (document.error) postMessage({ number, failure: document.error });
    else postMessage({ number, answer: document });
  } catch (error) {
    instance = null;
    postMessage({ number, failure: { text: `the engine failed: ${error.message}`, exit_code: 1 } });
  }
};
