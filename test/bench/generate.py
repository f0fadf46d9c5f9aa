"""Kernels of any number of statements, in several shapes, for measuring compile time.

Every shape is a function from a number of statements to OpenCL C text. The text depends
on nothing else, so that two measurements see the same kernel.
"""

ARRAYS = 8


def header(name, extra=""):
    inputs = ", ".join(f"__global const float *b{m}" for m in range(ARRAYS))
    outputs = ", ".join(f"__global float *a{m}" for m in range(ARRAYS))
    return f"__kernel void {name}({outputs}, {inputs}, {extra}int n)\n{{\n"


def loop(name, body):
    """Work-item i goes through column i of two-dimensional arrays, n rows each."""
    lines = [header(name) + "    int i = get_global_id(0);", "    if (i >= n)"]
    lines += ["        return;", "    for (int k = 0; k < n; k++) {"]
    return "\n".join(lines + ["        " + line for line in body]) + "\n    }\n}\n"


def scalars(count):
    """A chain of private values: every statement needs the one before it."""
    body = ["float t0 = b0[k * n + i];"]
    for s in range(1, count - 1):
        body.append(f"float t{s} = t{s - 1} * 0.5f + b{s % ARRAYS}[k * n + i];")
    return loop("scalars", body + [f"a0[k * n + i] = t{max(count - 2, 0)};"])


def streams(count):
    """Statements that read and write global arrays."""
    return loop(
        "streams",
        [
            f"a{s % ARRAYS}[k * n + i] = a{s % ARRAYS}[k * n + i] * 0.5f"
            f" + b{s * 3 % ARRAYS}[k * n + i];"
            for s in range(count)
        ],
    )


def matrices(count):
    """Loops of four statements over rows and columns of two-dimensional arrays."""
    lines = [header("matrices") + "    int i = get_global_id(0);"]
    for first in range(0, count, 4):
        lines.append("    for (int k = 0; k < n; k++) {")
        for s in range(first, min(first + 4, count)):
            target = f"a{s % ARRAYS}[k * n + i]"
            lines.append(
                f"        {target} = {target} + b{s * 3 % ARRAYS}[k * n + i]"
                f" * b{(s + 1) % ARRAYS}[i * n + k];"
            )
        lines.append("    }")
    return "\n".join(lines) + "\n}\n"


def branches(count):
    """Statements that every second time are behind a condition of their own."""
    body = []
    for s in range(count):
        if s % 2:
            body.append(f"if (i >= {s} && k < n - {s % 7})")
        body.append(
            f"{'    ' * (s % 2)}a{s % ARRAYS}[k * n + i]"
            f" = b{s * 3 % ARRAYS}[k * n + i] + b{(s + 1) % ARRAYS}[i];"
        )
    return loop("branches", body)


def stencil(count):
    """One statement of `count` terms, all of the same array."""
    terms = [f"b0[(k + {s % 9}) * n + i + {s // 9}] * 0.125f" for s in range(count)]
    return loop("stencil", ["a0[k * n + i] = " + "\n            + ".join(terms) + ";"])


SHAPES = {
    "scalars": scalars,
    "streams": streams,
    "matrices": matrices,
    "branches": branches,
    "stencil": stencil,
}
