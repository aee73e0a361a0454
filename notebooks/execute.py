"""Executes the notebooks and compares what comes out with what is committed.

    execute.py [--update] [NOTEBOOK...]

Text must be the same byte for byte, pictures must be there and about as large: fonts are drawn
a little differently elsewhere. `--update` writes what came out instead. Metadata that would differ
from run to run are never written, so that a rerun leaves no difference.
"""

import argparse
import base64
import os
import struct
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).resolve().parent
# Written in another language, executed elsewhere: see README.md.
KERNEL = "python3"
# A picture may be this much larger or smaller, in pixels of a side and in bytes.
PIXELS, BYTES = 0.05, 0.5


def written(path):
    """The notebook as it is committed."""
    return nbformat.read(path, as_version=4)


def normal(notebook):
    """Without what differs from run to run."""
    kernel = notebook.metadata.get("kernelspec", {})
    language = notebook.metadata.get("language_info", {}).get("name", "python")
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": dict(kernel), "language_info": {"name": language}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number:02}"
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
            if "metadata" in output:
                output.metadata = nbformat.from_dict({})
    return notebook


def text_of(notebook):
    """The notebook as a file."""
    return nbformat.writes(normal(notebook)) + "\n"


def execute(path):
    """The notebook with the outputs of now, and the seconds they took."""
    begun = time.monotonic()
    notebook = written(path)
    folder = {"metadata": {"path": str(HERE)}}
    NotebookClient(
        notebook,
        timeout=170,
        kernel_name=KERNEL,
        resources=folder,
        coalesce_streams=True,
        # It warns of what is no concern on one machine.
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()
    return normal(notebook), time.monotonic() - begun


def try_to_execute(path):
    """As `execute`, or what went wrong as text."""
    try:
        return execute(path)
    except CellExecutionError as error:
        return str(error), 0.0


def picture(encoded):
    """Width, height and bytes of a PNG."""
    data = base64.b64decode(encoded)
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    return (*struct.unpack(">II", data[16:24]), len(data))


def about_equal(one, other):
    """Whether two pictures are about as large."""
    shares = [abs(a / b - 1) for a, b in zip(picture(one), picture(other))]
    return max(shares[:2]) <= PIXELS and shares[2] <= BYTES


def different_output(old, new):
    """What is different in an output, or None."""
    pictures = [dict(output.get("data", {})).pop("image/png", None) for output in (old, new)]
    if (pictures[0] is None) != (pictures[1] is None):
        return "a picture is missing, or new"
    if pictures[0] and not about_equal(*pictures):
        return f"the picture is of another size: {picture(pictures[0])}, {picture(pictures[1])}"
    plain = []
    for output in (old, new):
        output = nbformat.from_dict(output)
        if pictures[0]:
            del output["data"]["image/png"]
        plain.append(output)
    if plain[0] != plain[1]:
        return f"committed:\n{plain[0]}\nnow:\n{plain[1]}"
    return None


def differences(old, new):
    """What is different in two notebooks, cell by cell."""
    found = []
    for number, (before, after) in enumerate(zip(old.cells, new.cells), start=1):
        if before.cell_type != "code":
            continue
        if len(before.outputs) != len(after.outputs):
            found.append(f"cell {number}: {len(before.outputs)} outputs, now {len(after.outputs)}")
            continue
        for one, other in zip(before.outputs, after.outputs):
            different = different_output(one, other)
            if different:
                found.append(f"cell {number}: {different}")
    return found


def judge(path, result, update):
    """Whether a notebook is as it should be; says what is not."""
    new, seconds = result
    if isinstance(new, str):
        print(f"{path.name}: failed\n{new}")
        return False
    wrong = [] if update else differences(written(path), new)
    if not update and path.read_text(encoding="utf-8") != text_of(written(path)):
        wrong.append("its form is not that of `check --update`")
    if update:
        path.write_text(text_of(new), encoding="utf-8")
    print(f"{path.name}: {seconds:.1f} s" + "".join(f"\n  {line}" for line in wrong))
    return not wrong


def main():
    """Executes all notebooks of the folder, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the outputs of now")
    parser.add_argument("notebooks", nargs="*", type=Path, help="absent: all")
    options = parser.parse_args()
    paths = options.notebooks or sorted(HERE.glob("*.ipynb"))
    ours = [path for path in paths if written(path).metadata.kernelspec.name == KERNEL]
    if not ours:
        sys.exit("no notebook to execute")
    begun = time.monotonic()
    # One kernel a processor: they use as many threads as there are by themselves.
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        good = [judge(p, r, options.update) for p, r in zip(ours, pool.map(try_to_execute, ours))]
    print(f"{len(good)} notebooks, {time.monotonic() - begun:.1f} s")
    if not all(good):
        print("if that is right: notebooks/check --update, and look at the difference")
        sys.exit(1)


if __name__ == "__main__":
    main()
