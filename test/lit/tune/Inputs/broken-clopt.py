#!/usr/bin/env python3
# Runs clopt (CLOPT), but for some recipes: "unroll k:2" gives a text that computes something else, "unroll k:4" one that
# does not compile, "unroll k:8" nothing for a long time.

import os
import subprocess
import sys
import time

arguments = sys.argv[1:]


def value(name):
    return next((a[len(name) + 3:] for a in arguments if a.startswith(f"--{name}=")), "")


def recipe():
    if not value("recipe") or value("emit-neighbours"):
        return ""
    with open(value("recipe"), encoding="utf-8") as file:
        return file.read()


steps = recipe().splitlines()[1:]
if steps == ["unroll k:8"]:
    time.sleep(120)
code = subprocess.call([os.environ["CLOPT"], *arguments])
if code == 0 and steps in (["unroll k:2"], ["unroll k:4"]):
    output = arguments[arguments.index("-o") + 1]
    with open(output, encoding="utf-8") as file:
        text = file.read()
    with open(output, "w", encoding="utf-8") as file:
        file.write(text.replace("2 *", "3 *") if steps == ["unroll k:2"] else text + "\nthis is no OpenCL C\n")
sys.exit(code)
