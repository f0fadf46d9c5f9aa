#!/usr/bin/env python3
"""Launches that clopt derives itself: `clopt verify` without a launch specification.

Runs every example and every fifth kernel of kernels/*.cl on the default device with what `clopt
skeleton` makes of them, checks the specification against the schema, and lists the kernels for
which there is none, with the reason. All examples have to have one, and at least 40 of the
kernels; whatever is compared has to be equal. Launches are small: whether they enter a new body
is not asked.

    check_skeleton.py CLOPT SCHEMA [NAME...]
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"

WORK_ITEMS = 5000  # of the launches that are run
LEAST = 40


def flags_of(path):
    """The flags that a kernel is written for, which only its specification has."""
    flags = []
    for spec in sorted(path.parent.glob(path.stem + "*.launch.json")):
        text = spec.read_text()
        if "${" in text:
            continue
        document = json.loads(text)
        for part in document if isinstance(document, list) else [document]:
            kernels = part["KernelSpecification"]
            for kernel in kernels if isinstance(kernels, list) else [kernels]:
                for flag in kernel.get("CompilerOptions", []):
                    if flag not in flags:
                        flags.append(flag)
    return ["--", *flags] if flags else []


def run(command):
    try:
        done = subprocess.run(command, text=True, errors="replace", timeout=240,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", "no end after 240 s\n"


def check(clopt, validator, path):
    """(verdict, text): "equal", "none" when there is no specification, or "wrong"."""
    flags = flags_of(path)
    code, spec, messages = run([clopt, "skeleton", path, *flags])
    if code == 0:
        for error in validator.iter_errors(json.loads(spec)):
            return "wrong", f"the specification is not valid: {error.message}"
    elif code != 1 or "error:" not in messages:
        return "wrong", f"skeleton: exit code {code}: {messages}"
    code, output, messages = run([clopt, "verify", path, "--no-time", "--no-entry",
                                  f"--max-work-items={WORK_ITEMS}", *flags])
    left_out = "; ".join(re.findall(r"warning: (kernel '.*' is left out: .*)", messages))
    compared = re.search(r"^(\d+) launch(?:es)? compared, all equal", output, re.MULTILINE)
    if code == 0 and compared and int(compared.group(1)) > 0:
        return "equal", left_out
    if code == 1 and "use --launch" in messages:
        return "none", left_out or messages.strip()
    return "wrong", f"verify: exit code {code}:\n{output}{messages}"


def main():
    clopt, schema, *names = sys.argv[1:]
    validator = jsonschema.Draft7Validator(json.loads(pathlib.Path(schema).read_text()))
    examples = sorted(EXAMPLES.glob("*/*.cl"))
    kernels = sorted((HERE / "kernels").glob("*.cl"))
    if names:
        paths = [path for path in examples + kernels if path.stem in names]
    else:
        paths = examples + kernels[::5]
    count = {"equal": 0, "none": 0, "wrong": 0}
    equal_kernels = 0
    is_bad = False
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (verdict, text) in zip(
                paths, pool.map(lambda path: check(clopt, validator, path), paths)):
            count[verdict] += 1
            is_example = path in examples
            equal_kernels += verdict == "equal" and not is_example
            is_bad |= verdict == "wrong" or (is_example and verdict != "equal")
            if text or verdict != "equal":
                print(f"{path.stem}: {verdict}{': ' if text else ''}{text}", flush=True)
    print(f"{count['equal']} equal, {count['none']} without a specification, "
          f"{count['wrong']} wrong")
    if not names and equal_kernels < LEAST:
        print(f"only {equal_kernels} kernels have a specification; at least {LEAST} had")
        is_bad = True
    sys.exit(1 if is_bad or not paths else 0)


if __name__ == "__main__":
    main()
