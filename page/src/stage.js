// The right-hand side: the answer, the picture with its clock, the graphs. It is told which run to
// show, and which pinned one beside it; what is drawn in the background may come later or, when
// something else was asked meanwhile, never.

/** Runs of a first look, and how long a knob has to rest until all runs are made. */
const FIRST_LOOK = 8;
const REST_MILLISECONDS = 60;

class Stage {
  constructor() {
    this.turn = 0;
    this.frameSlots = ["A", "B"].map((letter) => this.makeFigure(letter));
    this.playback = new Playback((playback) => this.showClock(playback));
    this.makeTransport();
    this.charts = {
      states: new Chart("states", "Working, starved, blocked"),
      throughput: new Chart("throughput", "Throughput over time"),
      curve: new Chart("curve", "Duration against a knob"),
      bounds: new Chart("bounds", "Little's law and the two bounds"),
      buffers: new Chart("buffers", "Where the buffers are"),
      memory: new Chart("memory", "Memory with all sets"),
    };
    this.makeAxisChoice();
    byId("graphs").append(
      make("h2", { class: "visually-hidden" }, "Graphs"),
      ...Object.values(this.charts).map((chart) => chart.element),
    );
  }

  makeFigure(letter) {
    const canvas = make("canvas", { role: "img", "aria-label": "The pipeline" });
    const caption = make("figcaption");
    const figure = make(
      "figure",
      { class: "picture-frame", hidden: letter === "A" },
      caption,
      canvas,
    );
    byId("pictures").append(figure);
    return { figure, caption, canvas, picture: new Picture(canvas) };
  }

  makeTransport() {
    const button = (id, label, action) => {
      const element = make("button", { type: "button", id, onclick: action }, label);
      return element;
    };
    const { playback } = this;
    this.playButton = button("play", "Play", () =>
      playback.playing ? playback.pause() : playback.play(),
    );
    this.speedText = make("input", {
      type: "text",
      class: "entry",
      id: "speed-entry",
      "aria-label": "Speed, typed",
      onchange: () => {
        const value = Number(this.speedText.value.replace(/[x×]/i, "").replace(",", "."));
        if (value > 0) this.setSpeed(Math.min(FASTEST, Math.max(SLOWEST, value)));
        else this.setSpeed(playback.speed);
      },
    });
    this.speed = make("input", {
      type: "range",
      id: "speed",
      min: 0,
      max: 100,
      step: 1,
      oninput: () =>
        this.setSpeed(roundTo(2)(SLOWEST * (FASTEST / SLOWEST) ** (this.speed.value / 100))),
    });
    this.position = make("input", {
      type: "range",
      id: "position",
      min: 0,
      max: 1000,
      step: 1,
      value: 0,
      "aria-label": "Time of the run",
      oninput: () => {
        playback.pause();
        playback.seek((playback.length * this.position.value) / 1000);
        this.describe();
      },
    });
    this.clock = make("output", { id: "clock", for: "position" }, "0 s");
    byId("transport").append(
      this.playButton,
      button("step", "Step one event", async () => {
        await playback.step();
        this.describe(true);
      }),
      button("restart", "From the start", () => {
        playback.pause();
        playback.seek(0);
        this.describe();
      }),
      button("to-end", "Jump to the end", () => {
        playback.pause();
        playback.seek(playback.length);
        this.describe(true);
      }),
      make(
        "div",
        { class: "group" },
        make("label", { for: "speed" }, "Speed"),
        this.speed,
        this.speedText,
      ),
      make("div", { class: "group" }, this.position, this.clock),
    );
  }

