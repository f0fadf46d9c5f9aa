"""Takes reqd_work_group_size out of kernels and looks whether clopt finds it again:
stated-sizes.py CLOPT FOLDER FILE.cl... What is found has to be what was stated."""

import re
import subprocess
import sys

STATED = re.compile(r"__attribute__\s*\(\(\s*reqd_work_group_size\(([^()]*)\)\s*\)\)")


def numbers(size, text):
    macros = dict(re.findall(r"^#define (\w+) (\d+)\s*$", text, re.M))
    return [macros.get(part.strip(), part.strip()) for part in size.split(",")]


clopt, folder, *files = sys.argv[1:]
found = wrong = stated = 0
for file in files:
    text = open(file).read()
    wanted = [numbers(size, text) for size in STATED.findall(text)]
    stated += len(wanted)
    copy = folder + "/stripped.cl"
    open(copy, "w").write(STATED.sub("", text))
    diff = subprocess.run([clopt, "check", "--quiet", "--fixes=local-size", copy],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for size in re.findall(r"^\+.*reqd_work_group_size\(([^()]*)\)", diff, re.M):
        found += 1
        if numbers(size, text) not in wanted:
            wrong += 1
            print(f"{file}: {size}")
print(f"{stated} stated, {found} found, {wrong} wrong")
