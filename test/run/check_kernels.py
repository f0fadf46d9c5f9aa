#!/usr/bin/env python3
"""Runs a kernel before and after clopt, and judges the two.

  verify    clopt-rt verify on the default device: same values at every size and NDRange
  referee   the same under Oclgrind: the optimized kernel may have no message (access out
            of bounds, data race, uninitialised value) that the original has not. For the
            kernels in referee.json the planner's text has to be entered: the part behind
            the conditions of a launch, and every block of it with a barrier. That file
            names the launches this takes besides the small ones of the specification.

One kernel file with its launch specifications per call, under the planner for every target
and under every recipe. A text that another target has, too, is looked at once. Exit code 0
when all is well.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Oclgrind interprets each work-item: small launches only, and few larger ones.
REFEREE_WORK_ITEMS = 200

# Launches of the referee besides those of the specifications, by file name.
REFEREE_LAUNCHES = pathlib.Path(__file__).with_name("referee.json")

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


def verify(options, target, recipe, folder):
    command = [options.clopt_rt, "verify", str(options.kernel), "--no-time", "--no-entry",
               *launch_arguments(options.specs)]
    if any(has_parameter_flags(spec) for spec in options.specs):
        command += ["--clopt", options.clopt]
        command += [f"--clopt-arg={word}" for word in clopt_arguments(target, recipe)]
    else:
        optimized = folder / "optimized.cl"
        if not optimize(options, target, recipe, optimized):
            return False
        if seen_before(options, optimized):
            return True
        command += ["--optimized", str(optimized)]
    code, output = run(command, options.limit)
    if code != 0:
        print(" ".join(command))
        print(output)
        if "--optimized" in command:
            print(optimized.read_text())
    return code == 0


def clopt_arguments(target, recipe):
    words = ["--every-launch"]  # small launches are compared, too
    words += [f"--recipe={recipe}"] if recipe else []
    return [*words, *([f"--target={target}"] if target else [])]


def seen_before(options, optimized):
    """Whether this text has been looked at for another target, or is the original's."""
    text = optimized.read_text()
    if text in options.seen or text == options.kernel.read_text():
        return True
    options.seen.add(text)
    return False


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


def referee_run(options, optimized, folder, plugins, launches):
    """The messages of one run, or None when it failed, and the output."""
    log = folder / "oclgrind.log"
    log.unlink(missing_ok=True)
    # Oclgrind counts the local arrays of all kernels of a file for each of them.
    command = [options.oclgrind, *plugins, "--local-mem-size", "262144", "--log", str(log),
               options.clopt_rt, "verify", str(options.kernel), "--optimized",
               str(optimized), "--no-time", "--no-entry", "--guard", "0", *launches]
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
    command = [options.clopt, str(options.kernel), "-o", str(output)]
    if options.mode == "referee":
        command.append("--verify-each")  # also compared with the original without a device
    command += [*clopt_arguments(target, recipe), "--", *flags_of(options.specs)]
    code, text = run(command, options.limit)
    if code != 0:
        print(" ".join(command))
        print(text)
    return code == 0


def referee(options, target, recipe, folder):
    optimized = folder / "optimized.cl"
    if not optimize(options, target, recipe, optimized):
        return False
    if recipe and optimized.read_text() == options.kernel.read_text():
        print(f"{recipe} changes nothing")
        return False
    if seen_before(options, optimized):
        return True
    plugins = ["--data-races"]
    if not joins_vectors(options.kernel.read_text() + optimized.read_text()):
        plugins.append("--uninitialized")
    good = compare_runs(options, optimized, recipe, folder, plugins)
    if not good:
        print(f"target {target or 'of the recipe'}, recipe {recipe or 'of the planner'}")
        print(optimized.read_text())
    return good