  makeAxisChoice() {
    this.axisChoice = make(
      "select",
      { id: "axis", onchange: () => this.onAxis(this.axisChoice.value) },
      KNOBS.filter((knob) => knob.kind !== "flag").map((knob) =>
        make("option", { value: knob.id }, knob.label),
      ),
    );
    this.operationChoice = make(
      "select",
      { id: "operation", onchange: () => this.onOperation(this.operationChoice.value) },
      OPERATIONS.map((name) => make("option", { value: name }, name)),
    );
    this.charts.curve.extra.append(
      make("label", { for: "axis" }, "knob"),
      this.axisChoice,
      make("label", { for: "operation" }, "of the"),
      this.operationChoice,
    );
    this.onAxis = () => {};
    this.onOperation = () => {};
  }

  setSpeed(speed) {
    this.playback.speed = speed;
    this.speed.value = Math.round(
      (100 * Math.log(speed / SLOWEST)) / Math.log(FASTEST / SLOWEST),
    );
    this.speed.setAttribute("aria-valuetext", `${speed} times real time`);
    this.speedText.value = `${speed} ×`;
  }

  showClock({ time, length, playing, movies }) {
    setText(this.playButton, playing ? "Pause" : "Play");
    if (document.activeElement !== this.position || playing) {
      this.position.value = length ? Math.round((1000 * time) / length) : 0;
    }
    const words = clockText(time, length);
    this.position.setAttribute("aria-valuetext", words);
    this.clock.dataset.seconds = String(time);
    setText(this.clock, `${words} of ${durationText(length)}`);
    if (!movies.length) return;
    // Words that change with every frame cannot be read.
    const now = performance.now();
    if (playing && now - (this.describedAt ?? 0) < 500) return;
    this.describedAt = now;
    this.describe();
  }

  /** What is to be seen, in words; `aloud` for those who asked by a key. */
  describe(aloud = false) {
    const [first] = this.playback.movies.toReversed();
    if (!first) return;
    const frame = first.movie.frameAt(this.playback.time);
    const text = frameText(frame, first.movie.cast);
    const quiet = first.movie.quietAt(this.playback.time);
    const pause = quiet
      ? ` Nothing ends for ${durationText(quiet)}: a drive pauses, or a transfer takes long.`
      : "";
    const clock = clockText(this.playback.time, this.playback.length);
    setText(byId("now"), `At ${clock}: ${text}${pause}`);
    for (const { movie, picture } of this.playback.movies) {
      picture.canvas.setAttribute(
        "aria-label",
        `${movie.title}. ${frameText(movie.frameAt(this.playback.time), movie.cast)}`,
      );
    }
    if (aloud) announce(byId("now").textContent);
  }

  /**
   * Shows a run. `scene`: run, pin, names of both, operation, axis; `shown(prediction)` is called as
   * soon as the answer stands. Gives the predictions, or throws what the program says.
   */
  async present(scene) {
    this.turn += 1;
    const turn = this.turn;
    const fresh = () => this.turn === turn;
    engine.back.drop("curve");
    let prediction = null;
    let pinned = null;
    try {
      // While a knob is in the hand: a first look at a few runs, all of them once it rests.
      if (scene.turning && !(await this.firstLook(scene, fresh))) return null;
      prediction = await predictionOf(scene.run, "run");
      if (!fresh()) return null;
      pinned = scene.pin ? await predictionOf(scene.pin, "pin") : null;
      if (!fresh()) return null;
    } catch (error) {
      if (error instanceof Superseded || !fresh()) return null;
      this.showFailure(error);
      throw error;
    }
    const has = (document) => !document || document.result[scene.operation];
    if (!has(prediction) || !has(pinned)) scene = { ...scene, operation: "backup" };
    this.showAnswer(scene, prediction, pinned);
    scene.onAnswer?.(prediction);
    byId("answer").classList.remove("first-look");
    document.documentElement.dataset.shown = String(turn);
    this.later(scene, prediction, pinned, fresh);
    return { prediction, pinned };
  }

