// The page: views, the address, and who is told of what.

let stage = null;
let lessons = null;
let sandbox = null;
let exchange = null;
let sheet = null;
let addressTimer = 0;
let writtenAddress = "";

const HEADINGS = { lessons: "Lessons", sandbox: "Sandbox", sheet: "Sheet for teachers" };

/** Changes the state, writes the address a little later, and shows what changed. */
function update(change) {
  Object.assign(state, change);
  writeAddress();
  return showState(change);
}

function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(async () => {
    const address = await addressOf(state);
    if (address === writtenAddress) return;
    writtenAddress = address;
    history.replaceState(null, "", `#${address}`);
  }, 250);
}

async function showState(change = state) {
  const { view } = state;
  for (const name of VIEWS) {
    const button = byId(`to-${name}`);
    if (name === view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
    byId(name).hidden = name !== view;
  }
  byId("panels").hidden = view === "sheet";
  byId("stage").hidden = view === "sheet";
  setText(byId("heading"), HEADINGS[view]);
  document.title = `${HEADINGS[view]} - bakcast: watch the bottleneck move`;
  if (view === "sheet") sheet.paint();
  else if (view === "lessons") {
    if ("lesson" in change || "view" in change)
      await lessons.open(state.lesson, "lesson" in change && !("view" in change));
  } else await showRun("run" in change && !("view" in change) && !("pin" in change));
}

/** The sandbox's run; `turning` while a knob is in the hand. */
async function showRun(turning) {
  const { run, pin, axis, operation } = state;
  byId("graphs").hidden = false;
  const names = { run: nameOf(run), pin: pin && nameOf(pin) };
  const onAnswer = (prediction) => sandbox.show(run, prediction, pin, state.seed);
  try {
    const shown = await stage.present({ run, pin, axis, operation, names, turning, onAnswer });
    if (!shown) return;
    exchange.show(run);
    if (!turning) announce(byId("answer-time").textContent);
  } catch {
    // What the program says stands on the page already; the knobs show what was asked.
    sandbox.run = run;
    const base = await baseOf(run).catch(() => null);
    if (base) sandbox.show(run, base, pin, state.seed);
  }
}

/** A run in few words: the scenario and the knobs that were turned. */
function nameOf({ name, knobs, file }) {
  const turnedKnobs = KNOBS.filter(({ id }) => knobs[id] !== undefined).map((knob) => {
    const value = knobs[knob.id];
    const words = knob.auto && value === 0 ? knob.auto : valueText(knob, value);
    return `${knob.label} ${words}`;
  });
  const base = file?.variant ? `${name}:${file.variant}` : name;
  return turnedKnobs.length
    ? `${base}, ${turnedKnobs.slice(0, 3).join(", ")}${turnedKnobs.length > 3 ? ", …" : ""}`
    : base;
}

async function showLessonScene(scene) {
  byId("graphs").hidden = Boolean(scene.guessing);
  try {
    return await stage.present(scene);
  } catch {
    return null;
  }
}

function openInSandbox({ before, after, what }) {
  update({
    view: "sandbox",
    run: referenceOf(after),
    pin: referenceOf(before),
    operation: what,
    axis: "buffers",
  });
}

function applyTheme(choice) {
  const dark =
    choice === "dark" ||
    (choice === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const { picture } of stage?.frameSlots ?? []) picture.recolour();
}

function wire() {
  for (const name of VIEWS)
    byId(`to-${name}`).addEventListener("click", () => update({ view: name }));
  const theme = byId("theme");
  theme.addEventListener("change", () => applyTheme(theme.value));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    applyTheme(theme.value),
  );
  const motion = byId("less-motion");
  motion.checked = reducedMotion();
  motion.addEventListener("change", () => {
    document.documentElement.dataset.motion = motion.checked ? "less" : "full";
    if (motion.checked) stage.playback.pause();
  });
  addEventListener("hashchange", async () => {
    if (location.hash.slice(1) === writtenAddress) return;
    writtenAddress = location.hash.slice(1);
    Object.assign(state, await stateOf(location.hash));
    showState();
  });
}

function showHonesty() {
  byId("honesty").append(
    make("h2", {}, "What is simulated here, and what is not"),
    make(
      "p",
      {},
      "Every duration, share and curve is simulated in this page, by the engine of the program " +
        "bakcast, transfer by transfer. Each is run 32 times with other random numbers; a range " +
        "holds 90 % of these runs. The picture is one of them, thinned out; the figures are " +
        "those of all. What is called measured comes from the articles and is never computed.",
    ),
    make(
      "p",
      {},
      "The scenarios of the articles were fitted to their rows, so they agree better with them " +
        "than they would with your machine. Templates rest on round figures. MB is 10^6 bytes, " +
        "MiB 2^20. The page sends nothing and loads nothing.",
    ),
  );
}

async function begin() {
  applyTheme("auto");
  engine = startEngine();
  stage = new Stage();
  stage.setSpeed(0.1);
  lessons = new Lessons(showLessonScene, (index) => update({ lesson: index }), openInSandbox);
  sandbox = new Sandbox(
    (run) => update({ run }),
    (pin) => update({ pin }),
  );
  exchange = new Exchange(
    () => state.run,
    (run) => update({ run, pin: null }),
  );
  sheet = new Sheet((lesson) => update({ view: "lessons", lesson }));
  stage.onAxis = (axis) => update({ axis });
  stage.onOperation = (operation) => update({ operation });
  sandbox.onSeed = (text) => {
    const seed = Number(text);
    if (Number.isSafeInteger(seed) && seed >= 0 && text.trim()) update({ seed });
    else sandbox.seed.value = String(state.seed);
  };
  wire();
  showHonesty();
  if (location.hash.length > 1) Object.assign(state, await stateOf(location.hash));
  writtenAddress = location.hash.slice(1);
  await showState();
  document.documentElement.dataset.ready = "true";
  showBusy();
}

begin();
