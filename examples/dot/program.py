"""A dot product in two launches."""

import numpy as np

SOURCES = ["dot.cl"]
CASES = [dict(n=n, groups=groups)
         for n in (1, 127, 128, 1000, 100003) for groups in (1, 3, 150)]
TIMED = dict(n=1 << 22, groups=64)


def inputs(size, random):
    x, y = random.uniform(-1, 1, (2, size["n"])).astype(np.float32)
    return {"x": x, "y": y, "sums": np.zeros(size["groups"], np.float32),
            "total": np.zeros(1, np.float32)}


def launches(size):
    yield "dot_groups", (128 * size["groups"],), (128,), ("x", "y", "sums", size["n"])
    yield "dot_total", (128,), (128,), ("sums", "total", size["groups"])


def check(size, first, last):
    products = first["x"].astype(float) * first["y"]
    # One rounding for each addition on the longest way from a product to the result. Roundings
    # and products have either sign: sums of k of them grow as the root of k.
    length = size["n"] // (128 * size["groups"]) + size["groups"] // 128 + 17
    bound = 4 * np.sqrt(length) * 2**-24 * np.sqrt(np.sum(products**2))
    yield "|dot - x y|", abs(last["total"][0] - products.sum()), bound
