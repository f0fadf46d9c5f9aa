# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clopt, and what it writes, on kernels; makes those that fail smaller."""

import copy
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time

import generate

MEMORY = 8 << 30  # bytes; more than that is a failure, not the end of the machine
SECONDS = 10  # of the processor, that clopt may take for one kernel
FILE_SECONDS = 30  # and for a file
DEVICE_SECONDS = 200  # that both texts may take on a device; other processes do not count

# Results of other kernels are the same with all optimizations of a device's compiler.
FLOATS = re.compile(r"\b(float|double|half|vload_half|convert_float)|\d\.\d")

# PoCL 3.1 miscompiles some kernels with barriers. A difference counts unless the
# referee finds both texts equal there, and without a race or a wrong access.
BLAME = "Oclgrind shows both texts equal and free of races"

# What --inject does to the optimized text, to see that a fault is found and shrunk.
FAULTS = {
    # Sums that are kept over a loop lose their sign.
    "sum": (re.compile(r"^(\s*s\d+\w* )\+= ", re.M), r"\1-= "),
    # Loops that begin at 0 begin at 1.
    "first": (re.compile(r"(for \(int \w+ = )0;"), r"\g<1>1;"),
}


class Mode:
    """A way to call clopt: the planner for a device, or a random recipe; with a plan or without."""

    def __init__(self, name, arguments, recipe=None, isPlan=False):
        self.name, self.arguments, self.recipe, self.isPlan = name, arguments, recipe, isPlan
        self.isFull = False  # checked with PPL after every step, which may take long

    def changed(self, recipe):
        other = Mode(self.name, self.arguments, recipe, self.isPlan)
        other.isFull = self.isFull
        return other

    def alone(self, kernel):
        return self.changed(None if self.recipe is None else {kernel.name: self.recipe[kernel.name]})


def body(kernel, text):
    at = text.find(f"void {kernel.name}(")
    return text[at:text.find("\n}\n", at)]


def documents(kernels):
    return [{"General": {"FormatVersion": 1}, "KernelSpecification": k.spec} for k in kernels]


def flagsOf(kernels, other=False):
    own = [flag for k in kernels for flag in (k.otherFlags if other and k.otherFlags is not None else k.flags)]
    return generate.FLAGS + own


