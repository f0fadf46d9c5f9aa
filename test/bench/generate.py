"""Kernels of any number of statements, in several shapes, for measuring compile time.

Every shape is a function from a number of statements to OpenCL C text. The text depends
on nothing else, so that two measurements see the same kernel.
"""

ARRAYS = 8


def header(name, extra=""):
    inputs = ", ".join(f"__global const float *b{m}" for m in range(ARRAYS))
    outputs = ", ".join(f"__global float *a{m}" for m in range(ARRAYS))
    return f"__kernel void {name}({outputs}, {inputs}, {extra}int n)\n{{\n"


def scalars(count):
    """A chain of private values: every statement needs the one before it."""
    lines = [header("scalars") + "    int i = get_global_id(0);", "    float t0 = b0[i];"]
    for s in range(1, count - 1):
        lines.append(f"    float t{s} = t{s - 1} * 0.5f + b{s % ARRAYS}[i + {s % 5}];")
    lines.append(f"    a0[i] = t{max(count - 2, 0)};")
    return "\n".join(lines) + "\n}\n"


def streams(count):
    """Statements that read and write global arrays, behind one guard."""
    lines = [header("streams") + "    int i = get_global_id(0);", "    if (i >= n)"]
    lines += ["        return;"]
    for s in range(count):
        lines.append(
            f"    a{s % ARRAYS}[i] = a{s % ARRAYS}[i] * 0.5f"
            f" + b{s * 3 % ARRAYS}[i + {s % 5}];"
        )
    return "\n".join(lines) + "\n}\n"


def matrices(count):
    """Loops of four statements over rows of two-dimensional arrays."""
    lines = [header("matrices") + "    int i = get_global_id(0);"]
    for first in range(0, count, 4):
        lines.append("    for (int k = 0; k < n; k++) {")
        for s in range(first, min(first + 4, count)):
            lines.append(
                f"        a{s % ARRAYS}[i * n + k] = a{s % ARRAYS}[i * n + k]"
                f" + b{s * 3 % ARRAYS}[i * n + k] * b{(s + 1) % ARRAYS}[k * n + i];"
            )
        lines.append("    }")
    return "\n".join(lines) + "\n}\n"


def branches(count):
    """Statements that every second time are behind a condition of their own."""
    lines = [header("branches") + "    int i = get_global_id(0);"]
    lines.append("    int j = get_global_id(1);")
    for s in range(count):
        if s % 2:
            lines.append(f"    if (i >= {s} && j < n - {s % 7})")
        lines.append(
            f"    {'    ' * (s % 2)}a{s % ARRAYS}[j * n + i]"
            f" = b{s * 3 % ARRAYS}[j * n + i] + b{(s + 1) % ARRAYS}[i];"
        )
    return "\n".join(lines) + "\n}\n"


def stencil(count):
    """One statement of `count` terms, all of the same array."""
    lines = [header("stencil") + "    int i = get_global_id(0);"]
    lines.append("    int j = get_global_id(1);")
    terms = [f"b0[(j + {s % 9}) * n + i + {s // 9}] * 0.125f" for s in range(count)]
    lines.append("    a0[j * n + i] = " + "\n        + ".join(terms) + ";")
    return "\n".join(lines) + "\n}\n"


SHAPES = {
    "scalars": scalars,
    "streams": streams,
    "matrices": matrices,
    "branches": branches,
    "stencil": stencil,
}
