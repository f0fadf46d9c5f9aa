#!/usr/bin/env python3
"""The runtime leaks no memory of its own: valgrind runs some of its tests.

    check_leaks.py <clopt-rt-unit-tests> <filter>

Drivers leak a little themselves; what counts is memory that is allocated by the code of
clopt. OpenCL objects that are not released are counted by the tests themselves.
"""

import re
import subprocess
import sys
import tempfile

# Frames that belong to whoever called them.
ALLOCATORS = re.compile(r"\bmalloc\b|\bcalloc\b|\brealloc\b|operator new|\bstd::|__gnu_cxx"
                        r"|allocator|vgpreload")


def owner(frames):
    """The first frame that is no allocator."""
    return next((frame for frame in frames if not ALLOCATORS.search(frame)), "")


def main():
    program, tests = sys.argv[1:3]
    words = [program, f"--gtest_filter={tests}"]
    # Without valgrind first: the driver keeps what it compiles.
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        done = subprocess.run(
            ["valgrind", "--leak-check=full", "--show-leak-kinds=definite",
             f"--log-file={log.name}", *words], stdout=subprocess.PIPE, text=True)
        text = re.sub(r"^==\d+== ?", "", log.read(), flags=re.M)
    if done.returncode or "PASSED" not in done.stdout:
        sys.exit(f"the tests fail under valgrind:\n{done.stdout}")
    if "ERROR SUMMARY" not in text:
        sys.exit(f"valgrind did not finish:\n{text}")
    leaks = 0
    for record in re.split(r"\n\s*\n", text):
        if "definitely lost in loss record" not in record:
            continue
        frames = re.findall(r"^\s*(?:at|by) 0x[0-9A-F]+: (.*)$", record, re.M)
        if "clopt" in owner(frames).split("(in ")[0]:
            leaks += 1
            print(record)
    print(f"{leaks} leaks")
    sys.exit(1 if leaks else 0)


if __name__ == "__main__":
    main()
