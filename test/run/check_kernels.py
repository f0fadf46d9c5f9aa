#!/usr/bin/env python3
"""Runs kernels before and after clopt, and judges the two.

Every kernel of examples/*/*.cl and of kernels/*.cl is optimized by the planner for every
target and by the recipes beside it (NAME.*.recipe), each with --verify-each. What comes out is
then run in two ways; a text that another target has, too, is looked at once:

  on the default device: the same values at every size and NDRange
  under Oclgrind: the optimized kernel may have no message (access out of bounds, data race,
      uninitialised value) that the original has not. For the kernels in referee.json the
      planner's text has to be entered: the part behind the conditions of a launch, and every
      block of it with a barrier. That file names the launches this takes besides the small
      ones of the specification.

All texts of a kernel share one process in each of the two. Exit code 0 when all is well.

    check_kernels.py --clopt FILE --clopt-rt FILE [--part I/N] [NAME...]
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE / "kernels"
EXAMPLES = HERE.parent.parent / "examples"

TARGETS = ["cpu", "generic-gpu"]

# Kernels whose texts for these devices are compared, too: tiles and blocks of other sizes.
MORE_TARGETS = ["nvidia-hopper", "amd-cdna", "amd-cypress", "mali-midgard"]
MORE_TARGETS_FOR = {"matmul_tn", "pair_forces", "transpose_bytes", "walking_store",
                    "window_rows"}

# Oclgrind interprets each work-item: small launches only, and few larger ones.
REFEREE_WORK_ITEMS = 200

# PoCL compiles a kernel once, not once for each size of a group.
ANY_GROUP = {"POCL_WORK_GROUP_SPECIALIZATION": "0"}

# Launches of the referee besides those of the specifications, by file name.
REFEREE_LAUNCHES = json.loads((HERE / "referee.json").read_text())

MESSAGE_HEADS = re.compile(
    r"^(Invalid (?:read|write).*|Read-write data race.*|Write-write data race.*"
    r"|.*[Uu]ninitialized.*|.*divergence.*|Unaligned.*)$", re.MULTILINE)


def run(command, limit, variables=None):
    """Exit code and output; a program that hangs is a failure like any other."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=limit,
                              env={**os.environ, **(variables or {})})
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.output or b""
        return 124, output.decode(errors="replace") + f"\nno end after {limit} s\n"


def launch_arguments(specs):
    return [word for spec in specs for word in ("--launch", str(spec))]


def count_messages(log):
    """How often each kind of message stands in the log, with its numbers removed."""
    text = log.read_text(errors="replace") if log.exists() else ""
    heads = MESSAGE_HEADS.findall(text)
    return collections.Counter(re.sub(r"0x[0-9a-f]+|\d+", "N", head) for head in heads)


def joins_vectors(source):
    """Whether a vector literal is put together from vectors: (float8)(low, high), or
    (float2)(x.s0, y.s0).

    Clang makes shuffles with undefined lanes of these, for which the plugin of Oclgrind
    21.10 that follows uninitialised values reads outside its own arrays: it crashes or
    reports what is not there, for any kernel with such a literal.
    """
    for match in re.finditer(r"\(\w+?(2|3|4|8|16)\)\(", source):
        depth, parts, end = 1, 1, match.end()
        while depth and end < len(source):
            char = source[end]
            depth += (char in "([") - (char in ")]")
            parts += depth == 1 and char == ","
            end += 1
        lanes = re.findall(r"([\w\[\]]+)\.s[0-9a-f]\b", source[match.end():end])
        if parts not in (1, int(match.group(1))) or len(set(lanes)) > 1:
            return True
    return False


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


def marked_blocks(text, name):
    """The text with a printf of the name and a number at the start of each block that has to
    be entered, and those numbers: of their lines.

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
        lines[number] += f' printf("entered {name}:%d\\n", {number + 1});'
    return "\n".join(lines), {number + 1 for number in marks}


def larger_launches(case, folder):
    """Specifications of the launches of referee.json: the kernel's own with other sizes."""
    paths = []
    for index, launch in enumerate(REFEREE_LAUNCHES.get(case.kernel.stem, [])):
        kernels = [dict(kernel) for path in case.fixed for kernel in specifications_in(path)]
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


