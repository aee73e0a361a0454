// The lessons: each one idea. `before` is what the learner sees first, `after` what is guessed;
// `what` is the operation that is asked about. Figures in the texts are those of the articles;
// simulated ones are never written here but run.

const LESSONS = [
  {
    id: "buffer",
    title: "What a buffer is for",
    what: "backup",
    before: { name: "equal-disks", label: "one buffer" },
    after: { name: "equal-disks", knobs: { buffers: 2 }, label: "two buffers" },
    scene:
      "A backup reads data into a buffer and writes them from it to another disk. Here are two " +
      "disks of 100 MB/s each, 2 GB of data, and a single buffer of 1 MiB. Watch the disks: while " +
      "one works, the other stands still. That takes 40 seconds.",
    question: "A second buffer is added. How long does the backup take now?",
    guess: { min: 5, max: 60, start: 40, step: 0.5 },
    why: "Why is that?",
    choices: [
      "Each disk became twice as fast.",
      "One buffer is filled while the other is emptied, so both disks work at once.",
      "Two buffers make the data smaller.",
    ],
    right: 1,
    explanation:
      "A buffer is either being filled or being emptied, never both. With one buffer the " +
      "disks take turns. With two they work side by side, and the time halves. More buffers would " +
      "gain nothing here: both disks are busy all the time already.",
    more: [{ label: "three buffers", name: "equal-disks", knobs: { buffers: 3 } }],
  },
  {
    id: "compression",
    title: "Compression costs work. Is it slower?",
    what: "backup",
    before: { name: "nvme-knob-matrix:1", label: "no compression" },
    after: { name: "nvme-knob-matrix:2", label: "compression" },
    scene:
      "6.6 GB on one NVMe drive, backed up to the same drive. Without compression that took " +
      "22.9 s. Look at the drive: it is working nearly all the time.",
    question:
      "Compression is switched on. Processors get a lot to do; the file shrinks to a ninth. " +
      "How long does the backup take?",
    guess: { min: 2, max: 40, start: 23, step: 0.1 },
    why: "Why did it change so much?",
    choices: [
      "The processor reads the disk faster than the reader did.",
      "The drive was the bottleneck, and has far fewer bytes to write.",
      "The backup skips data that it cannot compress.",
    ],
    right: 1,
    explanation:
      "Writing was what everybody waited for. Compression takes eight ninths of it away, " +
      "at the cost of work on processors that had been idle. A stage that is not the bottleneck " +
      "has time to spare, so its work costs nothing. The bottleneck is now the processor.",
  },
  {
    id: "four-files",
    title: "Four files on one disk",
    what: "backup",
    before: { name: "nvme-knob-matrix:2", label: "one file" },
    after: { name: "nvme-knob-matrix:8", label: "four files" },
    scene:
      "The same backup, compressed: 8.2 s to one file. Four files have four writers, which can " +
      "write at the same time.",
    question: "The backup is split over four files on the same drive. How long does it take?",
    guess: { min: 1, max: 16, start: 4, step: 0.1 },
    why: "Why was that no help?",
    choices: [
      "Four writers share one drive: they queue there, and disturb each other.",
      "Four files hold more data than one.",
      "The server writes several files one after the other.",
    ],
    right: 0,
    explanation:
      "A queue is not made shorter by forming four of it. The drive has one bandwidth, " +
      "whatever the number of files, and on this one interleaved streams even cost some of it. " +
      "More files help when they bring something that was short: other disks, other paths, or " +
      "room below a ceiling that each file has.",
  },
  {
    id: "elsewhere",
    title: "Four files on one disk, elsewhere",
    what: "backup",
    before: { name: "multifile-nvme-2020:1", label: "one file" },
    after: { name: "multifile-nvme-2020:3", label: "four files" },
    scene:
      "Another machine: 96 processors, the data on four NVMe volumes, the backup compressed to " +
      "one file on a fifth. It took 9.1 minutes.",
    question: "Here, too, the backup is split over four files on the same volume. How long now?",
    guess: { min: 60, max: 900, start: 546, step: 6 },
    why: "Four files did not help on the first machine. Why here?",
    choices: [
      "An NVMe volume always writes four files four times as fast.",
      "Four small files are read faster than a large one.",
      "Something else was short: with four files the server takes more buffers.",
    ],
    right: 2,
    explanation:
      "Left to itself the server takes 13 buffers for one file here and 28 for four. Each " +
      "buffer in hand keeps a processor at work, and of 96 most had been idle. That is what the " +
      "simulation says; the source gives times only. The rule is the same as before: what " +
      "matters is whether the change relieves the bottleneck.",
    source: "Back Up SQL Server 43%-67% Faster by Writing to Multiple Files, brentozar.com, 2020",
  },
  {
    id: "knee",
    title: "More buffers, and more",
    what: "backup",
    before: { name: "nvme-knob-matrix:2", label: "7 buffers" },
    after: { name: "nvme-knob-matrix:4", label: "256 buffers" },
    scene:
      "The first machine again. The server takes 7 buffers by itself: 8.2 s. With " +
      "BUFFERCOUNT = 64 it was 7.3 s, so 57 more buffers saved 0.9 s.",
    question: "Now 256 buffers, 192 more. How long?",
    guess: { min: 1, max: 10, start: 7, step: 0.1 },
    why: "Why does the gain get smaller?",
    choices: [
      "Buffers bridge pauses; once they bridge most of them, more have little left to do.",
      "So many buffers no longer fit the memory.",
      "The server ignores values above 64.",
    ],
    right: 0,
    explanation:
      "Throughput grows with the buffers until a stage is busy nearly all the time: that " +
      "is the knee. This drive now and then pauses while it writes, and only many buffers keep " +
      "the processors fed meanwhile. Memory grows without a knee: 256 buffers of 1 MiB are " +
      "three times 256 MiB with compression, because raw, compressed and outgoing data each " +
      "have a set of their own.",
    more: [{ label: "64 buffers", name: "nvme-knob-matrix:3", measured: 7.3 }],
  },
  {
    id: "uneven",
    title: "Equal stages, uneven work",
    what: "backup",
    before: { name: "uneven-line", knobs: { variability: 0, buffers: 3 }, label: "clockwork" },
    after: { name: "uneven-line", knobs: { buffers: 3 }, label: "uneven work" },
    scene:
      "Reading, compressing and writing take 500 MB/s each; 10 GB go through in 20 s, like " +
      "clockwork. Now let some transfers take longer and others less, by half of the mean or " +
      "so. The averages stay the same.",
    question: "Three buffers, uneven work, the same average everywhere. How long does it take?",
    guess: { min: 15, max: 40, start: 20, step: 0.1 },
    why: "Why is the average not enough?",
    choices: [
      "The averages of the stages were wrong.",
      "A stage that is early cannot work ahead for ever: it starves or is blocked, and lost time " +
        "does not come back.",
      "The computer rounds each transfer up.",
    ],
    right: 1,
    explanation:
      "A slow transfer makes the others wait, a fast one gains nothing unless there is a " +
      "buffer to work ahead into. Buffers buy back what unevenness costs, and the first few buy " +
      "most. So a line whose stages are all equally fast is the one that needs buffers most.",
    more: [
      { label: "8 buffers", name: "uneven-line", knobs: { buffers: 8 } },
      { label: "32 buffers", name: "uneven-line", knobs: { buffers: 32 } },
    ],
  },
  {
    id: "together",
    title: "Two knobs together",
    what: "backup",
    before: { name: "nvme-knob-matrix:5", label: "4 MB transfers" },
    after: { name: "nvme-knob-matrix:6", label: "4 MB transfers, 64 buffers" },
    scene:
      "The first machine, compressed: 8.2 s. Transfers of 4 MB instead of 1 MB alone: 8.0 s. " +
      "64 buffers alone: 7.3 s.",
    question: "Both at once: 64 buffers of 4 MB. How long?",
    guess: { min: 3, max: 10, start: 7.3, step: 0.1 },
    why: "Why is it more than both gains added?",
    choices: [
      "Large transfers compress better.",
      "Large buffers are skipped by the processor.",
      "What counts in a pause is the data that buffers hold: their number times their size.",
    ],
    right: 2,
    explanation:
      "64 buffers of 4 MB hold as much as 256 of 1 MB, and are about as good, for the " +
      "same memory. Few large buffers hold enough data but too few pieces for six processors; " +
      "many small ones the other way round. Knobs interact: try them together, not one by one.",
    more: [{ label: "256 buffers of 1 MB", name: "nvme-knob-matrix:4", measured: 6.7 }],
  },
  {
    id: "slow-source",
    title: "A slow source",
    what: "backup",
    before: { name: "usb3-laptop:1.1", label: "uncompressed" },
    after: { name: "usb3-laptop:1.2", label: "compressed" },
    scene:
      "A laptop: 6 GiB on a slow USB disk, backed up to another one. Uncompressed: 95 s, and " +
      "checking the backup afterwards took 88 s more.",
    question: "With compression, how long does the backup take?",
    guess: { min: 10, max: 140, start: 40, step: 1 },
    why: "Compression was a great gain on the NVMe drive. Why not here?",
    choices: [
      "The laptop's processors are too slow to compress.",
      "All data must still be read from the slow disk, and nothing else was the limit.",
      "USB disks cannot hold compressed files.",
    ],
    right: 1,
    explanation:
      "Compression relieves writing; here reading is the bottleneck, and the source has " +
      "to give all its bytes in any case. The verification is another matter: it reads the " +
      "backup, and that is smaller now. One change, two operations, two bottlenecks.",
    more: [
      { label: "verify, uncompressed", name: "usb3-laptop:1.1", what: "verify", measured: 88 },
      { label: "verify, compressed", name: "usb3-laptop:1.2", what: "verify", measured: 23 },
    ],
  },
  {
    id: "two-ways",
    title: "Three disks, or one compressed?",
    what: "backup",
    before: { name: "usb3-laptop:2.1", label: "one disk, uncompressed" },
    after: { name: "usb3-laptop:2.3", label: "one disk, compressed" },
    scene:
      "Now the data are on the laptop's solid state drive. To one slow disk, uncompressed: " +
      "78 s. To three such disks at once, uncompressed: 25 s.",
    question: "To one disk again, but compressed to somewhat more than a quarter. How long?",
    guess: { min: 5, max: 100, start: 60, step: 1 },
    why: "Why do two such different changes do nearly the same?",
    choices: [
      "Both relieve the same stage: writing. One has more disks, the other fewer bytes.",
      "Both give the processor less to do.",
      "It is a coincidence of this machine.",
    ],
    right: 0,
    explanation:
      "The target was the bottleneck. Three disks take three times the bytes in a second; " +
      "compression leaves somewhat more than a quarter of the bytes for the one disk. Either " +
      "way the next stage becomes the limit.",
    more: [{ label: "three disks, uncompressed", name: "usb3-laptop:2.2", measured: 25 }],
  },
  {
    id: "moved",
    title: "Both at once",
    what: "backup",
    before: { name: "usb3-laptop:2.3", label: "one disk, compressed" },
    after: { name: "usb3-laptop:2.4", label: "three disks, compressed" },
    scene:
      "Compression with one disk: 21 s. Three disks instead of one had saved two thirds of the " +
      "time without compression.",
    question: "Compression and three disks. How long?",
    guess: { min: 2, max: 40, start: 10, step: 0.5 },
    why: "Why is there nothing more to gain?",
    choices: [
      "Three files make the processors compress everything three times.",
      "The processors are the bottleneck by now: even the one target disk waits for them.",
      "The laptop has only one USB port.",
    ],
    right: 1,
    explanation:
      "Compression has moved the bottleneck from the disk to the processors. What four of " +
      "them compress, one disk can take; two more disks just wait as well. The verification does " +
      "gain: there the disks were still the bottleneck. That 23 s were measured after 21 s is " +
      "within what such runs differ by.",
    more: [
      { label: "verify, one disk", name: "usb3-laptop:2.3", what: "verify", measured: 22 },
      { label: "verify, three disks", name: "usb3-laptop:2.4", what: "verify", measured: 9 },
    ],
  },
  {
    id: "same-disk",
    title: "One disk for everything",
    what: "total",
    before: { name: "usb3-laptop:1.1", label: "another disk" },
    after: { name: "usb3-laptop:same-drive", label: "the same disk" },
    scene:
      "From one slow disk to another, uncompressed, backup and verification together: " +
      "183 s.",
    question: "The backup goes to the disk that holds the data. How long for both?",
    guess: { min: 60, max: 600, start: 183, step: 1 },
    why: "Why is it so much worse?",
    choices: [
      "The operating system locks the disk while it is read.",
      "The backup is larger on the same disk.",
      "One disk does the work of two, and its head travels between reading and writing.",
    ],
    right: 2,
    explanation:
      "Every byte now passes the same disk twice, and each turn from reading to writing " +
      "moves the head: time in which no byte flows. A solid state drive loses less by turning. " +
      "And if that disk fails, data and backup are gone together: put them apart.",
  },
  {
    id: "one-measurement",
    title: "One measurement is no law",
    what: "backup",
    before: { name: "nvme-knob-matrix:2", label: "default blocks" },
    after: { name: "nvme-knob-matrix:7", label: "64 KB blocks" },
    scene:
      "A last knob of the first article: BLOCKSIZE, the size of the blocks of the file. The " +
      "compressed backup took 8.2 s with the default.",
    question: "BLOCKSIZE = 65536. How long?",
    guess: { min: 2, max: 20, start: 8.2, step: 0.1 },
    why: "What may you conclude from that?",
    choices: [
      "On that machine it hurt. Elsewhere, measure it.",
      "Large blocks are slow: it is a law.",
      "The simulation has proved why it is slower.",
    ],
    right: 0,
    explanation:
      "The simulation agrees only because a parameter was fitted to this very row, so its " +
      "agreement proves nothing. Hundreds of public runs on other machines show no such effect. " +
      "A model can tell you what follows from what it was told, and never more than that.",
  },
];

/** The steps that carry the message in ten minutes. */
const CORE_LESSONS = ["buffer", "compression", "four-files", "elsewhere"];
