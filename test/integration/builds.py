#!/usr/bin/env python3
"""Builds examples/builds with each build system, and again after a header has changed.

    builds.py --build <clopt's build folder> --work <scratch folder> --example <examples/builds>
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys


def run(*command, **settings):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            **settings)
    if result.returncode != 0:
        sys.exit(f"failed with {result.returncode}: {' '.join(map(str, command))}\n"
                 f"{result.stdout}{result.stderr}")
    return result.stdout


def expect(program, sums):
    output = run(program)
    if output != sums + "\n":
        sys.exit(f"{program} prints {output}, not {sums}")


def check(name, project, prepare, build):
    """Builds, again without a change, and again with another header."""
    for command in prepare:
        run(*command, cwd=project)
    run(*build, cwd=project)
    kernels = list((project / "build").rglob("sums.cl"))
    if len(kernels) != 1 or "Optimized by clopt" not in kernels[0].read_text():
        sys.exit(f"{name}: not optimized: {kernels}")
    expect(project / "build/sums", "32 16352")
    before = kernels[0].stat().st_mtime_ns
    run(*build, cwd=project)
    if kernels[0].stat().st_mtime_ns != before:
        sys.exit(f"{name}: optimized again, though nothing has changed")
    (project / "kernels/scale.h").write_text("#define SCALE 1.0f\n")
    run(*build, cwd=project)
    expect(project / "build/sums", "64 32704")
    shutil.move(project / "kernels", project / "elsewhere")
    expect(project / "build/sums", "64 32704")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--build", "--work", "--example"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    prefix = arguments.work / "prefix"
    run("cmake", "--install", arguments.build, "--prefix", prefix)
    os.environ["PATH"] = f"{prefix}/bin:{os.environ['PATH']}"
    systems = {
        "make": ([], ["make"]),
        "meson": ([["meson", "setup", "build"]], ["ninja", "-C", "build"]),
        "cmake": ([["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"]],
                  ["cmake", "--build", "build"]),
    }
    for name, (prepare, build) in systems.items():
        project = arguments.work / name
        shutil.copytree(arguments.example, project)
        check(name, project, prepare, build)
        print(f"{name}: built twice")


if __name__ == "__main__":
    main()
