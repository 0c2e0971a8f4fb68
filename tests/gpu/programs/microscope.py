"""CuPy: stacks of camera frames (64 MiB of uint16) are freed of background and noise on four streams, a quarter each,
and go back as float32 (128 MiB). `pin`: frames and results in page-locked memory, `nb`: results are not waited for."""

import cupy as cp
import cupyx
import numpy as np
from cupyx.scipy import ndimage

from steps import ALL, NON_BLOCKING, PIN, Clock

FRAMES, SIDE, STREAMS = 8, 2048, 4

flatten = cp.ElementwiseKernel(
    "uint16 count, float32 dark, float32 gain", "float32 out", "out = max((float)count - dark, 0.0f) * gain", "flatten")


def host_array(dtype):
    shape = FRAMES, SIDE, SIDE
    return cupyx.empty_pinned(shape, dtype) if PIN else np.empty(shape, dtype)


class Lane:
    """A stream and what it works with on the device."""

    def __init__(self, first, count):
        self.frames = slice(first, first + count)
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.raw = cp.empty((count, SIDE, SIDE), cp.uint16)

    def work(self, stack, result, dark, gain):
        with self.stream:
            self.raw.set(stack[self.frames])
            flat = flatten(self.raw, dark, gain)
            background = flat
            for axis in (1, 2):
                background = ndimage.gaussian_filter1d(background, 8, axis=axis, mode="nearest", output=cp.float32)
            clean = ndimage.median_filter(flat - background, size=(1, 3, 3))
            peaks = (clean > 3 * clean.std(axis=(1, 2), keepdims=True)).sum(axis=(1, 2))
            clean.get(stream=self.stream, out=result[self.frames], blocking=not NON_BLOCKING)
        return peaks


def main():
    rng = np.random.default_rng(0)
    frame = rng.integers(100, 4000, (SIDE, SIDE), np.uint16)
    stacks = [host_array(np.uint16) for _ in range(3)]
    for number, stack in enumerate(stacks):
        for index in range(FRAMES):
            stack[index] = np.roll(frame, 37 * index + 11 * number, 1)
    result = host_array(np.float32)
    result[...] = 0
    dark = cp.asarray(rng.random((SIDE, SIDE), np.float32) * 100)
    gain = cp.asarray(0.5 + rng.random((SIDE, SIDE), np.float32))
    lanes = [Lane(first, FRAMES // STREAMS) for first in range(0, FRAMES, FRAMES // STREAMS)]
    cp.cuda.Device().synchronize()
    brightest, clock = [], Clock()
    for step in range(ALL):
        found = [lane.work(stacks[step % 3], result, dark, gain) for lane in lanes]
        for lane in lanes:
            lane.stream.synchronize()
        brightest.append((result[:, ::64, ::64].max(), sum(int(peaks.sum()) for peaks in found)))
        clock.tick()
    clock.report(cp.cuda.Device().synchronize)
    print("brightest %.1f, peaks in a stack %d" % brightest[-1])


main()
