// Lessons: predict, then reveal, then one "why?". The learner's guess stands beside what was
// measured and what is simulated, and the gap is said in words.

class Lessons {
  /** `show(scene)` presents a run and gives its prediction; `moved(index)` is told of a step. */
  constructor(show, moved, toSandbox) {
    Object.assign(this, { show, moved, toSandbox });
    this.index = 0;
    this.answers = LESSONS.map(() => ({
      guess: null,
      revealed: false,
      choice: null,
      sure: false,
    }));
    this.steps = make(
      "ol",
      { class: "steps", "aria-label": "Steps" },
      LESSONS.map((lesson, index) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              "data-step": index,
              title: lesson.title,
              "aria-label": `Step ${index + 1}: ${lesson.title}`,
              onclick: () => moved(index),
            },
            String(index + 1),
          ),
        ),
      ),
    );
    this.body = make("div", { class: "lesson", id: "lesson-body" });
    byId("lessons").append(this.steps, this.body);
  }

  get lesson() {
    return LESSONS[this.index];
  }

  get answer() {
    return this.answers[this.index];
  }

  /** Opens a step. */
  async open(index, focus = false) {
    this.index = index;
    this.paint();
    if (focus) byId("lesson-title").focus();
    await this.present();
  }

  /** The run that belongs to how far the step is. */
  async present() {
    const { before, after, what } = this.lesson;
    const scene = { operation: what, axis: "buffers", play: true, only: true };
    const prediction = this.answer.revealed
      ? await this.show({
          ...scene,
          run: referenceOf(after),
          pin: referenceOf(before),
          names: { run: after.label, pin: before.label },
        })
      : await this.show({
          ...scene,
          run: referenceOf(before),
          pin: null,
          names: { run: before.label },
          guessing: true,
        });
    return prediction;
  }

  paint() {
    const { lesson, answer, index } = this;
    for (const button of this.steps.querySelectorAll("button")) {
      const step = Number(button.dataset.step);
      if (step === index) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      button.classList.toggle("done", this.answers[step].sure);
      button.setAttribute(
        "aria-label",
        `Step ${step + 1}: ${LESSONS[step].title}${this.answers[step].sure ? ", done" : ""}`,
      );
    }
    const last = index === LESSONS.length - 1;
    this.revealArea = make("div", { id: "reveal-area" });
    this.whyArea = make("div", { id: "why-area" });
    this.body.replaceChildren(
      make("h2", { id: "lesson-title", tabindex: "-1" }, `${index + 1}. ${lesson.title}`),
      make("p", {}, lesson.scene),
      make("p", { class: "question" }, lesson.question),
      this.makeGuess(),
      this.revealArea,
      this.whyArea,
      make(
        "div",
        { class: "lesson-nav" },
        make(
          "button",
          {
            type: "button",
            id: "previous",
            disabled: index === 0,
            onclick: () => this.moved(index - 1),
          },
          "Back",
        ),
        make(
          "button",
          {
            type: "button",
            id: "next",
            class: answer.sure ? "main" : "",
            onclick: () => (last ? this.toSandbox(lesson) : this.moved(index + 1)),
          },
          last ? "To the sandbox" : "Next step",
        ),
        make(
          "button",
          { type: "button", id: "try-it", onclick: () => this.toSandbox(lesson) },
          "Open in the sandbox",
        ),
      ),
    );
  }

  makeGuess() {
    const { min, max, start, step } = this.lesson.guess;
    const { answer } = this;
    const value = answer.guess ?? start;
    const entry = make("input", {
      type: "text",
      class: "entry",
      id: "guess-entry",
      "aria-label": "Your guess, typed",
      value: durationText(value),
      disabled: answer.revealed,
      onchange: () => {
        const typed = parseDuration(entry.value);
        if (typed !== null && typed >= 0) set(Math.min(max, Math.max(min, typed)));
        entry.value = durationText(Number(slider.value));
      },
    });
    const slider = make("input", {
      type: "range",
      id: "guess",
      min,
      max,
      step,
      value,
      disabled: answer.revealed,
      "aria-valuetext": durationText(value),
      oninput: () => set(Number(slider.value)),
    });
    const set = (seconds) => {
      answer.guess = seconds;
      slider.value = seconds;
      slider.setAttribute("aria-valuetext", durationText(seconds));
      if (document.activeElement !== entry) entry.value = durationText(seconds);
    };
    const reveal = make(
      "button",
      {
        type: "button",
        id: "reveal",
        class: "main",
        disabled: answer.revealed,
        onclick: () => this.reveal(Number(slider.value)),
      },
      "Reveal",
    );
    return make(
      "div",
      { class: "guess" },
      make("label", { for: "guess" }, `Your guess for the ${wordsOf(this.lesson.what)}`),
      slider,
      entry,
      reveal,
    );
  }

  async reveal(guess) {
    Object.assign(this.answer, { guess, revealed: true });
    const index = this.index;
    for (const id of ["guess", "guess-entry", "reveal"]) byId(id).disabled = true;
    const shown = await this.present();
    if (!shown || index !== this.index) return;
    this.showReveal(shown.prediction);
    byId("result-heading").focus();
  }

  /** Bars of guess, measured, simulated, and the gaps. */
  showReveal({ result }) {
    const { lesson, answer } = this;
    const simulated = result[lesson.what];
    const { low_seconds: low, high_seconds: high } = simulated;
    const measured = lesson.after.knobs ? undefined : measuredOf(lesson.after.name)[lesson.what];
    const rows = [
      ["guess", "your guess", answer.guess],
      ["measured", "measured", measured],
      ["simulated", "simulated", simulated.seconds],
    ].filter(([, , seconds]) => seconds !== undefined);
    const most = Math.max(...rows.map(([, , seconds]) => seconds), simulated.high_seconds) * 1.05;
    const bars = rows.map(([kind, label, seconds]) => {
      const share = (100 * seconds) / most;
      const spread =
        kind === "simulated" &&
        make("span", {
          class: "spread",
          style: `left:${(100 * low) / most}%;width:${(100 * (high - low)) / most}%`,
        });
      const place = share < 60 ? `left:${share}%` : "left:0";
      return make(
        "div",
        { class: "bar-row" },
        make("span", {}, label),
        make(
          "div",
          { class: "track" },
          make("span", { class: `fill ${kind}-bar`, style: `width:${share}%` }),
          spread || null,
          make("span", { class: "value", style: place }, make("b", {}, durationText(seconds))),
        ),
      );
    });
    this.revealArea.replaceChildren(
      make("h3", { id: "result-heading", tabindex: "-1" }, "The result"),
      make("div", { class: "bars" }, bars),
      make("p", { class: "gap" }, gapText(answer.guess, measured, simulated)),
      make(
        "p",
        { class: "help" },
        measured === undefined
          ? "Simulated only: nobody has measured this one."
          : `Measured: ${lesson.source ?? "in the article"}. ` +
              `Simulated: ${rangeText(low, high)} in 90 % of runs.`,
      ),
    );
    this.showWhy();
  }

  showWhy() {
    const { lesson, answer } = this;
    const choices = lesson.choices.map((text, index) => {
      const input = make("input", {
        type: "radio",
        name: "why",
        id: `why-${index}`,
        value: index,
        onchange: () => this.choose(index),
      });
      return make("label", { for: `why-${index}` }, input, make("span", {}, text));
    });
    this.whyVerdict = make("p", { class: "verdict", role: "status" });
    this.whyMore = make("div", { class: "explanation", id: "explanation", hidden: true });
    this.whyArea.replaceChildren(
      make("fieldset", { class: "choices" }, make("legend", {}, lesson.why), choices),
      this.whyVerdict,
      this.whyMore,
    );
    if (answer.choice !== null) {
      byId(`why-${answer.choice}`).checked = true;
      this.choose(answer.choice);
    }
  }

  choose(index) {
    const { lesson, answer } = this;
    answer.choice = index;
    const right = index === lesson.right;
    const labels = this.whyArea.querySelectorAll(".choices label");
    labels.forEach((label, at) => {
      label.classList.toggle("right", right && at === index);
      label.classList.toggle("wrong", !right && at === index);
    });
    setText(
      this.whyVerdict,
      right ? "Yes." : "Not that: think of who waits for whom, and try again.",
    );
    this.whyMore.hidden = !right;
    if (!right) return;
    answer.sure = true;
    this.steps.querySelector(`[data-step="${this.index}"]`).classList.add("done");
    byId("next").classList.add("main");
    this.whyMore.replaceChildren(make("p", {}, lesson.explanation));
    if (lesson.more) this.showMore(lesson);
  }

  /** Further figures that belong to the explanation. */
  async showMore(lesson) {
    const rows = [];
    for (const { label, name, knobs, what = lesson.what, measured } of lesson.more) {
      const { result } = await predictionOf(makeReference(name, knobs), `more ${label}`);
      rows.push([
        label,
        measured === undefined ? "" : durationText(measured),
        withRange(result[what]),
      ]);
    }
    if (this.lesson !== lesson) return;
    this.whyMore.append(
      make(
        "div",
        { class: "table-wrap" },
        makeTable("Beside it", ["", "measured", "simulated"], rows),
      ),
    );
  }
}

