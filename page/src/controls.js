// Sliders with typed entry. A slider runs over whole steps; the knob's kind says how a step
// becomes a value, how a value is written, and what may be typed.

const STEPS = 400;

const logValue = (min, max) => (step) => min * (max / min) ** (step / STEPS);
const logStep = (min, max) => (value) =>
  Math.round((STEPS * Math.log(Math.max(min, Math.min(max, value)) / min)) / Math.log(max / min));
const roundTo = (digits) => (value) => Number(value.toPrecision(digits));

function parseQuantity(text, units, fallback) {
  const match = text
    .trim()
    .replace(",", ".")
    .match(/^([\d.]+(?:e\d+)?)\s*([a-zµ/%]*)$/i);
  if (!match || !Number.isFinite(Number(match[1]))) return null;
  const unit = match[2] || fallback;
  const known = Object.keys(units).find((name) => name.toLowerCase() === unit.toLowerCase());
  return known === undefined ? null : Number(match[1]) * units[known];
}

const RATE_UNITS = {
  "kB/s": 1e3,
  "MB/s": 1e6,
  "GB/s": 1e9,
  "KiB/s": 1024,
  "MiB/s": 2 ** 20,
  "GiB/s": 2 ** 30,
};
const SIZE_UNITS = {
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 1024,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};
const TIME_UNITS = { us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 };

const plainCount = (text) => (/^\d+$/.test(text.trim()) ? Number(text) : null);
const plainNumber = (text) => {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() && Number.isFinite(value) && value >= 0 ? value : null;
};

const linear = (knob, scale) => ({
  max: Math.round((knob.max - knob.min) / scale),
  value: (step) => Number((knob.min + step * scale).toFixed(9)),
  step: (value) => Math.round((Math.min(knob.max, value) - knob.min) / scale),
});
const logarithmic = (knob, round) => ({
  max: STEPS,
  value: (step) => round(logValue(knob.min, knob.max)(step)),
  step: logStep(knob.min, knob.max),
});

const KINDS = {
  rate: (knob) => ({
    ...logarithmic(knob, roundTo(2)),
    text: rateText,
    parse: (t) => parseQuantity(t, RATE_UNITS, "MB/s"),
  }),
  size: (knob) => ({
    ...logarithmic(knob, roundTo(2)),
    text: bytesText,
    parse: (t) => parseQuantity(t, SIZE_UNITS, "GB"),
  }),
  time: (knob) => ({
    ...linear(knob, 0.0005),
    text: (v) => `${significant(v * 1000, 3)} ms`,
    parse: (t) => parseQuantity(t, TIME_UNITS, "ms"),
  }),
  count: (knob) => ({ ...logarithmic(knob, Math.round), text: String, parse: plainCount }),
  disks: (knob) => ({
    ...linear(knob, 1),
    parse: plainCount,
    text: String,
    said: (v) => (v === 0 ? "the disk of the data" : countText(v, "other disk")),
  }),
  ratio: (knob) => ({ ...linear(knob, 0.1), text: (v) => significant(v, 3), parse: plainNumber }),
  share: (knob) => ({
    ...linear(knob, 0.05),
    text: (v) => significant(v, 3),
    parse: plainNumber,
  }),
  transfer: () => ({
    max: 6,
    value: (step) => 65536 * 2 ** step,
    step: (value) => Math.round(Math.log2(value / 65536)),
    text: binaryText,
    parse: (t) => parseQuantity(t, SIZE_UNITS, "KiB"),
  }),
  // The last step is no ceiling, which is written 0 in links and files.
  ceiling: (knob) => ({
    max: STEPS + 1,
    value: (step) => (step > STEPS ? 0 : roundTo(2)(logValue(knob.min, knob.max)(step))),
    step: (value) => (value === 0 ? STEPS + 1 : logStep(knob.min, knob.max)(value)),
    text: (v) => (v === 0 ? "none" : rateText(v)),
    parse: (t) => (/^(none|0)$/i.test(t.trim()) ? 0 : parseQuantity(t, RATE_UNITS, "MB/s")),
  }),
};

/** How the knob's values look and are read, made once. */
function kindOf(knob) {
  knob.scale ??= KINDS[knob.kind](knob);
  return knob.scale;
}

/** What a value is called in a sentence. */
const valueText = (knob, value) => {
  if (knob.kind === "flag") return value ? "on" : "off";
  const kind = kindOf(knob);
  return (kind.said ?? kind.text)(value);
};

