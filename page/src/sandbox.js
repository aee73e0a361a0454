// The sandbox: every knob, presets, a pinned run to compare with.

class Sandbox {
  /** `changed(run)` is told of a new run, `pinned(reference)` of a pin. */
  constructor(changed, pinned) {
    this.changed = changed;
    this.panel = makeKnobPanel((id, value) => this.turn(id, value));
    this.preset = make(
      "select",
      { id: "preset", onchange: () => this.choose(this.preset.value) },
      PRESET_GROUPS.map((group) =>
        make(
          "optgroup",
          { label: group.label },
          group.presets.map(({ name, label }) => make("option", { value: name }, label)),
        ),
      ),
    );
    this.other = make("option", { value: "", hidden: true }, "a file of your own");
    this.preset.append(this.other);
    this.measured = make("p", { class: "help", id: "measured" });
    this.pinButton = make(
      "button",
      {
        type: "button",
        id: "pin",
        onclick: () => pinned(this.run),
      },
      "Pin this run to compare",
    );
    this.unpinButton = make(
      "button",
      {
        type: "button",
        id: "unpin",
        hidden: true,
        onclick: () => pinned(null),
      },
      "Take the pin out",
    );
    this.resetButton = make(
      "button",
      {
        type: "button",
        id: "reset",
        onclick: () => changed(makeReference(this.run.name, {}, this.run.file)),
      },
      "Reset all knobs",
    );
    this.seed = make("input", {
      type: "text",
      class: "entry",
      id: "seed",
      inputmode: "numeric",
      onchange: () => this.onSeed(this.seed.value),
    });
    byId("sandbox").append(
      make("h2", {}, "Sandbox"),
      make(
        "div",
        { class: "sandbox-head" },
        make("label", { for: "preset" }, "Start from"),
        this.preset,
        this.measured,
        make("div", { class: "row" }, this.pinButton, this.unpinButton, this.resetButton),
      ),
      make("div", { class: "knobs" }, this.panel.elements),
      make(
        "div",
        { class: "row" },
        make("label", { for: "seed" }, "Seed of the random numbers"),
        this.seed,
      ),
    );
    this.onSeed = () => {};
  }

  choose(name) {
    if (name) this.changed(makeReference(name));
  }

  /** A knob was turned; knobs are turned from what is shown, on top of the scenario's own. */
  async turn(id, value) {
    // Of a scenario that is refused there is nothing to turn; why, stands on the page already.
    const base = await baseOf(this.run).catch(() => null);
    if (!base) return;
    const { inputs } = base;
    const knobs = turned(this.run.knobs, inputs, id, value);
    this.run = makeReference(this.run.name, knobs, this.run.file);
    this.changed(this.run);
  }

  /** Repaints for a run and the resolved inputs of its answer. */
  show(run, { inputs }, pin, seed) {
    this.run = run;
    this.panel.show(inputs, run.knobs);
    this.preset.value = run.file ? "" : run.name;
    if (this.preset.selectedIndex < 0) this.preset.value = "";
    this.other.hidden = this.preset.value !== "";
    setText(this.other, run.file ? run.file.name : run.name);
    this.unpinButton.hidden = !pin;
    this.resetButton.disabled = !Object.keys(run.knobs).length;
    if (document.activeElement !== this.seed) this.seed.value = String(seed);
    setText(this.measured, this.measuredText(run));
  }

  measuredText(run) {
    if (run.file) return `Loaded from ${run.file.name}.`;
    const entries = Object.entries(measuredOf(run.name)).filter(
      ([, seconds]) => seconds !== undefined,
    );
    const figures = listText(
      entries.map(([what, seconds]) => `${what} ${durationText(seconds)}`),
    );
    if (!entries.length) return "Nothing was measured of this one: it is a template.";
    return Object.keys(run.knobs).length
      ? `Measured before any knob was turned: ${figures}.`
      : `Measured: ${figures}.`;
  }
}
