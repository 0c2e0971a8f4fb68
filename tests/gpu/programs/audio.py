"""Keyword spotting: three workers resample clips of two seconds from 44.1 to 16 kHz; the GPU makes spectrograms and runs
a convolutional recurrent network. The loader pins and copies do not wait, as tutorials recommend."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from scipy.signal import lfilter, resample_poly
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, Clock, torch_wait

CLIPS = 64


class Recordings(Dataset):
    def __init__(self):
        self.waves = np.random.default_rng(0).standard_normal((64, 88200), dtype=np.float32) * 0.1

    def __len__(self):
        return CLIPS * (ALL + 30)

    def __getitem__(self, i):
        wave = np.roll(self.waves[i % 64], i * 37)
        wave = resample_poly(wave, 160, 441)
        wave = lfilter([1, -0.97], [1], wave)
        wave = wave / max(1e-5, np.abs(wave).max())
        return torch.from_numpy(wave.astype(np.float32)), i % 35


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(400))
        self.front = nn.Sequential(
            nn.Conv2d(1, 32, 5, (2, 1), 2), nn.BatchNorm2d(32), nn.SiLU(),
            nn.Conv2d(32, 64, 3, (2, 1), 1), nn.BatchNorm2d(64), nn.SiLU(),
            nn.Conv2d(64, 64, 3, (2, 1), 1), nn.SiLU())
        self.rnn = nn.GRU(64 * 26, 256, 2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(512, 35)

    def forward(self, wave):
        spectrum = torch.stft(wave, 400, 160, window=self.window, return_complex=True)
        x = self.front(torch.log1p(spectrum.abs()).unsqueeze(1))
        x, _ = self.rnn(x.flatten(1, 2).transpose(1, 2))
        return self.out(x.mean(1))


if __name__ == "__main__":
    model = Spotter().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=ALL + 1)
    loader = DataLoader(Recordings(), batch_size=CLIPS, shuffle=True, num_workers=3,
                        pin_memory=DEVICE == "cuda", drop_last=True)
    clock, batches = Clock(), iter(loader)
    for step in range(ALL):
        waves, words = next(batches)
        waves, words = waves.to(DEVICE, non_blocking=True), words.to(DEVICE, non_blocking=True)
        scores = model(waves)
        loss = F.cross_entropy(scores, words, label_smoothing=0.1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        clock.tick()
    clock.report(torch_wait)
