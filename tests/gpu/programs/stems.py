"""A service that takes songs apart: a thread makes requests of eight pieces of 16-bit stereo, six seconds each (16 MiB
as float32); a convolutional network finds voice, drums, bass and the rest; the four stems (64 MiB) go to the host, which
makes 16-bit sound of them and answers. An iteration is a request. `pin`: pieces and stems in page-locked memory; `nb`:
neither copy waits, a request is answered after the next one was launched."""

import collections
import concurrent.futures
import queue
import threading

import numpy as np
import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

PIECES, LENGTH, WIDTH = (8, 262_144, 48) if DEVICE == "cuda" else (2, 16_384, 8)
CHANNELS, STEMS, DEEP, SLOTS = 2, 4, 5, 5


class Down(nn.Sequential):
    def __init__(self, inputs, outputs):
        super().__init__(nn.Conv1d(inputs, outputs, 8, 4, 2), nn.GELU(), nn.Conv1d(outputs, 2 * outputs, 1), nn.GLU(1))


class Up(nn.Sequential):
    def __init__(self, inputs, outputs, last):
        super().__init__(nn.Conv1d(inputs, 2 * inputs, 3, padding=1), nn.GLU(1),
                         nn.ConvTranspose1d(inputs, outputs, 8, 4, 2), nn.Identity() if last else nn.GELU())


class Separator(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [CHANNELS] + [WIDTH * 2 ** level for level in range(DEEP)]
        self.downs = nn.ModuleList(Down(*pair) for pair in zip(widths, widths[1:]))
        widths[0] = STEMS * CHANNELS
        self.ups = nn.ModuleList(Up(widths[level + 1], widths[level], level == 0) for level in reversed(range(DEEP)))

    def forward(self, sound):
        middle, scale = sound.mean((1, 2), keepdim=True), sound.std((1, 2), keepdim=True) + 1e-5
        hidden, kept = (sound - middle) / scale, []
        for down in self.downs:
            hidden = down(hidden)
            kept.append(hidden)
        for up in self.ups:
            hidden = up(hidden + kept.pop())
        stems = hidden.float() * scale + middle
        return stems.view(len(sound), STEMS, CHANNELS, -1)


class Requests(threading.Thread):
    """Clients: pieces of songs, as 32-bit sound in a slot that comes back when it has been sent."""

    def __init__(self):
        super().__init__(daemon=True)
        chance = np.random.default_rng(0)
        times = np.arange(8 * LENGTH, dtype=np.float32)
        song = sum(np.sin(times * np.float32(pitch)) for pitch in (0.011, 0.0313, 0.0872))
        song = song + 0.3 * chance.standard_normal((CHANNELS, 8 * LENGTH), dtype=np.float32)
        self.song = (6000 * song).astype(np.int16)
        self.chance = chance
        self.waiting, self.free, self.answers = queue.Queue(2), queue.Queue(), []
        for _ in range(SLOTS):
            self.free.put(torch.empty(PIECES, CHANNELS, LENGTH, pin_memory=PIN))

    def run(self):
        for _ in range(ALL):
            slot = self.free.get()
            for piece in slot.numpy():
                start = self.chance.integers(7 * LENGTH)
                np.multiply(self.song[:, start:start + LENGTH], np.float32(1 / 32768), out=piece)
            answer = concurrent.futures.Future()
            self.answers.append(answer)
            self.waiting.put((slot, answer))


def finish(stems, ready, slot, answer, requests):
    if ready is not None:
        ready.synchronize()
    requests.free.put(slot)
    sound = stems.mul_(32768).clamp_(-32768, 32767).to(torch.int16)
    answer.set_result([sound[:, stem, :, ::64].abs().float().mean().item() for stem in range(STEMS)])


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = Separator().to(DEVICE).eval()
    buffers = [torch.empty(PIECES, STEMS, CHANNELS, LENGTH, pin_memory=PIN) for _ in range(2)]
    requests, under_way = Requests(), collections.deque()
    requests.start()
    clock = Clock()
    for count in range(ALL):
        slot, answer = requests.waiting.get()
        sound = slot.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            stems = model(sound)
        result, ready = buffers[count % 2], None
        result.copy_(stems, non_blocking=NON_BLOCKING)
        if NON_BLOCKING:
            ready = torch.cuda.Event()
            ready.record()
        under_way.append((result, ready, slot, answer))
        while len(under_way) > (1 if NON_BLOCKING else 0):
            finish(*under_way.popleft(), requests)
        clock.tick()
    while under_way:
        finish(*under_way.popleft(), requests)
    levels = np.mean([answer.result() for answer in requests.answers], axis=0)
    print("levels of the stems " + ", ".join("%.0f" % level for level in levels))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
