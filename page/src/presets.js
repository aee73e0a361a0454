// Starting points of the sandbox: every row of both articles with what was measured, and templates.
// Durations are those of the articles, in seconds; rows of the first have a sharper one in their
// published throughput, which is not used here.

const NVME = "nvme-knob-matrix";
const USB = "usb3-laptop";

const article = (scenario, rows) =>
  rows.map(([variant, label, backup, verify, total]) => ({
    name: `${scenario}:${variant}`,
    label: `${variant}  ${label}`,
    measured: { backup, verify, total },
  }));

const PRESET_GROUPS = [
  {
    label: "Article 1: one NVMe drive",
    presets: article(NVME, [
      ["1", "no compression", 22.9],
      ["2", "compression", 8.2],
      ["3", "compression, 64 buffers", 7.3],
      ["4", "compression, 256 buffers", 6.7],
      ["5", "compression, 4 MB transfers", 8.0],
      ["6", "compression, 64 buffers, 4 MB transfers", 6.4],
      ["7", "compression, 64 KB blocks", 11.0],
      ["8", "compression, four files", 9.2],
      ["9", "compression, four files, 64 buffers, 4 MB transfers", 8.1],
      ["2025-best", "as 6, on SQL Server 2025", 5.4],
    ]),
  },
  {
    label: "Article 2: a laptop with USB disks",
    presets: article(USB, [
      ["same-drive", "disk 1 to itself, uncompressed", undefined, undefined, 315],
      ["1.1", "disk 1 to disk 2, uncompressed", 95, 88, 183],
      ["1.2", "disk 1 to disk 2, compressed", 91, 23, 114],
      ["1.3", "disk 1 to disks 2 and 3, compressed", 89, 13, 102],
      ["1.4", "disk 1 to the SSD, compressed, four files", 85, 6, 91],
      ["2.1", "SSD to disk 2, uncompressed", 78, 73, 151],
      ["2.2", "SSD to three disks, uncompressed", 25, 25, 50],
      ["2.3", "SSD to disk 2, compressed", 21, 22, 43],
      ["2.4", "SSD to three disks, compressed", 23, 9, 32],
    ]),
  },
  {
    label: "Other measured machines",
    presets: [
      ...article("multifile-nvme-2020", [
        ["1", "one file, four NVMe volumes to one", 546],
        ["3", "four files on one NVMe volume", 306],
        ["8", "eight files on four NVMe volumes", 180],
      ]),
      ...article("share-files", [
        ["1", "one file on a share", 1983.023],
        ["4", "ten files on a share", 1237.149],
      ]),
    ],
  },
  {
    label: "Templates (not calibrated)",
    presets: [
      { name: "san-to-share-10gbe", label: "share: storage array over 10 GbE" },
      { name: "object-store", label: "object store" },
      { name: "tape-like", label: "tape-like device" },
      { name: "disk-to-usb-disk", label: "SATA SSD to one USB disk" },
      { name: "four-volumes-nvme", label: "four NVMe volumes to four others" },
      { name: "cloud-capped-disks", label: "cloud server with capped disks" },
      { name: "equal-disks", label: "two equal disks (made up)" },
      { name: "uneven-line", label: "three equal stages, uneven work (made up)" },
    ],
  },
];

const PRESETS = PRESET_GROUPS.flatMap((group) => group.presets);

/** What was measured of a scenario as it stands; nothing once a knob is turned. */
const measuredOf = (name) => PRESETS.find((preset) => preset.name === name)?.measured ?? {};