class Tester:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="clopt-fuzz-")
        # PoCL compiles every kernel once, and not for each size of a group.
        self.environment = dict(os.environ, POCL_CACHE_DIR=self.path("pocl"), TMPDIR=self.folder,
                                POCL_WORK_GROUP_SPECIALIZATION="0")
        self.blamed = []  # reports of differences that are the device's
        self.notes = ""  # what clopt said last

    def path(self, name):
        return os.path.join(self.folder, name)

    def end(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, arguments, limit, processor=None, memory=MEMORY):
        def limits():
            if processor:
                resource.setrlimit(resource.RLIMIT_CPU, (processor, processor + 2))
            if processor and memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        try:
            done = subprocess.run(arguments, capture_output=True, timeout=limit, preexec_fn=limits, env=self.environment)
        except subprocess.TimeoutExpired:
            return 124, "", f"no end within {limit} s"
        return (done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    # -- clopt --------------------------------------------------------------

    def write(self, kernels):
        """Vectors contract other multiplications than scalars may: bits are compared without."""
        source, spec = self.path("fuzz.cl"), self.path("fuzz.launch.json")
        with open(source, "w") as file:
            file.write("#pragma OPENCL FP_CONTRACT OFF\n" + "\n".join(k.text() for k in kernels))
        with open(spec, "w") as file:
            json.dump(documents(kernels), file)
        return source, spec

    def writeRecipe(self, kernels, mode):
        path = self.path("recipe")
        with open(path, "w") as file:
            for kernel in kernels:
                steps = mode.recipe[kernel.name]
                isCopied = mode.isPlan and any(s.endswith(("buffer", "image")) for s in steps)
                file.write(f"kernel {kernel.name}{' plan' if isCopied else ''}\n" + "".join(f"{s}\n" for s in steps))
        return path

    def arguments(self, mode, plan):
        arguments = mode.arguments + (["--verify-each"] if mode.isFull else [])
        if mode.recipe is not None:
            arguments += ["--skip-refused", "--recipe=" + self.path("recipe")]
        return arguments + (["--plan=" + plan] if mode.isPlan else [])

    def clopt(self, source, target, mode, flags, limit, extra=()):
        arguments = [self.options.clopt, *self.options.extra, *extra, *self.arguments(mode, self.path("plan.json"))]
        return self.command(arguments + [source, "-o", target, "--"] + flags, 20 * limit, limit)

    def failureOf(self, status, errors):
        """The kind of a failure of clopt, or nothing."""
        if status in (124, -24, -9):
            return "timeout"
        if re.search("internal error|defect of clopt|its optimized version is wrong", errors):
            return "validator"
        if status == 1:
            return "rejected"
        return "crash" if status else None

    def optimize(self, kernels, mode):
        """The optimized text, or (kind, message) of a failure."""
        source, _ = self.write(kernels)
        if mode.recipe is not None:
            self.writeRecipe(kernels, mode)
        first, flags = self.path("first.cl"), flagsOf(kernels)
        for name in ("first.cl", "plan.json"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        limit = (SECONDS if len(kernels) == 1 else FILE_SECONDS) * (6 if mode.isFull else 1)
        status, _, errors = self.clopt(source, first, mode, flags, limit, ["-Rpass-analysis=clopt-validate", "-Rpass-missed=clopt-emit"])
        self.notes = errors
        kind = self.failureOf(status, errors)
        if kind == "timeout" and mode.isFull:
            return None, None
        if kind:
            return None, (kind, f"clopt ends with {status}: {errors[-3000:]}")
        text = open(first).read()
        if self.options.inject:
            text = self.corrupt(text, kernels, *FAULTS[self.options.inject])
            with open(first, "w") as file:
                file.write(text)
        return text, None

    def again(self, kernels, mode, text):
        """A second run gives the same bytes, and the planner leaves its own text alone."""
        second, flags = self.path("second.cl"), flagsOf(kernels)
        status, _, errors = self.clopt(self.path("fuzz.cl"), second, mode, flags, FILE_SECONDS)
        if status or open(second).read() != text:
            return "determinism", f"a second run ends with {status}, or gives other text: {errors[-500:]}"
        # What the file's budget left out the next run has the budget for.
        if mode.recipe is not None or mode.isPlan or "exceeds its budget" in self.notes:
            return None
        status, _, errors = self.clopt(self.path("first.cl"), second, mode, flags, FILE_SECONDS)
        if status or open(second).read() != text:
            return "idempotence", f"clopt on its own output ends with {status}, or changes it: {errors[-500:]}"
        return None

    def corrupt(self, text, kernels, pattern, replacement):
        """The fault, in what clopt wrote: up to the author's body, which is still behind it."""
        for kernel in kernels:
            at = text.find(f"void {kernel.name}(")
            end = text.find("        return;\n    }\n", at)
            if "// Optimized by clopt" in text[at:text.find("\n}\n", at)] and end >= 0:
                text = text[:at] + pattern.sub(replacement, text[at:end]) + text[end:]
        return text

    # -- both texts on a device ---------------------------------------------

    def verify(self, kernels, mode, sizes):
        """Runs both versions; where a device differs, the referee decides whose fault it is."""
        found = self.verifyWith(kernels, mode, sizes, False)
        if not found and not mode.isPlan and any(k.otherFlags is not None for k in kernels):
            found = self.verifyWith([k for k in kernels if k.otherFlags is not None], mode, sizes, True)
        exact = [k for k in kernels if not FLOATS.search(k.text())]
        if not found and exact and self.options.as_built:
            found = self.verifyOn(None, exact, mode, sizes, False, ["--compare-options="])
        return found

    def verifyWith(self, kernels, mode, sizes, other):
        if self.options.oclgrind:
            return self.verifyOn(self.options.oclgrind, kernels, mode, sizes, other)
        found = self.verifyOn(None, kernels, mode, sizes, other)
        if not found or not self.options.referee or any(f[1] != "differs" for f in found):
            return found
        if self.verifyOn(self.options.referee, kernels, mode, sizes, other):
            return found
        report = f"{', '.join(sorted({f[0] for f in found}))}: differs on the device only: {BLAME}"
        if report not in self.blamed:
            self.blamed.append(report)
        return []

    def verifyOn(self, oclgrind, kernels, mode, sizes, other, more=()):
        """The referee also sees wrong accesses."""
        result, spec = self.path("result.json"), self.path("fuzz.launch.json")
        with open(spec, "w") as file:
            json.dump(documents(kernels), file)
        if os.path.exists(result):
            os.remove(result)
        arguments = [self.options.clopt_rt, "verify", self.path("fuzz.cl"), "--launch=" + spec,
                     "--optimized=" + self.path("first.cl"), "--no-time", "--no-entry", "--json=" + result,
                     "--sizes=n=" + ",".join(map(str, sizes)), *more]
        if mode.isPlan:
            arguments.append("--plan=" + self.path("plan.json"))
        if oclgrind:
            arguments.append("--guard=0")  # it sees the ends of buffers itself
        arguments += ["--"] + self.fileFlags(other)
        if oclgrind:
            arguments = [oclgrind] + self.options.plugins + arguments
        status, out, errors = self.command(arguments, 20 * DEVICE_SECONDS, DEVICE_SECONDS, None)
        if oclgrind and (status < 0 or "crashed in kernel" in errors):
            # The plugins themselves crash now and then.
            status, out, errors = self.command([oclgrind] + arguments[1 + len(self.options.plugins):], 20 * DEVICE_SECONDS, DEVICE_SECONDS, None)
        complaint = re.search(r"\n(Invalid|Uninit|Controlflow|Read-write|Write-write|OCLGRIND)[^\n]*", "\n" + errors)
        if status in (0, 3):  # 3: no launch entered a new body
            return [("*", "referee", errors[complaint.start():][:2500])] if complaint else []
        if not os.path.exists(result) or status != 1:
            return [("*", "verify", f"clopt-rt ends with {status}: {(out + errors)[-2500:]}")]
        return self.failures(json.load(open(result)), out + errors)

    def fileFlags(self, other):
        return flagsOf(self.kernels, other)

    def failures(self, result, text):
        found = []
        for point in result.get("results", result.get("points", [])):
            for launch in point["launches"]:
                status = launch["status"]
                if status.lower() not in ("equal", "withintolerance", "within tolerance", "skipped"):
                    found.append((point["kernel"], status, json.dumps({k: v for k, v in point.items() if k != "launches"})
                                  + json.dumps(launch)[:800]))
        return found or [("*", "verify", text[-2500:])]

    def test(self, kernels, mode, sizes, onDevice, isTwice=False):
        """[(kernel or *, kind, message)] and the optimized text."""
        self.kernels = kernels
        text, failure = self.optimize(kernels, mode)
        if text is not None and isTwice:
            failure = self.again(kernels, mode, text)
        if failure or text is None:
            return [("*",) + failure] if failure else [], text
        original = open(self.path("fuzz.cl")).read()
        changed = [k for k in kernels if body(k, original) != body(k, text)]
        return self.verify(changed, mode, sizes) if onDevice and changed else [], text

    def compareOriginals(self, kernels, sizes):
        """The kernels beside themselves, under the referee: they have to be correct."""
        self.kernels = kernels
        source, _ = self.write(kernels)
        shutil.copy(source, self.path("first.cl"))
        return self.verifyOn(self.options.oclgrind, kernels, Mode("original", []), sizes, False)

    # -- shrinking ----------------------------------------------------------

    def shrink(self, kernel, mode, sizes, kind):
        deadline = time.time() + self.options.shrink_seconds
        onDevice = kind in ("differs", "verify", "referee") or bool(self.options.inject)
        isTwice = kind in ("determinism", "idempotence")
        same = lambda k, m, s: any(f[1] == kind for f in self.test([k], m, s, onDevice, isTwice)[0])
        for size in (sizes if len(sizes) > 1 and onDevice else []):
            if same(kernel, mode, [size]):
                sizes = [size]
                break
        if len(kernel.spec.get("NDRanges", [])) > 1 and onDevice:
            for entry in kernel.spec["NDRanges"]:
                trial = copy.deepcopy(kernel)
                trial.spec["NDRanges"] = [entry]
                if same(trial, mode, sizes):
                    kernel = trial
                    break
        # Fewer steps first: they cost less to try than nodes.
        for step in list(mode.recipe[kernel.name]) if mode.recipe is not None else []:
            fewer = mode.changed({kernel.name: [s for s in mode.recipe[kernel.name] if s != step]})
            if same(kernel, fewer, sizes):
                mode = fewer
        kernel = self.dropNodes(kernel, deadline, lambda k: same(k, mode, sizes))
        kernel = self.dropSurroundings(kernel, lambda k: same(k, mode, sizes))
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
        """Copies without one node, the variable that it declares, its else branch or its head, or with a simpler value."""
        trials = []
        for change in (self.dropNode, self.dropVariable, self.dropElse, self.dropHead, self.dropValue):
            trial = copy.deepcopy(kernel)
            at, place = victim, None
            for items in trial.root.lists():
                if at < len(items):
                    place = items
                    break
                at -= len(items)
            if place is None:
                return None
            if change(place, at):
                trials.append(trial)
        return trials

    def dropNode(self, place, at):
        if place[at].fixed:
            return False
        del place[at]
        return True

    def dropVariable(self, place, at):
        """Leaves out a declaration with all statements behind it that use the variable."""
        match = re.match(r"(?:\w+ )+(\w+) = ", place[at].text)
        if place[at].fixed or place[at].body is not None or not match:
            return False
        uses = lambda node: re.search(rf"\b{match.group(1)}\b", "\n".join(node.lines())) is not None
        used = [node for node in place[at + 1:] if uses(node)]
        if any(node.fixed for node in used):
            return False
        place[at:] = [node for node in place[at + 1:] if node not in used]
        return True

    def dropElse(self, place, at):
        isDropped, place[at].other = place[at].other is not None, None
        return isDropped

    def dropHead(self, place, at):
        node = place[at]
        if node.body is None or node.other is not None or (node.text and not node.text.startswith("if")):
            return False
        place[at:at + 1] = node.body
        return True

    def dropValue(self, place, at):
        node = place[at]
        match = re.match(r"(.* [-+*]?= )(?!1;).*;$", node.text)
        if node.body is not None or node.fixed or not match or "++" in node.text:
            return False
        node.text = match.group(1) + "1;"
        return True

    def dropSurroundings(self, kernel, stillFails):
        for items in ("prefix", "suffix", "flags"):
            for line in list(getattr(kernel, items)):
                trial = copy.deepcopy(kernel)
                getattr(trial, items).remove(line)
                if stillFails(trial):
                    kernel = trial
        return kernel

    def withoutUnusedParameters(self, kernel):
        trial = copy.deepcopy(kernel)
        inside = body(trial, trial.text())
        inside = inside[inside.find(") {"):] + "".join(trial.prefix)
        kept = [re.search(rf"\b{a['Name']}\b", inside) is not None for a in trial.spec["Arguments"]]
        aliased = {a.get("SameBufferAs") for a, keep in zip(trial.spec["Arguments"], kept) if keep}
        kept = [keep or a["Name"] in aliased for a, keep in zip(trial.spec["Arguments"], kept)]
        trial.parameters = [p for p, keep in zip(trial.parameters, kept) if keep]
        trial.spec["Arguments"] = [a for a, keep in zip(trial.spec["Arguments"], kept) if keep]
        return trial

    def keep(self, kernel, mode, sizes, kind, message, seed):
        folder = os.path.join(self.options.keep, f"{seed}-{kernel.name}-{mode.name}-{kind.replace(' ', '-')}")
        os.makedirs(folder, exist_ok=True)
        self.optimize([kernel], mode)
        self.write([kernel])
        for name in ("fuzz.cl", "fuzz.launch.json", "first.cl", "plan.json") + (("recipe",) if mode.recipe is not None else ()):
            if os.path.exists(self.path(name)):
                shutil.copy(self.path(name), os.path.join(folder, name))
        flags = " ".join(flagsOf([kernel]))
        arguments = " ".join(self.options.extra + [a.replace(self.folder + "/", "") for a in self.arguments(mode, "plan.json")])
        other = f"\nother flags: {' '.join(flagsOf([kernel], True))}" if kernel.otherFlags is not None else ""
        with open(os.path.join(folder, "why.txt"), "w") as file:
            file.write(f"{kind}\nclopt {arguments} fuzz.cl -o first.cl -- {flags}\n"
                       f"clopt-rt verify fuzz.cl --launch=fuzz.launch.json --optimized=first.cl "
                       f"{'--plan=plan.json ' if mode.isPlan else ''}--no-time "
                       f"--sizes=n={','.join(map(str, sizes))} -- {flags}{other}\n{message}\n")
        return folder
