"""docs/features.md names every technique once, with files and tests that exist and tests
that carry its number."""

import re

from repository import Findings, exists, files, read

PAGE = "docs/features.md"
KNOWN = [f"F{number:02}" for number in range(1, 46)]


def rows():
    """(line, cells) of the table's rows."""
    for number, line in enumerate(read(PAGE).splitlines(), 1):
        if re.match(r"\| F\d\d ", line):
            yield number, [cell.strip() for cell in line.strip("|").split("|")]


def carries(path, test, feature):
    """True when the test of that name has the number in its name or just above it."""
    match = re.search(rf"((?:^//[^\n]*\n)*)^TEST(?:_[FP])?\([^)]*\b{test}\)", read(path),
                      flags=re.M)
    return bool(match) and bool(re.search(rf"\b{feature}(?!\d)", match.group(0)))


def check_tests(cell, feature, number, findings):
    count = 0
    for part in cell.split(";"):
        match = re.fullmatch(r"`(test/[^`]+)`((?: \w+,?)*)", part.strip())
        if not match:
            findings.add(PAGE, number, f"{feature}: not a test: {part.strip()}")
            continue
        path, names = match.group(1), re.findall(r"\w+", match.group(2))
        if not exists(path):
            findings.add(PAGE, number, f"{feature}: there is no {path}")
            continue
        if path.endswith(".cpp") != bool(names):
            findings.add(PAGE, number, f"{feature}: {path} needs the names of its tests")
        if not names and not re.search(rf"\b{feature}(?!\d)", read(path)):
            findings.add(PAGE, number, f"{feature}: {path} does not carry the number")
        for name in names:
            if not carries(path, name, feature):
                findings.add(PAGE, number, f"{feature}: no test {name} with it in {path}")
        count += 1
    return count


def main():
    findings = Findings()
    seen, named, checked = [], set(), 0
    for number, cells in rows():
        feature = cells[0]
        seen.append(feature)
        if len(cells) != 6:
            findings.add(PAGE, number, f"{feature}: {len(cells)} cells")
            continue
        _, _, _, state, where, tests = cells
        paths = re.findall(r"`((?:lib|examples)/[^`]+)`", where)
        for path in paths:
            if not exists(path):
                findings.add(PAGE, number, f"{feature}: there is no {path}")
        if not re.match(r"(done|part|not done)\b", state):
            findings.add(PAGE, number, f"{feature}: what state is '{state}'?")
        if state.startswith("not done"):
            if paths or tests:
                findings.add(PAGE, number, f"{feature}: what is not done has no tests")
            continue
        if not paths or not tests:
            findings.add(PAGE, number, f"{feature}: where it is, or its test, is missing")
            continue
        checked += check_tests(tests, feature, number, findings)
        named.update((feature, path) for path in re.findall(r"`(test/[^`]+)`", tests))
    if seen != KNOWN:
        findings.add(PAGE, 1, f"rows are {' '.join(seen)}")
    for path in files(["test"], (".cpp", ".cl", ".test")):
        for feature in sorted(set(re.findall(r"(?:// |# |, )(F\d\d)(?=[A-Z.: ])", read(path)))):
            if (feature, path) not in named:
                findings.add(path, 1, f"{feature} is tested here, which {PAGE} does not say")
    findings.finish(checked)


main()
