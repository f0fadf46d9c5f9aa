#!/usr/bin/env python3
"""Runs a kernel before and after clopt, and judges the two.

  verify    clopt-rt verify on the default device: same values at every size and NDRange
  referee   the same under Oclgrind: the optimized kernel may have no message (access out
            of bounds, data race, uninitialised value) that the original has not

One kernel file with its launch specifications per call, under the planner for every target
and under every recipe; exit code 0 when all is well.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Oclgrind interprets each work-item: small launches only.
REFEREE_WORK_ITEMS = "200"

MESSAGE_HEADS = re.compile(
    r"^(Invalid (?:read|write).*|Read-write data race.*|Write-write data race.*"
    r"|.*[Uu]ninitialized.*|.*divergence.*|Unaligned.*)$", re.MULTILINE)


def run(command, limit):
    """Exit code and output; a program that hangs is a failure like any other."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=limit)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.output or b""
        return 124, output.decode(errors="replace") + f"\nno end after {limit} s\n"


def launch_arguments(specs):
    return [word for spec in specs for word in ("--launch", str(spec))]


def verify(options, target, recipe):
    command = [options.clopt_rt, "verify", str(options.kernel), "--no-time", "--clopt",
               options.clopt, *launch_arguments(options.specs)]
    if target:
        command += ["--target", target]
    if recipe:
        command += [f"--clopt-arg=--recipe={recipe}"]
    else:
        command += ["--clopt-arg=--every-launch"]  # small launches are compared, too
    code, output = run(command, options.limit)
    if code != 0:
        print(" ".join(command))
        print(output)
    return code == 0


def count_messages(log):
    """How often each kind of message stands in the log, with its numbers removed."""
    text = log.read_text(errors="replace") if log.exists() else ""
    heads = MESSAGE_HEADS.findall(text)
    return collections.Counter(re.sub(r"0x[0-9a-f]+|\d+", "N", head) for head in heads)


def joins_vectors(source):
    """Whether a vector literal is put together from vectors: (float8)(low, high).

    Clang makes shuffles with undefined lanes of these, for which the plugin of Oclgrind
    21.10 that follows uninitialised values reads outside its own arrays: it crashes or
    reports what is not there, for any kernel with such a literal.
    """
    for match in re.finditer(r"\(\w+?(2|3|4|8|16)\)\(", source):
        depth, parts = 1, 1
        for char in source[match.end():]:
            depth += (char in "([") - (char in ")]")
            if depth == 0:
                break
            parts += depth == 1 and char == ","
        if parts not in (1, int(match.group(1))):
            return True
    return False


def referee_run(options, optimized, folder, plugins):
    """The messages of one run, or None when it failed, and the output."""
    log = folder / "oclgrind.log"
    log.unlink(missing_ok=True)
    # Oclgrind counts the local arrays of all kernels of a file for each of them.
    command = [options.oclgrind, *plugins, "--local-mem-size", "262144", "--log", str(log),
               options.clopt_rt, "verify",
               str(options.kernel), "--optimized", str(optimized), "--no-time", "--guard",
               "0", "--max-work-items", REFEREE_WORK_ITEMS, *launch_arguments(options.specs)]
    code, output = run(command, options.limit)
    return (count_messages(log) if code == 0 else None), output


def has_parameter_flags(spec):
    """Specifications whose flags depend on the size need one optimized file per size."""
    return "${" in spec.read_text()


def specifications_in(path):
    """The kernels of a file of specifications: one, a list of them, or a list of documents."""
    document = json.loads(path.read_text())
    for part in document if isinstance(document, list) else [document]:
        kernels = part["KernelSpecification"]
        yield from kernels if isinstance(kernels, list) else [kernels]


def flags_of(specs):
    """The flags of clBuildProgram that the specifications of a kernel name."""
    flags = []
    for path in specs:
        for kernel in specifications_in(path):
            for flag in kernel.get("CompilerOptions", []):
                if flag not in flags:
                    flags.append(flag)
    return flags


def optimize(options, target, recipe, output):
    # What is written is also compared with the original without a device.
    command = [options.clopt, str(options.kernel), "--verify-each", "--every-launch", "-o",
               str(output)]
    if target:
        command.append(f"--target={target}")
    if recipe:
        command.append(f"--recipe={recipe}")
    command += ["--", *flags_of(options.specs)]
    code, text = run(command, options.limit)
    if code != 0:
        print(" ".join(command))
        print(text)
    return code == 0


def referee(options, target, recipe):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        optimized = folder / "optimized.cl"
        if not optimize(options, target, recipe, optimized):
            return False
        if recipe and optimized.read_text() == options.kernel.read_text():
            print(f"{recipe} changes nothing")
            return False
        plugins = ["--data-races"]
        if not joins_vectors(options.kernel.read_text() + optimized.read_text()):
            plugins.append("--uninitialized")
        good = compare_runs(options, optimized, folder, plugins)
        if not good:
            print(optimized.read_text())
        return good


def compare_runs(options, optimized, folder, plugins):
    """Whether the optimized kernel behaves as well as the original beside itself."""
    before, output = referee_run(options, options.kernel, folder, plugins)
    if before is None:
        print("the original kernel fails under Oclgrind\n" + output)
        return False
    after, output = referee_run(options, optimized, folder, plugins)
    if after is None:
        print("the optimized kernel fails under Oclgrind\n" + output)
        return False
    # `before` counts the original twice, `after` once beside the optimized one.
    worse = {message: (before[message], count) for message, count in after.items()
             if count > before[message]}
    for message, (old, new) in sorted(worse.items()):
        print(f"{message}: {new} times, {old} with the original in both places")
    return not worse


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=("verify", "referee"))
    parser.add_argument("kernel", type=pathlib.Path)
    parser.add_argument("specs", nargs="+", type=pathlib.Path)
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--clopt-rt", required=True)
    parser.add_argument("--oclgrind", default="oclgrind")
    parser.add_argument("--targets", default="", help="comma-separated; default clopt's own")
    parser.add_argument("--recipes", nargs="*", type=pathlib.Path, default=[],
                        help="recipes to follow besides the planner's")
    parser.add_argument("--limit", type=float, default=240, help="seconds for one process")
    options = parser.parse_args()
    check = verify if options.mode == "verify" else referee
    if options.mode == "referee":
        sized = [spec for spec in options.specs if has_parameter_flags(spec)]
        if sized:
            parser.error(f"{sized[0]} has flags that depend on sizes")
    results = [check(options, target, None) for target in options.targets.split(",")]
    results += [check(options, "", recipe) for recipe in options.recipes]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
