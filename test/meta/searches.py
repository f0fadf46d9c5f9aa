"""Text that lib/Emit has written is not searched: what is needed of it is kept as data.

Some files still search or cut text. They are listed with the number of places, which may
only become smaller.
"""

import re

from repository import Findings, code_only, files, read

SEARCH = (
    r"[.>](substr|rfind|replace|compare|find_(first|last)(_not)?_of|starts_with|consume_front)\("
    r'|[.>]find\((["\']|operator)'
)

KNOWN = {
    "body/BodyDeclarations.cpp": 1,
    "frame/Guards.cpp": 1,
    "frame/KernelNames.cpp": 2,
    "frame/KernelWriter.cpp": 2,
    "frame/PlannedKernel.cpp": 1,
}


def main():
    findings = Findings()
    paths = files(["lib/Emit"], (".cpp", ".h"))
    for path in paths:
        count = len(re.findall(SEARCH, code_only(read(path), keep_strings=True)))
        known = KNOWN.get(path[len("lib/Emit/"):], 0)
        if count > known:
            findings.add(path, 1, f"searches text {count} times, {known} before: keep what is needed as data")
        if count < known:
            findings.add(path, 1, f"searches text {count} times, {known} before: write that into searches.py")
    for path in KNOWN:
        if "lib/Emit/" + path not in paths:
            findings.add("test/meta/searches.py", 1, f"lib/Emit/{path} does not exist")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()
