#!/usr/bin/env python3
"""Times original against optimized kernels under PoCL, as README.md shows them.

    tools/scripts/bench-pocl.py [--bin build/bin] [--repeat N] [--rounds N] [--json FILE]

Every line is one `clopt verify --target=cpu`: the results are compared too, and a
difference makes the script fail. Each measurement, a median of `--repeat` runs, is made
`--rounds` times; the table shows the lowest time of either kernel, which is the one that
other work on the machine disturbed least, and the range of the ratios of single rounds.
With `--update-readme` the table in README.md is replaced.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

# Folder and kernel, sizes, and whether the kernel counts for the geometric mean. mm_sum
# is left out of it, because it is the same loop nest as mm.
KERNELS = [
    ("hydro", "hydro", "n=4194304", True),
    ("mm", "mm", "n=256", True),
    ("mm", "mm_sum", "n=256", False),
    ("adi", "adi", "n=1024", True),
    ("nbody", "nbody", "n=4096", True),
    ("sad", "sad", "s=256,w=256,h=256", True),
    ("spmv", "spmv", "rows=65536,columns=65536,entries=2097152", True),
]
MARK = "<!-- table: tools/scripts/bench-pocl.py --update-readme -->\n"
FLAGS = {"": [], "-cl-unsafe-math-optimizations": ["-cl-unsafe-math-optimizations"]}


def verify(options, folder, kernel, sizes, flags):
    """One run of clopt-rt verify: its JSON, or the end of the script."""
    with tempfile.TemporaryDirectory() as temporary:
        result = os.path.join(temporary, "result.json")
        command = [
            os.path.join(options.bin, "clopt-rt"), "verify",
            f"{ROOT}/examples/{folder}/{folder}.cl",
            f"--launch={ROOT}/examples/{folder}/{kernel}.launch.json",
            "--target=cpu", f"--repeat={options.repeat}", f"--size={sizes}",
            f"--json={result}",
        ]
        if flags:
            command += [f"--ulp={options.ulp}", "--"] + flags
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"error: {' '.join(command)}\n{done.stdout}{done.stderr}")
        with open(result, encoding="utf-8") as file:
            return json.load(file)


def measure(options, flags):
    rows = []
    for folder, kernel, sizes, counts in KERNELS:
        rounds = [
            verify(options, folder, kernel, sizes, flags) for _ in range(options.rounds)
        ]
        runs = [run["results"][0] for run in rounds]
        row = {"kernel": kernel, "sizes": sizes, "counts": counts}
        for key in ("originalMs", "optimizedMs"):
            row[key] = min(run[key] for run in runs)
        row["ratio"] = row["originalMs"] / row["optimizedMs"]
        row["lowest"] = min(run["ratio"] for run in runs)
        row["highest"] = max(run["ratio"] for run in runs)
        rows.append(row)
        show_row(row)
    return rows


def show_head(flags):
    print(f"\nflags: {flags or 'none'}\n")
    print(f"{'kernel':8}{'size':42}{'original ms':>12}{'optimized ms':>14}"
          f"{'ratio':>8}  range")


def show_row(row):
    print(f"{row['kernel']:8}{row['sizes']:42}{row['originalMs']:12.3f}"
          f"{row['optimizedMs']:14.3f}{row['ratio']:8.2f}"
          f"  {row['lowest']:.2f} - {row['highest']:.2f}", flush=True)


def table(result):
    """The measurements as the table of README.md."""
    default, unsafe = (result[name or "none"] for name in FLAGS)
    lines = [
        "| kernel | size | original ms | optimized ms | ratio | ratio, unsafe math |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for row, other in zip(default["rows"], unsafe["rows"]):
        lines.append(
            f"| `{row['kernel']}` | `{row['sizes']}` | {row['originalMs']:.2f}"
            f" | {row['optimizedMs']:.2f} | {row['ratio']:.2f} | {other['ratio']:.2f} |"
        )
    lines.append(
        f"| geometric mean without `mm_sum` | | | | {default['geometricMean']:.2f}"
        f" | {unsafe['geometricMean']:.2f} |"
    )
    return "\n".join(lines) + "\n"


def update_readme(text):
    page = os.path.join(ROOT, "README.md")
    with open(page, encoding="utf-8") as file:
        before = file.read()
    start = before.index(MARK) + len(MARK)
    end = before.index("<!-- end -->", start)
    with open(page, "w", encoding="utf-8") as file:
        file.write(before[:start] + text + before[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"),
                        help="where clopt and clopt-rt are")
    parser.add_argument("--repeat", type=int, default=5, help="runs behind one time")
    parser.add_argument("--rounds", type=int, default=3, help="processes per line")
    parser.add_argument("--ulp", type=int, default=0,
                        help="difference that is accepted with unsafe math (default 0)")
    parser.add_argument("--update-readme", action="store_true",
                        help="replace the table in README.md")
    parser.add_argument("--json", help="also write the measurements to this file")
    options = parser.parse_args()
    result = {}
    for name, flags in FLAGS.items():
        show_head(name)
        rows = measure(options, flags)
        ratios = [row["ratio"] for row in rows if row["counts"]]
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        counted = ", ".join(row["kernel"] for row in rows if row["counts"])
        print(f"\ngeometric mean over {counted}: {mean:.2f}, lowest {min(ratios):.2f}")
        result[name or "none"] = {"rows": rows, "geometricMean": mean}
    if options.update_readme:
        update_readme(table(result))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


main()
