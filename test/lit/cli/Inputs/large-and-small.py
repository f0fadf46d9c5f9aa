"""Prints a kernel of many loops that depend on each other, and some of one loop."""

PARAMETERS = "(__global float *a, __global float *b, __global const float *c, int n)"


def kernel(name, body):
    print(f"__kernel void {name}{PARAMETERS}\n{{\n  int i = get_global_id(1), j = get_global_id(0);")
    print("\n".join("  " + line for line in body) + "\n}")


def loops(count):
    for k in range(count):
        yield "for (int k = 0; k < n; k++) {"
        yield f"  a[i * n + j + {k}] += b[i * n + k] * c[k * n + j + {k}];"
        yield f"  b[j * n + i + {k}] += a[k * n + i] * c[k * n + j];"
        yield "}"


kernel("large", loops(60))
for number in range(3):
    kernel(f"small{number}", ["float sum = 0.0f;", "for (int k = 0; k < n; k++)",
                              "  sum += b[i * n + k] * c[k * n + j];", "a[i * n + j] = sum;"])
