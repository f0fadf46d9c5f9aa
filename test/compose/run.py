#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes steps one after the other, in every order, and sees what comes out.

Every ordered pair of steps with small numbers on kernels of many kinds, and random
sequences of three to six. What is taken is compared by clopt's validator; what is not
taken must have a reason of its own. An internal error or a text that is wrong is a failure,
and so is a refusal for another step that came before, or because the text of both cannot
be written, unless refusals.txt has it: that list is only ever made shorter.

    run.py --clopt .../clopt --sample 20     every twentieth pair and sequence
    run.py --clopt .../clopt                 all of them

Exit status: 0 without failures.
"""

import argparse
import collections
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import kernels

HERE = pathlib.Path(__file__).resolve().parent
TOGETHER = 24  # kernels in a file: clopt takes longer to start than to work
SEQUENCES = 2000
# Words of a reason that is another step, or that the text cannot be written.
OTHERS = re.compile(r"\balready\b|mapped before|cannot write|cannot be written")
FAILURES = re.compile(r"internal error|is wrong|does not compile")


def sequences(sample):
    """(kind, steps) in a fixed order."""
    result = []
    for name, kind in kernels.KINDS.items():
        result += [(name, pair) for pair in itertools.product(kernels.steps(kind), repeat=2)]
    rng = random.Random("compose")
    names = sorted(kernels.KINDS)
    for _ in range(SEQUENCES):
        name = rng.choice(names)
        lines = kernels.steps(kernels.KINDS[name])
        result.append((name, tuple(rng.choice(lines) for _ in range(rng.randint(3, 6)))))
    rng.shuffle(result)
    return result[::sample]


def runFile(clopt, cases):
    """(case, message) for whatever clopt says of each."""
    source, recipe, starts = "", "", []
    for index, (name, lines) in enumerate(cases):
        starts.append(source.count("\n") + 1)
        source += kernels.KINDS[name].source.lstrip("\n").replace("NAME", f"k{index}") + "\n"
        recipe += f"kernel k{index}\n" + "".join(line + "\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "f.cl").write_text(source)
        (path / "recipe").write_text(recipe)
        done = subprocess.run(
            [clopt, "f.cl", "--recipe=recipe", "--skip-refused", "--target=generic-gpu", "--time-budget=0",
             "-Rpass-missed=.", "-Rpass=.", "-o", "out.cl"], cwd=folder, capture_output=True, text=True)
    messages = [[] for _ in cases]
    for match in re.finditer(r"^f\.cl:(\d+):\d+: (\w[\w ]*): (.*)$", done.stderr, re.M):
        index = sum(start <= int(match[1]) for start in starts) - 1
        messages[index].append(match[3])
    if done.returncode != 0 and not any(FAILURES.search(m) for own in messages for m in own):
        messages[0].append(f"internal error: exit status {done.returncode}: {done.stderr[-300:]}")
    return list(zip(cases, messages))


def classOf(message):
    """Without names and numbers."""
    message = re.sub(r" \[.*", "", message)
    message = re.sub(r"kernel '[^']*'", "kernel", message)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'x'", message))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--sample", type=int, default=1, help="every so many cases")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write what is refused for another step")
    options = parser.parse_args()
    cases = sequences(options.sample)
    files = [cases[at:at + TOGETHER] for at in range(0, len(cases), TOGETHER)]
    clopt = str(pathlib.Path(options.clopt).resolve())
    known = set()
    listed = HERE / "refusals.txt"
    if listed.exists():
        known = {line for line in listed.read_text().splitlines() if line and not line.startswith("#")}
    taken = refused = 0
    classes, failures, others = collections.Counter(), [], {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for results in pool.map(lambda file: runFile(clopt, file), files):
            for case, messages in results:
                missed = [m for m in messages if "-Rpass-missed=" in m]
                taken += any("-Rpass=" in m for m in messages)
                refused += len(missed)
                failures += [(case, m) for m in messages if FAILURES.search(m)]
                for message in missed:
                    kind = classOf(message)
                    classes[kind] += 1
                    if OTHERS.search(kind):
                        others.setdefault(kind, case)
    for kind, count in classes.most_common():
        print(f"{count:6} {kind}")
    print(f"{len(cases)} sequences, {taken} with a step that was taken, {refused} steps refused")
    if options.write:
        listed.write_text("# Refusals for a step that came before, or for what cannot be written. To be made shorter.\n" +
                          "".join(kind + "\n" for kind in sorted(others)))
        known = set(others)
    for kind in sorted(set(others) - known):
        failures.append((others[kind], f"refused for another step: {kind}"))
    for (name, lines), message in failures:
        print(f"FAIL {name}: {'; '.join(lines)}: {message}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
