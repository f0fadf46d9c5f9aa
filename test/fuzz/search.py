#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares many random affine kernels with what clopt makes of them.

A case is one kernel under one planner target or one random recipe, of which the
refused steps are left out. Each distinct text that clopt writes is run beside the
original at every size, under Oclgrind (--oclgrind; it also sees races, and needs a
seventh of the time to compile) or on an OpenCL device. A failing case is shrunk and
kept. Files hold several kernels, because tools take longer to start than to work,
and several processes work on seeds in turn, until there are as many cases as wanted.

Exit status: 0 when nothing differs, and as many cases as wanted were tried and changed.
"""

import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import affine  # noqa: E402
import run  # noqa: E402

# What --inject does to the optimized text, to see that a fault is found and shrunk.
FAULTS = {
    # Sums that are kept over a loop lose their sign.
    "sum": (re.compile(r"^(\s*s\d+\w* )\+= ", re.M), r"\1-= "),
    # Loops that begin at 0 begin at 1.
    "first": (re.compile(r"(for \(int \w+ = )0;"), r"\g<1>1;"),
}

RECIPE_SOURCE = pathlib.Path(__file__).resolve().parents[2] / "lib/Support/Recipe.cpp"


def knownSteps():
    """The names of all steps, from the one place where clopt has them."""
    text = RECIPE_SOURCE.read_text()
    body = text[text.index("isStepName("):]
    return set(re.findall(r'"([\w-]+)"', body[:body.index("return")]))


class Tester(run.Tester):
    def write(self, kernels, name="fuzz.cl"):
        """Vectors contract other multiplications than scalars may: bits are compared without."""
        source, spec = super().write(kernels, name)
        text = open(source).read()
        with open(source, "w") as file:
            file.write("#pragma OPENCL FP_CONTRACT OFF\n" + text)
        return source, spec

    def clopt(self, source, target, mode, recipe=None):
        arguments = [self.options.clopt] + mode.arguments + self.options.extra
        if recipe is not None:
            arguments += ["--skip-refused", "--recipe=" + recipe]
        return self.command(arguments + [source, "-o", target])

    def optimize(self, source, mode, recipe):
        first = self.path("first.cl")
        if os.path.exists(first):
            os.remove(first)
        status, _, errors = self.clopt(source, first, mode, recipe)
        if status != 0:
            kind = "internal error" if "internal error" in errors else "rejected" if status == 1 else "crash"
            return None, (kind, f"clopt ends with {status}: {errors[-1500:]}")
        text = open(first).read()
        if self.options.inject:
            pattern, replacement = FAULTS[self.options.inject]
            text = self.corrupt(text, kernelNames(open(source).read()), pattern, replacement)
            with open(first, "w") as file:
                file.write(text)
        return text, None

    def corrupt(self, text, names, pattern, replacement):
        """The fault, in what clopt wrote: up to the author's body, which is still behind it."""
        for name in names:
            at = text.find(f"void {name}(")
            end = text.find("        return;\n    }\n", at)
            if "// Optimized by clopt" in text[at:text.find("\n}\n", at)] and end >= 0:
                text = text[:at] + pattern.sub(replacement, text[at:end]) + text[end:]
        return text


def kernelNames(text):
    return re.findall(r"__kernel void (\w+)\(", text)


def body(kernel, text):
    at = text.find(f"void {kernel.name}(")
    return text[at:text.find("\n}\n", at)]


def modesOf(kernels, options, rng):
    modes = [run.Mode(target, ["--target=" + target, "--every-launch"]) for target in options.targets]
    for index in range(options.recipes):
        lines = {k.name: affine.Recipes(rng, k, options.known).make() for k in kernels}
        modes.append(run.Mode(f"recipe{index}", ["--target=generic-gpu"], lines))
    return modes


