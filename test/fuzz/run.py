#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares many random kernels with what clopt makes of them.

A case is one kernel in one mode: half of the modes are random recipes, of which the
refused steps are left out, a quarter launch plans (of the planner, or of recipes with
converted buffers), the others the planner for one of six targets. Every text that
clopt writes is compared by its validator, every eighth with --verify-each; that of every
fourth mode also runs beside the original on an OpenCL device (or under Oclgrind, --oclgrind, which sees races and
wrong accesses), built with the flags clopt saw and with others where the kernel
depends on them. A failing case is shrunk and kept.

    run.py --clopt .../clopt --clopt-rt .../clopt-rt --cases 20000

Files hold several kernels, because tools take longer to start than to work; processes
(--jobs) work on seeds in turn until there are as many cases as wanted. A seed gives
the same kernels, recipes and sizes everywhere.

Exit status: 0 when nothing differs, and as many cases as wanted were tried and changed.
"""

import argparse
import collections
import multiprocessing
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import affine  # noqa: E402
import generate  # noqa: E402
import groups  # noqa: E402
import recipes  # noqa: E402
import tester  # noqa: E402

FAMILIES = {"forms": generate.makeKernel, "affine": affine.makeKernel, "groups": groups.makeKernel}
MIX = ["forms"] * 5 + ["affine"] * 3 + ["groups"] * 2
TARGETS = ["cpu", "generic-gpu", "nvidia-hopper", "amd-cdna", "amd-cypress", "mali-midgard"]
MOST_BLAMED = 0.02  # of the modes on a device; more of them are a reason to look
MOST_ALIKE = 3  # failures with the same message that are shrunk


def makeKernels(seed, options):
    rng = random.Random(f"mix-{seed}")
    mix = [options.family] if options.family else MIX
    return [FAMILIES[rng.choice(mix)](seed, index) for index in range(options.kernels)]


def modesOf(kernels, options, rng):
    """Two recipes, a plan and a target, in any order."""
    targets = [rng.choice(options.targets) for _ in range(4)]
    modes = []
    for index in range(2):
        lines = {k.name: recipes.Recipes(rng, k).make() for k in kernels}
        modes.append(tester.Mode(f"recipe{index}", ["--target=" + targets[index]], lines))
    if rng.random() < 0.5:
        lines = {k.name: recipes.Recipes(rng, k).copies() for k in kernels}
        modes.append(tester.Mode("recipe-plan", ["--target=" + targets[2]], lines, isPlan=True))
    else:
        modes.append(tester.Mode(f"plan-{targets[2]}", ["--target=" + targets[2], "--every-launch"], isPlan=True))
    alias = rng.choice(["check"] * 6 + ["strict"])
    modes.append(tester.Mode(targets[3], ["--target=" + targets[3], "--every-launch", "--alias=" + alias]))
    rng.shuffle(modes)
    return modes


class Seed:
    """The cases of one seed."""

    def __init__(self, seed, options):
        self.tester, self.seed, self.options = tester.Tester(options), seed, options
        self.counts = collections.Counter()
        self.failures = []  # (kernel, mode, sizes, kind, message)
        self.reports = []

    def run(self):
        rng = random.Random(f"run-{self.seed}")
        kernels = makeKernels(self.seed, self.options)
        sizes = sorted(rng.sample(self.options.sizes, min(self.options.sizes_per_seed, len(self.options.sizes))))
        seen = {kernel.name: set() for kernel in kernels}
        if self.options.originals:
            self.counts["cases"] += len(kernels)
            for _, kind, message in self.tester.compareOriginals(kernels, sizes):
                self.counts["failures"] += 1
                self.reports.append(f"FAIL seed {self.seed} original: {kind}: {message[:1500]}")
            return self
        for index, mode in enumerate(modesOf(kernels, self.options, rng)):
            mode.isFull = (self.seed + index) % 8 == 1 and not self.options.inject
            onDevice = bool(self.options.inject) or (self.seed + index) % self.options.every == 0
            self.tryMode(kernels, mode, sizes, seen, onDevice, (self.seed + index) % 16 == 3)
        return self

    def tryMode(self, kernels, mode, sizes, seen, onDevice, isTwice):
        failures, text = self.tester.test(kernels, mode, sizes, onDevice, isTwice)
        self.counts["device"] += onDevice
        if failures:
            self.isolate(kernels, mode, sizes, failures[0], onDevice, isTwice)
        if text is None:
            self.counts["cases"] += len(kernels)
            return
        self.note()
        original = open(self.tester.path("fuzz.cl")).read()
        for kernel in kernels:
            after = tester.body(kernel, text)
            if after in seen[kernel.name]:
                continue  # this text was another case
            seen[kernel.name].add(after)
            self.counts["cases"] += 1
            self.counts["changed"] += after != tester.body(kernel, original)
            self.counts["local"] += "__local" in after

    def note(self):
        """What the validator did: kernels compared, and why others were not."""
        for line in re.findall(r"remark: validated (.*)", self.tester.notes):
            isCompared = not line.startswith("in 0 launches")
            self.counts["validated"] += isCompared
            for reason in [] if isCompared else re.findall(r"not compared: ([^;\[]*)", line):
                self.counts["not validated: " + reason.strip()] += 1

    def isolate(self, kernels, mode, sizes, failure, onDevice, isTwice):
        broken = 0
        for kernel in kernels:
            found, _ = self.tester.test([kernel], mode.alone(kernel), sizes, onDevice, isTwice)
            if found:
                broken += 1
                self.report(kernel, mode.alone(kernel), sizes, found[0])
        if not broken and failure[1] != "timeout":
            self.counts["failures"] += 1
            self.reports.append(f"FAIL seed {self.seed} {mode.name}: fails only together with others: {failure[1]}: {failure[2][:600]}")

    def report(self, kernel, mode, sizes, failure):
        self.counts["failures"] += 1
        _, kind, message = failure
        if self.options.shrink and alike(self.options, kind, message) < MOST_ALIKE:
            kernel, mode, sizes = self.tester.shrink(kernel, mode, sizes, kind)
            again = [f for f in self.tester.test([kernel], mode, sizes, True)[0] if f[1] == kind]
            message = again[0][2] if again else message
        folder = self.tester.keep(kernel, mode, sizes, kind, message, self.seed)
        self.reports.append(f"FAIL seed {self.seed} {kernel.name} {mode.name}: {kind}: {gist(message)[:300]}\n  kept in {folder}")


def gist(message):
    lines = message.splitlines() or [""]
    return next((line for line in lines if re.search("error|defect", line)), lines[0])


def alike(options, kind, message):
    """How many failures looked like this one before, in all processes."""
    text = re.sub(r"\d+", "0", re.sub(r"'[^']*'", "''", gist(message)))[:200]
    name = os.path.join(options.keep, ".alike")
    os.makedirs(options.keep, exist_ok=True)
    lines = open(name).read().splitlines() if os.path.exists(name) else []
    line = f"{kind}: {text}"
    with open(name, "a") as file:
        file.write(line + "\n")
    return 0 if kind == "differs" else lines.count(line)


def work(job):
    seed, options = job
    done = Seed(seed, options)
    try:
        done.run()
    finally:
        done.tester.end()
    done.counts["blamed"] = len(done.tester.blamed)
    return seed, done.counts, done.reports + done.tester.blamed


def readOptions():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clopt", default="clopt")
    parser.add_argument("--clopt-rt", default="clopt-rt")
    parser.add_argument("--oclgrind", help="path of Oclgrind, to run under it and not on a device")
    parser.add_argument("--referee", help="path of Oclgrind, to decide where a device differs")
    parser.add_argument("--plugins", default="--uninitialized,--data-races", help="of Oclgrind")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=0, help="all of them; default: until --cases are reached")
    parser.add_argument("--kernels", type=int, default=8, help="per seed")
    parser.add_argument("--family", choices=sorted(FAMILIES), help="kernels of this generator only")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--every", type=int, default=4, help="which modes run on the device, too: every fourth")
    parser.add_argument("--as-built", action="store_true",
                        help="on the device, kernels without floating-point types also with optimizations of its compiler")
    parser.add_argument("--originals", action="store_true", help="only look whether the kernels are correct (with --oclgrind)")
    parser.add_argument("--sizes", default="1,2,3,5,8,11,17")
    parser.add_argument("--sizes-per-seed", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", type=int, default=0, help="as many have to be tried")
    parser.add_argument("--seconds", type=float, default=0, help="no more seeds after that time")
    parser.add_argument("--changed", type=float, default=0, help="fail when a smaller share of them was changed")
    parser.add_argument("--inject", choices=sorted(tester.FAULTS), help="a fault for the optimized text: all has to fail")
    parser.add_argument("--extra", default="", help="more options of clopt, with commas")
    parser.add_argument("--keep", default="fuzz-failures", help="folder for failing cases")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--shrink-seconds", type=float, default=60)
    options = parser.parse_args()
    options.targets = [t for t in options.targets.split(",") if t]
    options.extra = [e for e in options.extra.split(",") if e]
    options.sizes = [int(s) for s in options.sizes.split(",")]
    options.plugins = [p for p in options.plugins.split(",") if p]
    options.seeds = options.seeds or options.cases or (1000000 if options.seconds else 10)
    options.start = time.time()
    return options


def summarize(totals, options):
    """Prints what was done: the exit status."""
    share = totals["changed"] / max(totals["cases"], 1)
    print(f"{totals['cases']} cases, {totals['changed']} changed ({100 * share:.0f} %), {totals['local']} with local memory, "
          f"{totals['validated']} compared by the validator, {totals['device']} modes on a device, {totals['failures']} failures")
    for name in sorted(totals):
        if name.startswith("not validated"):
            print(f"  {totals[name]} {name}")
    if totals["blamed"]:
        print(f"{totals['blamed']} differences are the device's: {tester.BLAME}")
    enough = totals["cases"] >= options.cases and share >= options.changed
    if not enough:
        print("fewer cases than wanted")
    tooMany = totals["blamed"] > 3 + MOST_BLAMED * totals["device"]
    return 0 if enough and not totals["failures"] and not tooMany else 1


def main():
    options = readOptions()
    totals = collections.Counter()
    jobs = ((seed, options) for seed in range(options.first, options.first + options.seeds))
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, counts, reports in pool.imap(work, jobs):
            totals.update(counts)
            print(f"seed {seed}: {counts['cases']} cases, {counts['changed']} changed, "
                  f"{counts['failures']} failures ({time.time() - options.start:.0f} s)", flush=True)
            for report in reports:
                print("  " + report, flush=True)
            isLate = options.seconds and time.time() - options.start > options.seconds
            if isLate or (options.cases and totals["cases"] >= options.cases):
                pool.terminate()
                break
    return summarize(totals, options)


if __name__ == "__main__":
    sys.exit(main())