  /** The answer of a few runs, at once; whether it is still wanted after a short rest. */
  async firstLook(scene, fresh) {
    const prediction = await predictionOf(scene.run, "run", FIRST_LOOK);
    if (!fresh()) return false;
    byId("answer").classList.add("first-look");
    this.showAnswer(scene, prediction, this.pinned);
    scene.onAnswer?.(prediction);
    document.documentElement.dataset.first = String(this.turn);
    await new Promise((resolve) => setTimeout(resolve, REST_MILLISECONDS));
    return fresh();
  }

  showFailure(error) {
    const box = byId("failure");
    box.hidden = false;
    setText(box, error.message);
    document.documentElement.dataset.shown = `failure ${this.turn}`;
  }

  showAnswer(scene, { inputs, result }, pinned) {
    const { operation } = scene;
    byId("failure").hidden = true;
    this.scene = scene;
    this.pinned = pinned;
    setText(byId("answer-name"), titleText(scene.names.run, result.title));
    const main = operation === "verify" && !result.verify ? "backup" : operation;
    const others = scene.only ? [] : OPERATIONS.filter((name) => name !== main);
    const figure = (name) =>
      result[name] && [
        name === main ? `${sentence(name)} ` : `${name} `,
        make(
          name === main ? "strong" : "span",
          { "data-figure": name },
          durationText(result[name].seconds),
        ),
        make(
          "span",
          { class: "range" },
          durationText(result[name].low_seconds) === durationText(result[name].high_seconds)
            ? ""
            : ` (${rangeText(result[name].low_seconds, result[name].high_seconds)})`,
        ),
      ];
    const parts = [main, ...others].map(figure).filter(Boolean);
    byId("answer-time").replaceChildren(
      ...parts.flatMap((part, index) => (index ? [" · ", ...part] : part)),
      " ",
      make(
        "span",
        {
          class: "tag",
          title: "Every run turns out a little differently: the range holds 90 % of them",
        },
        "simulated; in brackets 90 % of runs",
      ),
    );
    const verify = operation === "verify" && result.verify;
    const verdict = scene.guessing
      ? "Which stage do the others wait for? Watch the picture."
      : verdictText(result, verify || result);
    setText(byId("answer-why"), verdict);
    const { seconds } = result[main];
    setText(
      byId("mini"),
      `${sentence(main)} ${durationText(seconds)}. ${byId("answer-why").textContent}`,
    );
    this.showDifference(scene, { inputs, result }, pinned);
    showStates(this.charts.states, result, operation);
    showMemory(this.charts.memory, result, inputs);
  }

  showDifference(scene, prediction, pinned) {
    const box = byId("answer-pin");
    box.hidden = !pinned;
    if (pinned) setText(box, differenceText(scene, pinned, prediction));
  }

