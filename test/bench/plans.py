#!/usr/bin/env python3
"""What clopt decides for every example and run kernel, against what it decided before.

    test/bench/plans.py --clopt build/bin/clopt [--write] [--jobs N] [word ...]
    test/bench/plans.py --times DIR/results.json

test/bench/plans.json has, per source, kernel and target, the steps of the recipe, the clocks
that the placement predicts for the arrays where they were put, and the lines of the new
text. Without --write the differences are printed, with the changes of lines in sum: nothing
passes or fails, but what becomes worse belongs into the message of the change that does it.
Words choose sources whose names contain one of them.

With --times the results of tools/bench-sizes on an NVIDIA H100 (nvidia-hopper) are compared with
test/bench/h100.json: per kernel, the geometric mean of the original's time over that of the new
text, in launches with a group's size of more than 30 microseconds. Those that lost 3 % are named.
"""

import argparse
import concurrent.futures
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
KEPT = os.path.join(ROOT, "test", "bench", "plans.json")
KEPT_TIMES = os.path.join(ROOT, "test", "bench", "h100.json")
SHORTEST = 0.030  # ms
TARGETS = ("cpu", "generic-gpu", "nvidia-hopper", "amd-cdna", "amd-cypress", "mali-midgard")


def flags_of(path):
    """The flags of the launch specifications beside the source, but for those with sizes."""
    flags = []
    stem = os.path.splitext(path)[0]
    for name in sorted(glob.glob(stem + ".launch.json") + glob.glob(os.path.dirname(path) + "/*.launch.json")):
        if not name.startswith(stem) and "examples" not in name:
            continue
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        for part in document if isinstance(document, list) else [document]:
            kernels = part["KernelSpecification"]
            for kernel in kernels if isinstance(kernels, list) else [kernels]:
                flags += [f for f in kernel.get("CompilerOptions", []) if f not in flags and "${" not in f]
    return flags


def clocks_of(text):
    """Kernel -> the clocks of the memories that were chosen."""
    result, kernel = {}, None
    for line in text.splitlines():
        if match := re.match(r"kernel (\w+)", line):
            kernel = match[1]
            result[kernel] = 0
        elif match := re.match(r"  .* +(\d+)  yes", line):
            result[kernel] += int(match[1])
    return result


def plan(options, path, target):
    """Kernel -> what is kept of it, or the message of a failure."""
    with tempfile.TemporaryDirectory() as folder:
        report, output = os.path.join(folder, "report.json"), os.path.join(folder, "out.cl")
        command = [options.clopt, path, "--target=" + target, "-o", output, "--report=" + report,
                   "--dump-placement", "--", *flags_of(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return {"": {"failed": done.stderr.strip().splitlines()[0]}}
        with open(report, encoding="utf-8") as file:
            kernels = json.load(file)["inputs"][0]["kernels"]
        with open(output, encoding="utf-8") as file:
            lines = file.read().count("\n")
        clocks = clocks_of(done.stdout)
        result = {"": {"lines": lines}}
        for kernel in kernels:
            steps = [" ".join(line.split()) for line in kernel.get("recipe", "").splitlines() if line.strip()]
            result[kernel["name"]] = {"steps": steps, "clocks": clocks.get(kernel["name"], 0)}
        return result


def collect(options):
    paths = sorted(glob.glob(f"{ROOT}/examples/*/*.cl") + glob.glob(f"{ROOT}/test/run/kernels/*.cl"))
    if options.words:
        paths = [p for p in paths if any(word in os.path.basename(p) for word in options.words)]
    work = [(path, target) for path in paths for target in TARGETS]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda each: plan(options, *each), work))
    plans = {}
    for (path, target), kernels in zip(work, found):
        plans.setdefault(os.path.relpath(path, ROOT), {})[target] = kernels
    return plans


def compare(before, after):
    """Prints what differs; the number of differences."""
    count, old_lines, new_lines = 0, 0, 0
    for path, targets in sorted(after.items()):
        for target, kernels in targets.items():
            known = before.get(path, {}).get(target, {})
            old_lines += known.get("", {}).get("lines", 0)
            new_lines += kernels.get("", {}).get("lines", 0)
            for kernel, now in kernels.items():
                then = known.get(kernel)
                if then == now or (not kernel and "failed" not in {**now, **(then or {})}):
                    continue
                count += 1
                print(f"{path} {kernel} for {target}:")
                if then is None:
                    print("  is new")
                    continue
                for key in sorted({*then, *now}):
                    if then.get(key) == now.get(key):
                        continue
                    if key == "steps":
                        print("  steps were  " + "; ".join(then.get(key, [])))
                        print("  steps are   " + "; ".join(now.get(key, [])))
                    else:
                        print(f"  {key}: {then.get(key)} -> {now.get(key)}")
    print(f"{count} plans differ; {old_lines} lines were written, {new_lines} are")
    return count


def compare_times(path):
    """Prints the kernels that are slower than they were."""
    with open(path, encoding="utf-8") as file:
        rows = [r for r in json.load(file) if r.get("ratio") and r["originalMs"] > SHORTEST]
    with open(KEPT_TIMES, encoding="utf-8") as file:
        before = json.load(file)
    changes = []
    for kernel in sorted({row["kernel"] for row in rows} & set(before)):
        own = [r for r in rows if r["kernel"] == kernel]
        ratios = [r["ratio"] for r in own if "NULL" not in r["launch"]] or [r["ratio"] for r in own]
        now = math.exp(sum(map(math.log, ratios)) / len(ratios))
        changes.append(now / before[kernel]["ratio"])
        if changes[-1] < 0.97:
            print(f"{kernel}: {before[kernel]['ratio']:.2f} -> {now:.2f} in {len(ratios)} launches")
    if changes:
        mean = math.exp(sum(map(math.log, changes)) / len(changes))
        print(f"{len(changes)} kernels, geometric mean {mean:.3f} of what was kept")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--clopt", default=f"{ROOT}/build/bin/clopt")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="keep what is decided now")
    parser.add_argument("--times", metavar="FILE", help="results of tools/bench-sizes to compare")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    if options.times:
        return compare_times(options.times)
    plans = collect(options)
    before = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as file:
            before = json.load(file)
    compare(before, plans)
    if options.write:
        with open(KEPT, "w", encoding="utf-8") as file:
            json.dump({**before, **plans}, file, indent=0, sort_keys=True)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
