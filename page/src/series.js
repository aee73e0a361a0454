// Graphs over the time of one run: throughput, and where the buffers are.

function showSeries(charts, movie, pinned) {
  showThroughput(charts.throughput, movie, pinned);
  showPlaces(charts.buffers, movie);
}

const steps = (intervals, value) =>
  intervals.flatMap((interval) => [
    [interval.begin_seconds, value(interval)],
    [interval.end_seconds, value(interval)],
  ]);

function showThroughput(chart, movie, pinned) {
  const { intervals } = movie.series;
  const read = (interval) => interval.read_bytes_per_second / 1e6;
  const written = (interval) => interval.written_bytes_per_second / 1e6;
  const total = intervals.reduce((sum, { read_bytes: bytes }) => sum + bytes, 0);
  const mean = total / Math.max(movie.length, 1e-9);
  const others = pinned?.series.intervals ?? [];
  const high =
    Math.max(...intervals.map(read), ...others.map(read), ...intervals.map(written), 1e-6) * 1.1;
  const end = Math.max(movie.length, pinned?.length ?? 0);
  chart.show({
    says: `This run read ${rateText(mean)} in the mean.${pinned ? " Pale: A, the pinned run." : ""}`,
    plot: (width) => {
      const { svg, sx, sy, box } = plotFrame(width, {
        label: "Bytes read and written per second over one run; the table below has the figures",
        x: { low: 0, high: end, name: "time", text: shortDuration },
        y: { low: 0, high, name: "MB/s", text: (v) => significant(v, 3) },
      });
      if (pinned)
        svg.append(
          make("path", { class: "curve pinned", d: pathOf(steps(others, read), sx, sy) }),
        );
      if (movie.cast.writers)
        svg.append(
          make("path", { class: "curve second", d: pathOf(steps(intervals, written), sx, sy) }),
        );
      svg.append(make("path", { class: "curve", d: pathOf(steps(intervals, read), sx, sy) }));
      const at = (interval, value, name, up) =>
        interval &&
        make(
          "text",
          {
            class: "mark-name",
            x: Math.min(sx(interval.begin_seconds), box.right - 60),
            y: sy(value(interval)) + (up ? -6 : 16),
          },
          name,
        );
      const third = intervals[Math.floor(intervals.length / 3)];
      svg.append(at(third, read, "read", true));
      if (movie.cast.writers && high > 0 && Math.abs(sy(read(third)) - sy(written(third))) > 26)
        svg.append(at(third, written, "written", false));
      return svg;
    },
    table: () =>
      makeTable(
        "Per second, in parts of this run",
        ["from", "to", "read", "written"],
        coarser(intervals).map((i) => [
          clockText(i.begin_seconds, end),
          clockText(i.end_seconds, end),
          rateText(i.read_bytes_per_second),
          rateText(i.written_bytes_per_second),
        ]),
      ),
  });
}

const PLACE_LAYERS = [
  ["being_filled", "being read", "var(--starved)"],
  ["filled", "filled, waiting", "var(--blocked)"],
  ["being_emptied", "being worked on or written", "var(--working)"],
];

function showPlaces(chart, movie) {
  const { intervals } = movie.series;
  const count = movie.cast.buffers;
  const of = (interval) => interval.raw_buffers;
  const inUse =
    intervals.reduce(
      (sum, i) => sum + (count - of(i).free) * (i.end_seconds - i.begin_seconds),
      0,
    ) / Math.max(movie.length, 1e-9);
  chart.show({
    says:
      `${significant(inUse, 3)} of ${countText(count, "raw buffer")} are in use in the mean. ` +
      "From below: being read, filled and waiting, being emptied; above: free.",
    plot: (width) => {
      const { svg, sx, sy } = plotFrame(width, {
        label:
          "Buffers in use over the time of one run, by place; the table below has the figures",
        x: { low: 0, high: movie.length, name: "time", text: shortDuration },
        y: { low: 0, high: count, name: "buffers", text: (v) => significant(v, 3) },
      });
      svg.append(statePatterns("places"));
      const below = intervals.map(() => 0);
      PLACE_LAYERS.forEach(([key], index) => {
        const low = intervals.map((i, at) => [i, below[at]]);
        intervals.forEach((i, at) => {
          below[at] += of(i)[key];
        });
        const up = intervals.flatMap((i, at) => [
          [i.begin_seconds, below[at]],
          [i.end_seconds, below[at]],
        ]);
        const down = low
          .flatMap(([i, value]) => [
            [i.begin_seconds, value],
            [i.end_seconds, value],
          ])
          .reverse();
        const fill = ["url(#places-starved)", "url(#places-blocked)", "var(--working)"][index];
        svg.append(
          make("path", { class: "bar", fill, d: `${pathOf([...up, ...down], sx, sy)}Z` }),
        );
      });
      return svg;
    },
    table: () =>
      makeTable(
        "Raw buffers by place, mean",
        ["from", "being read", "filled", "being emptied", "free"],
        coarser(intervals).map((i) => [
          clockText(i.begin_seconds, movie.length),
          ...["being_filled", "filled", "being_emptied", "free"].map((key) =>
            of(i)[key].toFixed(1),
          ),
        ]),
      ),
  });
}

/** About twenty of many intervals, for a table that can be read. */
function coarser(intervals) {
  const every = Math.max(1, Math.ceil(intervals.length / 20));
  return intervals.filter((_, index) => index % every === 0);
}
