"""Independent components: signals that were mixed are told apart again.

Whitening M = D^-1/2 V^T of the covariance comes first; then all rows of W are improved at once,
as many times as there are iterations: 3 launches each, for any number of signals."""

import numpy as np
from numpy.linalg import norm

from jacobi.program import sweep

SOURCES = ["ica.cl", "../mnf/mnf.cl", "../jacobi/jacobi.cl"]
CASES = [dict(signals=signals, samples=samples, sweeps=9, iterations=60)
         for signals, samples in ((1, 501), (3, 2000), (6, 5003))]
TIMED = dict(signals=16, samples=20011, sweeps=3, iterations=10)


def sources(size):
    """Signals that no mixture of them is like: waves of many forms and lengths."""
    time = np.arange(size["samples"])
    forms = [lambda x: np.sin(2 * np.pi * x), lambda x: np.sign(np.sin(2 * np.pi * x)),
             lambda x: 2 * (x % 1) - 1, lambda x: abs(4 * (x % 1) - 2) - 1]
    primes = [89, 137, 53, 211, 71, 163, 97, 59, 181, 113, 149, 67, 193, 83, 127, 103]
    return np.array([forms[k % 4](time / primes[k]) for k in range(size["signals"])])


def inputs(size, random):
    n, samples = size["signals"], size["samples"]
    mixture = random.uniform(-0.5, 0.5, (n, n)) + 2 * np.eye(n)
    square = np.zeros((n, n), np.float32)
    return {"x": (mixture @ sources(size) + random.uniform(-1, 1, (n, 1))).astype(np.float32),
            "mean": np.zeros(n, np.float32),
            "c": square, "m": square, "next": square,
            "v": np.eye(n, dtype=np.float32),
            "rotation": np.zeros(((n + 1) // 2, 2), np.float32),
            "z": np.zeros((n, samples), np.float32), "y": np.zeros((n, samples), np.float32),
            "w": np.linalg.qr(random.standard_normal((n, n)))[0].astype(np.float32)}


def launches(size):
    n, samples = size["signals"], size["samples"]
    square = (n, n)
    yield "mean_floats", (n,), None, ("x", "mean", n, samples)
    yield "covariance_floats", square, None, ("x", "mean", "c", n, samples)
    for _ in range(size["sweeps"]):
        yield from sweep("symmetric", n, "c", "v", "rotation")
    yield "whiten", square, None, ("v", "c", "m", n)
    yield "center_and_whiten", (samples,), None, ("m", "x", "mean", "z", n, samples)
    now, then = "w", "next"
    for _ in range(size["iterations"]):
        yield "project", (samples, n), None, (now, "z", "y", n, samples)
        yield "update", (64 * n, n), (64, 1), ("z", "y", now, then, n, samples)
        yield "orthonormalize", (64,), (64,), (then, n)
        now, then = then, now
    yield "project", (samples, n), None, (now, "z", "y", n, samples)


def check(size, first, last):
    n = size["signals"]
    z = last["z"].astype(float)
    # The covariance is a sum of one rounding for each sample; its inverse makes more of them.
    bound = size["samples"] * 2**-24 * np.linalg.cond(np.atleast_2d(np.cov(first["x"])))
    yield "|covariance of what is white - 1|", norm(np.atleast_2d(np.cov(z)) - np.eye(n)), bound
    w = last["w" if size["iterations"] % 2 == 0 else "next"].astype(float)
    yield "|W W^T - 1|", norm(w @ w.T - np.eye(n)), 1e-5 * n
    yield "y", abs(last["y"] - w @ z).max(), 1e-5
    # Every source is one of the components, up to its sign.
    alike = abs(np.corrcoef(sources(size), last["y"])[:n, n:])
    yield "sources that are no component", n - len(set(alike.argmax(1))), 0
    yield "1 - correlation with the source", 1 - alike.max(1).min(), 0.02
