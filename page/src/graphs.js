// The graphs of a run, from the program's answers. `run` is the result of `predict`, `inputs` the
// resolved scenario; a pinned run is drawn beside it where that makes sense.

/** The sentence that gives the answer: bottleneck, gain, next. */
function verdictText(result, operation = result) {
  const { bottleneck, next_bottleneck: next } = operation;
  if (!bottleneck) return "";
  const stage = (operation.stages ?? []).find(
    ({ name, stations }) =>
      name === bottleneck || stations.includes(bottleneck) || bottleneck === stations.join("+"),
  );
  const seconds = operation === result ? result.backup.seconds : operation.seconds;
  const then = next ? `; then ${next.station} at ${percentText(next.utilization)}` : "";
  if (bottleneck === "balanced") return `Balanced: no one stage is the bottleneck${then}.`;
  const how = bottleneck === "buffers" ? "with plenty" : "without it";
  const name = bottleneck === "buffers" ? "too few buffers" : bottleneck;
  const share = stage ? stage.gain_seconds / seconds : 0;
  if (share > 0.9 && next?.station === "fixed cost") {
    return `Bottleneck ${name}: nearly all the time goes there; then only the fixed cost is left.`;
  }
  const gain = stage
    ? `: ${durationText(stage.gain_seconds)} (${percentText(share)}) faster ${how}`
    : "";
  return `${gain ? "Bottleneck " : "Bottleneck: "}${name}${gain}${then}.`;
}

/** Stations in the order of the flow. */
const flowOrder = (stations) => {
  const order = ["source", "source and target", "processor", "target", "path"];
  const place = ({ role }) => (order.indexOf(role) + order.length + 1) % (order.length + 1);
  return stations.filter(({ role }) => role !== "fixed cost").sort((a, b) => place(a) - place(b));
};

function showStates(chart, result, operation) {
  const stations = flowOrder(
    (operation === "verify" ? result.verify?.stations : result.stations) ?? [],
  );
  const shown = stations.length > 14 ? [...stations.slice(0, 13), stations.at(-1)] : stations;
  const rows = shown.map((station) => ({
    ...station,
    name: `${station.name} (${station.role})`,
  }));
  const busiest = stations.toSorted((a, b) => b.working - a.working)[0];
  chart.show({
    says: busiest
      ? `${sentence(busiest.name)} works most, ${percentText(busiest.working)} of the time. ` +
        "Starved: no work comes. Blocked: there is work, but no free buffer."
      : "Nothing was run.",
    plot: (width) =>
      stateBars(
        width,
        rows.map((r) => ({ ...r, name: r.name.split(" (")[0] })),
        rows
          .map(
            (r) =>
              `${r.name}: ${listText(ACTIVITIES.map((state) => `${state} ${percentText(r[state])}`))}`,
          )
          .join("; "),
      ),
    table: () =>
      makeTable(
        "Share of the time, mean of all runs",
        ["station", "role", "working", "starved", "blocked"],
        stations.map((s) => [
          s.name,
          s.role,
          percentText(s.working),
          percentText(s.starved),
          percentText(s.blocked),
        ]),
      ),
  });
}

/** Memory: one row of buffers for each set. */
function showMemory(chart, result, inputs) {
  const sets = result.buffer_sets;
  const each = result.buffer_count * result.max_transfer_size_bytes;
  const names = sets === 3 ? ["raw", "compressed", "outgoing"] : ["raw"];
  const total = result.buffer_memory_bytes;
  void inputs;
  chart.show({
    says:
      `${result.buffer_count} buffers of ${binaryText(result.max_transfer_size_bytes)}, ` +
      `${sets === 1 ? "one set" : `${sets} sets`}: ${binaryText(total)}, ` +
      "outside of the server's page cache.",
    plot: (width) => memoryBars(width, names, each, total),
    table: () =>
      makeTable(
        "Memory of backup buffers",
        ["set", "buffers", "of", "memory"],
        [
          ...names.map((name) => [
            name,
            String(result.buffer_count),
            binaryText(result.max_transfer_size_bytes),
            binaryText(each),
          ]),
          ["all sets", String(result.buffer_count * sets), "", binaryText(total)],
        ],
      ),
  });
}

