"""A picture of the Mandelbrot set."""

import numpy as np

SOURCES = ["mandelbrot.cl"]
CASES = [dict(w=w, h=h) for w, h in ((1, 1), (97, 61), (300, 241))]
TIMED = dict(w=1000, h=801)


def view(size):
    """Left, top, and the distance between pixels."""
    return -2.0, 1.2, 2.5 / size["w"]


def inputs(size, random):
    return {"image": np.zeros((size["h"], size["w"], 4), np.uint8)}


def launches(size):
    w, h = size["w"], size["h"]
    yield "mandelbrot", (w + 3, h + 2), None, ("image", w, h, *view(size))


def check(size, first, last):
    left, top, step = view(size)
    c = (left + step * np.arange(size["w"])) + 1j * (top - step * np.arange(size["h"])[:, None])
    z, count, runs = np.zeros_like(c), np.zeros(c.shape, int), np.ones(c.shape, bool)
    for _ in range(255):
        runs &= abs(z) <= 2
        z = np.where(runs, z * z + c, z)
        count += runs
    blue, green, red, opacity = (last["image"][..., k].astype(int) for k in range(4))
    # Orbits near the border part after some steps in single precision.
    yield "part of the pixels with another count", np.mean(blue != count), 0.02
    yield "pixels with wrong colours", np.sum((green != blue * 5 % 256) | (red != blue * 11 % 256)
                                              | (opacity != 255)), 0
    if size["w"] > 100:
        # The area is 1.5066; 255 steps let some of what is outside stay.
        yield "|area - 1.5066|", abs(np.mean(blue == 255) * step**2 * c.size - 1.5066), 0.05
