"""Weather: a spectral network learns to predict fields six hours later; two states of 63 MiB and their successors are
read from memory-mapped files each step in the main thread. `pin`: into page-locked buffers, `nb`: copies that do not
wait, `side`: the next batch is read and sent on a stream of its own while this one is learnt."""

import contextlib
import os
import tempfile

import numpy as np
import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE = "side" in WORDS
BATCH, CHANNELS, PATCH = 2, 16, 8
HEIGHT, LENGTH, YEARS, TIMES, WIDTH, BLOCKS = (720, 1440, 4, 6, 512, 6) if DEVICE == "cuda" else (192, 384, 1, 3, 32, 2)


def write_years(folder):
    rng = np.random.default_rng(0)
    state = rng.standard_normal((CHANNELS, HEIGHT, LENGTH), np.float32)
    for year in range(YEARS):
        path = os.path.join(folder, "%d.dat" % (1979 + year))
        file = np.memmap(path, np.float32, "w+", shape=(TIMES,) + state.shape)
        for time in range(TIMES):
            file[time] = np.roll(state, 24 * time + 5 * year, 2)
        file.flush()
        yield np.memmap(path, np.float32, "r", shape=(TIMES,) + state.shape)


class SpectralBlock(nn.Module):
    def __init__(self, modes=24):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(WIDTH, modes, modes, 2) * 0.02)
        self.norm = nn.GroupNorm(8, WIDTH)
        self.mlp = nn.Sequential(nn.Conv2d(WIDTH, 2 * WIDTH, 1), nn.GELU(), nn.Conv2d(2 * WIDTH, WIDTH, 1))

    def forward(self, x):
        y = self.norm(x)
        waves = torch.fft.rfft2(y, norm="ortho")
        kept = torch.zeros_like(waves)
        m = self.modes
        kept[..., :m, :m] = waves[..., :m, :m] * torch.view_as_complex(self.weight)
        return x + self.mlp(y + torch.fft.irfft2(kept, x.shape[-2:], norm="ortho"))


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(CHANNELS, WIDTH, PATCH, PATCH)
        self.blocks = nn.Sequential(*[SpectralBlock() for _ in range(BLOCKS)])
        self.head = nn.Conv2d(WIDTH, CHANNELS * PATCH ** 2, 1)

    def forward(self, state):
        return state + nn.functional.pixel_shuffle(self.head(self.blocks(self.embed(state))), PATCH)


class Reader:
    def __init__(self, years):
        self.years, self.rng, self.count = list(years), np.random.default_rng(1), 0
        shape = BATCH, CHANNELS, HEIGHT, LENGTH
        buffers = [[torch.zeros(shape) for _ in ("now", "later")] for _ in range(2)]
        self.buffers = [[one.pin_memory() for one in pair] for pair in buffers] if PIN else buffers
        self.stream = torch.cuda.Stream() if SIDE else None

    def next(self):
        now, later = self.buffers[self.count % 2]
        self.count += 1
        for row in range(BATCH):
            year, time = self.years[self.rng.integers(YEARS)], self.rng.integers(TIMES - 1)
            now[row].numpy()[...] = year[time]
            later[row].numpy()[...] = year[time + 1]
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            return [one.to(DEVICE, non_blocking=NON_BLOCKING) for one in (now, later)]


def main():
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    model = Surrogate().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 2e-4)
    latitude = torch.linspace(-90, 90, HEIGHT).deg2rad().cos().view(-1, 1).to(DEVICE)
    with tempfile.TemporaryDirectory() as folder:
        reader, total, clock = Reader(write_years(folder)), 0.0, Clock()
        upcoming = reader.next() if SIDE else None
        for step in range(ALL):
            now, later = upcoming or reader.next()
            if SIDE:
                torch.cuda.current_stream().wait_stream(reader.stream)
                now.record_stream(torch.cuda.current_stream())
                later.record_stream(torch.cuda.current_stream())
            loss = ((model(now) - later) ** 2 * latitude).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            upcoming = reader.next() if SIDE else None
            total += loss.item()
            clock.tick()
        clock.report(torch_wait)
        print("mean loss %.4f" % (total / ALL))


main()
