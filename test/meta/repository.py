"""What the tests of the repository itself have in common.

Every test here reads the source tree and prints one line `path:line: message` for each
thing that is wrong. It fails when there is any.
"""

import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
CPP = (".cpp", ".h", ".def", ".c")


class Findings:
    """Collects what is wrong; `finish` ends the process accordingly."""

    def __init__(self):
        self.count = 0

    def add(self, path, line, message):
        self.count += 1
        print(f"{path}:{line}: {message}")

    def finish(self, checked):
        """`checked` is the number of things looked at: a test that looked at nothing
        has lost its subject and must not pass."""
        if checked == 0:
            print("error: found nothing to check")
            sys.exit(1)
        print(f"{checked} checked, {self.count} wrong")
        sys.exit(1 if self.count else 0)


def files(folders, suffixes):
    """Paths relative to the root, sorted, of the files below `folders`."""
    found = []
    for folder in folders:
        for path, subfolders, names in os.walk(os.path.join(ROOT, folder)):
            subfolders[:] = [s for s in subfolders if s not in (".git", "__pycache__")]
            for name in names:
                if name.endswith(tuple(suffixes)):
                    found.append(os.path.relpath(os.path.join(path, name), ROOT))
    return sorted(found)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def exists(path):
    return os.path.exists(os.path.join(ROOT, path))


def code_only(text, keep_strings=False):
    """C or C++ with comments, and string literals unless kept, replaced by blanks.

    Line breaks stay, so that line numbers are those of the file.
    """

    def blank(match):
        token = match.group(0)
        if keep_strings and token[0] in "\"'R":
            return token
        return re.sub(r"[^\n]", " ", token)

    return re.sub(
        r"//[^\n]*|/\*.*?\*/"
        r'|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
        r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
        blank,
        text,
        flags=re.S,
    )


def includes(path):
    """(line number, header, in quotes?) of every #include of a file."""
    for number, line in enumerate(read(path).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def refusals():
    """(name, rule id) of every entry of Refusals.def."""
    text = code_only(read("lib/Support/Refusals.def"), keep_strings=True)
    return re.findall(r'^CLOPT_REFUSAL\((\w+),\s*"([^"]+)"', text, flags=re.M)
