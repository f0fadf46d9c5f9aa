"""tools/packages.txt is the one list of packages: complete, without repetition."""

import re

from repository import Findings, files, read

LIST = "tools/packages.txt"


def main():
    findings = Findings()
    names = []
    for number, line in enumerate(read(LIST).splitlines(), 1):
        name = line.split("#")[0].strip()
        if not name:
            continue
        if not re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", name):
            findings.add(LIST, number, f"not a package name: {name}")
        if name in names:
            findings.add(LIST, number, f"{name} is listed twice")
        names.append(name)
    for path in files([".ci", "tools", "test", "docs", "examples"], ("",)):
        if path in ("tools/scripts/install-packages", "test/meta/packages.py"):
            continue
        if path.endswith(".png"):
            continue
        # Files are no names: `apt install ./clopt_*.deb`.
        if re.search(r"\bapt(-get)? .*\binstall\b(?! (-\S+ )*\.?/)", read(path)):
            findings.add(path, 1, f"installs packages beside {LIST}")
    findings.finish(len(names))


main()
