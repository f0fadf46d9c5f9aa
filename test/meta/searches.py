"""Text that lib/Emit has written is not searched: what is needed of it is kept as data."""

import re

from repository import Findings, code_only, files, read

SEARCH = (
    r"[.>](substr|rfind|replace|compare|find_(first|last)(_not)?_of|starts_with|consume_front)\("
    r'|[.>]find\((["\']|operator)'
    r"|string::npos|StringRef::npos|\bis(alnum|alpha|digit|space)\("
)

def main():
    findings = Findings()
    paths = files(["lib/Emit"], (".cpp", ".h"))
    for path in paths:
        count = len(re.findall(SEARCH, code_only(read(path), keep_strings=True)))
        if count:
            findings.add(path, 1, f"searches text {count} times: keep what is needed as data")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()
