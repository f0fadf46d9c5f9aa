#!/usr/bin/env python3
"""Measures how long clopt takes, and how much memory.

    test/bench/compile-time.py --clopt build/bin/clopt [--runs N] [--json FILE]

Whole processes are measured, from start to exit: every example, and generated kernels
(generate.py) of several sizes. Nothing here passes or fails; docs/internals/bench.md says
how to read the tables.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from generate import SHAPES

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TARGETS = ("cpu", "generic-gpu")


class Process:
    """One finished process: seconds on the clock and on processors, peak memory in MB."""

    def __init__(self, command, limit):
        start = time.monotonic()
        child = subprocess.Popen(
            ["timeout", str(limit)] + command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.messages = child.stderr.read().decode(errors="replace")
        child.stderr.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - start
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.exit = child.returncode


def measure(options, kernel, target, runs):
    """Medians over `runs` runs, and what became of the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.cl")
        command = [options.clopt, kernel, "--target=" + target, "-o", output]
        command.append("-Rpass-missed=.*")
        done = [Process(command, options.limit) for _ in range(runs)]
        last = done[-1]
        if last.exit == 124:
            outcome = "over the limit"
        elif last.exit:
            outcome = f"exit {last.exit}"
        elif "clopt-budget" in last.messages:
            outcome = "budget"
        else:
            with open(kernel, "rb") as before, open(output, "rb") as after:
                outcome = "same" if before.read() == after.read() else "optimized"
    return {
        "target": target,
        "wall_s": round(statistics.median(p.wall for p in done), 4),
        "processor_s": round(statistics.median(p.processor for p in done), 4),
        "memory_mb": round(max(p.memory for p in done), 1),
        "outcome": outcome,
    }


def examples():
    folder = os.path.join(ROOT, "examples")
    for name in sorted(os.listdir(folder)):
        kernel = os.path.join(folder, name, name + ".cl")
        if os.path.exists(kernel):
            yield name, kernel


def show(cells, widths):
    line = "".join(
        cell.ljust(width) if width > 0 else cell.rjust(-width)
        for cell, width in zip(cells, widths)
    )
    print(line.rstrip(), flush=True)


def measure_examples(options):
    widths = (16, 14, -10, -12, -12, 0)
    show(("example", "target", "wall s", "processor s", "memory MB"), widths)
    rows = []
    for name, kernel in examples():
        for target in TARGETS:
            row = {"name": name, **measure(options, kernel, target, options.runs)}
            rows.append(row)
            show(
                (name, target, f"{row['wall_s']:.3f}", f"{row['processor_s']:.3f}",
                 f"{row['memory_mb']:.0f}"),
                widths,
            )
    return rows


def measure_generated(options):
    widths = (12, 14, -12, -10, -12, -12, -10)
    print()
    show(("shape", "target", "statements", "wall s", "processor s", "memory MB",
          "growth", ""), widths + (0,))
    rows = []
    for shape, generate in SHAPES.items():
        for target in TARGETS:
            before = None
            for count in options.statements:
                with tempfile.TemporaryDirectory() as folder:
                    kernel = os.path.join(folder, shape + ".cl")
                    with open(kernel, "w", encoding="utf-8") as file:
                        file.write(generate(count))
                    row = measure(options, kernel, target, options.generated_runs)
                row = {"shape": shape, "statements": count, **row}
                row["growth"] = (
                    round(row["processor_s"] / before, 2) if before else None
                )
                before = row["processor_s"]
                rows.append(row)
                growth = f"{row['growth']:.1f}x" if row["growth"] else ""
                show(
                    (shape, target, str(count), f"{row['wall_s']:.3f}",
                     f"{row['processor_s']:.3f}", f"{row['memory_mb']:.0f}", growth,
                     "  " + row["outcome"]),
                    widths + (0,),
                )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--clopt", default=os.path.join(ROOT, "build/bin/clopt"))
    parser.add_argument("--runs", type=int, default=5, help="runs of each example")
    parser.add_argument("--generated-runs", type=int, default=1,
                        help="runs of each generated kernel")
    parser.add_argument("--statements", default="10,100,1000",
                        type=lambda text: [int(n) for n in text.split(",")],
                        help="sizes of the generated kernels")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one run")
    parser.add_argument("--json", help="also write the measurements to this file")
    options = parser.parse_args()
    if not os.access(options.clopt, os.X_OK):
        sys.exit(f"error: {options.clopt} cannot be run; give --clopt")
    result = {"examples": measure_examples(options),
              "generated": measure_generated(options)}
    slowest = max(row["wall_s"] for row in result["examples"])
    largest = max(row["memory_mb"] for rows in result.values() for row in rows)
    print(f"\nslowest example {slowest:.3f} s, largest process {largest:.0f} MB")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


main()
