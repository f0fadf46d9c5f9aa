#!/usr/bin/env python3
"""Runs the scripts of the GitHub action and the pre-commit hook as those services would.

    check_ci.py --bin <folder of clopt> --work <scratch folder> --root <repository>
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import yaml

GOOD = """__kernel void good(__global float *restrict a)
{
    a[get_global_id(0)] = VALUE;
}
"""
BAD = GOOD.replace("good", "bad").replace("get_global_id(0)", "2 * get_global_id(0)")


def expect(condition, message):
    if not condition:
        sys.exit(message)


def run_action(action, inputs, folder):
    """The exit status of the check, what it prints, and its outputs."""
    values = {name: value.get("default", "") for name, value in action["inputs"].items()}
    expect(set(inputs) <= set(values), f"unknown inputs: {inputs}")
    values.update(inputs)
    step = [step for step in action["runs"]["steps"] if step.get("id") == "check"][0]
    environment = dict(os.environ, GITHUB_OUTPUT=str(folder / "outputs"))
    for name, text in step["env"].items():
        environment[name] = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}",
                                   lambda match: values[match.group(1)], text)
    (folder / "outputs").write_text("")
    # As the runner starts bash.
    result = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                             step["run"]], cwd=folder, env=environment, text=True,
                            capture_output=True, check=False)
    return result.returncode, result.stdout + result.stderr, (folder / "outputs").read_text()


def check_action(root, folder):
    text = (root / ".github/actions/check/action.yml").read_text()
    action = yaml.safe_load(text)
    expect(action["runs"]["using"] == "composite", "not a composite action")
    for step in action["runs"]["steps"]:
        subprocess.run(["shellcheck", "--shell=bash", "-"], input=step["run"], text=True,
                       check=True)
        for name in re.findall(r"inputs\.([\w-]+)", str(step)):
            expect(name in action["inputs"], f"there is no input {name}")
    status, output, outputs = run_action(action, {"flags": "-DVALUE=1.0f"}, folder)
    expect(status == 0 and "::warning file=kernels/bad.cl,line=3" in output, output)
    expect(outputs == "sarif=clopt.sarif\n", outputs)
    results = json.loads((folder / "clopt.sarif").read_text())["runs"][0]["results"]
    expect(len(results) == 1, f"results: {results}")
    status, output, _ = run_action(
        action, {"flags": "-DVALUE=1.0f", "error-on": "unvectorized", "sarif": "other.sarif"},
        folder)
    expect(status == 1 and (folder / "other.sarif").exists(), output)
    status, output, _ = run_action(
        action, {"flags": "-DVALUE=1.0f", "error-on": "unvectorized",
                 "paths": "kernels/good.cl", "options": "--target=cpu --alias=none"}, folder)
    expect(status == 0 and "::warning" not in output, output)


def check_hook(root, folder):
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    expect([hook["id"] for hook in hooks] == ["clopt-check"], f"hooks: {hooks}")
    hook = hooks[0]
    files = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))
             if re.search(hook["files"], path.name)]
    expect(files == ["kernels/bad.cl", "kernels/good.cl"], f"files: {files}")
    (folder / ".clopt.yaml").write_text("flags: [-DVALUE=2.0f]\n")
    for names, wanted in ((files, 1), (files[1:], 0)):
        result = subprocess.run(shlex.split(hook["entry"]) + names, cwd=folder, text=True,
                                capture_output=True, check=False)
        expect(result.returncode == wanted, result.stdout + result.stderr)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--work", "--root"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    (arguments.work / "kernels").mkdir(parents=True)
    (arguments.work / "kernels/good.cl").write_text(GOOD)
    (arguments.work / "kernels/bad.cl").write_text(BAD)
    os.environ["PATH"] = f"{arguments.bin}:{os.environ['PATH']}"
    check_action(arguments.root, arguments.work)
    check_hook(arguments.root, arguments.work)


if __name__ == "__main__":
    main()