  /** Everything that may come after the answer. */
  async later(scene, prediction, pinned, fresh) {
    const quietly = async (work) => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Superseded)) console.warn(error.message);
      }
    };
    const both = pinned ? [pinned, prediction] : [prediction];
    await quietly(() => this.showMovies(scene, both, fresh));
    if (!fresh()) return;
    let bounds = null;
    await quietly(async () => {
      bounds = (await askedOf(scene.run, "bounds", "bounds")).result;
      const asked = scene.operation === "verify" && bounds.verify ? bounds.verify : bounds.backup;
      if (fresh()) showBounds(this.charts.bounds, asked, null);
    });
    if (fresh()) await quietly(() => this.showCurve(scene, prediction, fresh, bounds));
  }

  async showCurve(scene, { inputs }, fresh, bounds) {
    const wanted = knobById(scene.axis);
    const knob = wanted.read(inputs) === null ? knobById("buffers") : wanted;
    this.axisChoice.value = knob.id;
    this.operationChoice.value = scene.operation;
    for (const option of this.axisChoice.options) {
      option.disabled = knobById(option.value).read(inputs) === null;
    }
    const present = knobValue(knob, inputs, scene.run.knobs);
    const draw = (points, complete) =>
      fresh() &&
      showCurve(this.charts.curve, {
        knob,
        points,
        operation: scene.operation,
        present,
        complete,
      });
    draw([], false);
    const points = await curveOf(scene.run, knob, present, fresh, (some) => draw(some, false));
    draw(points, true);
    if (fresh() && knob.id === "buffers" && bounds && scene.operation !== "verify") {
      showBounds(this.charts.bounds, bounds.backup, { points });
    }
  }

  /** Films of the run and of the pinned one, each of a run that is about as long as most. */
  async showMovies(scene, predictions, fresh) {
    const operation = scene.operation === "verify" ? "verify" : "backup";
    const wanted = scene.pin ? [scene.pin, scene.run] : [scene.run];
    const movies = [];
    for (const [index, reference] of wanted.entries()) {
      const ask = (more) => askedOf(reference, "frames", `frames ${index}`, more);
      const { seconds } = predictions[index].result[operation];
      const night = await usualNight(operation, seconds, ask);
      const document = await ask(framesWanted(operation, night));
      const more = (time, events) =>
        askedOf(reference, "frames", `window ${index}`, {
          operation,
          night,
          from_seconds: time,
          events,
        });
      movies.push(new Movie(document, operation, more));
      if (!fresh()) return;
    }
    const slots = scene.pin ? this.frameSlots : [this.frameSlots[1]];
    const names = scene.pin ? [scene.names.pin, scene.names.run] : [scene.names.run];
    this.frameSlots[0].figure.hidden = !scene.pin;
    byId("pictures").classList.toggle("two", Boolean(scene.pin));
    movies.forEach((movie, index) => {
      const { picture, caption } = slots[index];
      movie.title = names[index] ?? "this run";
      const letter = scene.pin ? `${"AB"[index]}: ` : "";
      setText(caption, `${letter}${names[index] ? `${names[index]}: ` : ""}${movie.caption()}`);
      picture.show(movie.cast);
    });
    const played = movies.map((movie, index) => ({ movie, picture: slots[index].picture }));
    const wasPlaying = this.playback.playing;
    this.setSpeed(scene.turning ? this.playback.speed : gentleSpeed(movies.at(-1)));
    this.playback.load(played, scene.turning ? this.playback.time : movies.at(-1).interesting());
    if (scene.play && !wasPlaying && !reducedMotion()) this.playback.play();
    this.describe();
    showSeries(this.charts, movies.at(-1), scene.pin ? movies[0] : null);
  }
}

/** A run by its short name and the title of its scenario, the same words once. */
function titleText(name, title) {
  if (!name || title.toLowerCase().endsWith(name.toLowerCase())) return title;
  return `${name} · ${title}`;
}

/** A and B in one sentence, with what moved. */
function differenceText({ names, operation }, a, b) {
  const [x, y] = [a.result[operation], b.result[operation]];
  if (!x || !y) return "";
  const [first, second] = [names.pin || "pinned", names.run || "this run"];
  const difference = y.seconds - x.seconds;
  const share = Math.abs(difference) / x.seconds;
  const apart = y.high_seconds < x.low_seconds || y.low_seconds > x.high_seconds;
  const figures = `A, ${first}: ${durationText(x.seconds)}; B, ${second}: ${durationText(y.seconds)}`;
  const of = operation === "verify" ? [a.result.verify, b.result.verify] : [a.result, b.result];
  const [from, to] = of.map((result) => result?.bottleneck);
  const moved =
    from && to && from !== to
      ? `; the bottleneck moved from ${from} to ${to}`
      : from
        ? `; the bottleneck stays ${from}`
        : "";
  if (share < 0.005) return `${figures}. No difference${moved}.`;
  const words = difference < 0 ? "faster" : "slower";
  const sure = apart ? "" : ", though single runs may turn out the other way";
  const much = `${durationText(Math.abs(difference))} (${percentText(share)})`;
  return `${figures}. B is ${much} ${words}${sure}${moved}.`;
}
