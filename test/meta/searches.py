"""Text that lib/Emit has written is not searched: what is needed of it is kept as data.

One file still searches text: it is listed with the number of places, which may only become
smaller.
"""

import re

from repository import Findings, code_only, files, read

SEARCH = (
    r"[.>](substr|rfind|replace|compare|find_(first|last)(_not)?_of|starts_with|consume_front)\("
    r'|[.>]find\((["\']|operator)'
    r"|string::npos|StringRef::npos|\bis(alnum|alpha|digit|space)\("
)

KNOWN = {
    "frame/PlannedKernel.cpp": 6,
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
