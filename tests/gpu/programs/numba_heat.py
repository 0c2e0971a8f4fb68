"""Numba: heat maps of 32 MiB are sent, smoothed by twelve sweeps of a kernel, and brought back, all on one stream that
is waited for after each. `pin`: host arrays in page-locked memory."""

import numpy as np

for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):  # for Numba, which asks for them
    if not hasattr(np, old):
        setattr(np, old, getattr(np, new))

from numba import cuda  # noqa: E402

from steps import ALL, PIN, Clock

ROWS, COLUMNS, SWEEPS = 2048, 4096, 12


@cuda.jit
def sweep(old, new):
    x, y = cuda.grid(2)
    rows, columns = old.shape
    if 0 < y < rows - 1 and 0 < x < columns - 1:
        new[y, x] = 0.2 * (old[y, x] + old[y - 1, x] + old[y + 1, x] + old[y, x - 1] + old[y, x + 1])
    elif y < rows and x < columns:
        new[y, x] = old[y, x]


def empty():
    return cuda.pinned_array((ROWS, COLUMNS), np.float32) if PIN else np.empty((ROWS, COLUMNS), np.float32)


def main():
    rng = np.random.default_rng(0)
    maps = [empty() for _ in range(3)]
    for m in maps:
        m[:] = rng.random((ROWS, COLUMNS), dtype=np.float32)
    result = empty()
    a, b = (cuda.device_array((ROWS, COLUMNS), np.float32) for _ in range(2))
    stream = cuda.stream()
    block, grid = (32, 8), (COLUMNS // 32, ROWS // 8)
    hottest = []
    clock = Clock()
    for number in range(ALL):
        a.copy_to_device(maps[number % 3], stream=stream)
        for _ in range(SWEEPS // 2):
            sweep[grid, block, stream](a, b)
            sweep[grid, block, stream](b, a)
        a.copy_to_host(result, stream=stream)
        stream.synchronize()
        hottest.append(float(result[1::64].max()))
        clock.tick()
    clock.report(cuda.synchronize)


main()
