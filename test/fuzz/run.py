#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random kernels with what clopt makes of them.

For every seed a file of several kernels is optimized by the planner for two
devices and by random recipes. Each result must come out the same twice, must
not change when clopt sees it again, must compile, and must compute what the
original computes. A failing kernel is shrunk and kept.

Exit status: 0 when all is well, 1 when something differs.
"""

import argparse
import copy
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402
import groups  # noqa: E402

# PoCL 3.1 miscompiles some kernels with barriers. A difference counts unless the
# referee finds both texts equal there, and without a race or a wrong access.
BLAME = "Oclgrind shows both texts equal and free of races"
MEMORY = 8 << 30  # bytes; more than that is a failure, not the end of the machine
MOST_BLAMED = 3  # in one run; more of them are a reason to look


def limitMemory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def removeFolder(folder):
    shutil.rmtree(folder, ignore_errors=True)


class Mode:
    """A way to call clopt: the planner for a device, or a random recipe."""

    def __init__(self, name, arguments, recipe=None):
        self.name, self.arguments, self.recipe = name, arguments, recipe


class Tester:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="clopt-fuzz-")
        self.counter = 0
        self.calls = 0
        self.blamed = []  # reports of differences that are the device's

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, arguments, limit=120):
        self.calls += 1
        try:
            own = limitMemory if arguments[0] == self.options.clopt else None
            done = subprocess.run(arguments, capture_output=True, timeout=limit, preexec_fn=own)
        except subprocess.TimeoutExpired:
            return 124, "", f"no end within {limit} s"
        return (done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def clopt(self, source, target, mode, recipe=None):
        arguments = [self.options.clopt, "--operation-budget=1000000"] + mode.arguments
        if recipe is not None:
            arguments.append("--recipe=" + recipe)
        return self.command(arguments + [source, "-o", target, "--"] + generate.FLAGS)

    # -- recipes ------------------------------------------------------------

    def writeRecipe(self, kernels, steps):
        path = self.path("recipe")
        with open(path, "w") as file:
            for kernel in kernels:
                file.write(f"kernel {kernel.name}\n")
                for step in steps[kernel.name]:
                    file.write(step + "\n")
        return path

    def acceptedRecipe(self, kernels, steps, source):
        """Leaves out what clopt refuses, step by step."""
        mode = Mode("recipe", ["--target=cpu"])
        while True:
            recipe = self.writeRecipe(kernels, steps)
            status, _, errors = self.clopt(source, self.path("refused.cl"), mode, recipe)
            if status != 1:
                return steps, recipe
            match = re.search(r"recipe:(\d+):\d+: error:", errors)
            if not match:
                return steps, recipe
            lines = open(recipe).read().splitlines()
            at = int(match.group(1)) - 1
            if lines[at].startswith("kernel "):
                name = lines[at].split()[1]
                if not steps[name]:
                    return steps, recipe
                steps[name].pop()
                continue
            name = next(l.split()[1] for l in reversed(lines[:at]) if l.startswith("kernel "))
            first = next(i for i, l in enumerate(lines) if l == f"kernel {name}")
            del steps[name][at - first - 1]

    # -- one file -----------------------------------------------------------

    def write(self, kernels, name="fuzz.cl"):
        source = self.path(name)
        with open(source, "w") as file:
            file.write("// Random kernels.\n" + "\n".join(k.text() for k in kernels))
        spec = self.path("fuzz.launch.json")
        with open(spec, "w") as file:
            json.dump([{"General": {"FormatVersion": 1}, "KernelSpecification": k.spec} for k in kernels], file)
        return source, spec

    def optimize(self, source, mode, recipe):
        """The optimized text, or (kind, message) of a failure."""
        first, second = self.path("first.cl"), self.path("second.cl")
        for target in (first, second):
            if os.path.exists(target):
                os.remove(target)
        status, _, errors = self.clopt(source, first, mode, recipe)
        if status != 0:
            kind = "rejected" if status == 1 else "crash"
            return None, (kind, f"clopt ends with {status}: {errors[-1500:]}")
        text = open(first).read()
        status, _, errors = self.clopt(first, second, mode)
        if status != 0:
            return None, ("emitted text", f"clopt on its own output: {status}: {errors[-1500:]}")
        if recipe is None and self.options.idempotent and open(second).read() != text:
            return None, ("idempotence", "clopt changes its own output")
        os.remove(second)
        if mode.name not in ("cpu", "recipe"):
            return text, None
        status, _, errors = self.clopt(source, second, mode, recipe)
        if open(second).read() != text:
            return None, ("determinism", "a second run gives other text")
        return text, None

    def verify(self, source, spec, sizes):
        """Runs both versions; where a device differs, the referee decides whose fault it is."""
        if self.options.oclgrind:
            return self.verifyOn(self.options.oclgrind, source, spec, sizes)
        found = self.verifyOn(None, source, spec, sizes)
        if not found or not self.options.referee or any(f[1] != "differs" for f in found):
            return found
        if self.verifyOn(self.options.referee, source, spec, sizes):
            return found
        names = sorted({f[0] for f in found})
        report = f"{', '.join(names)}: differs on the device only: {BLAME}"
        if report not in self.blamed:
            self.blamed.append(report)
        return []

    def verifyOn(self, oclgrind, source, spec, sizes):
        """The referee also sees wrong accesses."""
        result = self.path("result.json")
        if os.path.exists(result):
            os.remove(result)
        arguments = [self.options.clopt_rt, "verify", source, "--launch=" + spec,
                     "--optimized=" + self.path("first.cl"), "--no-time", "--no-entry", "--json=" + result,
                     "--sizes=n=" + ",".join(map(str, sizes)), "--"] + generate.FLAGS
        if oclgrind:
            arguments = [oclgrind] + self.options.plugins + arguments
        status, out, errors = self.command(arguments, 400)
        if oclgrind and (status < 0 or "crashed in kernel" in errors):
            # The plugins themselves crash now and then.
            status, out, errors = self.command([oclgrind] + arguments[1 + len(self.options.plugins):], 400)
        complaint = re.search(r"\n(Invalid|Uninit|Controlflow|Read-write|Write-write|OCLGRIND)[^\n]*", "\n" + errors)
        if status == 0 and not complaint:
            return []
        if status == 0:
            return [("*", "referee", errors[complaint.start():][:2500])]
        if not os.path.exists(result) or status != 1:
            return [("*", "verify", f"clopt-rt ends with {status}: {(out + errors)[-2500:]}")]
        return self.failures(json.load(open(result)), out + errors)

    def failures(self, result, text):
        found = []
        for point in result.get("results", result.get("points", [])):
            for launch in point["launches"]:
                status = launch["status"]
                if status.lower() not in ("equal", "withintolerance", "within tolerance", "skipped"):
                    found.append((point["kernel"], status, json.dumps({k: v for k, v in point.items() if k != "launches"})
                                  + json.dumps(launch)[:800]))
        return found or [("*", "verify", text[-2500:])]

    def changed(self, kernel, source, text):
        """Whether the kernel's text differs."""
        def body(whole):
            at = whole.find(f"void {kernel.name}(")
            end = whole.find("\n}\n", at)
            return whole[at:end]
        return body(open(source).read()) != body(text)

    def test(self, kernels, mode, sizes, skipUnchanged=True):
        """[(kernel or *, kind, message)] and the kernels that changed."""
        source, spec = self.write(kernels)
        recipe = None
        if mode.recipe is not None:
            recipe = self.writeRecipe(kernels, mode.recipe)
        text, failure = self.optimize(source, mode, recipe)
        if failure:
            return [("*",) + failure], []
        changed = [k for k in kernels if self.changed(k, source, text)]
        if not changed or not self.options.verify:
            return [], changed
        with open(spec, "w") as file:
            json.dump([{"General": {"FormatVersion": 1}, "KernelSpecification": k.spec} for k in changed], file)
        return self.verify(source, spec, sizes), changed

    # -- shrinking ----------------------------------------------------------

    def shrink(self, kernel, mode, sizes, kind):
        deadline = time.time() + self.options.shrink_seconds
        same = lambda k, m, s: any(f[1] == kind for f in self.test([k], m, s)[0])
        for size in (sizes if len(sizes) > 1 else []):
            if same(kernel, mode, [size]):
                sizes = [size]
                break
        if len(kernel.spec.get("NDRanges", [])) > 1:
            for entry in kernel.spec["NDRanges"]:
                trial = copy.deepcopy(kernel)
                trial.spec["NDRanges"] = [entry]
                if same(trial, mode, sizes):
                    kernel = trial
                    break
        kernel = self.dropNodes(kernel, deadline, lambda k: same(k, mode, sizes))
        for step in list(mode.recipe[kernel.name]) if mode.recipe is not None else []:
            steps = [s for s in mode.recipe[kernel.name] if s != step]
            fewer = Mode(mode.name, mode.arguments, {kernel.name: steps})
            if same(kernel, fewer, sizes):
                mode = fewer
        trial = self.withoutUnusedParameters(kernel)
        if same(trial, mode, sizes):
            kernel = trial
        return kernel, mode, sizes

    def dropNodes(self, kernel, deadline, stillFails):
        """Leaves out nodes, the outer ones first, for as long as that works."""
        progress = True
        while progress:
            progress, victim = False, 0
            while time.time() < deadline:
                trials = self.without(kernel, victim)
                if trials is None:
                    break
                smaller = next((t for t in trials if stillFails(t)), None)
                if smaller is None:
                    victim += 1
                else:
                    kernel, progress = smaller, True
        return kernel

    def without(self, kernel, victim):
        """Copies without one node, or with its body in its place."""
        trials = []
        for unwrap in (False, True):
            trial = copy.deepcopy(kernel)
            at, place = victim, None
            for items in trial.root.lists():
                if at < len(items):
                    place = items
                    break
                at -= len(items)
            if place is None:
                return None
            node = place[at]
            if not unwrap and not node.fixed:
                del place[at]
                trials.append(trial)
            elif unwrap and node.other is not None:
                node.other = None
                trials.append(trial)
            elif unwrap and node.body is not None and node.text.startswith("if"):
                place[at:at + 1] = node.body
                trials.append(trial)
        return trials

    def withoutUnusedParameters(self, kernel):
        trial = copy.deepcopy(kernel)
        text = trial.text().split("__kernel void", 1)[1].split(") {", 1)[1] + "".join(trial.prefix)
        needed = {a.get("SameBufferAs") for a in trial.spec["Arguments"]}
        for i in range(len(trial.parameters) - 1, -1, -1):
            name = trial.spec["Arguments"][i]["Name"]
            if name not in needed and not re.search(rf"\b{name}\b", text):
                del trial.parameters[i], trial.spec["Arguments"][i]
        return trial

    def keep(self, kernel, mode, sizes, kind, message, seed):
        folder = os.path.join(self.options.keep, f"{seed}-{kernel.name}-{mode.name}-{kind.replace(' ', '-')}")
        os.makedirs(folder, exist_ok=True)
        source, spec = self.write([kernel])
        recipe = self.writeRecipe([kernel], mode.recipe) if mode.recipe is not None else None
        self.clopt(source, self.path("first.cl"), mode, recipe)
        for name in ("fuzz.cl", "fuzz.launch.json", "first.cl") + (("recipe",) if recipe else ()):
            if os.path.exists(self.path(name)):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(open(self.path(name)).read())
        arguments = " ".join(mode.arguments + (["--recipe=recipe"] if recipe else []))
        with open(os.path.join(folder, "why.txt"), "w") as file:
            file.write(f"{kind}\nclopt {arguments} fuzz.cl -o first.cl -- {' '.join(generate.FLAGS)}\n"
                       f"clopt-rt verify fuzz.cl --launch=fuzz.launch.json --optimized=first.cl --no-time "
                       f"--sizes=n={','.join(map(str, sizes))} -- {' '.join(generate.FLAGS)}\n{message}\n")
        return folder


