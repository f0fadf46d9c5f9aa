#!/usr/bin/env python3
"""Writes what clopt prints into README.md and the READMEs of the examples.

    tools/scripts/update-examples.py [--check] [--bin build/bin] [file...]

A page has blocks like

    <!-- run: clopt check mm.cl -->
    ```
    ... replaced by the command and what it prints ...
    ```
    <!-- end -->

The command runs in the folder of the page. Behind ` | ` stands what is shown of it:
`kernel NAME [N]` is the text of one function, its first N lines. A line `...` stands for
what was left out. With --check nothing is written, and a stale block is an error; blocks
of `clopt verify` and `clopt ladder` are left out then, because they need an OpenCL device
and time.
"""

import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BLOCK = re.compile(
    r"(?P<head><!-- run: (?P<command>[^\n]*?)(?: \| (?P<filter>[^\n]*?))? -->\n)"
    r"(?P<body>.*?)(?P<end><!-- end -->)",
    re.S,
)


class Stale(Exception):
    pass


def run(command, folder, binaries):
    words = shlex.split(command)
    if words[0] not in ("clopt", "clopt-rt"):
        raise Stale(f"{command}: only clopt and clopt-rt are run")
    words[0] = os.path.join(binaries, words[0])
    done = subprocess.run(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        raise Stale(f"{command}: exit status {done.returncode}\n{text}")
    # Progress is only told where a run takes long.
    return re.sub(r"^\[\d+/\d+\] .*\n", "", text, flags=re.M)


def function(text, name):
    """The lines of one function, from its head to the brace that ends it."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        if re.match(r"\S.*\b" + re.escape(name) + r"\s*\(", line):
            last = next(n for n in range(first, len(lines)) if lines[n] == "}")
            return lines[first : last + 1]
    raise Stale(f"there is no function {name}")


def shorten(lines, most):
    if len(lines) <= most:
        return lines
    kept = lines[:most]
    indent = " " * (len(kept[-1]) - len(kept[-1].lstrip()))
    return kept + [indent + "..."]


def select(text, selection):
    """What the part of the marker behind the bar keeps of the text."""
    words = selection.split()
    if words[0] != "kernel" or len(words) not in (2, 3):
        raise Stale(f"{selection}: not understood")
    lines = function(text, words[1])
    return shorten(lines, int(words[2]) if len(words) == 3 else len(lines))


def block(match, folder, options):
    command, selection = match["command"], match["filter"]
    if options.check and command.split()[1] in ("verify", "ladder"):
        return match[0]
    text = run(command, folder, options.bin)
    if selection:
        lines = ["```c"] + select(text, selection)
    else:
        lines = ["```", "$ " + command] + text.strip("\n").splitlines()
        lines = [line.rstrip() for line in lines]
    return match["head"] + "\n".join(lines) + "\n```\n" + match["end"]


def update(page, options):
    """True when the page is, or now is, as it should be."""
    with open(page, encoding="utf-8") as file:
        before = file.read()
    folder = os.path.dirname(page)
    name = os.path.relpath(page, ROOT)
    try:
        after = BLOCK.sub(lambda match: block(match, folder, options), before)
    except Stale as reason:
        print(f"{name}: error: {reason}")
        return False
    if after == before:
        return True
    if options.check:
        print(f"{name}: stale; run tools/scripts/update-examples.py")
        sys.stdout.writelines(
            line + "\n"
            for line in difflib.unified_diff(
                before.splitlines(), after.splitlines(), "is", "should be", lineterm=""
            )
        )
        return False
    with open(page, "w", encoding="utf-8") as file:
        file.write(after)
    print(f"{name}: updated")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"),
                        help="where clopt and clopt-rt are")
    parser.add_argument("pages", nargs="*", metavar="file")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    pages = [os.path.abspath(page) for page in options.pages] or [
        os.path.join(ROOT, "README.md"),
        *sorted(glob.glob(os.path.join(ROOT, "examples", "*", "README.md"))),
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        good = list(pool.map(lambda page: update(page, options), pages))
    sys.exit(0 if all(good) else 1)


main()