function memoryBars(width, names, each, total) {
  const most = Math.max(total, 64 * 2 ** 20);
  const left = 92;
  const span = width - left - 80;
  const height = names.length * 34 + 44;
  const svg = make("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${listText(names)}: ${binaryText(each)} each, together ${binaryText(total)}`,
  });
  let x = left;
  names.forEach((name, index) => {
    const w = Math.max(1, (each / most) * span);
    const y = index * 34 + 4;
    svg.append(
      make("text", { class: "tick", x: left - 8, y: y + 17, "text-anchor": "end" }, name),
      make("rect", { class: `bar memory memory-${index}`, x, y, width: w, height: 24 }),
      make("text", { class: "tick", x: x + w + 6, y: y + 17 }, binaryText(each)),
    );
    x += w;
  });
  svg.append(
    make(
      "text",
      { class: "tick", x: left - 8, y: height - 14, "text-anchor": "end" },
      "all sets",
    ),
    make("line", { class: "axis", x1: left, x2: x, y1: height - 18, y2: height - 18 }),
    make("text", { class: "tick strong", x: x + 6, y: height - 14 }, binaryText(total)),
  );
  return svg;
}

/** Duration against a knob, with its range, the present point and the knee. */
function showCurve(chart, { knob, points, operation, present, complete }) {
  const usable = points.filter((point) => point[operation]);
  if (usable.length < 2) {
    chart.show({
      says: "Drawing …",
      plot: () =>
        make("svg", { width: 10, height: CHART_HEIGHT, role: "img", "aria-label": "not drawn" }),
      table: () => makeTable(knob.label, ["value"], []),
    });
    return;
  }
  const knee = complete ? kneeOf(usable, operation) : null;
  const flat =
    Math.max(...usable.map((p) => p[operation].seconds)) <=
    Math.min(...usable.map((p) => p[operation].seconds)) * 1.02;
  const worth = knee && !flat && knee !== usable[0] && usable.indexOf(knee) < usable.length;
  const says =
    flat && complete
      ? `${knob.label} makes no difference here: something else is the limit.`
      : worth
        ? `Beyond ${valueText(knob, knee.value)} there is less than 2 % to gain: the knee.`
        : complete
          ? `The best of what was tried: ${valueText(knob, knee?.value ?? usable[0].value)}.`
          : "Drawing …";
  chart.show({
    says,
    plot: (width) =>
      curvePlot(width, { knob, usable, operation, present, knee: worth ? knee : null }),
    table: () =>
      makeTable(
        `${sentence(operation)} against ${knob.label}`,
        [knob.label, "expected", "90 % of runs", "buffer memory"],
        usable.map((p) => [
          valueText(knob, p.value),
          durationText(p[operation].seconds),
          rangeText(p[operation].low_seconds, p[operation].high_seconds),
          binaryText(p.buffer_memory_bytes),
        ]),
      ),
  });
}

function curvePlot(width, { knob, usable, operation, present, knee }) {
  // Values lie side by side, as evenly as they were chosen, so that 0 and `none` have a place.
  const position = (value) => {
    const exact = usable.findIndex((p) => p.value === value);
    return exact;
  };
  const highest = Math.max(...usable.map((p) => p[operation].high_seconds));
  const lowest = Math.min(...usable.map((p) => p[operation].low_seconds));
  const log = lowest > 0 && highest / lowest > 20;
  const { svg, sx, sy, box } = plotFrame(width, {
    label: `${operation} in seconds against ${knob.label}; the table below has the figures`,
    x: {
      low: 0,
      high: usable.length - 1,
      name: knob.label,
      ticks: usable.map((_, i) => i),
      text: (i) => kindOf(knob).text(usable[Math.round(i)].value),
    },
    y: {
      low: log ? lowest * 0.9 : 0,
      high: highest * 1.08,
      log,
      name: operation,
      text: shortDuration,
      ticks: log ? logTicks(lowest * 0.9, highest * 1.08, 5) : undefined,
    },
  });
  const points = usable.map((p, i) => [i, p[operation].seconds]);
  svg.append(
    make("path", {
      class: "band",
      d: bandOf(
        usable.map((p, i) => [i, p[operation].low_seconds, p[operation].high_seconds]),
        sx,
        sy,
      ),
    }),
    make("path", { class: "curve", d: pathOf(points, sx, sy) }),
  );
  const at = position(present);
  if (knee) {
    const i = position(knee.value);
    if (i !== at)
      svg.append(...markAt(sx, sy, box, [i, knee[operation].seconds], "knee", "knee", true));
  }
  if (at >= 0) {
    svg.append(
      ...markAt(
        sx,
        sy,
        box,
        [at, usable[at][operation].seconds],
        knee && knee.value === present ? "now, at the knee" : "now",
        "now",
      ),
    );
  }
  return svg;
}

