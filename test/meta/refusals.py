"""Every reason that clopt gives for not doing something is documented and tested."""

import os

from repository import ROOT, Findings, files, read, refusals


def main():
    findings = Findings()
    tests = {
        path: read(path)
        for path in files(["test"], (".cpp", ".cl", ".test", ".py", ".json"))
        if not path.startswith("test/meta/")
    }
    known = refusals()
    for name, rule in known:
        page = f"docs/rules/{rule}.md"
        if not os.path.exists(os.path.join(ROOT, page)):
            findings.add(page, 1, f"the page of {name} is missing")
        elif rule not in read(page):
            findings.add(page, 1, f"the page does not name {rule}")
        if not any(rule in text or name in text for text in tests.values()):
            findings.add("lib/Support/Refusals.def", 1, f"no test has {rule}")

    rules = {rule for _, rule in known}
    if len(rules) != len(known) or len({name for name, _ in known}) != len(known):
        findings.add("lib/Support/Refusals.def", 1, "a name or a rule id is there twice")
    for page in files(["docs/rules"], (".md",)):
        stem = os.path.basename(page)[: -len(".md")]
        if stem not in rules and stem not in ("index", "README"):
            findings.add(page, 1, f"there is no rule {stem}")
    findings.finish(len(known))


main()
