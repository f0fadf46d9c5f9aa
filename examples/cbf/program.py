"""Conventional beamforming: where in the sound of a line of hydrophones a far source is."""

import numpy as np

SOURCES = ["cbf.cl", "../beamform/beamform.cl"]
CASES = [dict(elements=elements, points=points, frequencies=frequencies, angles=161, source=source)
         for elements, points, frequencies, source in ((1, 32, 5, 90), (24, 256, 60, 20),
                                                       (31, 200, 47, 123))]
TIMED = dict(elements=61, points=500, frequencies=117, angles=161, source=20)

FIRST, SPACING, SPEED, RATE = 10.0, 1.5, 1500.0, 2000.0  # degrees, m, m/s, Hz


def delays(size, degrees):
    place = np.arange(size["elements"]) - 0.5 * (size["elements"] - 1)
    return place * SPACING * np.cos(np.radians(np.atleast_1d(degrees)[:, None])) / SPEED


def inputs(size, random):
    elements, points, frequencies, angles = (
        size[name] for name in ("elements", "points", "frequencies", "angles"))
    # Tones in all bins but the first, each with a phase of its own, and noise.
    tones = np.arange(1, frequencies)
    time = np.arange(points) / RATE - delays(size, size["source"])[0][:, None]
    phases = random.uniform(0, 2 * np.pi, tones.size)
    signal = np.cos(2 * np.pi * RATE / points * time[..., None] * tones + phases).sum(-1)
    signal += random.standard_normal(signal.shape)
    return {"signal": signal.astype(np.float32),
            "spectrum": np.zeros((elements, frequencies), np.complex64),
            "delay": np.zeros((angles, elements), np.float32),
            "power": np.zeros((angles, frequencies), np.float32),
            "total": np.zeros(angles, np.float32)}


def launches(size):
    elements, points, frequencies, angles = (
        size[name] for name in ("elements", "points", "frequencies", "angles"))
    yield "dft", (frequencies, elements), None, ("signal", "spectrum", frequencies, points)
    yield "delays", (elements, angles), None, ("delay", elements, FIRST, SPACING, SPEED)
    yield "beamform", (frequencies, angles), None, (
        "spectrum", "delay", "power", elements, frequencies, RATE / points)
    yield "band_sum", (angles,), None, ("power", "total", angles, frequencies)


def check(size, first, last):
    signal = first["signal"].astype(float)
    bins = np.arange(size["frequencies"])
    spectrum = np.fft.fft(signal)[:, bins]
    yield "spectrum", abs(last["spectrum"] - spectrum).max() / abs(spectrum).max(), 1e-5
    degrees = FIRST + np.arange(size["angles"])
    phase = 2j * np.pi * RATE / size["points"] * bins * delays(size, degrees)[..., None]
    total = (abs((np.exp(phase) * spectrum).sum(1)) ** 2).sum(1)
    yield "power", abs(last["total"] - total).max() / total.max(), 1e-4
    if size["elements"] > 1:
        yield "degrees beside the source", abs(degrees[last["total"].argmax()] - size["source"]), 0
