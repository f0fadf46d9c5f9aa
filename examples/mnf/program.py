"""Minimum noise fraction: components of an image, ordered by how little noise is in them.

The noise is whitened first: P = U D^-1/2 of its covariance. The eigenvectors V of P^T C P, where
C is the covariance of the image, give the transformation (P V)^T."""

import numpy as np
from numpy.linalg import norm

from jacobi.program import sweep

SOURCES = ["mnf.cl", "../hyperspectral/hyperspectral.cl", "../jacobi/jacobi.cl"]
CASES = [dict(w=w, h=h, bands=bands, sweeps=9) for w, h, bands in ((31, 23, 2), (61, 47, 9),
                                                                   (97, 61, 20))]
TIMED = dict(w=301, h=203, bands=33, sweeps=3)


def inputs(size, random):
    w, h, bands = size["w"], size["h"], size["bands"]
    x, y = np.arange(w) / w, np.arange(h)[:, None] / h
    scenes = np.array([np.sin(3 * x + y), np.cos(2 * y - x), x * y, np.sin(5 * y) * x])
    image = np.einsum("bs,shw->bhw", random.uniform(-40, 40, (bands, len(scenes))), scenes)
    # Noise that differs from band to band, and is partly the same in neighbouring bands.
    noise = random.standard_normal((bands + 1, h, w)) * np.linspace(2, 8, bands + 1)[:, None, None]
    image += 120 + noise[1:] + 0.5 * noise[:-1]
    square = np.zeros((bands, bands), np.float32)
    return {"image": np.clip(np.rint(image), 0, 255).astype(np.uint8),
            "noise": np.zeros((bands, h, w), np.float32),
            "mean": np.zeros(bands, np.float32), "noise_mean": np.zeros(bands, np.float32),
            "c": square, "noise_c": square, "d": square, "p": square, "m": square, "e": square,
            "t": square,
            "u": np.eye(bands, dtype=np.float32), "v": np.eye(bands, dtype=np.float32),
            "rotation": np.zeros(((bands + 1) // 2, 2), np.float32),
            "components": np.zeros((bands, h, w), np.float32)}


def launches(size):
    w, h, bands, pixels = size["w"], size["h"], size["bands"], size["w"] * size["h"]
    square = (bands, bands)
    yield "noise", (w, h), None, ("image", "noise", w, h, bands)
    yield "mean_floats", (bands,), None, ("noise", "noise_mean", bands, pixels)
    yield "covariance_floats", square, None, ("noise", "noise_mean", "noise_c", bands, pixels)
    yield "mean_bytes", (bands,), None, ("image", "mean", bands, pixels)
    yield "covariance", square, None, ("image", "mean", "c", bands, pixels)
    # p and t have the columns of P and P V as rows.
    yield "copy", square, None, ("noise_c", "d", bands)
    for _ in range(size["sweeps"]):
        yield from sweep("symmetric", bands, "d", "u", "rotation")
    yield "whiten", square, None, ("u", "d", "p", bands)
    yield "product_transposed", square, None, ("c", "p", "m", bands)
    yield "product", square, None, ("p", "m", "e", bands)
    for _ in range(size["sweeps"]):
        yield from sweep("symmetric", bands, "e", "v", "rotation")
    yield "product", square, None, ("v", "p", "t", bands)
    yield "transform", (pixels,), None, ("t", "image", "components", bands, bands, pixels)


def check(size, first, last):
    bands = size["bands"]
    image = first["image"].astype(float)
    noise = np.zeros_like(image)
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (1, 2))
    noise[:, 1:-1, 1:-1] = image[:, 1:-1, 1:-1] - windows.mean((-1, -2))
    c = np.atleast_2d(np.cov(image.reshape(bands, -1)))
    noise_c = np.atleast_2d(np.cov(noise.reshape(bands, -1)))
    yield "noise", abs(last["noise"] - noise).max() / abs(noise).max(), 1e-6
    for name, true in (("noise_c", noise_c), ("c", c)):
        # Sums of one rounding for each pixel.
        yield name, abs(last[name] - true).max() / abs(true).max(), image[0].size * 2**-24
    t, d, u = (last[name].astype(float) for name in "tdu")
    yield "|C U - U D| / |C|", norm(noise_c @ u.T - u.T * np.diag(d)) / norm(noise_c), 1e-5
    yield "|noise of the components - 1|", norm(t @ noise_c @ t.T - np.eye(bands)), 1e-4 * bands
    signal = t @ c @ t.T
    fractions = np.diag(last["e"]).astype(float)
    yield "|C of the components - D| / |D|", norm(signal - np.diag(fractions)) / norm(fractions), 1e-4
    p = np.linalg.inv(np.linalg.cholesky(noise_c))
    true = np.linalg.eigvalsh(p @ c @ p.T)
    yield "signal to noise", abs(np.sort(fractions) - true).max() / true.max(), 1e-4
    true = np.einsum("mb,bhw->mhw", t, image)
    yield "components", abs(last["components"] - true).max() / abs(true).max(), 1e-5
