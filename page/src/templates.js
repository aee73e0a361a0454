// Scenarios of the page's own. They are made up or rest on round figures, and say so; everything
// else that the page shows comes with the program.

const MADE_UP = "Made up for this lesson: round figures, no machine was measured";

/** A pipeline of clockwork: what it does can be told in one's head. */
const EQUAL_DISKS = `# Two disks that are equally fast and never vary.
title = "Two equal disks (made up)"
source = "${MADE_UP}"

[database]
name = "Lesson"

[volume.data]
device = "source"
size = "2 GB"

[device.source]
run_to_run = "0 %"

[device.source.fixed_rate]
rate = "100 MB/s"

[device.target]
run_to_run = "0 %"

[device.target.fixed_rate]
rate = "100 MB/s"

[processor]
logical_processors = 4
run_to_run = "0 %"

[compression]
ratio = 3.0
rate = "100 MB/s"
variability = 0.0

[backup]
stripes = ["target"]
buffer_count = 1

[engine]
start = "0 s"
finish = "0 s"

[verify]
enabled = false
`;

/** Three stages that are equally fast on average. */
const UNEVEN_LINE = `# Reading, compressing and writing take 500 MB/s on average; none is regular.
title = "Three equal stages, uneven work (made up)"
source = "${MADE_UP}"

[database]
name = "Lesson"

[volume.data]
device = "source"
size = "10 GB"

[device.source]
run_to_run = "0 %"

[device.source.fixed_rate]
rate = "500 MB/s"
variability = 0.5

[device.target]
run_to_run = "0 %"

[device.target.fixed_rate]
rate = "500 MB/s"
variability = 0.5

[processor]
logical_processors = 1
run_to_run = "0 %"

[compression]
ratio = 1.0 # nothing gets smaller, so that all three have the same to do
rate = "500 MB/s"
variability = 0.5

[backup]
stripes = ["target"]
compression = true
buffer_count = 2

[engine]
start = "0 s"
finish = "0 s"

[verify]
enabled = false
`;

const OBJECT_STORE = `# One bucket behind a network, with a ceiling for each file. The simulation
# treats it as a share; limits on the number of blocks are not in it.
title = "Object store (uncalibrated template)"
source = "Round figures typical of such stores; no measured run stands behind them"

[volume.data]
device = "ssd"
size = "200 GB"

[device.ssd.solid_state]
read_rate = "2000 MB/s" # assumption
write_rate = "1000 MB/s" # assumption

[device.internet.link]
rate = "1100 MB/s" # assumption: 10 Gbit/s
per_connection = "60 MB/s" # assumption: what one blob takes
round_trip = "15 ms" # assumption: to the store and back

[device.bucket]
via = ["internet"]

[device.bucket.fixed_rate]
rate = "5000 MB/s" # assumption: behind its front the store is not the limit
variability = 1.0 # assumption: others use it as well

[processor]
logical_processors = 16

[compression]
ratio = 3.0

[backup]
stripes = ["bucket"]
compression = true
transfer_size = "4 MiB"
`;

const TAPE = `# A tape drive as a device that takes a steady stream. That a tape which is
# not fed must stop and turn back is not in the simulation.
title = "Tape-like device (uncalibrated template)"
source = "Round figures: a drive that takes 300 MB/s; no measured run stands behind them"

[volume.data]
device = "disk"
size = "500 GB"

[device.disk.solid_state]
read_rate = "540 MB/s" # assumption: one SATA solid state drive
write_rate = "520 MB/s"

[device.tape.fixed_rate]
rate = "300 MB/s" # assumption: what a drive writes without compressing by itself

[processor]
logical_processors = 8

[compression]
ratio = 3.0

[backup]
stripes = ["tape"]
`;

const TEMPLATES = {
  "equal-disks": EQUAL_DISKS,
  "uneven-line": UNEVEN_LINE,
  "object-store": OBJECT_STORE,
  "tape-like": TAPE,
};
