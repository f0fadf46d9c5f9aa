"""What every source file has to keep: length, head, finished work, and a quiet library."""

import os
import re

from repository import CPP, Findings, code_only, exists, files, read

LONGEST = 1000
CODE = CPP + (".py", ".cmake", ".txt", ".md", ".cl")
FOLDERS = ["include", "lib", "tools", "test", "docs", "examples"]

# Where C++ files begin with LLVM's banner. Inputs of tests are as users write them.
HEADED = ("include/", "lib/", "tools/", "test/unit/", "test/oracle/", "test/bench/")

# A library returns what went wrong; only the programs print and decide how to end.
LOUD = [
    r"\bstd::c(out|err|log)\b",
    r"\bllvm::(outs|errs)\s*\(",
    r"(?<![\w.>:])(std::)?(f?printf|puts|f?putc|putchar|perror)\s*\(",
    r"(?<![\w.>:])(std::)?(quick_)?_?exit\s*\(",
    r"(?<![\w.>:])(std::)?abort\s*\(",
    r"\breport_fatal_error\s*\(",
]


def check_length(path, text, findings):
    lines = text.count("\n")
    if lines > LONGEST:
        findings.add(path, lines, f"longer than {LONGEST} lines: split it")


def check_finished(path, text, findings):
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b", line):
            findings.add(path, number, "an open end: finish it, or write it in limits.md")


def check_head(path, text, findings):
    name = os.path.basename(path)
    first = text.split("\n", 1)[0]
    if not first.startswith(f"//===- {name} - "):
        findings.add(path, 1, f"the first line must begin `//===- {name} - `")
    if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text[:400]:
        findings.add(path, 3, "the SPDX line is missing")
    for named in re.findall(r"\btest/\w+/\w+\.(?:cpp|test|cl|py)\b", text):
        if not exists(named):
            findings.add(path, 1, f"names {named}, which does not exist")


def check_quiet(path, text, findings):
    for number, line in enumerate(code_only(text).splitlines(), 1):
        for pattern in LOUD:
            if re.search(pattern, line):
                findings.add(path, number, "lib/ neither prints nor ends the process")


def main():
    findings = Findings()
    paths = files(FOLDERS, CODE)
    for path in paths:
        text = read(path)
        check_length(path, text, findings)
        check_finished(path, text, findings)
        if path.startswith(HEADED) and path.endswith((".cpp", ".h", ".def")):
            check_head(path, text, findings)
        if path.startswith("lib/") and path.endswith((".cpp", ".h")):
            check_quiet(path, text, findings)
    findings.finish(len(paths))


main()