const referenceOf = ({ name, knobs }) => makeReference(name, knobs);

const wordsOf = (what) => (what === "total" ? "backup and verification together" : what);

/** `90`, `90 s`, `1 min 30 s`, `1:30`: seconds. */
function parseDuration(text) {
  const clean = text.trim().toLowerCase().replace(",", ".");
  const colon = clean.match(/^(\d+):(\d\d)$/);
  if (colon) return Number(colon[1]) * 60 + Number(colon[2]);
  let total = 0;
  let rest = clean;
  for (const [pattern, size] of [
    [/([\d.]+)\s*h/, 3600],
    [/([\d.]+)\s*min/, 60],
    [/([\d.]+)\s*ms/, 1e-3],
    [/([\d.]+)\s*s?$/, 1],
  ]) {
    const match = rest.match(pattern);
    if (!match) continue;
    total += Number(match[1]) * size;
    rest = rest.replace(match[0], " ").trim();
  }
  return rest === "" && clean !== "" && Number.isFinite(total) ? total : null;
}

/** How far the guess was off, and the simulation. */
function gapText(guess, measured, simulated) {
  const truth = measured ?? simulated.seconds;
  const name = measured === undefined ? "simulated" : "measured";
  const off = guess - truth;
  const share = Math.abs(off) / truth;
  const yours =
    share < 0.05
      ? `Your guess is within 5 % of what was ${name}.`
      : `Your guess is ${durationText(Math.abs(off))} (${percentText(share)}) ` +
        `${off > 0 ? "above" : "below"} what was ${name}.`;
  if (measured === undefined) return yours;
  const error = (simulated.seconds - measured) / measured;
  // What was measured is printed rounded, to tenths or to whole seconds.
  const rounding = Number.isInteger(measured) ? 0.5 : 0.05;
  const inside =
    measured >= simulated.low_seconds - rounding && measured <= simulated.high_seconds + rounding;
  const close =
    Math.abs(error) < 0.01
      ? "agrees with it within 1 %"
      : `is ${percentText(Math.abs(error))} ${error >= 0 ? "above" : "below"} it`;
  return (
    `${yours} The simulation ${close}; ` +
    `what was measured lies ${inside ? "inside" : "outside"} its range.`
  );
}