def marked_blocks(text):
    """The text with a printf at the start of each block that has to be entered, and the
    numbers of their lines.

    New text starts with the list of what was done. Its blocks that have to be entered are
    the one behind the conditions of a launch, which ends with a return, and those with a
    barrier of their own, but for those that do nothing but wait for others or leave. Lines
    keep their numbers.
    """
    lines = text.split("\n")
    marks, blocks, new = set(), [], False
    for number, line in enumerate(lines):
        code = line.split("//")[0].rstrip()
        new = (new or "// Optimized by clopt" in line) and line != "}"
        if not new:
            blocks = []
            continue
        if code.lstrip().startswith("}") and blocks:
            start = blocks.pop()
            if not blocks and lines[number - 1].strip() == "return;":
                marks.add(start)
        if code.endswith("{"):
            blocks.append(number)
        after = lines[min(number + 1, len(lines) - 1)].strip()
        idle = after == "return;" or (blocks[-1:] == [number - 1] and after.startswith("}"))
        if code.lstrip().startswith("barrier(") and blocks and not idle:
            marks.add(blocks[-1])
    for number in marks:
        lines[number] += f' printf("entered %d\\n", {number + 1});'
    return "\n".join(lines), {number + 1 for number in marks}


def larger_launches(options, folder):
    """Specifications of the launches of referee.json: the kernel's own with other sizes."""
    paths = []
    for index, launch in enumerate(options.larger.get(options.kernel.stem, [])):
        kernels = [dict(kernel) for path in options.specs for kernel in specifications_in(path)]
        for kernel in kernels:
            kernel.pop("NDRanges", None)
            kernel.pop("LocalSizes", None)
            sizes = kernel.get("Sizes", {})
            derived = sizes if isinstance(sizes, dict) else {}
            kernel["Sizes"] = {**{name: value for name, value in derived.items()
                                  if isinstance(value, str)}, **launch["Sizes"]}
            if "LocalSize" in launch:
                kernel["LocalSize"] = launch["LocalSize"]
                kernel["GlobalSize"] = {
                    axis: f"roundup({size}, {launch['LocalSize'].get(axis, 1)})"
                    for axis, size in kernel["GlobalSize"].items()}
        path = folder / f"larger{index}.json"
        path.write_text(json.dumps([{"KernelSpecification": kernel} for kernel in kernels]))
        paths.append(path)
    return paths


def compare_runs(options, optimized, recipe, folder, plugins):
    """Whether the optimized kernel behaves as well as the original beside itself, and is
    entered where it has to be."""
    text, blocks = marked_blocks(optimized.read_text())
    marked = folder / "marked.cl"
    marked.write_text(text)
    small = [*launch_arguments(options.specs), "--max-work-items", str(REFEREE_WORK_ITEMS)]
    good, entered = compare_launches(options, marked, folder, plugins, small)
    larger = [] if recipe else larger_launches(options, folder)
    for spec in larger:
        if not good:
            break
        good, more = compare_launches(options, marked, folder, plugins,
                                      launch_arguments([spec]))
        entered |= more
    if good and larger and not blocks <= entered:
        print(f"no launch enters the blocks at lines {sorted(blocks - entered)}")
        good = False
    return good


def compare_launches(options, marked, folder, plugins, launches):
    """Whether all is well in these launches, and which blocks they enter."""
    after, output = referee_run(options, marked, folder, plugins, launches)
    entered = {int(number) for number in re.findall(r"entered (\d+)$", output, re.MULTILINE)}
    if after is None:
        print("the optimized kernel fails under Oclgrind\n" +
              re.sub(r"^entered \d+\n", "", output, flags=re.MULTILINE))
        return False, entered
    if not after:
        return True, entered
    before, output = referee_run(options, options.kernel, folder, plugins, launches)
    if before is None:
        print("the original kernel fails under Oclgrind\n" + output)
        return False, entered
    # `before` counts the original twice, `after` once beside the optimized one.
    worse = {message: (before[message], count) for message, count in after.items()
             if count > before[message]}
    for message, (old, new) in sorted(worse.items()):
        print(f"{message}: {new} times, {old} with the original in both places")
    return not worse, entered


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
    options.seen = set()
    options.larger = json.loads(REFEREE_LAUNCHES.read_text())
    check = verify if options.mode == "verify" else referee
    if options.mode == "referee":
        sized = [spec for spec in options.specs if has_parameter_flags(spec)]
        if sized:
            parser.error(f"{sized[0]} has flags that depend on sizes")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = [check(options, target, None, folder)
                   for target in options.targets.split(",")]
        results += [check(options, "", recipe, folder) for recipe in options.recipes]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
