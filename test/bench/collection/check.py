#!/usr/bin/env python3
"""Runs clopt over the collection and compares each result in the small sizes.

    test/bench/collection/check.py [--clopt PATH] [--targets NAME ...] [FILE.cl ...]

For every file and target: the optimized text, the processor time that clopt took, the recipe, and `clopt verify` with
the first of the sizes in the launch specification. Where flags depend on sizes clopt runs for the last of them first.
A result whose conditions leave the small launch to the original is compared once more with `--every-launch`. Prints a
line per file and target.
"""

import argparse
import glob
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, limit):
    """Exit code, outputs, and seconds of processor time."""
    begin = used()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        return done.returncode, done.stdout, done.stderr, used() - begin
    except subprocess.TimeoutExpired:
        return 124, "", "timeout", used() - begin


def flags_and_sizes(path):
    """The flags of the large sizes, those of the small ones, and the specification with the small ones only."""
    with open(path, encoding="utf-8") as file:
        kernels = json.load(file)["KernelSpecification"]
    kernels = kernels if isinstance(kernels, list) else [kernels]
    flags = [], []
    for kernel in kernels:
        for some, sizes in zip(flags, reversed(kernel["Sizes"])):
            for flag in kernel.get("CompilerOptions", []):
                flag = re.sub(r"\$\{(\w+)\}", lambda name, sizes=sizes: str(sizes[name.group(1)]), flag)
                if flag not in some:
                    some.append(flag)
        kernel["Sizes"] = kernel["Sizes"][:1]
    return *flags, {"KernelSpecification": kernels}


def check(clopt, path, target, folder):
    large, flags, small = flags_and_sizes(path[:-3] + ".launch.json")
    spec, out, recipe = (os.path.join(folder, name) for name in ("small.json", "out.cl", "out.recipe"))
    with open(spec, "w", encoding="utf-8") as file:
        json.dump(small, file)
    row = {"file": os.path.relpath(path, FOLDER), "target": target, "verify": []}
    command = [clopt, path, f"--target={target}", "-o", out, f"--emit-recipe={recipe}", "--Rpass-missed=."]
    code, _, errors, seconds = run([*command, "--", *large], 60)
    row.update(code=code, seconds=round(seconds, 2), messages=errors, changed=False, recipe="")
    if os.path.exists(recipe):
        with open(recipe, encoding="utf-8") as file:
            row["recipe"] = file.read()
    if code == 0:
        with open(out, encoding="utf-8") as a, open(path, encoding="utf-8") as b:
            row["changed"] = a.read() != b.read()
    for more in [], ["--every-launch"]:
        if more or flags != large:
            code, _, errors, _ = run([*command, *more, "--", *flags], 60)
        if code:
            row["verify"].append((code, errors))
            break
        code, text, errors, _ = run([clopt, "verify", path, f"--launch={spec}", f"--optimized={out}", "--no-time",
                                     "--", *flags], 120)
        row["verify"].append((code, text + errors))
        if code != 3:
            break
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--clopt", default="clopt")
    parser.add_argument("--targets", nargs="+", default=["nvidia-hopper", "cpu"])
    parser.add_argument("--json", help="append the rows to this file")
    arguments = parser.parse_args()
    failed = False
    for path in arguments.files or sorted(glob.glob(FOLDER + "/*/*.cl")):
        for target in arguments.targets:
            with tempfile.TemporaryDirectory() as folder:
                row = check(arguments.clopt, os.path.abspath(path), target, folder)
            ends = [code for code, _ in row["verify"]]
            fine = row["code"] == 0 and ends and ends[-1] == 0
            failed |= not fine
            print(f"{'ok ' if fine else 'BAD'} {row['file']:40} {target:14} {'changed' if row['changed'] else 'same   '}"
                  f" {row['seconds']:5.1f}s verify {ends}", flush=True)
            if arguments.json:
                with open(arguments.json, "a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
