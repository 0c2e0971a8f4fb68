"""Reverse time migration in CuPy, two shots at a time on a stream each: the wave of the source runs forward, each eighth
of its states (4.5 MiB) goes to the host; then the recorded wave runs backward, the states come back and are correlated
with it. An iteration is such a pair of shots; its picture comes to the host and is added there. The calls do not wait
by themselves; `pin`: states, records and pictures in page-locked memory."""

import cupy as cp
import cupyx
import numpy as np

from steps import ALL, PIN, Clock

DEPTH, WIDTH, TIMES, EACH, DEEP = 768, 1536, 240, 8, 12
SHOTS, SURVEY = 2, 6

KERNELS = cp.RawModule(code=r"""
__device__ float ahead(const float* now, const float* before, const float* speed, const float* taper,
                       int row, int column, int width, int at) {
    float sum = -5.0f * now[at] + (4.0f / 3.0f) * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width])
        - (1.0f / 12.0f) * (now[at - 2] + now[at + 2] + now[at - 2 * width] + now[at + 2 * width]);
    return taper[at] * (2.0f * now[at] - taper[at] * before[at] + speed[at] * sum);
}

extern "C" __global__ void forward(const float* now, float* before, const float* speed, const float* taper,
                                   int depth, int width, int source, float strength) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 2 || column < 2 || row >= depth - 2 || column >= width - 2) return;
    int at = row * width + column;
    before[at] = ahead(now, before, speed, taper, row, column, width, at) + (at == source ? strength : 0.0f);
}

extern "C" __global__ void backward(const float* now, float* before, const float* speed, const float* taper,
                                    int depth, int width, int deep, const float* record) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 2 || column < 2 || row >= depth - 2 || column >= width - 2) return;
    int at = row * width + column;
    before[at] = ahead(now, before, speed, taper, row, column, width, at) + (row == deep ? record[column] : 0.0f);
}
""")
FORWARD, BACKWARD = KERNELS.get_function("forward"), KERNELS.get_function("backward")
CORRELATE = cp.ElementwiseKernel("float32 sent, float32 recorded", "float32 picture, float32 light",
                                 "picture += sent * recorded; light += sent * sent", "correlate")
BLOCK = (32, 8)
GRID = ((WIDTH + BLOCK[0] - 1) // BLOCK[0], (DEPTH + BLOCK[1] - 1) // BLOCK[1])


def host_zeros(*shape):
    return cupyx.zeros_pinned(shape, np.float32) if PIN else np.zeros(shape, np.float32)


def make_survey():
    """How fast sound is (squared, in cells per step), what holds waves at the edges, and a record for each shot."""
    rows, columns = np.arange(DEPTH)[:, None], np.arange(WIDTH)[None, :]
    layers = (rows + 40 * np.sin(columns / 150)) // 96
    speed = ((0.25 + 0.03 * layers) ** 2).astype(np.float32)
    edge = np.minimum(np.minimum(rows, DEPTH - 1 - rows), np.minimum(columns, WIDTH - 1 - columns))
    taper = np.exp(-(0.015 * np.clip(40 - edge, 0, None)) ** 2).astype(np.float32)
    chance, records = np.random.default_rng(0), host_zeros(SURVEY, TIMES, WIDTH)
    times = np.arange(TIMES, dtype=np.float32)[:, None]
    for shot in range(SURVEY):
        arrival = 40 + np.abs(columns - WIDTH * (shot + 0.5) / SURVEY) / 3
        phase = ((times - arrival) / 8) ** 2
        records[shot] = (1 - 2 * phase) * np.exp(-phase) + 0.01 * chance.standard_normal((TIMES, WIDTH), np.float32)
    return speed.astype(np.float32), taper, records


class Shot:
    """One of the two that run side by side: a stream, two states of the wave, a picture, and states on the host."""

    def __init__(self):
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.now, self.before, self.stored, self.picture, self.light = (
            cp.zeros((DEPTH, WIDTH), cp.float32) for _ in range(5))
        self.record = cp.zeros((TIMES, WIDTH), cp.float32)
        self.states = host_zeros(TIMES // EACH, DEPTH, WIDTH)
        self.result = host_zeros(DEPTH, WIDTH)

    def clear(self, *waves):
        for wave in waves:
            wave.fill(0)

    def ahead(self, kernel, *arguments):
        kernel(GRID, BLOCK, (self.now, self.before, *arguments))
        self.now, self.before = self.before, self.now


def migrate(shots, numbers, records, speed, taper, source):
    size = np.int32(DEPTH), np.int32(WIDTH)
    for shot, number in zip(shots, numbers):
        with shot.stream:
            shot.record.set(records[number], stream=shot.stream)
            shot.clear(shot.now, shot.before, shot.picture, shot.light)
    for stored in range(TIMES // EACH):
        for shot, number in zip(shots, numbers):
            place = np.int32(DEEP * WIDTH + int(WIDTH * (number + 0.5) / SURVEY))
            with shot.stream:
                for time in range(stored * EACH, stored * EACH + EACH):
                    shot.ahead(FORWARD, speed, taper, *size, place, source[time])
                shot.now.get(stream=shot.stream, out=shot.states[stored], blocking=False)
    for shot in shots:
        with shot.stream:
            shot.clear(shot.now, shot.before)
    for stored in reversed(range(TIMES // EACH)):
        for shot in shots:
            with shot.stream:
                shot.stored.set(shot.states[stored], stream=shot.stream)
                CORRELATE(shot.stored, shot.now, shot.picture, shot.light)
                for time in reversed(range(stored * EACH, stored * EACH + EACH)):
                    shot.ahead(BACKWARD, speed, taper, *size, np.int32(DEEP), shot.record[time])
    for shot in shots:
        with shot.stream:
            shot.picture /= shot.light + cp.float32(1e-6)
            shot.picture.get(stream=shot.stream, out=shot.result, blocking=False)


def main():
    speed, taper, records = make_survey()
    speed, taper = cp.asarray(speed), cp.asarray(taper)
    phase = ((np.arange(TIMES, dtype=np.float32) - 30) / 8) ** 2
    source = ((1 - 2 * phase) * np.exp(-phase)).astype(np.float32)
    shots = [Shot() for _ in range(SHOTS)]
    cp.cuda.Device().synchronize()
    stack, clock = np.zeros((DEPTH, WIDTH), np.float32), Clock()
    for pair in range(ALL):
        migrate(shots, [(SHOTS * pair + one) % SURVEY for one in range(SHOTS)], records, speed, taper, source)
        for shot in shots:
            shot.stream.synchronize()
            stack += shot.result
        clock.tick()
    print("stack %.4g" % np.abs(stack).mean())
    clock.report(cp.cuda.Device().synchronize)


if __name__ == "__main__":
    main()
