"""Runs bakcast and hands back its JSON. All that the notebooks know of bakcast comes from here.

The program is taken from the variable BAKCAST, else from `target/release` of this checkout (or of
CARGO_TARGET_DIR), else from the path.
"""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What notebooks write; not kept.
SCRATCH = "notebooks/scratch"
# A stated requirement that is not met is an answer as well.
ANSWERS = (0, 4)

# Told apart with any colour vision, and in print (Okabe and Ito).
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#8A8A8A"


class Failed(Exception):
    """bakcast gave no answer; the text is what it said."""


def program():
    """Where bakcast is."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    built = ROOT / target / "release" / "bakcast"
    named = os.environ.get("BAKCAST") or (str(built) if built.is_file() else "bakcast")
    found = shutil.which(named)
    if not found:
        raise Failed(f"no program `{named}`: run `cargo build --release`, or set BAKCAST to its path")
    return found


def run(*arguments, show=True):
    """Runs a command of bakcast at the root of the repository; its JSON document as a dict."""
    arguments = [str(argument) for argument in arguments]
    if show:
        print("$ bakcast", shlex.join(arguments))
    (ROOT / SCRATCH).mkdir(exist_ok=True)
    command = [program(), *arguments, "--format", "json", "--quiet"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode not in ANSWERS:
        raise Failed(ended.stderr.strip() or f"bakcast ended with code {ended.returncode}")
    return json.loads(ended.stdout)


def clock(seconds):
    """A duration as people read it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s"