def isolate(tester, kernels, mode, sizes, failures):
    """Pairs of a kernel and its failure when it is alone."""
    names = {f[0] for f in failures}
    suspects = kernels if "*" in names else [k for k in kernels if k.name in names]
    for kernel in suspects:
        own = mode
        if mode.recipe is not None:
            own = Mode(mode.name, mode.arguments, {kernel.name: mode.recipe[kernel.name]})
        alone, _ = tester.test([kernel], own, sizes)
        if alone:
            yield kernel, own, alone[0]


def randomRecipes(tester, kernels, rng):
    steps = {}
    for kernel in kernels:
        count = min(len(kernel.steps), rng.choice([1, 2, 3, 4]))
        steps[kernel.name] = rng.sample(kernel.steps, count)
        if rng.random() < 0.6:
            vectors = [s for s in kernel.steps if s.startswith("vectorize")]
            if vectors:
                steps[kernel.name].append(rng.choice(vectors))
        if rng.random() < 0.4:
            # Tiles of the group and sections in local memory only come together.
            tiles = [s for s in kernel.steps if s.startswith("tile")]
            stages = [s for s in kernel.steps if s.startswith("stage")]
            if tiles and stages:
                own = steps[kernel.name]
                steps[kernel.name] = [s for s in own if not s.startswith(("tile", "stage"))]
                steps[kernel.name] += rng.sample(tiles, min(3, len(tiles))) + rng.sample(stages, min(2, len(stages)))
    for kernel in kernels:
        source, _ = tester.write([kernel])
        steps.update(tester.acceptedRecipe([kernel], {kernel.name: steps[kernel.name]}, source)[0])
    return steps