const accepted = (knob, value) => {
  if (value === null || Number.isNaN(value)) return false;
  if (knob.kind === "ceiling" && value === 0) return true;
  if (knob.kind === "transfer" && value % 65536 !== 0) return false;
  return value >= knob.min && value <= knob.max;
};

/** One line of the panel. `onTurn(id, value)` is told; `show(inputs, values)` repaints. */
function makeKnob(knob, onTurn) {
  return knob.kind === "flag" ? makeFlag(knob, onTurn) : makeSlider(knob, onTurn);
}

function makeFlag(knob, onTurn) {
  const box = make("input", {
    type: "checkbox",
    id: `knob-${knob.id}`,
    "aria-describedby": `help-${knob.id}`,
    onchange: () => onTurn(knob.id, box.checked),
  });
  const element = make(
    "div",
    { class: "knob flag" },
    box,
    make("label", { for: box.id }, knob.label),
    make("p", { class: "help", id: `help-${knob.id}` }, knob.help),
  );
  const show = (value) => {
    element.hidden = value === null;
    box.checked = Boolean(value);
  };
  return { element, show, knob };
}

function makeSlider(knob, onTurn) {
  const kind = kindOf(knob);
  const slider = make("input", {
    type: "range",
    id: `knob-${knob.id}`,
    min: 0,
    max: kind.max,
    step: 1,
    "aria-describedby": `help-${knob.id}`,
    oninput: () => onTurn(knob.id, kind.value(Number(slider.value))),
  });
  const entry = make("input", {
    type: "text",
    class: "entry",
    id: `entry-${knob.id}`,
    "aria-label": `${knob.label}, typed`,
    autocomplete: "off",
    spellcheck: "false",
    onchange: () => typed(),
    onkeydown: (event) => {
      if (event.key === "Enter") typed();
    },
  });
  const own = make(
    "button",
    {
      type: "button",
      class: "own",
      hidden: true,
      "aria-label": `${knob.label}: back to the scenario's own`,
      title: "Back to the scenario's own value",
      onclick: () => onTurn(knob.id, undefined),
    },
    "reset",
  );
  const auto =
    knob.auto &&
    make(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => onTurn(knob.id, 0),
      },
      knob.auto,
    );
  const refusal = make("p", {
    class: "refusal",
    id: `refusal-${knob.id}`,
    role: "alert",
    hidden: true,
  });
  const element = make(
    "div",
    { class: "knob" },
    make("label", { for: slider.id }, knob.label),
    own,
    entry,
    slider,
    make("p", { class: "help", id: `help-${knob.id}` }, knob.help),
    auto || null,
    refusal,
  );

  function typed() {
    const value = kind.parse(entry.value);
    const good = accepted(knob, value);
    refusal.hidden = good;
    entry.setAttribute("aria-invalid", String(!good));
    if (good) onTurn(knob.id, value);
    else {
      const extra = knob.kind === "ceiling" ? ", or none" : "";
      const steps = knob.kind === "transfer" ? ", in steps of 64 KiB" : "";
      const [least, most] = [kind.text(knob.min), kind.text(knob.max)];
      refusal.textContent = `accepted: ${least} to ${most}${steps}${extra}`;
    }
  }

  const show = (value, turnedByHand) => {
    element.hidden = value === null;
    if (value === null) return;
    own.hidden = !turnedByHand;
    slider.value = kind.step(value);
    slider.setAttribute("aria-valuetext", valueText(knob, value));
    if (document.activeElement !== entry || refusal.hidden) entry.value = kind.text(value);
  };
  return { element, show, knob };
}

/** The panel of all knobs, by group. */
function makeKnobPanel(onTurn) {
  const knobs = KNOBS.map((knob) => makeKnob(knob, onTurn));
  const groups = unique(KNOBS.map((knob) => knob.group)).map((name) => {
    const mine = knobs.filter(({ knob }) => knob.group === name);
    const element = make(
      "fieldset",
      {},
      make("legend", {}, name),
      mine.map((k) => k.element),
    );
    return { element, mine };
  });
  const show = (inputs, values) => {
    for (const { knob, show: showOne } of knobs) {
      showOne(knobValue(knob, inputs, values), values[knob.id] !== undefined);
    }
    for (const { element, mine } of groups) {
      element.hidden = mine.every((entry) => entry.element.hidden);
    }
  };
  return { elements: groups.map((group) => group.element), show };
}
