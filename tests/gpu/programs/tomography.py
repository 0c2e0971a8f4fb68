"""CuPy: a scanner's projections (twelve slices, 400 angles of 1024 detectors, 9 MiB of uint16 a time) become pictures by
filtered backprojection; the pictures (48 MiB of float32) come to the host, which keeps a histogram of each slice's middle.
An iteration is a stack of twelve slices. `pin`: projections and pictures in page-locked memory; `nb`: pictures are not
waited for, those of a stack are looked at after the next one was launched."""

import collections

import cupy as cp
import cupyx
import numpy as np

from steps import ALL, NON_BLOCKING, PIN, Clock

SLICES, ANGLES, DETECTORS, SIDE, SCANS = 12, 400, 1024, 1024, 8
LIGHT = 40_000.0  # counts of a detector with nothing before it

BACKPROJECT = cp.RawKernel(r"""
extern "C" __global__ void backproject(const float* rows, const float* cosines, const float* sines, float* pictures,
                                       int angles, int detectors, int side) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= side || row >= side) return;
    const float* slice = rows + (size_t)blockIdx.z * angles * detectors;
    float x = column - 0.5f * (side - 1), y = row - 0.5f * (side - 1), sum = 0.0f;
    for (int angle = 0; angle < angles; ++angle) {
        float at = x * cosines[angle] + y * sines[angle] + 0.5f * (detectors - 1);
        int left = (int)floorf(at);
        if (left < 0 || left >= detectors - 1) continue;
        float share = at - left;
        const float* of_angle = slice + (size_t)angle * detectors;
        sum += (1.0f - share) * of_angle[left] + share * of_angle[left + 1];
    }
    pictures[((size_t)blockIdx.z * side + row) * side + column] = sum * (3.14159265f / angles);
}
""", "backproject")
ABSORPTION = cp.ElementwiseKernel("uint16 counts, float32 light", "float32 absorbed",
                                  "absorbed = -logf(fmaxf((float)counts, 1.0f) / light)", "absorption")


def host_empty(shape, dtype):
    return cupyx.empty_pinned(shape, dtype) if PIN else np.empty(shape, dtype)


def make_scans(angles):
    """Projections of discs: each is half an ellipse around where its centre is seen."""
    chance = np.random.default_rng(0)
    places = np.arange(DETECTORS, dtype=np.float32) - 0.5 * (DETECTORS - 1)
    scans = []
    for _ in range(SCANS):
        thickness = np.zeros((ANGLES, DETECTORS), np.float32)
        for x, y, radius in chance.uniform((-200, -200, 20), (200, 200, 200), (6, 3)):
            centre = (x * np.cos(angles) + y * np.sin(angles))[:, None]
            thickness += 2 * np.sqrt(np.clip(radius ** 2 - (places - centre) ** 2, 0, None)).astype(np.float32)
        scan = host_empty((SLICES, ANGLES, DETECTORS), np.uint16)
        for slice_ in range(SLICES):
            counts = LIGHT * np.exp(-0.002 * (1 + 0.05 * slice_) * thickness)
            counts += np.sqrt(counts) * chance.standard_normal(counts.shape, dtype=np.float32)
            scan[slice_] = np.clip(counts, 1, 65535)
        scans.append(scan)
    return scans


def make_filter():
    """The ramp, made smooth at its end, for rows padded to twice their length."""
    frequencies = np.fft.rfftfreq(2 * DETECTORS)
    ramp = frequencies * (0.54 + 0.46 * np.cos(2 * np.pi * frequencies))
    return cp.asarray(ramp.astype(np.float32))


def reconstruct(projections, ramp, cosines, sines):
    rows = ABSORPTION(projections, np.float32(LIGHT))
    spectrum = cp.fft.rfft(rows, n=2 * DETECTORS, axis=-1)
    spectrum *= ramp
    rows = cp.ascontiguousarray(cp.fft.irfft(spectrum, n=2 * DETECTORS, axis=-1)[..., :DETECTORS])
    pictures = cp.empty((SLICES, SIDE, SIDE), cp.float32)
    block = (32, 8)
    grid = (-(-SIDE // block[0]), -(-SIDE // block[1]), SLICES)
    BACKPROJECT(grid, block, (rows, cosines, sines, pictures, np.int32(ANGLES), np.int32(DETECTORS), np.int32(SIDE)))
    return pictures


def look(pictures, ready, histogram):
    if ready is not None:
        ready.synchronize()
    middle = pictures[:, SIDE // 4:3 * SIDE // 4:4, SIDE // 4:3 * SIDE // 4:4]
    histogram += np.histogram(middle, bins=256, range=(-0.002, 0.02))[0]


def main():
    angles = np.arange(ANGLES) * (np.pi / ANGLES)
    cosines, sines = cp.asarray(np.cos(angles), cp.float32), cp.asarray(np.sin(angles), cp.float32)
    scans, ramp = make_scans(angles), make_filter()
    results = [host_empty((SLICES, SIDE, SIDE), np.float32) for _ in range(2)]
    projections = cp.empty((SLICES, ANGLES, DETECTORS), cp.uint16)
    histogram, under_way, clock = np.zeros(256, np.int64), collections.deque(), Clock()
    for stack in range(ALL):
        projections.set(scans[stack % SCANS])
        pictures = reconstruct(projections, ramp, cosines, sines)
        result = results[stack % 2]
        pictures.get(out=result, blocking=not NON_BLOCKING)
        ready = cp.cuda.get_current_stream().record() if NON_BLOCKING else None
        under_way.append((result, ready))
        while len(under_way) > (1 if NON_BLOCKING else 0):
            look(*under_way.popleft(), histogram)
        clock.tick()
    while under_way:
        look(*under_way.popleft(), histogram)
    print("the commonest value is %.4f" % (-0.002 + 0.022 * (histogram.argmax() + 0.5) / 256))
    clock.report(cp.cuda.Device().synchronize)


if __name__ == "__main__":
    main()
