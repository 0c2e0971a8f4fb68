"""k-means in CuPy: points stay on the GPU; each iteration reads how far the centres moved and keeps them for a plot."""

import cupy as cp
import numpy as np

from steps import ALL, Clock

POINTS, DIMENSIONS, K = 1_000_000, 64, 128


def assign(points, squares, centres):
    distance = squares[:, None] - 2 * points @ centres.T + (centres * centres).sum(1)
    labels = distance.argmin(1)
    return labels, cp.take_along_axis(distance, labels[:, None], 1).sum()


def recentre(points, labels, centres):
    sums = cp.zeros_like(centres)
    cp.add.at(sums, labels, points)
    counts = cp.bincount(labels, minlength=K)
    return cp.where(counts[:, None] > 0, sums / cp.maximum(counts, 1)[:, None], centres)


def fit(points, clock, tolerance=0.0):
    squares = (points * points).sum(1)
    centres = points[cp.random.permutation(POINTS)[:K]]
    track = []
    for iteration in range(ALL):
        labels, inertia = assign(points, squares, centres)
        moved = recentre(points, labels, centres)
        shift = float(cp.linalg.norm(moved - centres))
        centres = moved
        track.append((float(inertia), shift, cp.asnumpy(centres)))
        clock.tick()
        if shift < tolerance:
            break
    return cp.asnumpy(labels), track


if __name__ == "__main__":
    host = np.random.default_rng(0).standard_normal((POINTS, DIMENSIONS), dtype=np.float32)
    clock = Clock()
    fit(cp.asarray(host), clock)
    clock.report(cp.cuda.Device().synchronize)
