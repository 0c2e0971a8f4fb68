"""CuPy: what lies on the ground, from pictures of 224 colours. Tiles of 131 072 places (56 MiB of uint16) are explained
as mixtures of twelve materials, none of them negative (ADMM, eighty rounds); shares (6 MiB) and the tile without its
noise (56 MiB) come to the host, which puts the tile into a mosaic and counts what is most of each place. An iteration
is a tile. `pin`: tiles, shares and results in page-locked memory; `later`: what comes back is not waited for, that of a
tile is used after the next one was launched, with a second pair of buffers."""

import cupy as cp
import cupyx
import numpy as np

from steps import ALL, PIN, WORDS, Clock

LATER = "later" in WORDS
BANDS, PLACES, MATERIALS, ROUNDS, TILES = 224, 131_072, 12, 80, 5
RHO, WHITE = np.float32(0.05), 4000.0


def host_array(shape, dtype):
    array = cupyx.empty_pinned(shape, dtype) if PIN else np.empty(shape, dtype)
    array[...] = 0
    return array


def make_scene():
    chance = np.random.default_rng(0)
    bands = np.linspace(0, 1, BANDS, dtype=np.float32)[:, None]
    middles, widths = chance.random((2, 3, MATERIALS), dtype=np.float32)
    spectra = sum(np.exp(-((bands - middle) / (0.05 + 0.3 * width)) ** 2) for middle, width in zip(middles, widths)) / 3
    shares = chance.dirichlet(np.full(MATERIALS, 0.3), PLACES // 8).astype(np.float32).T
    clean = np.tile(spectra @ shares, (1, 8)) * np.float32(WHITE)
    tiles = []
    for _ in range(TILES):
        tile = host_array((BANDS, PLACES), np.uint16)
        noise = chance.standard_normal((BANDS, 1024), dtype=np.float32) * 25
        tile[...] = (clean + np.tile(noise, (1, PLACES // 1024))).clip(0, 65535)
        tiles.append(tile)
    return spectra.astype(np.float32), tiles


class Result:
    def __init__(self):
        self.shares = host_array((MATERIALS, PLACES), np.float32)
        self.clean = host_array((BANDS, PLACES), np.uint16)
        self.arrived = cp.cuda.Event(disable_timing=True) if LATER else None


positive_part = cp.ElementwiseKernel(
    "float32 x, float32 u", "float32 z, float32 dual", "z = max(x + u, 0.0f); dual = u + x - z", "positive_part")


class Unmixer:
    def __init__(self, spectra):
        self.spectra = cp.asarray(spectra)
        gram = spectra.T @ spectra + RHO * np.eye(MATERIALS, dtype=np.float32)
        self.inverse = cp.asarray(np.linalg.inv(gram).astype(np.float32))
        self.tile = cp.empty((BANDS, PLACES), cp.uint16)
        self.stream = cp.cuda.Stream(non_blocking=True)
        cp.cuda.Device().synchronize()

    def run(self, tile, result):
        self.tile.set(tile, stream=self.stream)
        reflectance = self.tile.astype(cp.float32)
        reflectance *= cp.float32(1 / WHITE)
        projected = self.spectra.T @ reflectance
        positive, dual = cp.zeros_like(projected), cp.zeros_like(projected)
        for _ in range(ROUNDS):
            mixed = self.inverse @ (projected + (positive - dual) * RHO)
            positive_part(mixed, dual, positive, dual)
        shares = positive / (positive.sum(axis=0) + cp.float32(1e-6))
        clean = cp.clip(self.spectra @ positive * cp.float32(WHITE), 0, 65535).astype(cp.uint16)
        shares.get(stream=self.stream, out=result.shares, blocking=not LATER)
        clean.get(stream=self.stream, out=result.clean, blocking=not LATER)
        if LATER:
            result.arrived.record(self.stream)


class Mosaic:
    def __init__(self):
        self.tiles = np.zeros((TILES, BANDS, PLACES), np.uint16)
        self.counts = np.zeros(MATERIALS, np.int64)
        self.done = 0

    def add(self, result):
        if LATER:
            result.arrived.synchronize()
        self.tiles[self.done % TILES] = result.clean
        self.counts += np.bincount(result.shares.argmax(axis=0), minlength=MATERIALS)
        self.done += 1


def main():
    spectra, tiles = make_scene()
    unmixer, mosaic = Unmixer(spectra), Mosaic()
    results = [Result() for _ in range(2 if LATER else 1)]
    clock = Clock()
    for step in range(ALL):
        with unmixer.stream:
            unmixer.run(tiles[step % TILES], results[step % len(results)])
        if not LATER:
            mosaic.add(results[0])
        elif step:
            mosaic.add(results[(step - 1) % 2])
        clock.tick()
    if LATER:
        mosaic.add(results[(ALL - 1) % 2])
    clock.report(cp.cuda.Device().synchronize)
    print("tiles %d, most common material %d, error %.1f" % (
        mosaic.done, mosaic.counts.argmax(), np.abs(mosaic.tiles[0][::16].astype(np.float32) - tiles[0][::16]).mean()))


if __name__ == "__main__":
    main()
