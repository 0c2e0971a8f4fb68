"""CuPy: pulses of a radar, 96 MiB of complex samples each time, are compressed in range, transformed in Doppler and
held to the noise around them, on two streams in turns; maps of 48 MiB come back and are looked at two turns later.
`pin`: samples and maps in page-locked memory; the calls, which do not wait by themselves, are the same."""

import cupy as cp
import cupyx
import numpy as np
from cupyx.scipy import ndimage

from steps import ALL, PIN, Clock

CHANNELS, PULSES, SAMPLES, CHIRP, GUARD = 6, 512, 4096, 512, 33


def host_array(shape, dtype):
    return cupyx.empty_pinned(shape, dtype) if PIN else np.empty(shape, dtype)


class Lane:
    """A stream with what it works on, and its map on the host."""

    def __init__(self, reference, window):
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.reference, self.window = reference, window
        self.samples = cp.empty((CHANNELS, PULSES, SAMPLES), cp.complex64)
        self.map = host_array(self.samples.shape, np.float32)
        self.map[...] = 0

    def start(self, pulses):
        with self.stream:
            self.samples.set(pulses)
            spectrum = cp.fft.fft(self.samples, axis=2)
            spectrum *= self.reference
            ranges = cp.fft.ifft(spectrum, axis=2)
            ranges *= self.window
            doppler = cp.fft.fft(ranges, axis=1)
            power = doppler.real ** 2 + doppler.imag ** 2
            noise = ndimage.uniform_filter1d(power, GUARD, axis=2, mode="wrap")
            decibels = 10 * cp.log10(power / (noise + np.float32(1e-12)) + np.float32(1e-12))
            cp.ascontiguousarray(decibels, cp.float32).get(stream=self.stream, out=self.map, blocking=False)

    def read(self):
        self.stream.synchronize()
        strongest = self.map.max(axis=2)
        return int((strongest > 9).sum()), float(strongest.max())


def main():
    rng = np.random.default_rng(0)
    time = np.arange(CHIRP) / CHIRP
    chirp = np.exp(1j * np.pi * 200 * time ** 2).astype(np.complex64)
    noise = rng.standard_normal((PULSES, 2 * SAMPLES), np.float32).view(np.complex64)
    noise[:, 1000:1000 + CHIRP] += chirp * np.exp(0.3j * np.arange(PULSES)).astype(np.complex64)[:, None]
    turns = [host_array((CHANNELS, PULSES, SAMPLES), np.complex64) for _ in range(3)]
    for number, pulses in enumerate(turns):
        for channel in range(CHANNELS):
            pulses[channel] = np.roll(noise, 50 * number + 10 * channel, 1)
    reference = cp.conj(cp.fft.fft(cp.asarray(chirp), SAMPLES)).astype(cp.complex64)
    window = cp.asarray(np.hamming(PULSES).astype(np.float32)[:, None])
    lanes = [Lane(reference, window) for _ in range(2)]
    cp.cuda.Device().synchronize()
    found, clock = [], Clock()
    for step in range(ALL):
        lane = lanes[step % 2]
        if step >= len(lanes):
            found.append(lane.read())
        lane.start(turns[step % 3])
        clock.tick()
    clock.report(cp.cuda.Device().synchronize)
    print("detections %d, strongest %.1f dB" % found[-1])


main()
