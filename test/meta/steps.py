"""Every step that a recipe may name is documented and has text tests of its own."""

import os
import re

from repository import ROOT, Findings, code_only, files, read

SOURCE = "lib/Support/Recipe.cpp"


def steps():
    """The names that the recipe parser knows."""
    text = code_only(read(SOURCE), keep_strings=True)
    match = re.search(r"isStepName\b.*?names\[\]\s*=\s*\{(.*?)\}", text, flags=re.S)
    return re.findall(r'"([\w-]+)"', match.group(1)) if match else []


def main():
    findings = Findings()
    known = steps()
    for step in known:
        page = f"docs/steps/{step}.md"
        if not os.path.exists(os.path.join(ROOT, page)):
            findings.add(page, 1, "the page of a step is missing")
        tests = files([f"test/lit/{step}"], (".cl", ".test", ".c"))
        if not [test for test in tests if "/Inputs/" not in test]:
            findings.add(SOURCE, 1, f"test/lit/{step} has no test")
    for page in files(["docs/steps"], (".md",)):
        stem = os.path.basename(page)[: -len(".md")]
        if stem not in known and stem not in ("index", "README"):
            findings.add(page, 1, f"there is no step {stem}")
    findings.finish(len(known))


main()