@dataclasses.dataclass
class Text:
    """What clopt made of a kernel file."""
    path: pathlib.Path
    label: str  # "target cpu"
    is_planned: bool  # by the planner, not by a recipe
    is_refereed: bool
    entered: set = dataclasses.field(default_factory=set)  # numbers of marked_blocks


class Case:
    """A kernel file, its launch specifications and its recipes."""

    def __init__(self, kernel):
        self.kernel = kernel
        name, folder = kernel.stem, kernel.parent
        # A folder of examples holds one kernel file, and a specification for each kernel in it.
        self.specs = ([folder / f"{name}.launch.json"] if folder == KERNELS
                      else sorted(folder.glob("*.launch.json")))
        self.recipes = sorted(folder.glob(f"{name}.*.recipe"))
        # Flags that the optimized file was not made for; it has to do what the original does.
        self.others = sorted(folder.glob(f"{name}.other-*.launch.json"))
        # index_macros is built with other flags at each size, which the referee cannot follow.
        self.fixed = [spec for spec in self.specs if not has_parameter_flags(spec)]

    def variants(self):
        """Arguments of clopt, a name, and whether the planner and the referee are asked."""
        for target in TARGETS:
            yield [f"--target={target}"], f"target {target}", True, True
        for recipe in self.recipes:
            yield [f"--recipe={recipe}"], recipe.name, False, True
        if self.kernel.stem in MORE_TARGETS_FOR:
            for target in MORE_TARGETS:
                yield [f"--target={target}"], f"target {target}", True, False


def all_cases():
    return [Case(kernel)
            for kernel in sorted(EXAMPLES.glob("*/*.cl")) + sorted(KERNELS.glob("*.cl"))]


