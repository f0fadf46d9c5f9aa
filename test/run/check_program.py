#!/usr/bin/env python3
"""Runs the whole program of an example, before and after clopt, and judges its results.

    check_program.py --clopt FILE [--time] NAME...

examples/NAME/program.py is a host in few words:

    SOURCES       kernel files, from the folder of the example
    CASES         the sizes to run, each a dict
    TIMED         one more, for --time
    inputs        (size, random numbers) -> what each buffer holds first, a dict of arrays
    launches      size -> launches (kernel, global size, local size or None, arguments); a
                  string is the buffer of that name, other arguments are int or float
    check         (size, first, last) -> (what, error, bound), with what the buffers held
                  first and last: the results against what numpy says in double precision

Every case runs with the kernels as they are and as clopt writes them for each target, all on
the first device and with -cl-opt-disable: all buffers have to be the same bit by bit, and no
error above its bound. With --time the kernels of the timed case are measured instead, original
and optimized in turn, without -cl-opt-disable: medians of the sums over all launches.

F44: the schedule and the eigenvectors of Jacobi rotations are those of jacobi, mnf and mvdr.
F45: every program has a reference for its results.
"""

import argparse
import collections
import importlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
TARGETS = ["cpu", "nvidia-hopper"]
SKIPPED = 77  # of ctest's SKIP_RETURN_CODE
ROUNDS = 7

sys.path.insert(0, str(EXAMPLES))
sys.dont_write_bytecode = True
try:
    import numpy
    import pyopencl
except ImportError as missing:
    print(f"left out: {missing}")
    sys.exit(SKIPPED)


def load(name):
    return importlib.import_module(f"{name}.program"), EXAMPLES / name


class Texts:
    """The programs that were built: the original, and one for each target."""

    def __init__(self, context, clopt, flags):
        self.context, self.clopt, self.flags = context, clopt, flags

    def optimized(self, path, target):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / path.name
            subprocess.run([self.clopt, path, "-o", output, f"--target={target}", "--every-launch",
                            "--", *self.flags], check=True)
            return output.read_text()

    def kernels(self, paths, target=None):
        found = {}
        for path in paths:
            text = self.optimized(path, target) if target else path.read_text()
            program = pyopencl.Program(self.context, text).build(self.flags)
            found.update((kernel.function_name, kernel) for kernel in program.all_kernels())
        return found


def argument(value, buffers):
    if isinstance(value, str):
        return buffers[value]
    return numpy.int32(value) if isinstance(value, int) else numpy.float32(value)


def run(queue, kernels, launches, first):
    """What the buffers hold last, and the milliseconds in each kernel."""
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = {name: pyopencl.Buffer(queue.context, flags, hostbuf=array)
               for name, array in first.items()}
    events = []
    for name, size, group, arguments in launches:
        kernel = kernels[name]
        kernel.set_args(*(argument(value, buffers) for value in arguments))
        events.append((name, pyopencl.enqueue_nd_range_kernel(queue, kernel, size, group)))
    queue.finish()
    spent = collections.Counter()
    for name, event in events:
        spent[name] += 1e-6 * (event.profile.end - event.profile.start)
    last = {name: numpy.empty_like(array) for name, array in first.items()}
    for name, array in last.items():
        pyopencl.enqueue_copy(queue, array, buffers[name])
    return last, spent


def is_same(one, other):
    return all(one[name].tobytes() == other[name].tobytes() for name in one)


def check(name, queue, clopt):
    """The number of failures."""
    program, folder = load(name)
    paths = [(folder / source).resolve() for source in program.SOURCES]
    texts = Texts(queue.context, clopt, ["-cl-opt-disable"])
    original = texts.kernels(paths)
    optimized = {target: texts.kernels(paths, target) for target in TARGETS}
    bad = 0
    for size in program.CASES:
        label = f"{name} " + " ".join(f"{key}={value}" for key, value in size.items())
        first = program.inputs(size, numpy.random.default_rng(1))
        last, _ = run(queue, original, program.launches(size), first)
        for what, error, bound in program.check(size, first, last):
            is_good = error <= bound  # not for NaN
            bad += not is_good
            print(f"{label}: {what}: {error:.3g} of {bound:.3g}{'' if is_good else ': WRONG'}")
        for target, kernels in optimized.items():
            other, _ = run(queue, kernels, program.launches(size), first)
            bad += not is_same(last, other)
            print(f"{label}: {target}: {'equal' if is_same(last, other) else 'DIFFERENT'}")
    return bad


def measure(name, queue, clopt):
    program, folder = load(name)
    paths = [(folder / source).resolve() for source in program.SOURCES]
    texts = Texts(queue.context, clopt, [])
    variants = [texts.kernels(paths), texts.kernels(paths, "cpu")]
    first = program.inputs(program.TIMED, numpy.random.default_rng(1))
    rounds = []
    for _ in range(ROUNDS + 1):  # the first compiles
        rounds.append([run(queue, kernels, program.launches(program.TIMED), first)[1]
                       for kernels in variants])
    size = " ".join(f"{key}={value}" for key, value in program.TIMED.items())
    print(f"\n| {name}: {size} | original ms | optimized ms | ratio |\n|---|--:|--:|--:|")
    rows = {kernel: [[spent[kernel] for spent in pair] for pair in rounds[1:]]
            for kernel in rounds[0][0]}
    rows["all"] = [[sum(spent.values()) for spent in pair] for pair in rounds[1:]]
    for kernel, pairs in rows.items():
        before, after = (statistics.median(times) for times in zip(*pairs))
        ratio = statistics.median(before / after for before, after in pairs)
        shown = kernel if kernel == "all" else f"`{kernel}`"
        print(f"| {shown} | {before:.3f} | {after:.3f} | {ratio:.2f} |")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--time", action="store_true", help="measure instead")
    parser.add_argument("names", nargs="+", metavar="NAME")
    options = parser.parse_args()
    device = pyopencl.get_platforms()[0].get_devices()[0]
    queue = pyopencl.CommandQueue(
        pyopencl.Context([device]),
        properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
    act = measure if options.time else check
    sys.exit(1 if sum(act(name, queue, os.path.abspath(options.clopt))
                      for name in options.names) else 0)


main()
