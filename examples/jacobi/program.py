"""Eigenvalues and eigenvectors of a symmetric and of a Hermitian matrix."""

import numpy as np
from numpy.linalg import norm

SOURCES = ["jacobi.cl"]
CASES = [dict(n=n, sweeps=9) for n in (1, 2, 3, 7, 24, 33)]
TIMED = dict(n=255, sweeps=2)


def sweep(kind, n, matrix, vectors, rotation):
    """The launches of one sweep: every pair of indices once. The eigenvectors become the rows of
    `vectors`, which has to begin as the unit matrix."""
    pairs = (n + 1) // 2
    for turn in range(2 * pairs - 1):
        yield f"{kind}_angles", (pairs,), None, (matrix, rotation, n, turn)
        yield f"{kind}_rows", (n, pairs), None, (matrix, rotation, n, turn)
        yield f"{kind}_columns", (pairs, n), None, (matrix, rotation, n, turn)
        yield f"{kind}_rows", (n, pairs), None, (vectors, rotation, n, turn)


def inputs(size, random):
    n, pairs = size["n"], (size["n"] + 1) // 2
    real = random.standard_normal((n, n))
    imaginary = random.standard_normal((n, n))
    hermitian = real + real.T + 1j * (imaginary - imaginary.T)
    return {
        "table": np.zeros((2 * pairs - 1, pairs, 2), np.int32),
        "a": (real + real.T).astype(np.float32),
        "v": np.eye(n, dtype=np.float32),
        "r": np.zeros((pairs, 2), np.float32),
        "ca": hermitian.astype(np.complex64),
        "cv": np.eye(n, dtype=np.complex64),
        "cr": np.zeros((pairs, 4), np.float32),
    }


def launches(size):
    n, pairs = size["n"], (size["n"] + 1) // 2
    yield "schedule", (pairs, 2 * pairs - 1), None, ("table", pairs)
    for _ in range(size["sweeps"]):
        yield from sweep("symmetric", n, "a", "v", "r")
        yield from sweep("hermitian", n, "ca", "cv", "cr")


def check(size, first, last):
    n = size["n"]
    twice = sum(turn.size - np.unique(turn).size for turn in last["table"])
    yield "indices that are twice in a round", twice, 0
    met = [tuple(pair) for pair in last["table"].reshape(-1, 2) if pair[1] < n]
    every = [(p, q) for p in range(n) for q in range(p + 1, n)]
    yield "pairs that a sweep has not once", int(sorted(met) != every), 0
    for name, kind in (("", "symmetric"), ("c", "Hermitian")):
        a = first[name + "a"].astype(complex)
        rows = last[name + "v"].astype(complex)
        values = np.diag(last[name + "a"]).real.astype(float)
        residual = norm(a @ rows.conj().T - rows.conj().T * values) / norm(a)
        yield f"{kind}: |A V - V D| / |A|", residual, 1e-5
        yield f"{kind}: |V^H V - 1|", norm(rows @ rows.conj().T - np.eye(n)), 1e-5 * n
        true = np.linalg.eigvalsh(a)
        yield f"{kind}: eigenvalues", abs(np.sort(values) - true).max() / abs(true).max(), 1e-5