const shortDuration = (seconds) => {
  if (seconds === 0) return "0";
  if (seconds < 1) return `${significant(seconds * 1000, 2)} ms`;
  if (seconds < 120) return `${significant(seconds, 3)} s`;
  if (seconds < 7200) return `${significant(seconds / 60, 3)} min`;
  return `${significant(seconds / 3600, 3)} h`;
};

/** Little's law and the two bounds: throughput against buffers. */
function showBounds(chart, asked, knee) {
  const { bounds, little, cycles, seconds, read_bytes: bytes, theory } = asked;
  const perCycle = bytes / cycles;
  const station = bounds.station_bytes_per_second;
  const now = bytes / seconds;
  const buffers = little.buffer_count;
  const round = little.cycle_seconds;
  const busy = little.cycle_without_waiting_seconds;
  const waiting = Math.max(0, round - busy);
  chart.show({
    says:
      `Little's law: ${countText(buffers, "buffer")} = ` +
      `${significant(little.cycles_per_second, 3)} rounds a second × ${durationText(round)} a round. ` +
      `Of a round ${durationText(busy)} are work and ${durationText(waiting)} waiting.`,
    plot: (width) => boundsPlot(width, { station, buffers, busy, perCycle, now, knee, theory }),
    table: () =>
      makeTable(
        "What the laws allow",
        ["", "read", "why"],
        [
          ["busiest station", rateText(station), `${bounds.busiest_station} works all the time`],
          [
            "buffers",
            rateText(bounds.buffers_bytes_per_second),
            `${buffers} buffers, ${durationText(busy)} a round without waiting`,
          ],
          ["simulated", rateText(now), `${durationText(seconds)} for ${bytesText(bytes)}`],
          ...(theory
            ? [
                [
                  "queueing theory",
                  rateText(theory.read_bytes_per_second),
                  "if all times were random (exponential)",
                ],
              ]
            : []),
          [
            "buffers needed",
            significant(bounds.buffers_needed, 3),
            "where both bounds meet: without variation so many would do",
          ],
        ],
      ),
  });
}

function boundsPlot(width, { station, buffers, busy, perCycle, now, knee }) {
  const meeting = (station * busy) / perCycle;
  const far = Math.max(buffers * 1.3, meeting * 2.2, 4);
  const high = Math.max(station, now) * 1.25;
  const { svg, sx, sy, box } = plotFrame(width, {
    label:
      "Throughput against the number of buffers. It lies below a rising line, buffers over the " +
      "time of a round, and below a level line, what the busiest station can do",
    x: { low: 0, high: far, name: "buffers in circulation", text: (v) => significant(v, 3) },
    y: { low: 0, high: high / 1e6, name: "read, MB/s", text: (v) => significant(v, 3) },
  });
  const rising = [
    [0, 0],
    [meeting, station / 1e6],
  ];
  const shade = [...rising, [far, station / 1e6], [far, 0]];
  svg.append(
    make("path", { class: "allowed", d: `${pathOf(shade, sx, sy)}Z` }),
    make("path", {
      class: "bound rising",
      d: pathOf(
        [
          [0, 0],
          [
            Math.min(far, high / 1e6 / (perCycle / busy / 1e6)),
            Math.min(high / 1e6, (far * perCycle) / busy / 1e6),
          ],
        ],
        sx,
        sy,
      ),
    }),
    make("path", {
      class: "bound level",
      d: pathOf(
        [
          [0, station / 1e6],
          [far, station / 1e6],
        ],
        sx,
        sy,
      ),
    }),
    make(
      "text",
      { class: "mark-name", x: box.right - 4, y: sy(station / 1e6) - 6, "text-anchor": "end" },
      "busiest station",
    ),
  );
  const points = (knee?.points ?? []).filter(({ value }) => value <= far);
  if (points.length > 1) {
    svg.append(
      make("path", {
        class: "curve",
        d: pathOf(
          points.map((p) => [p.value, p.read_bytes / p.backup.seconds / 1e6]),
          sx,
          sy,
        ),
      }),
    );
  }
  svg.append(...markAt(sx, sy, box, [Math.min(buffers, far), now / 1e6], "now", "now", true));
  return svg;
}
