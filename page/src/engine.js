// The engine behind two workers: one answers the page at once, the other draws curves and traces
// in the background. A worker handles one request at a time; of the requests that wait on one
// channel only the latest is kept.

class Superseded extends Error {}

/** What the program would say on standard error; `code` is its exit code. */
class EngineError extends Error {
  constructor(text, code) {
    super(text);
    this.code = code;
  }
}

class Client {
  constructor(makeWorker) {
    this.waiting = [];
    this.running = null;
    this.number = 0;
    this.worker = makeWorker();
    this.worker.onmessage = ({ data }) => this.answered(data);
  }

  /** Asks; on the same channel an older question that has not begun is dropped. */
  ask(channel, request) {
    return new Promise((resolve, reject) => {
      const older = this.waiting.findIndex((entry) => entry.channel === channel);
      const entry = { channel, request, resolve, reject };
      if (older < 0) this.waiting.push(entry);
      else {
        this.waiting[older].reject(new Superseded());
        this.waiting[older] = entry;
      }
      this.next();
      showBusy();
    });
  }

  /** Drops what waits on a channel. */
  drop(channel) {
    const [dropped, kept] = [[], []];
    for (const entry of this.waiting) (entry.channel === channel ? dropped : kept).push(entry);
    this.waiting = kept;
    for (const entry of dropped) entry.reject(new Superseded());
  }

  next() {
    if (this.running || !this.waiting.length) return;
    this.running = this.waiting.shift();
    this.number += 1;
    this.worker.postMessage({ number: this.number, request: this.running.request });
  }

  answered({ number, answer, failure }) {
    if (number !== this.number || !this.running) return;
    const { resolve, reject } = this.running;
    this.running = null;
    if (failure) reject(new EngineError(failure.text, failure.exit_code));
    else resolve(answer);
    this.next();
    showBusy();
  }

  get idle() {
    return !this.running && !this.waiting.length;
  }
}

/** Whether anything is still asked: for whoever waits until the page is at rest. */
function showBusy() {
  setTimeout(() => {
    const busy = !engine || !engine.front.idle || !engine.back.idle;
    document.documentElement.dataset.busy = String(busy);
  }, 20);
}

/** The workers share one source text; each compiles the module for itself. */
function startEngine() {
  const source = byId("engine-worker").textContent;
  const module = byId("engine-wasm").textContent.trim();
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const makeWorker = () => {
    const worker = new Worker(address);
    worker.postMessage({ module });
    return worker;
  };
  return { front: new Client(makeWorker), back: new Client(makeWorker) };
}
