"""Signals along a genome: from windows of 32 768 bases a network of convolutions and attention (in the manner of
Enformer, but small) learns how much of sixteen assays lies in each of their 256 bins; the dataset cuts each window out,
turns half of them to the other strand, writes bases as four rows of zeros and ones (12 MiB a batch) and sums the assays
up, all in NumPy; the loader has no workers. Loss and correlation are read each step. `w4`: four workers; `pin`:
pin_memory of the loader, `nb`: copies that do not wait; `nosync`: loss and correlation are added up on the GPU and read
in the end."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
READ_EACH = "nosync" not in WORDS
BASES, WINDOW, BIN, ASSAYS = 2_000_000, 32_768, 128, 16
BATCH, WIDTH = (24, 256) if DEVICE == "cuda" else (2, 32)


class Windows(Dataset):
    def __init__(self):
        chance = np.random.default_rng(0)
        self.bases = chance.integers(0, 4, BASES, dtype=np.uint8)  # A, C, G, T: 3 - base is its partner
        peaks = chance.random((ASSAYS, BASES // 500), dtype=np.float32) ** 6 * 40
        self.signal = peaks.repeat(500, axis=1).astype(np.int16)
        self.signal += chance.integers(0, 3, BASES, dtype=np.int16)
        self.rows = np.eye(4, dtype=np.float32)

    def __len__(self):
        return 2 * BATCH * ALL

    def __getitem__(self, index):
        chance = np.random.default_rng(index)
        start = int(chance.integers(8, BASES - WINDOW - 8))
        shift = int(chance.integers(-8, 9))
        bases = self.bases[start + shift:start + shift + WINDOW]
        signal = self.signal[:, start:start + WINDOW].reshape(ASSAYS, WINDOW // BIN, BIN).sum(-1, dtype=np.float32)
        if chance.random() < 0.5:
            bases, signal = 3 - bases[::-1], signal[:, ::-1]
        return np.ascontiguousarray(self.rows[bases].T), np.sqrt(signal)


class Stage(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first = nn.Sequential(nn.BatchNorm1d(inputs), nn.GELU(), nn.Conv1d(inputs, outputs, 5, padding=2))
        self.second = nn.Sequential(nn.BatchNorm1d(outputs), nn.GELU(), nn.Conv1d(outputs, outputs, 1))

    def forward(self, hidden):
        hidden = self.first(hidden)
        return F.max_pool1d(hidden + self.second(hidden), 2)


class Tracks(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [WIDTH // 4, WIDTH // 4, WIDTH // 2, WIDTH // 2, WIDTH, WIDTH, WIDTH, WIDTH]
        self.stem = nn.Conv1d(4, widths[0], 15, padding=7)
        self.stages = nn.Sequential(*(Stage(*pair) for pair in zip(widths, widths[1:])))
        self.places = nn.Parameter(0.02 * torch.randn(WINDOW // BIN, WIDTH))
        layer = nn.TransformerEncoderLayer(WIDTH, 8, 4 * WIDTH, 0.1, batch_first=True, norm_first=True)
        self.attention = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, ASSAYS), nn.Softplus())

    def forward(self, bases):
        hidden = self.stages(self.stem(bases)).transpose(1, 2)
        return self.head(self.attention(hidden + self.places)).transpose(1, 2)


def correlation(made, true):
    made, true = (values - values.mean(-1, keepdim=True) for values in (made, true))
    return F.cosine_similarity(made, true, dim=-1).mean()


def main():
    torch.manual_seed(0)
    model = Tracks().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 20))
    loader = DataLoader(Windows(), batch_size=BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN)
    loss_sum, correlation_sum, clock = 0.0, 0.0, Clock()
    for _, (bases, signal) in zip(range(ALL), loader):
        bases, signal = bases.to(DEVICE, non_blocking=NON_BLOCKING), signal.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            made = model(bases)
        loss = F.poisson_nll_loss(made.float(), signal, log_input=False)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.2)
        optimizer.step()
        schedule.step()
        alike = correlation(made.detach().float(), signal)
        loss_sum += loss.item() if READ_EACH else loss.detach()
        correlation_sum += alike.item() if READ_EACH else alike
        clock.tick()
    clock.report(torch_wait)
    print("loss %.3f, correlation %.3f" % (float(loss_sum) / ALL, float(correlation_sum) / ALL))


if __name__ == "__main__":
    main()
