"""CuPy: frames of 32 MiB from the host are filtered by Fourier transform and go back. `pin`: both in page-locked memory."""

import cupy
import cupyx
import numpy

from steps import ALL, PIN, Clock

SHAPE = (8, 1024, 1024)


def host_array(values=None):
    array = cupyx.empty_pinned(SHAPE, numpy.float32) if PIN else numpy.empty(SHAPE, numpy.float32)
    if values is not None:
        array[...] = values
    return array


def main():
    source = numpy.random.default_rng(0)
    frames = [host_array(source.random(SHAPE, numpy.float32)) for _ in range(4)]
    filtered = host_array() if PIN else None
    window = cupy.asarray(numpy.exp(-numpy.linspace(-3, 3, SHAPE[1])[:, None] ** 2 - numpy.linspace(0, 3, SHAPE[2] // 2 + 1) ** 2).astype(numpy.float32))
    clock = Clock()
    for step in range(ALL):
        frame = cupy.asarray(frames[step % 4])
        for _ in range(3):
            frame = cupy.fft.irfft2(cupy.fft.rfft2(frame) * window, SHAPE[1:]).astype(numpy.float32)
        result = cupy.asnumpy(frame, out=filtered)
        assert result.shape == SHAPE
        clock.tick()
    clock.report(cupy.cuda.Device().synchronize)


main()
