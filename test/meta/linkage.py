"""The programs are linked with what they may load, and with nothing else.

A process that has loaded libLLVM 19 crashes when an OpenCL driver brings another libLLVM
along: clopt-rt must not need LLVM, and clopt must not need OpenCL. isl is static and
hidden, so that it cannot meet the isl which libLLVM exports.
"""

import os
import subprocess

from repository import Findings

FORBIDDEN = {
    "clopt": ("libOpenCL", "libisl"),
    "clopt-rt": ("libLLVM", "libclang", "libisl", "libppl"),
}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    findings = Findings()
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
    findings.finish(len(FORBIDDEN))


main()
