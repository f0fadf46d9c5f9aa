#!/usr/bin/env python3
"""Times recipes around the planner's, and compares their order with that of the prices.

    test/bench/collection/recipes.py --prepare DIR [--target NAME] [--recipes N] [--kernels WORD ...]
    test/bench/collection/recipes.py --run DIR [--platform NAME] [--limit SECONDS]
    test/bench/collection/recipes.py --prices DIR [--target NAME]

`--prepare` writes a text for the planner's recipe of each kernel and for some one change away from it, chosen by lot among those
that are legal; kernels whose group the driver chooses are left out. `--run` needs that folder, clopt-rt and an OpenCL device only; a run that
`--limit` ended goes on. `--prices` prints Kendall's tau: of gains over all recipes, and in the mean over kernels of the recipes of one.
DIR/table.md has all recipes with their times and prices.
"""

import argparse
import glob
import json
import math
import os
import random
import subprocess
import sys
import time

import prices

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


class Preparation:
    def __init__(self, options):
        self.options = options
        self.folder = options.prepare
        os.makedirs(self.folder, exist_ok=True)

    def text_of(self, path, flags, recipe, output):
        """Whether clopt changes the kernel by this recipe."""
        with open(f"{self.folder}/recipe", "w", encoding="utf-8") as file:
            file.write(recipe)
        output_of([self.options.clopt, path, f"--target={self.options.target}", "--validate=off",
                   f"--recipe={self.folder}/recipe", "-o", output, "--", *flags])
        with open(path, encoding="utf-8") as before:
            return os.path.exists(output) and open(output, encoding="utf-8").read() != before.read()

    def recipes_of(self, path, kernel, flags):
        """The planner's recipe, and some around it."""
        recipe = f"{self.folder}/planned"
        target = f"--target={self.options.target}"
        output_of([self.options.clopt, path, target, "--validate=off", f"--emit-recipe={recipe}", "-o", os.devnull, "--", *flags])
        with open(recipe, encoding="utf-8") as file:
            parts = [part.strip().splitlines() for part in ("\n" + file.read()).split("\nkernel ")]
        own = [part[1:] for part in parts if part and part[0] == kernel]
        planned = [line.strip() for line in own[0] if line.strip() and line[0] != "#"] if own else []
        with open(recipe, "w", encoding="utf-8") as file:
            file.write("\n".join([f"kernel {kernel}", *planned, ""]))
        answer = output_of([self.options.clopt, path, target, f"--recipe={recipe}", "--emit-neighbours=-", "--", *flags])
        found = json.loads(answer)["kernels"] if answer else []
        around = [one["steps"] for one in found[0].get("neighbours", []) if one["steps"]] if found else []
        random.Random(path + kernel).shuffle(around)
        return ([planned] if planned else []) + around

    def run(self):
        index = []
        for path in sorted(glob.glob(FOLDER + "/*/*.cl")):
            name = os.path.relpath(path, FOLDER)[:-3]
            if self.options.kernels and not any(word in name for word in self.options.kernels):
                continue
            with open(path[:-3] + ".launch.json", encoding="utf-8") as file:
                specs = json.load(file)["KernelSpecification"]
            for spec in specs if isinstance(specs, list) else [specs]:
                launch = prices.launch_of(name, spec["KernelName"], spec["Sizes"][-1])
                if not launch:
                    continue
                texts, seen = [], set()
                for steps in self.recipes_of(path, launch["kernel"], launch["options"]):
                    output = f"{self.folder}/{os.path.basename(name)}.{launch['kernel']}.{len(texts)}.cl"
                    if not self.text_of(path, launch["options"], "\n".join([f"kernel {launch['kernel']}", *steps, ""]), output):
                        continue
                    with open(output, encoding="utf-8") as file:
                        text = file.read()
                    if text not in seen:
                        seen.add(text)
                        texts.append({"file": os.path.basename(output), "steps": steps})
                    if len(texts) == self.options.recipes:
                        break
                if texts:
                    index.append({"name": name, "launch": launch, "texts": texts,
                                  "spec": {**spec, "CompilerOptions": launch["options"], "Sizes": spec["Sizes"][-1:]}})
        with open(f"{self.folder}/index.json", "w", encoding="utf-8") as file:
            json.dump(index, file, indent=0)
        print(f"{sum(len(one['texts']) for one in index)} recipes of {len(index)} kernels in {self.folder}")


