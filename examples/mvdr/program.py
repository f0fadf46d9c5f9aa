"""Minimum variance beamforming: correlation, its eigenvectors, and the power of every angle."""

import numpy as np
from numpy.linalg import norm

from jacobi.program import sweep

SOURCES = ["mvdr.cl", "../jacobi/jacobi.cl"]
CASES = [dict(elements=elements, snapshots=snapshots, angles=180, sweeps=9)
         for elements, snapshots in ((1, 5), (12, 50), (23, 101))]
TIMED = dict(elements=63, snapshots=501, angles=180, sweeps=3)

SPACING, LOAD = 0.5, 0.01  # wavelengths; added to the diagonal
SOURCES_AT = [(60, 1.0), (123, 2.0)]  # degrees, amplitude


def steering(size, degrees):
    phase = 2 * np.pi * SPACING * np.arange(size["elements"]) * np.cos(np.radians(degrees))[:, None]
    return np.exp(-1j * phase)


def noise(random, shape):
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def inputs(size, random):
    n, snapshots, angles = size["elements"], size["snapshots"], size["angles"]
    signal = 0.1 * noise(random, (n, snapshots))
    for degrees, amplitude in SOURCES_AT:
        signal += amplitude * np.outer(steering(size, np.array([degrees])), noise(random, snapshots))
    return {"signal": signal.astype(np.complex64),
            "r": np.zeros((n, n), np.complex64),
            "v": np.eye(n, dtype=np.complex64),
            "rotation": np.zeros(((n + 1) // 2, 4), np.float32),
            "steer": np.zeros((angles, n), np.complex64),
            "power": np.zeros(angles, np.float32)}


def launches(size):
    n, snapshots, angles = size["elements"], size["snapshots"], size["angles"]
    yield "correlation", (n, n), None, ("signal", "r", n, snapshots)
    yield "load_diagonal", (n,), None, ("r", n, LOAD)
    for _ in range(size["sweeps"]):
        yield from sweep("hermitian", n, "r", "v", "rotation")
    yield "steering", (n, angles), None, ("steer", n, angles, SPACING)
    yield "spectrum", (angles,), None, ("v", "r", "steer", "power", n, angles)


def check(size, first, last):
    n, signal = size["elements"], first["signal"].astype(complex)
    r = signal @ signal.conj().T / size["snapshots"] + LOAD * np.eye(n)
    rows, values = last["v"].astype(complex), np.diag(last["r"]).real.astype(float)
    yield "|R V - V D| / |R|", norm(r @ rows.conj().T - rows.conj().T * values) / norm(r), 1e-5
    steer = steering(size, np.arange(size["angles"]) * 180 / size["angles"])
    power = 1 / np.einsum("ai,ij,aj->a", steer.conj(), np.linalg.inv(r), steer).real
    # The eigenvalues of R are 3 powers of ten apart: as much of single precision is lost.
    yield "power", (abs(last["power"] - power) / power).max(), 1e-2
    if n > 1:
        found = last["power"].astype(float)
        peaks = [a for a in range(1, len(found) - 1) if found[a - 1] < found[a] > found[a + 1]]
        highest = sorted(sorted(peaks, key=lambda a: -found[a])[:2])
        yield "degrees beside the sources", max(
            abs(a - degrees) for a, (degrees, _) in zip(highest, SOURCES_AT)), 0
