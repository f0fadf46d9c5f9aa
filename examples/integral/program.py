"""The integral image: prefix sums of rows, a transposition, and both once more."""

import numpy as np

SOURCES = ["integral.cl"]
CASES = [dict(w=w, h=h) for w, h in ((1, 1), (7, 3), (97, 61), (256, 129))]
TIMED = dict(w=1023, h=769)


def inputs(size, random):
    shape = (size["h"], size["w"])
    image = random.integers(0, 256, shape, np.int32)
    return {"image": image, "rows": np.zeros_like(image), "turned": np.zeros_like(image.T.copy()),
            "columns": np.zeros_like(image.T.copy()), "integral": np.zeros_like(image)}


def launches(size):
    w, h = size["w"], size["h"]
    yield "scan_rows", (h,), None, ("image", "rows", w, h)
    yield "transpose", (w, h), None, ("rows", "turned", w, h)
    yield "scan_rows", (w,), None, ("turned", "columns", h, w)
    yield "transpose", (h, w), None, ("columns", "integral", h, w)


def check(size, first, last):
    true = first["image"].cumsum(0).cumsum(1)
    yield "wrong sums", np.sum(last["integral"] != true), 0
