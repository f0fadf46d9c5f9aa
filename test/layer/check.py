"""Runs an application with and without the layer: it must not notice, but for the time.

    check.py host|threads|parts|plans|broken|cost|trace|record|clinfo --hosts FOLDER --bin FOLDER --layer FILE --work FOLDER

host, threads, parts and plans are applications with kernels that become others; what they print must be
the same. `broken` takes from the layer, one after the other, all that it needs.
"""

import argparse
import json
import os
import shutil
import stat
import subprocess
import sys


class Check:
    def __init__(self, arguments):
        self.arguments = arguments
        self.work = arguments.work
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        self.log = os.path.join(self.work, "log")
        self.wrong = 0

    def environment(self, layered, **more):
        """Nothing of this machine's user, neither settings nor caches."""
        result = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CLOPT_", "OPENCL_", "XDG_"))
        }
        result["HOME"] = os.path.join(self.work, "home")
        result["POCL_CACHE_DIR"] = os.path.join(self.work, "pocl")
        os.makedirs(result["POCL_CACHE_DIR"], exist_ok=True)
        if layered:
            result["OPENCL_LAYERS"] = self.arguments.layer
            result["CLOPT_LAYER_LOG"] = self.log
        result.update(more)
        return result

    def run(self, command, layered, **more):
        """What it prints, and the lines of the log."""
        if os.path.exists(self.log):
            os.remove(self.log)
        ran = subprocess.run(
            command, env=self.environment(layered, **more), capture_output=True, text=True, timeout=100
        )
        lines = []
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                lines = file.read().splitlines()
        return ran, lines

    def host(self, name):
        return [os.path.join(self.arguments.hosts, f"clopt-layer-{name}")]

    def expect(self, is_true, what, *shown):
        if not is_true:
            self.wrong += 1
            print(f"wrong: {what}")
            for text in shown:
                print(text)

    def same(self, plain, layered, what):
        self.expect(
            (plain.returncode, plain.stdout) == (layered.returncode, layered.stdout),
            f"{what}: the application does not see the same",
            plain.stdout, plain.stderr, layered.returncode, layered.stdout, layered.stderr,
        )

    def count(self, lines, text, wanted, what):
        found = sum(text in line for line in lines)
        self.expect(found == wanted, f"{what}: {found} times '{text}', not {wanted}", *lines)


def check_host(check):
    plain, _ = check.run(check.host("host"), False)
    check.expect(plain.returncode == 0, "the application itself fails", plain.stdout)
    first, lines = check.run(check.host("host"), True)
    check.same(plain, first, "first run")
    check.expect(first.stderr == plain.stderr, "something is printed", first.stderr)
    check.count(lines, ": optimized for cpu", 6, "first run")
    check.count(lines, "from the cache", 2, "first run")
    second, lines = check.run(check.host("host"), True)
    check.same(plain, second, "second run")
    check.count(lines, ": optimized for cpu", 6, "second run")
    check.count(lines, "from the cache", 6, "second run")
    plain, _ = check.run(check.host("host") + ["short"], False)
    third, lines = check.run(check.host("host") + ["short"], True, CLOPT_DISABLE_CACHE="1")
    check.same(plain, third, "without a cache")
    check.count(lines, "from the cache", 0, "without a cache")
    told, _ = check.run(check.host("host") + ["short"], True, CLOPT_LAYER_VERBOSE="1")
    check.count(told.stderr.splitlines(), "clopt-layer: program of", 1, "verbose")