class Checker:
    """Looks at one kernel file after the other."""

    def __init__(self, options, case, folder):
        self.options, self.case, self.folder = options, case, folder
        self.original = case.kernel.read_text()
        self.good = True

    def fail(self, message, text=None):
        self.good = False
        print(f"{self.case.kernel.name}: {message}")
        if text:
            print(f"{text.label}:\n{text.path.read_text()}")

    def check(self):
        if self.case.fixed:
            texts = self.optimize()
            if self.case.fixed == self.case.specs:
                self.compare(texts, self.case.specs)
            for spec in self.case.others:
                self.compare(texts, [spec])
            self.referee([text for text in texts if text.is_refereed])
        if self.case.fixed != self.case.specs:
            self.compare_at_each_size()
        return self.good

    def optimize(self):
        """The different texts that clopt makes."""
        texts, seen = [], {self.original}
        for index, (words, label, is_planned, is_refereed) in enumerate(self.case.variants()):
            text = Text(self.folder / f"{index}.cl", label, is_planned, is_refereed)
            # Small launches are compared, too. --verify-each: also without a device.
            command = [self.options.clopt, str(self.case.kernel), "-o", str(text.path),
                       "--every-launch", *(["--verify-each"] if is_refereed else []), *words,
                       "--", *flags_of(self.case.fixed)]
            code, output = run(command, self.options.limit)
            if code != 0 or "clopt-validation" in output:
                self.fail(f"{' '.join(command)}\n{output}")
                continue
            source = text.path.read_text()
            if source == self.original and not is_planned:
                self.fail(f"{label} changes nothing")
            if source not in seen:
                seen.add(source)
                texts.append(text)
        return texts

    # On the default device.

    def rt_command(self, texts, launches):
        optimized = [word for text in texts for word in ("--optimized", str(text.path))]
        return [self.options.clopt_rt, "verify", str(self.case.kernel), "--no-time", "--no-entry",
                *launches, *optimized]

    def compare(self, texts, specs):
        """All texts together; if that fails, each for itself, as PoCL compiles it by itself."""
        if not texts:
            return
        command = self.rt_command(texts, launch_arguments(specs))
        if run(command, self.options.limit * len(texts), ANY_GROUP)[0] == 0:
            return
        for text in texts:
            command = self.rt_command([text], launch_arguments(specs))
            code, output = run(command, self.options.limit)
            if code != 0:
                self.fail(f"{' '.join(command)}\n{output}", text)
        print(f"{self.case.kernel.name}: compared for each size of a group by itself")

    def compare_at_each_size(self):
        """Specifications whose flags depend on the size need one optimized file per size."""
        for words, *_ in self.case.variants():
            command = [*self.rt_command([], launch_arguments(self.case.specs)),
                       "--clopt", self.options.clopt,
                       *(f"--clopt-arg={word}" for word in ("--every-launch", *words))]
            code, output = run(command, self.options.limit)
            if code != 0:
                self.fail(f"{' '.join(command)}\n{output}")

    # Under Oclgrind.

    def referee(self, texts):
        blocks, groups = {}, collections.defaultdict(list)
        for index, text in enumerate(texts):
            source = text.path.read_text()
            marked, blocks[text.label] = marked_blocks(source, index)
            text.path = self.folder / f"marked{index}.cl"
            text.path.write_text(marked)
            plugins = ["--data-races"]
            if not joins_vectors(self.original + source):
                plugins.append("--uninitialized")
            groups[tuple(plugins)].append((index, text))
        small = [*launch_arguments(self.case.fixed), "--max-work-items", str(REFEREE_WORK_ITEMS)]
        larger = larger_launches(self.case, self.folder)
        for plugins, group in groups.items():
            self.referee_launches(group, plugins, small)
            planned = [(index, text) for index, text in group if text.is_planned]
            for spec in larger if planned and self.good else []:
                self.referee_launches(planned, plugins, launch_arguments([spec]))
            for _, text in planned if larger and self.good else []:
                missed = blocks[text.label] - text.entered
                if missed:
                    self.fail(f"no launch enters the blocks at lines {sorted(missed)}", text)

    def referee_run(self, paths, plugins, launches):
        """The messages of one run, or None when it failed, and the output."""
        log = self.folder / "oclgrind.log"
        log.unlink(missing_ok=True)
        texts = [Text(path, "", False, True) for path in paths]
        # Oclgrind counts the local arrays of all kernels of a file for each of them.
        command = [self.options.oclgrind, *plugins, "--local-mem-size", "262144",
                   "--log", str(log), *self.rt_command(texts, launches), "--guard", "0"]
        code, output = run(command, self.options.limit * len(paths))
        return (count_messages(log) if code == 0 else None), output

    def referee_launches(self, group, plugins, launches):
        """The texts with their numbers in these launches; what they enter is kept."""
        after, output = self.referee_run([text.path for _, text in group], plugins, launches)
        for index, text in group:
            text.entered |= {int(number) for number in
                             re.findall(rf"entered {index}:(\d+)$", output, re.MULTILINE)}
        if after is not None and not after:
            return
        if len(group) > 1:  # whose messages are these?
            for member in group:
                self.referee_launches([member], plugins, launches)
            return
        [(_, text)] = group
        if after is None:
            output = re.sub(r"^entered .*\n", "", output, flags=re.MULTILINE)
            self.fail(f"the optimized kernel fails under Oclgrind\n{output}", text)
            return
        before, output = self.referee_run([self.case.kernel], plugins, launches)
        if before is None:
            self.fail(f"the original kernel fails under Oclgrind\n{output}")
            return
        # `before` counts the original twice, `after` once beside the optimized one.
        worse = [f"{message}: {count} times, {before[message]} with the original in both places"
                 for message, count in sorted(after.items()) if count > before[message]]
        if worse:
            self.fail("\n".join(worse), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="of kernel files; default all")
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--clopt-rt", required=True)
    parser.add_argument("--oclgrind", default="oclgrind")
    parser.add_argument("--part", default="1/1", help="I/N: every Nth kernel, from the Ith")
    parser.add_argument("--limit", type=float, default=240, help="seconds for one text")
    options = parser.parse_args()
    cases = all_cases()
    unknown = set(options.names) - {case.kernel.stem for case in cases}
    if unknown:
        parser.error(f"no kernel file {', '.join(sorted(unknown))}")
    first, step = (int(number) for number in options.part.split("/"))
    bad = []
    for case in cases[first - 1::step]:
        if options.names and case.kernel.stem not in options.names:
            continue
        with tempfile.TemporaryDirectory() as name:
            good = Checker(options, case, pathlib.Path(name)).check()
        print(f"{case.kernel.stem}: {'right' if good else 'wrong'}", flush=True)
        if not good:
            bad.append(case.kernel.stem)
    if bad:
        print(f"wrong: {' '.join(bad)}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
