#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts a fault into optimized texts and looks at what the search makes of it.

The fault has to be found in a kernel that has what the fault changes, the kernel
that is kept has to be small, with a short recipe and one size, and it must fail again.
Without the fault, too few cases have to be a failure, and as many as wanted none.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SEARCH = pathlib.Path(__file__).with_name("run.py")


def fail(message, text=""):
    print(f"check_shrink: {message}\n{text}")
    sys.exit(1)


def search(options, keep, *arguments):
    command = [sys.executable, str(SEARCH), "--clopt", options.clopt, "--clopt-rt", options.clopt_rt,
               "--oclgrind", options.oclgrind, "--plugins=", "--extra=", "--family", "affine", "--keep", keep, "--jobs", "1", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def statements(text):
    """The lines that are neither ids nor their bounds, of which there are as many as dimensions."""
    body = text[text.index(") {") + 3:]
    lines = [line.strip() for line in body.splitlines() if line.strip() not in ("", "}")]
    return [line for line in lines if "get_global_id(" not in line and not line.endswith(") return;")]


def checkKept(folder):
    source = (folder / "fuzz.cl").read_text()
    lines = statements(source)
    if len(lines) > 8:
        fail(f"{folder.name}: {len(lines)} lines are left", source)
    if not any(re.match(r"s\d+ [+-]= ", line) for line in lines):
        fail(f"{folder.name}: what the fault changes is gone", source)
    recipe = folder / "recipe"
    steps = [l for l in recipe.read_text().splitlines() if not l.startswith("kernel")] if recipe.exists() else []
    if len(steps) > 2:
        fail(f"{folder.name}: {len(steps)} steps are left", "\n".join(steps))
    why = (folder / "why.txt").read_text()
    if not why.startswith("differs\n"):
        fail(f"{folder.name}: another failure", why)
    if not re.search(r"--sizes=n=\d+ ", why):
        fail(f"{folder.name}: more than one size is left", why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--clopt-rt", required=True)
    parser.add_argument("--oclgrind", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clopt-shrink-") as keep:
        common = ["--first", "5", "--seeds", "1", "--kernels", "4", "--sizes", "3,8"]
        status, text = search(options, keep, *common, "--targets", "generic-gpu", "--inject", "sum")
        # A plan names the text that it was written for, so a text with a fault is refused as such; and
        # Oclgrind counts the local memory of all kernels of a program for each of them.
        kept = sorted(p for p in pathlib.Path(keep).iterdir() if p.is_dir() and "-plan-" not in p.name)
        if status != 1 or "FAIL seed 5" not in text or not kept:
            fail("the fault is not found", text)
        for folder in kept:
            checkKept(folder)
        print(f"{len(kept)} failures, all small")
    with tempfile.TemporaryDirectory(prefix="clopt-shrink-") as keep:
        common = ["--first", "3", "--seeds", "1", "--kernels", "3", "--targets", "cpu", "--sizes", "3"]
        for arguments, wanted in ((["--cases", "1"], 0), (["--cases", "100"], 1), (["--changed", "1.1"], 1)):
            status, text = search(options, keep, *common, *arguments)
            if status != wanted or ("fewer cases than wanted" in text) != bool(wanted):
                fail(f"{' '.join(arguments)}: exit status {status}", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
