# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every line of statements.txt as a kernel, original and after a recipe.

usage: statements.py CLOPT CLOPT-RT FOLDER RECIPE
"""

import json
import os
import subprocess
import sys

clopt, runner, folder, recipe = sys.argv[1:]
types = {"a": "float", "s": "short", "p": "int", "c": "uchar", "l": "long", "d": "double"}
parameters = ", ".join(f"__global {kind} *{name}" for name, kind in types.items()) + ", int n"

with open(os.path.join(os.path.dirname(__file__), "statements.txt")) as file:
    statements = file.read().splitlines()
os.makedirs(folder, exist_ok=True)
source = os.path.join(folder, "statements.cl")
with open(source, "w") as file:
    for number, statement in enumerate(statements):
        file.write(f"__kernel void k{number}({parameters}) {{\n"
                   f"  int i = get_global_id(0);\n  {statement}\n}}\n")
with open(os.path.join(folder, "recipe"), "w") as file:
    file.write(recipe.replace(";", "\n") + "\n")

launches = []
for number in range(len(statements)):
    # Some statements read beyond their own element.
    arguments = [{"Name": name, "Type": kind, "MemoryType": "Vector", "Size": "n+300",
                  "AccessType": "ReadWrite", "FillType": "Random"} for name, kind in types.items()]
    arguments.append({"Name": "n", "Type": "int", "MemoryType": "Scalar"})
    launch = os.path.join(folder, f"k{number}.json")
    with open(launch, "w") as file:
        json.dump({"General": {"FormatVersion": 1}, "KernelSpecification": {
            "Language": "OpenCL", "KernelName": f"k{number}", "KernelFile": "statements.cl",
            "Sizes": {"n": [3, 13]}, "GlobalSizeType": "OpenCL", "GlobalSize": {"X": "n"},
            "NDRanges": [{"LocalSize": {"X": "n"}}], "Arguments": arguments}}, file)
    launches.append("--launch=" + launch)

sys.exit(subprocess.run([runner, "verify", source, "--clopt=" + clopt, "--no-time",
                         "--clopt-arg=--recipe=" + os.path.join(folder, "recipe")] + launches).returncode)
