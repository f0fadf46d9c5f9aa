"""A modulated lapped transform there and back: signal, bands, signal."""

import numpy as np

SOURCES = ["filterbank.cl"]
CASES = [dict(bands=bands, blocks=blocks)
         for bands, blocks in ((1, 5), (7, 12), (16, 3), (33, 61))]
TIMED = dict(bands=63, blocks=2001)


def samples(size):
    return (size["blocks"] + 1) * size["bands"]


def inputs(size, random):
    bands, blocks = size["bands"], size["blocks"]
    tap, band = np.arange(2 * bands), np.arange(bands)[:, None]
    window = np.sqrt(2 / bands) * np.sin(np.pi * (tap + 0.5) / (2 * bands))
    filters = window * np.cos(np.pi / bands * (tap + 0.5 + bands / 2) * (band + 0.5))
    # A tone in the middle of one band, and noise.
    tone = np.cos(np.pi / bands * (bands // 3 + 0.5) * np.arange(samples(size)))
    signal = tone + 0.1 * random.standard_normal(samples(size))
    return {"signal": signal.astype(np.float32), "filters": filters.astype(np.float32),
            "parts": np.zeros((bands, blocks), np.float32),
            "power": np.zeros(bands, np.float32),
            "again": np.zeros(samples(size), np.float32)}


def launches(size):
    bands, blocks = size["bands"], size["blocks"]
    yield "analysis", (blocks, bands), None, ("signal", "filters", "parts", bands, blocks)
    yield "band_power", (bands,), None, ("parts", "power", bands, blocks)
    yield "synthesis", (samples(size),), None, ("parts", "filters", "again", bands, blocks)


def check(size, first, last):
    bands = size["bands"]
    signal, filters = first["signal"].astype(float), first["filters"].astype(float)
    frames = np.lib.stride_tricks.sliding_window_view(signal, 2 * bands)[::bands]
    yield "bands", abs(last["parts"] - filters @ frames.T).max(), 2e-6 * bands
    # Where two blocks overlap, the filters give back the signal.
    whole = slice(bands, -bands)
    yield "signal that is put together", abs(last["again"] - signal)[whole].max(), 2e-6 * bands
    if bands > 1:
        yield "band of the tone", abs(int(last["power"].argmax()) - bands // 3), 0