def run(options):
    folder, path = options.run, f"{options.run}/times.json"
    end = time.monotonic() + options.limit
    times = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            times = json.load(file)
    with open(f"{folder}/index.json", encoding="utf-8") as file:
        index = json.load(file)
    for one in index:
        texts = [text["file"] for text in one["texts"] if text["file"] not in times]
        left = end - time.monotonic()
        if not texts or left < 5:
            continue
        with open(f"{folder}/launch.json", "w", encoding="utf-8") as file:
            json.dump({"KernelSpecification": one["spec"]}, file)
        report = f"{folder}/report.json"
        command = [options.clopt_rt, "verify", f"{FOLDER}/{one['name']}.cl", f"--launch={folder}/launch.json", "--first-range",
                   f"--repeat={options.repeat}", f"--json={report}"] + [f"--platform={options.platform}"] * bool(options.platform)
        for some in [texts], [[text] for text in texts]:  # one by one where they do not all run
            for names in some:
                if os.path.exists(report):
                    os.remove(report)
                try:
                    subprocess.run(command + [f"--optimized={folder}/{name}" for name in names], capture_output=True,
                                   timeout=max(5, min(end - time.monotonic(), options.kernel_limit)), check=False)
                except subprocess.TimeoutExpired:
                    continue
                if not os.path.exists(report):
                    continue
                with open(report, encoding="utf-8") as file:
                    for result in json.load(file)["results"]:
                        launch = result["launches"][0]
                        name = os.path.basename(result.get("optimized", names[0]))
                        times[name] = {key: result.get(key) for key in ("originalMs", "optimizedMs")}
                        times[name].update(status=launch["status"], entered=launch.get("entered"))
            if all(text in times for text in texts):
                break
        with open(path, "w", encoding="utf-8") as file:
            json.dump(times, file, indent=0)
    wrong = {name: one["status"] for name, one in times.items() if one["status"] != "equal"}
    print(f"{len(times)} of {sum(len(one['texts']) for one in index)} recipes timed; not equal: {wrong or 'none'}")


def priced(options, launches):
    lines = "".join(json.dumps(one) + "\n" for one in launches)
    answer = subprocess.run([options.price, f"--target={options.target}"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line).get("nanoseconds") for line in answer.stdout.splitlines()]


def compare(options):
    folder = options.prices
    with open(f"{folder}/index.json", encoding="utf-8") as file:
        index = json.load(file)
    with open(f"{folder}/times.json", encoding="utf-8") as file:
        times = json.load(file)
    everything, own, rows, kernels = [], [], [], 0
    for one in index:
        texts = [text for text in one["texts"] if times.get(text["file"], {}).get("entered") and times[text["file"]]["optimizedMs"]]
        original = [{"file": f"{FOLDER}/{one['name']}.cl", **one["launch"]}]
        before, *after = priced(options, original + [{"file": f"{folder}/{text['file']}", **one["launch"]} for text in texts])
        gains = []
        for text, price in zip(texts, after):
            took = times[text["file"]]
            if not price or not before or took["originalMs"] < options.shortest:
                continue
            gains.append((took["originalMs"] / took["optimizedMs"], before / price))
            rows.append(f"| `{one['name']}` {one['launch']['kernel']} | {'; '.join(text['steps'])} | {took['originalMs']:.4f} | "
                        f"{took['optimizedMs']:.4f} | {gains[-1][0]:.2f} | {gains[-1][1]:.2f} |")
        everything += gains
        kernels += bool(gains)
        if len(gains) > 2:
            own.append(prices.tau(gains))
    off = [math.log(b / a) for a, b in everything]
    print(f"{len(everything)} recipes of {kernels} kernels: tau of gains {prices.tau(everything):.3f}; within a kernel "
          f"{sum(own) / max(1, len(own)):.3f} in the mean of {len(own)}; gains predicted within a factor of "
          f"{math.exp(sum(map(abs, off)) / max(1, len(off))):.2f}, {math.exp(sum(off) / max(1, len(off))):.2f} of what was measured")
    with open(f"{folder}/table.md", "w", encoding="utf-8") as file:
        file.write("| kernel | recipe | original, ms | new, ms | gain | predicted |\n|---|---|--:|--:|--:|--:|\n")
        file.write("\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for action in "prepare", "run", "prices":
        parser.add_argument(f"--{action}", metavar="DIR")
    parser.add_argument("--target", default="nvidia-hopper")
    parser.add_argument("--recipes", type=int, default=10, help="of a kernel")
    parser.add_argument("--kernels", nargs="*", metavar="WORD", help="files whose names have it")
    parser.add_argument("--clopt", default=f"{ROOT}/build/bin/clopt")
    parser.add_argument("--clopt-rt", default=f"{ROOT}/build/bin/clopt-rt")
    parser.add_argument("--price", default=f"{ROOT}/build/bin/clopt-price")
    parser.add_argument("--platform", help="for clopt-rt")
    parser.add_argument("--repeat", type=int, default=3, help="runs behind each time")
    parser.add_argument("--shortest", type=float, default=0.02, help="ms of launches that say something")
    parser.add_argument("--limit", type=float, default=1e9, help="seconds in all")
    parser.add_argument("--kernel-limit", type=float, default=60, help="seconds for a kernel")
    options = parser.parse_args()
    if not (options.prepare or options.run or options.prices):
        parser.error("give --prepare, --run or --prices")
    if options.prepare:
        Preparation(options).run()
    if options.run:
        run(options)
    if options.prices:
        compare(options)


if __name__ == "__main__":
    sys.exit(main())
