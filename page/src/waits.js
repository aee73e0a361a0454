// Who waits for whom, read off a frame: for the arrows in the picture, and in words.

const of = (members, state) => members.filter((member) => member.state === state).length;

/** Where the buffers are that a reader lacks: the stage that most of them wait for. */
function holder(frame, cast) {
  if (!cast.cores) return "writers";
  const atWriters =
    frame.encoded + frame.writers.reduce((sum, { underWay }) => sum + underWay, 0);
  const blocked = of(frame.workers, 2);
  return blocked > 0 || (frame.filled === 0 && of(frame.workers, 0) === 0 && atWriters > 0)
    ? "writers"
    : "cores";
}

/** One entry for each kind of station of which some wait. */
function waitsOf(frame, cast) {
  const waits = [];
  if (of(frame.readers, 2)) {
    waits.push({
      from: "readers",
      to: holder(frame, cast),
      state: "blocked",
      what: "a free buffer",
    });
  }
  if (cast.cores && of(frame.workers, 2)) {
    waits.push({
      from: "cores",
      to: "writers",
      state: "blocked",
      what: "room for compressed data",
    });
  }
  if (cast.cores && of(frame.workers, 1) > 0) {
    const source = of(frame.readers, 2) && frame.filled === 0 ? null : "readers";
    if (source) waits.push({ from: "cores", to: source, state: "starved", what: "data" });
  }
  if (of(frame.writers, 1)) {
    const to = cast.cores ? "cores" : "readers";
    waits.push({ from: "writers", to, state: "starved", what: "a filled buffer" });
  }
  return waits;
}

const ROLE_WORDS = {
  readers: ["the reader", "readers"],
  cores: ["the processor", "cores"],
  writers: ["the writer", "writers"],
  targets: ["the target disk", "target disks"],
  sources: ["the source disk", "source disks"],
};

const roleText = (name, count) =>
  count === 1 ? ROLE_WORDS[name][0] : `the ${ROLE_WORDS[name][1]}`;

const filledText = (count) =>
  count ? countText(count, "filled one waits", "filled ones wait") : "no filled one waits";

/** What the picture shows, in sentences. */
function frameText(frame, cast) {
  if (frame.stage === "starting") return "The backup is being set up; nothing moves.";
  if (frame.stage === "done") return "Everything is copied; the backup is being closed.";
  const inUse = cast.buffers - frame.free;
  const parts = [
    `${inUse} of ${countText(cast.buffers, "buffer")} in use`,
    `${filledText(frame.filled)} for ${cast.cores ? "the processor" : "a writer"}`,
  ];
  if (cast.cores)
    parts.push(`${of(frame.workers, 0)} of ${countText(cast.cores, "core")} at work`);
  const disks = frame.devices.map(({ name, state }) => `${name} ${STATE_WORDS[state]}`);
  const waits = waitsOf(frame, cast).map(
    ({ from, to, what }) =>
      `${roleText(from, cast[from])} ${cast[from] === 1 ? "waits" : "wait"} for ${what}, ` +
      `that is for ${roleText(to, cast[to])}`,
  );
  const shown = disks.length > 4 ? [] : [`disks: ${listText(disks)}`];
  return `${sentence(listText(parts))}; ${[...shown, ...waits].join("; ")}.`.replace("; .", ".");
}
