#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets of a build with CLOPT_FUZZERS, one after the other.

    search.py --build build-fuzz [--seconds 900] [source recipe profile plan spec]

The files of the repository are the first inputs. What is found lies in
<build>/findings/<target> and makes the exit status 1; what libFuzzer learns stays in
<build>/fuzzed/<target> for the next run. A finding that is mended belongs, made small
(clopt-fuzz-NAME -minimize_crash=1 FILE), into test/fuzz/libfuzzer/corpus/<target>.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

MOST_BYTES, MOST_SEEDS = 4000, 80
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SEEDS = {
    "source": ["examples/*/*.cl", "test/run/*/*.cl", "test/lit/**/*.cl"],
    "recipe": ["examples/*/*.recipe", "test/run/*/*.recipe", "test/lit/**/*.recipe"],
    "profile": ["lib/Target/devices/*.json", "test/run/*.json"],
    "plan": [],
    "spec": ["examples/*/*.launch.json", "test/run/*/*.launch.json"],
}


def makePlans(build, folder):
    """Plans are nowhere in the repository; clopt makes those of the examples."""
    for kernel in sorted(ROOT.glob("examples/*/*.cl")):
        for target in ("cpu", "generic-gpu"):
            plan = folder / f"{kernel.stem}.{target}.json"
            subprocess.run([build / "bin/clopt", kernel, "--target=" + target, "--dry-run",
                            f"--plan={plan}"], check=True, stdout=subprocess.DEVNULL)


def collect(target, build):
    """The smaller files, and no more than are looked at in a minute or two."""
    folder = build / "seeds" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = [path for pattern in SEEDS[target] for path in sorted(ROOT.glob(pattern))
             if path.stat().st_size <= MOST_BYTES]
    for path in paths[::1 + len(paths) // MOST_SEEDS]:
        shutil.copy(path, folder / "-".join(path.relative_to(ROOT).parts))
    if target == "plan":
        makePlans(build, folder)
    return folder


def search(target, build, seconds):
    """The number of findings."""
    learned, findings = build / "fuzzed" / target, build / "findings" / target
    for folder in (learned, findings):
        folder.mkdir(parents=True, exist_ok=True)
    kept = HERE / "corpus" / target
    subprocess.run(
        [build / f"bin/clopt-fuzz-{target}", learned, collect(target, build), kept,
         f"-max_total_time={seconds}", f"-artifact_prefix={findings}/", "-fork=1",
         "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1", "-timeout=300",
         "-rss_limit_mb=3000", f"-max_len={MOST_BYTES}", "-print_final_stats=1"],
        cwd=build, stdout=subprocess.DEVNULL, stderr=open(findings.with_suffix(".log"), "wb"))
    found = sorted(path.name for path in findings.iterdir())
    print(f"{target}: {len(found)} findings", *found, sep="\n  ", flush=True)
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=900, help="for each target")
    parser.add_argument("targets", nargs="*", metavar="target")
    options = parser.parse_args()
    unknown = set(options.targets) - set(SEEDS)
    if unknown:
        parser.error(f"no such target: {' '.join(sorted(unknown))}")
    # LLVM is not instrumented: containers that it fills are not annotated.
    os.environ["ASAN_OPTIONS"] = "detect_container_overflow=0:detect_leaks=0"
    build = options.build.resolve()
    counts = [search(t, build, options.seconds) for t in options.targets or SEEDS]
    sys.exit(1 if any(counts) else 0)


main()
