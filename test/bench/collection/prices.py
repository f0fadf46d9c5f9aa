#!/usr/bin/env python3
"""Compares the prices of kernels with the times that they took.

    test/bench/collection/prices.py [--clopt PATH] [--prices PATH] [--target NAME] [--times TABLE.md] [-v]

The times are those of docs/results/h100-collection.md: originals and new kernels in the larger of the sizes of their launch
specifications. Launches whose group the driver chooses are left out. Prints Kendall's tau of prices and times, the mean
factor between them, and the tau of predicted and measured gains.
"""

import argparse
import json
import math
import os
import re
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))
ROW = re.compile(r"\| `([\w/]+)` (\w+) \| ([^|]*) \| as given \| ([\d.]+) \| ([\d.]+) \| [\d.]+ \| \d* \| (.*?) \|")


def measured(path):
    """File, kernel, sizes, milliseconds of the original, and of the new text where that ran."""
    with open(path, encoding="utf-8") as table:
        for line in table:
            if row := ROW.match(line):
                file, kernel, sizes, before, after, note = row.groups()
                pairs = (pair.split("=") for pair in sizes.split())
                new = None if note.strip() else float(after)
                yield file, kernel, {name: int(value) for name, value in pairs}, float(before), new


def evaluate(expression, sizes):
    if isinstance(expression, (int, float)):
        return int(expression)
    functions = {"roundup": lambda a, b: (a + b - 1) // b * b, "min": min, "max": max, "ceildiv": lambda a, b: -(-a // b)}
    return int(eval(expression.replace("/", "//"), functions, dict(sizes)))  # of this repository


def launch_of(file, kernel, sizes):
    """What clopt-price takes, or None where the driver chooses the group."""
    with open(f"{FOLDER}/{file}.launch.json", encoding="utf-8") as spec:
        kernels = json.load(spec)["KernelSpecification"]
    for one in kernels if isinstance(kernels, list) else [kernels]:
        if one["KernelName"] != kernel or not one.get("LocalSize"):
            continue
        integers = {}
        for argument in one["Arguments"]:
            value = argument.get("FillValue", argument["Name"])
            if argument["MemoryType"] == "Scalar" and argument["Type"] not in ("float", "double", "half"):
                integers[argument["Name"]] = evaluate(value, sizes) if not isinstance(value, list) else 1
        flags = [re.sub(r"\$\{(\w+)\}", lambda m: str(sizes[m.group(1)]), flag) for flag in one.get("CompilerOptions", [])]
        grid = {key: [evaluate(one[name][d], sizes) for d in "XYZ" if d in one[name]]
                for key, name in (("global", "GlobalSize"), ("local", "LocalSize"))}
        return {"kernel": kernel, "options": flags, "integers": integers, **grid}
    return None


def tau(pairs):
    """Kendall's tau of the first and the second numbers."""
    signs = [math.copysign(1, (a - c) * (b - d)) if (a - c) * (b - d) else 0
             for i, (a, b) in enumerate(pairs) for c, d in pairs[:i]]
    return sum(signs) / max(1, len(signs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clopt", default=f"{ROOT}/build/bin/clopt")
    parser.add_argument("--prices", default=f"{ROOT}/build/bin/clopt-price")
    parser.add_argument("--target", default="nvidia-hopper")
    parser.add_argument("--times", default=f"{ROOT}/docs/results/h100-collection.md")
    parser.add_argument("-v", action="store_true", help="print every price")
    args = parser.parse_args()
    asked, labels = [], []
    with tempfile.TemporaryDirectory() as folder:
        for file, kernel, sizes, before, after in measured(args.times):
            launch = launch_of(file, kernel, sizes)
            if not launch:
                continue
            source, new = f"{FOLDER}/{file}.cl", f"{folder}/{len(asked)}.cl"
            asked.append({"file": source, **launch})
            labels.append((f"{file} {kernel}", "original", before))
            if after is None:
                continue
            subprocess.run([args.clopt, source, f"--target={args.target}", "--validate=off", "-o", new, "--",
                            f"-I{os.path.dirname(source)}", *launch["options"]], capture_output=True, check=True)
            asked.append({"file": new, **launch})
            labels.append((f"{file} {kernel}", "new", after))
        lines = "".join(json.dumps(one) + "\n" for one in asked)
        answer = subprocess.run([args.prices, f"--target={args.target}"], input=lines, capture_output=True, text=True,
                                check=True)
    times, gains = [], {}
    for (name, which, took), line in zip(labels, answer.stdout.splitlines()):
        price = json.loads(line)
        if "error" in price:
            print(f"{name} ({which}): {price['error']}")
            continue
        predicted = price["nanoseconds"] / 1e6
        times.append((took, predicted))
        gains.setdefault(name, {})[which] = (took, predicted)
        if args.v:
            longest = max(price["terms"], key=price["terms"].get)
            print(f"{name:45} {which:8} {took:9.4f} ms {predicted:9.4f} predicted, {longest}")
    both = [tuple(old / now for old, now in zip(one["original"], one["new"])) for one in gains.values() if len(one) == 2]
    factor = math.exp(sum(abs(math.log(b / a)) for a, b in times) / max(1, len(times)))
    print(f"{len(times)} times: tau {tau(times):.3f}, mean factor {factor:.2f}; {len(both)} gains: tau {tau(both):.3f}")


if __name__ == "__main__":
    main()