def check_threads(check):
    plain, _ = check.run(check.host("threads"), False)
    check.expect(plain.returncode == 0, "the application itself fails", plain.stdout)
    for what in ("first run", "second run"):
        layered, lines = check.run(check.host("threads"), True)
        check.same(plain, layered, what)
        check.count(lines, ": optimized for cpu", 13, what)
    # Two of them at a time, with nothing in the cache.
    folder = os.path.join(check.work, "both")
    environment = check.environment(True, CLOPT_CACHE_DIR=folder)
    both = [
        subprocess.Popen(check.host("threads"), env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for one in both:
        text, _ = one.communicate()
        check.expect((one.returncode, text) == (0, plain.stdout), "two at a time", text)


def check_parts(check):
    """Headers are part of what is compared; what is linked has optimized kernels."""
    folder = os.path.join(check.work, "folder")
    os.makedirs(folder)
    header = os.path.join(folder, "scale.h")
    trace = os.path.join(check.work, "trace.json")
    command = check.host("parts") + [folder]
    for factor, cached in ((2, 0), (2, 1), (4, 0), (2, 1)):
        what = f"factor {factor}"
        for name in (header, trace):
            if os.path.exists(name):
                os.remove(name)
        # A header that includes another one.
        with open(os.path.join(folder, "factor.h"), "w", encoding="utf-8") as file:
            file.write(f"#define FACTOR {factor}\n")
        with open(header, "w", encoding="utf-8") as file:
            file.write('#include "factor.h"\n#define SCALE(x) (x) * FACTOR\n')
        plain, _ = check.run(command, False)
        check.expect(plain.returncode == 0, "the application itself fails", plain.stdout)
        layered, lines = check.run(command, True, CLOPT_LAYER_TRACE=trace)
        check.same(plain, layered, what)
        check.expect(f"folder: 0 wrong, times {factor}" in layered.stdout, what, layered.stdout)
        mine = [line for line in lines if "-I " in line and ": optimized for cpu" in line]
        check.count(mine, "from the cache", cached, what)
        # Of all programs that have the kernel; the one without a part is not linked.
        check.count(lines, ": optimized for cpu", 3, what)
        check.count(lines, "linked of", 7, what)
        check.count(lines, ": optimized", 3 + 5, what)
        with open(trace, encoding="utf-8") as file:
            texts = [event["args"]["text"] for event in json.load(file)]
        check.expect(
            texts == ["optimized"] * 2 + ["optimized", "original"] * 4, what, texts, *lines
        )
    # What is read for a program, or how, is not known: it stays as it is.
    for text in ("#include_next <a.h>", "#define NAME <scale.h>\n#include NAME"):
        with open(header, "w", encoding="utf-8") as file:
            file.write("#if 0\n" + text + "\n#endif\n#define SCALE(x) (x) * 8\n")
        plain, _ = check.run(command, False)
        layered, lines = check.run(command, True)
        check.same(plain, layered, text)
        check.count(lines, "in a way that is not known", 1, text)


def check_plans(check):
    """Launches in the form of a plan, while the buffer that is converted changes."""
    plain, _ = check.run(check.host("plans"), False)
    check.expect(plain.returncode == 0, "the application itself fails", plain.stdout)
    # Without a recipe, and with one that converts B.
    recipe = os.path.join(check.work, "product.recipe")
    with open(recipe, "w", encoding="utf-8") as file:
        file.write("kernel product plan\nlayout B transpose buffer\n")
    trace = os.path.join(check.work, "trace.json")
    launches = plain.stdout.count(" wrong, ")
    for options, variant in (("", ""), ("--recipe=" + recipe, "plan: same launch with B_t")):
        for plans in ("0", "1"):
            if os.path.exists(trace):
                os.remove(trace)
            layered, lines = check.run(
                check.host("plans"), True, CLOPT_LAYER_PLANS=plans,
                CLOPT_LAYER_OPTIONS=options, CLOPT_LAYER_TRACE=trace,
            )
            what = f"plans {plans} '{options}'"
            check.same(plain, layered, what)
            check.count(lines, ", with a plan", int(plans), what)
            with open(trace, encoding="utf-8") as file:
                texts = [e["args"]["text"] for e in json.load(file) if e["name"] == "product"]
            check.expect(len(texts) == launches, f"{what}: {len(texts)} launches", texts)
            if plans == "0":
                check.expect(not any(t.startswith("plan") for t in texts), what, texts)
                continue
            if not variant:
                # Own NDRanges are for devices with few compute units.
                known = {"plan: own NDRange", "optimized"}
                check.expect(set(texts) <= known, what, texts)
                continue
            # Converted, or kept: one launch after the other, as plans.cpp has them.
            order = "CKCKCCCKCCCK" + "CCKC" + 2 * "CCCCCCC" + "CC" + 20 * "C"
            wanted = [variant + (", converted" if c == "C" else "") for c in order]
            check.expect(texts == wanted, what, texts)


def script(check, name, text):
    path = os.path.join(check.work, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, stat.S_IRWXU)
    return path


def check_broken(check):
    """Whatever fails: the application runs as without the layer."""
    command = check.host("host") + ["short"]
    plain, _ = check.run(command, False)
    clopt = os.path.join(check.arguments.bin, "clopt")
    # Its output, given by -o, is the third argument.
    cases = {
        "cannot start": {"CLOPT_LAYER_CLOPT": "/no/such/program"},
        "exit code 3": {"CLOPT_LAYER_CLOPT": script(check, "fails", "exit 3")},
        "signal 9": {"CLOPT_LAYER_CLOPT": script(check, "dies", "kill -9 $$")},
        "no answer in time": {
            "CLOPT_LAYER_CLOPT": script(check, "hangs", "exec sleep 100"),
            "CLOPT_LAYER_TIMEOUT": "1",
        },
        "does not build": {
            "CLOPT_LAYER_CLOPT": script(check, "nonsense", 'echo nonsense > "$3"')
        },
        "unknown target": {"CLOPT_LAYER_TARGET": "abacus"},
        "unknown option": {"CLOPT_LAYER_OPTIONS": "--no-such-option"},
        # A kernel with other arguments: the shadow does not take what is set.
        ": optimized for cpu": {
            "CLOPT_LAYER_CLOPT": script(
                check, "other", 'echo "__kernel void product(int a) {}" > "$3"')
        },
        ", built in ": {"CLOPT_CACHE_DIR": "/proc/none"},
    }
    for wanted, variables in cases.items():
        layered, lines = check.run(command, True, **variables)
        check.same(plain, layered, wanted)
        check.count(lines, wanted, 1, wanted)
    # What the driver does not take is not given to it again.
    nonsense = os.path.join(check.work, "nonsense")
    layered, lines = check.run(command, True, CLOPT_LAYER_CLOPT=nonsense)
    check.same(plain, layered, "known nonsense")
    check.expect(layered.stderr == plain.stderr, "the driver was asked again", layered.stderr)
    check.count(lines, "does not build", 1, "known nonsense")
    check.count(lines, "from the cache", 1, "known nonsense")
    # The child does not get the layer.
    seen = os.path.join(check.work, "seen")
    asks = script(check, "asks", f'echo "<$OPENCL_LAYERS>" >> {seen}; exec {clopt} "$@"')
    layered, lines = check.run(command, True, CLOPT_LAYER_CLOPT=asks)
    check.same(plain, layered, "a script for clopt")
    with open(seen, encoding="utf-8") as file:
        check.expect(set(file.read().split()) == {"<>"}, "clopt gets the layer")
    # The layer twice: the second one is left out.
    layered, lines = check.run(
        command, True, OPENCL_LAYERS=check.arguments.layer + ":" + check.arguments.layer
    )
    check.same(plain, layered, "twice")
    check.count(lines, ": optimized for cpu", 1, "twice")
    # No log where there cannot be one.
    layered, _ = check.run(command, True, CLOPT_LAYER_LOG="/proc/none/log")
    check.same(plain, layered, "a log that cannot be written")


def check_cost(check):
    """A hot cache takes less than 5 ms for a program; the driver's build comes to that."""
    check.run(check.host("threads"), True)
    _, lines = check.run(check.host("threads"), True)
    times = sorted(float(line.split(" in ")[1].split(" ms")[0]) for line in lines)
    print(f"{len(times)} programs, {times[0]} to {times[-1]} ms")
    check.expect(len(times) == 13 and times[len(times) // 2] < 5, "the cache is slow", *lines)


def check_clinfo(check):
    """What is told of platforms and devices, and of a program that stays as it is."""
    plain, _ = check.run(["clinfo"], False)
    layered, lines = check.run(["clinfo"], True)
    check.same(plain, layered, "clinfo")
    check.expect("Portable Computing Language" in plain.stdout, "clinfo", plain.stdout)
    check.count(lines, "nothing to gain", len(lines), "clinfo")


def check_record(check):
    """Distinct launches become specifications; clopt verify takes them."""
    plain, _ = check.run(check.host("host"), False)
    folder = os.path.join(check.work, "recorded")
    clopt = os.path.join(check.arguments.bin, "clopt")
    layered, lines = check.run(
        [clopt, "run", "--record=" + folder, "--log=" + check.log] + check.host("host"), False
    )
    check.same(plain, layered, "recorded")
    # Two for each value of FACTOR; the launches of the other queue are like one of them.
    found = sorted(os.listdir(folder))
    check.expect(found == ["add-1"] + [f"product-{i}" for i in range(1, 7)], found, *lines)
    for name in ("add-1", "product-2"):
        kernel = os.path.join(folder, name, "kernel.cl")
        spec = os.path.join(folder, name, "launch.json")
        verified, _ = check.run(
            [clopt, "verify", kernel, "--launch=" + spec, "--target=cpu", "--no-time"], False
        )
        check.expect(
            verified.returncode == 0 and "1 launches compared, all equal" in verified.stdout,
            name, verified.stdout, verified.stderr,
        )


def check_trace(check):
    plain, _ = check.run(check.host("host"), False)
    trace = os.path.join(check.work, "trace.json")
    command = [os.path.join(check.arguments.bin, "clopt"), "run", "--trace=" + trace]
    layered, _ = check.run(command + check.host("host"), False)
    check.same(plain, layered, "traced")
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)
    # Two launches of 8 kernels, and the two of the other queue. The programs that are loaded
    # or built with a callback run as they are, and so do kernels of a program that the
    # application has given away; there is nothing to gain for `add`.
    texts = [event["args"]["text"] for event in events]
    check.expect(len(events) == 2 * 8 + 2, f"{len(events)} launches", events)
    check.expect(
        texts.count("original") == 2 * (2 + 2) + 1 and {"product", "add"} == {e["name"] for e in events},
        "which texts ran", events,
    )
    check.expect(
        all(e["dur"] >= 0 and e["args"]["clock"] == "device" for e in events), "times", events
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what")
    for name in ("hosts", "bin", "layer", "work"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    check = Check(arguments)
    globals()["check_" + arguments.what](check)
    sys.exit(1 if check.wrong else 0)


main()
