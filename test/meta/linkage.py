"""The programs are linked with what they may load, and with nothing else.

A process that has loaded libLLVM 19 crashes when an OpenCL driver brings another libLLVM
along: clopt-rt must not need LLVM, and clopt must not need OpenCL. isl is static and
hidden, so that it cannot meet the isl which libLLVM exports. The layer is loaded into the
applications of others: it has nothing but what the loader of OpenCL looks for. The runtime
library exports its C interface alone.
"""

import glob
import os
import subprocess

from repository import Findings

FORBIDDEN = {
    "clopt": ("libOpenCL", "libisl"),
    "clopt-rt": ("libLLVM", "libclang", "libisl", "libppl"),
}


LAYER = {"clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer"}
FORBIDDEN_IN_LAYER = ("libOpenCL", "libLLVM", "libclang", "libisl", "libppl")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_library(name, forbidden, is_allowed, findings):
    """A shared library of the build: what it loads, and what it exports."""
    pattern = os.path.join(os.environ["CLOPT_BIN"], "..", "lib*", "**", name)
    libraries = glob.glob(pattern, recursive=True)
    if len(libraries) != 1:
        findings.add(name, 0, f"there are {len(libraries)}")
    for library in libraries:
        loaded = output("ldd", library)
        for other in forbidden:
            if f"{other}." in loaded or f"{other}-" in loaded:
                findings.add(library, 0, f"loads {other}")
        lines = output("nm", "--dynamic", "--defined-only", library).splitlines()
        names = {line.split()[-1] for line in lines}
        if not names or not is_allowed(names):
            findings.add(library, 0, f"exports {' '.join(sorted(names))}")


def main():
    findings = Findings()
    check_library("libclopt-layer.so", FORBIDDEN_IN_LAYER, lambda names: names == LAYER,
                  findings)
    check_library("libclopt-runtime.so", FORBIDDEN["clopt-rt"],
                  lambda names: all(name.startswith("clopt_") for name in names), findings)
    for name, libraries in FORBIDDEN.items():
        program = os.path.join(os.environ["CLOPT_BIN"], name)
        if not os.path.exists(program):
            findings.add(program, 0, "not built")
            continue
        # ldd also follows what the libraries need.
        loaded = output("ldd", program)
        for library in libraries:
            if f"{library}." in loaded or f"{library}-" in loaded:
                findings.add(program, 0, f"loads {library}")
        for line in output("nm", "--dynamic", "--defined-only", program).splitlines():
            if line.split()[-1].startswith("isl_"):
                findings.add(program, 0, f"exports {line.split()[-1]}")
                break
    findings.finish(len(FORBIDDEN) + 2)


main()