def usable(tester, kernels):
    """Kernels that the compiler accepts at all."""
    good = []
    for kernel in kernels:
        source, _ = tester.write([kernel])
        status, _, errors = tester.clopt(source, tester.path("usable.cl"), Mode("", []))
        if status == 1 and "error:" in errors:
            print(f"  {kernel.name}: not accepted: {errors.strip().splitlines()[0]}", flush=True)
        else:
            good.append(kernel)
    return good


def runSeed(tester, seed, options, totals):
    make = groups.makeKernel if options.groups else generate.makeKernel
    kernels = [make(seed, i) for i in range(options.kernels)]
    rng = random.Random(f"run-{seed}")
    sizes = sorted(rng.sample(options.sizes, min(options.sizes_per_seed, len(options.sizes))))
    source, _ = tester.write(kernels)
    status, _, _ = tester.clopt(source, tester.path("usable.cl"), Mode("", []))
    if status:
        kernels = usable(tester, kernels)
    modes = []
    for name in options.modes:
        if name == "recipe":
            modes.append(Mode("recipe", ["--target=cpu"], randomRecipes(tester, kernels, rng)))
        elif name == "strict":
            modes.append(Mode(name, ["--target=cpu", "--alias=strict"]))
        else:
            modes.append(Mode(name, ["--target=" + name, "--every-launch"]))
    bad = 0
    for mode in modes:
        failures, changed = tester.test(kernels, mode, sizes)
        if failures and failures[0][0] == "*":
            # One broken kernel must not hide the others.
            broken = list(isolate(tester, kernels, mode, sizes, failures))
        else:
            broken = list(isolate(tester, kernels, mode, sizes, failures)) if failures else []
        if failures and not broken:
            print(f"  seed {seed} {mode.name}: only together: {failures[0]}", flush=True)
            bad += 1
        totals["kernels"] += len(kernels)
        totals["changed"] += len(changed)
        for kernel, own, (_, kind, message) in broken:
            bad += 1
            if options.shrink:
                kernel, own, sizes2 = tester.shrink(kernel, own, sizes, kind)
                again = [f for f in tester.test([kernel], own, sizes2)[0] if f[1] == kind]
                message = again[0][2] if again else message
            else:
                sizes2 = sizes
            folder = tester.keep(kernel, own, sizes2, kind, message, seed)
            lines = [l for l in message.splitlines() if "error" in l] or message.splitlines() or [""]
            print(f"  FAIL seed {seed} {kernel.name} {mode.name}: {kind}: {lines[0][:300]}\n    kept in {folder}", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clopt", default="clopt")
    parser.add_argument("--clopt-rt", default="clopt-rt")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--kernels", type=int, default=6, help="per seed")
    parser.add_argument("--groups", action="store_true", help="kernels with local memory and barriers only")
    parser.add_argument("--modes", default="cpu,generic-gpu,recipe")
    parser.add_argument("--sizes", default="1,2,3,5,8,17,33")
    parser.add_argument("--sizes-per-seed", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0, help="no new seed after this time")
    parser.add_argument("--keep", default="fuzz-failures", help="folder for failing kernels")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--shrink-seconds", type=float, default=90)
    parser.add_argument("--no-idempotence", dest="idempotent", action="store_false")
    parser.add_argument("--no-verify", dest="verify", action="store_false", help="only look at the text")
    parser.add_argument("--oclgrind", help="path of Oclgrind, to run under it")
    parser.add_argument("--referee", help="path of Oclgrind, to decide where a device differs")
    options = parser.parse_args()
    options.modes = options.modes.split(",")
    options.sizes = [int(s) for s in options.sizes.split(",")]
    options.plugins = ["--uninitialized", "--data-races"]
    tester = Tester(options)
    totals = {"kernels": 0, "changed": 0}
    start, bad = time.time(), 0
    for seed in range(options.first, options.first + options.seeds):
        if options.seconds and time.time() - start > options.seconds:
            print(f"seeds from {seed} on are left out: {options.seconds:.0f} s are over")
            break
        found = runSeed(tester, seed, options, totals)
        bad += found
        print(f"seed {seed}: {'ok' if not found else str(found) + ' failures'} "
              f"({time.time() - start:.0f} s)", flush=True)
    print(f"{totals['kernels']} kernels tried, {totals['changed']} changed, {bad} failures")
    for report in tester.blamed:
        print("  " + report)
    return 1 if bad or len(tester.blamed) > MOST_BLAMED else 0


if __name__ == "__main__":
    sys.exit(main())
