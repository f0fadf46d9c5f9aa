"""Links between the pages of the documentation lead somewhere."""

import os
import re

from repository import ROOT, Findings, files, read


def anchors(text):
    """The names that a hosting site gives to the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+\s+(.*?)\s*$", text, flags=re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.replace(" ", "-"))
    return found


def prose(text):
    """Without code blocks and code spans: brackets there are not links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def main():
    findings = Findings()
    pages = files(["docs", "examples"], (".md",))
    if os.path.exists(os.path.join(ROOT, "README.md")):
        pages.append("README.md")
    for page in pages:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(read(page))):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            full = os.path.normpath(os.path.join(os.path.dirname(page), path))
            full = full if path else page
            if not os.path.exists(os.path.join(ROOT, full)):
                findings.add(page, 1, f"a link to {target}, which does not exist")
            elif anchor and full.endswith(".md") and anchor not in anchors(read(full)):
                findings.add(page, 1, f"a link to {target}, which has no such heading")
    findings.finish(len(pages))


main()