class Seed:
    """The cases of one seed."""

    def __init__(self, tester, seed, options):
        self.tester, self.seed, self.options = tester, seed, options
        self.counts = collections.Counter()
        self.reports = []

    def run(self):
        rng = random.Random(f"search-{self.seed}")
        kernels = [affine.makeKernel(self.seed, i) for i in range(self.options.kernels)]
        sizes = sorted(rng.sample(self.options.sizes, min(3, len(self.options.sizes))))
        seen = {kernel.name: set() for kernel in kernels}
        for mode in modesOf(kernels, self.options, rng):
            self.tryMode(kernels, mode, sizes, seen)
        return self

    def tryMode(self, kernels, mode, sizes, seen):
        source, _ = self.tester.write(kernels)
        recipe = self.tester.writeRecipe(kernels, mode.recipe) if mode.recipe is not None else None
        text, failure = self.tester.optimize(source, mode, recipe)
        if failure:
            self.isolate(kernels, mode, sizes)
            return
        original = open(source).read()
        fresh = []
        for kernel in kernels:
            after = body(kernel, text)
            if after in seen[kernel.name]:
                continue  # this text was another case
            seen[kernel.name].add(after)
            self.counts["cases"] += 1
            if after != body(kernel, original):
                self.counts["changed"] += 1
                self.counts["local"] += "__local" in after
                fresh.append(kernel)
        if fresh and self.compare(fresh, sizes):
            self.isolate(fresh, mode, sizes)

    def compare(self, kernels, sizes):
        spec = self.tester.path("fuzz.launch.json")
        with open(spec, "w") as file:
            json.dump([{"General": {"FormatVersion": 1}, "KernelSpecification": k.spec} for k in kernels], file)
        return self.tester.verify(self.tester.path("fuzz.cl"), spec, sizes)

    def isolate(self, kernels, mode, sizes):
        broken = 0
        for kernel in kernels:
            own = mode
            if mode.recipe is not None:
                own = run.Mode(mode.name, mode.arguments, {kernel.name: mode.recipe[kernel.name]})
            failures, _ = self.tester.test([kernel], own, sizes)
            if failures:
                broken += 1
                self.report(kernel, own, sizes, failures[0])
        if not broken:
            self.counts["failures"] += 1
            self.reports.append(f"seed {self.seed} {mode.name}: fails only together with others")

    def report(self, kernel, mode, sizes, failure):
        self.counts["failures"] += 1
        _, kind, message = failure
        if self.options.shrink:
            kernel, mode, sizes = self.tester.shrink(kernel, mode, sizes, kind)
            again = [f for f in self.tester.test([kernel], mode, sizes)[0] if f[1] == kind]
            message = again[0][2] if again else message
        folder = self.tester.keep(kernel, mode, sizes, kind, message, self.seed)
        lines = [line for line in message.splitlines() if "error" in line] or message.splitlines() or [""]
        self.reports.append(f"FAIL seed {self.seed} {kernel.name} {mode.name}: {kind}: {lines[0][:300]}\n  kept in {folder}")


def work(job):
    seed, options = job
    tester = Tester(options)
    try:
        done = Seed(tester, seed, options).run()
    finally:
        run.removeFolder(tester.folder)
    done.counts["blamed"] = len(tester.blamed)
    return seed, done.counts, done.reports + tester.blamed


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
    parser.add_argument("--targets", default="cpu,generic-gpu,nvidia-hopper")
    parser.add_argument("--recipes", type=int, default=5, help="random ones per seed")
    parser.add_argument("--sizes", default="1,2,3,5,8,11,17")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", type=int, default=0, help="as many have to be tried")
    parser.add_argument("--changed", type=float, default=0, help="fail when a smaller share of them was changed")
    parser.add_argument("--inject", choices=sorted(FAULTS), help="a fault for the optimized text: all has to fail")
    parser.add_argument("--extra", default="", help="more options of clopt, with commas")
    parser.add_argument("--keep", default="fuzz-failures", help="folder for failing cases")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--shrink-seconds", type=float, default=60)
    options = parser.parse_args()
    options.targets = [t for t in options.targets.split(",") if t]
    options.extra = [e for e in options.extra.split(",") if e]
    options.sizes = [int(s) for s in options.sizes.split(",")]
    options.plugins = [p for p in options.plugins.split(",") if p]
    options.verify, options.idempotent = True, False
    options.seeds = options.seeds or (options.cases if options.cases else 10)
    options.known = knownSteps()
    options.start = time.time()
    missing = options.known - set(affine.STEPS)
    if missing:
        parser.error("affine.py makes no line for the step " + ", ".join(sorted(missing)))
    return options


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
            if options.cases and totals["cases"] >= options.cases:
                pool.terminate()
                break
    share = totals["changed"] / max(totals["cases"], 1)
    print(f"{totals['cases']} cases, {totals['changed']} changed ({100 * share:.0f} %), "
          f"{totals['local']} with local memory, {totals['failures']} failures")
    if totals["blamed"]:
        print(f"{totals['blamed']} differences are the device's: {run.BLAME}")
    enough = totals["cases"] >= options.cases and share >= options.changed
    if not enough:
        print("fewer cases than wanted")
    tooMany = totals["blamed"] > run.MOST_BLAMED
    return 0 if enough and not totals["failures"] and not tooMany else 1


if __name__ == "__main__":
    sys.exit(main())
