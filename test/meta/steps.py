"""Every step of the table is documented, has text tests, and is made by the fuzzer."""

import os
import re

from repository import ROOT, Findings, files, read

TABLE = "lib/Support/Steps.def"
RECIPES = "docs/recipes.md"
INDEX = "docs/README.md"


def steps():
    """name -> (targets, flags, parameters, summary) of the table of steps."""
    entry = r'^CLOPT_STEP\(\w+, "([\w-]+)", (\w+), [\w |]+, "([^"]*)", "([^"]*)", "[^"]*", "([^"]+)"\)$'
    return {m[0]: m[1:] for m in re.findall(entry, read(TABLE), flags=re.M)}


def rows(text, heading):
    """The lines of the first table below a heading, without its own heading."""
    section = text[text.index(f"\n## {heading}\n"):]
    found = re.search(r"\n\|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)", section)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in found.group(1).splitlines()]


def compare(findings, page, what, known, found):
    """Both ways: what the page lacks, and what it has too much."""
    for name in sorted(set(known) - set(found)):
        findings.add(page, 1, f"{what}: '{name}' is missing")
    for name in sorted(set(found) - set(known)):
        findings.add(page, 1, f"{what}: there is no '{name}'")
    if len(found) != len(set(found)):
        findings.add(page, 1, f"{what}: something is there twice")


def check_grammar(findings, known, text):
    rule = re.search(r"^stepname\s*=(.*?);", text, flags=re.S | re.M).group(1)
    compare(findings, RECIPES, "grammar", known, re.findall(r'"([\w-]+)"', rule))
    rule = re.search(r"^flag\s*=(.*?)^change", text, flags=re.S | re.M).group(1).replace(";", "")
    flags = []
    for words, step in re.findall(r"([|\s\"\w]+)\(\* of ([\w-]+) \*\)", rule):
        flags += [f"{step} {word}" for word in re.findall(r'"(\w+)"', words)]
    compare(findings, RECIPES, "flags", [f"{s} {f}" for s in known for f in known[s][1].split()], flags)


def check_targets(findings, known, text):
    """A row of the names stands for one kind of targets."""
    kinds, found = [], []
    for first, _ in rows(text, "Names"):
        named = re.findall(r"`([\w-]+)`", first)
        found += named
        own = {known[name][0] for name in named if name in known}
        if len(own) != 1 or own & set(kinds):
            findings.add(RECIPES, 1, f"the targets of {first} are not those of one row")
        kinds += own
    compare(findings, RECIPES, "names", known, found)


def check_rows(findings, known, text):
    found = []
    for row in rows(text, "Steps"):
        name = re.match(r"`([\w-]+)", row[0]).group(1)
        found.append(name)
        if name not in known:
            continue
        _, flags, parameters, _ = known[name]
        documented = re.findall(r"`([\w-]+)", row[1] + " " + row[2])
        for word in flags.split() + parameters.split():
            if word not in documented:
                findings.add(RECIPES, 1, f"the row of {name} has no '{word}'")
        if row[-1] != f"[steps/{name}.md](steps/{name}.md)":
            findings.add(RECIPES, 1, f"the row of {name} does not end with its page")
    compare(findings, RECIPES, "steps", known, found)


def check_index(findings, known):
    lines = re.findall(r"^\| \[[^\]]*\]\(steps/.*$", read(INDEX), flags=re.M)
    wanted = [f"| [{name}](steps/{name}.md) | {known[name][3]} |" for name in known]
    compare(findings, INDEX, "steps", wanted, lines)


def check_files(findings, known):
    for step in known:
        page = f"docs/steps/{step}.md"
        if not os.path.exists(os.path.join(ROOT, page)):
            findings.add(page, 1, "the page of a step is missing")
        tests = files([f"test/lit/{step}"], (".cl", ".test", ".c"))
        if not [test for test in tests if "/Inputs/" not in test]:
            findings.add(TABLE, 1, f"test/lit/{step} has no test")
    for page in files(["docs/steps"], (".md",)):
        stem = os.path.basename(page)[: -len(".md")]
        if stem not in known:
            findings.add(page, 1, f"there is no step {stem}")


def main():
    findings = Findings()
    known = steps()
    if len(known) != read(TABLE).count("\nCLOPT_STEP("):
        findings.add(TABLE, 1, "an entry has another form")
    text = read(RECIPES)
    check_grammar(findings, known, text)
    check_targets(findings, known, text)
    check_rows(findings, known, text)
    check_index(findings, known)
    check_files(findings, known)
    findings.finish(len(known))


main()
