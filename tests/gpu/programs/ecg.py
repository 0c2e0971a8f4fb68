"""Lightning: a residual network learns four rhythms from electrocardiograms of twelve leads (5000 samples each, 7 MiB a
batch); the dataset filters each with SciPy, adds wander and hum, drops leads and scales; the loader is as Lightning has
it, without workers; training_step keeps the loss as a number. `w4`: four workers; `pin`: pin_memory of the loader;
`nosync`: losses are kept on the GPU and read in the end."""

import warnings

import lightning as L
import numpy as np
import torch
from scipy import signal
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
READ_EACH = "nosync" not in WORDS
LEADS, SAMPLES, RATE, RHYTHMS, PATIENTS = 12, 5000, 500, 4, 200
BATCH, WIDTH = (32, 128) if DEVICE == "cuda" else (4, 16)


class Recordings(Dataset):
    def __init__(self):
        chance = np.random.default_rng(0)
        times = np.arange(SAMPLES, dtype=np.float32) / RATE
        self.rhythms = chance.integers(RHYTHMS, size=PATIENTS)
        self.raw = np.empty((PATIENTS, LEADS, SAMPLES), np.int16)
        for patient, rhythm in enumerate(self.rhythms):
            beat = (times * (0.8 + 0.4 * rhythm + 0.1 * chance.random())) % 1
            wave = np.exp(-((beat - 0.3) / 0.02) ** 2) + 0.25 * np.exp(-((beat - 0.6) / 0.07) ** 2)
            leads = chance.normal(0, 1, (LEADS, 1)) * wave + 0.05 * chance.standard_normal((LEADS, SAMPLES))
            self.raw[patient] = 1000 * leads
        self.band = signal.butter(3, (0.5, 40), "bandpass", fs=RATE, output="sos")
        self.times = times

    def __len__(self):
        return 4 * BATCH * ALL

    def __getitem__(self, index):
        chance = np.random.default_rng(index)
        leads = self.raw[index % PATIENTS].astype(np.float32)
        leads += 150 * np.sin(2 * np.pi * chance.uniform(0.05, 0.4) * self.times).astype(np.float32)
        leads += 40 * np.sin(2 * np.pi * 50 * self.times + chance.uniform(0, 6)).astype(np.float32)
        leads = signal.sosfilt(self.band, leads, axis=-1)
        leads = np.roll(leads, chance.integers(SAMPLES), axis=-1)
        leads[chance.random(LEADS) < 0.1] = 0
        leads = (leads - leads.mean(-1, keepdims=True)) / (leads.std(-1, keepdims=True) + 1e-3)
        return leads.astype(np.float32), int(self.rhythms[index % PATIENTS])


class Residual(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(inputs, outputs, 15, 2, 7, bias=False), nn.BatchNorm1d(outputs), nn.ReLU(), nn.Dropout(0.2),
            nn.Conv1d(outputs, outputs, 15, 1, 7, bias=False), nn.BatchNorm1d(outputs))
        self.beside = nn.Sequential(nn.Conv1d(inputs, outputs, 1, 2, bias=False), nn.BatchNorm1d(outputs))

    def forward(self, hidden):
        return F.relu(self.body(hidden) + self.beside(hidden))


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        widths = [WIDTH, WIDTH, 2 * WIDTH, 2 * WIDTH, 4 * WIDTH, 4 * WIDTH]
        self.stem = nn.Sequential(nn.Conv1d(LEADS, WIDTH, 15, 1, 7, bias=False), nn.BatchNorm1d(WIDTH), nn.ReLU())
        self.body = nn.Sequential(*(Residual(*pair) for pair in zip(widths, widths[1:])))
        self.head = nn.Linear(widths[-1], RHYTHMS)
        self.losses = []

    def forward(self, leads):
        return self.head(self.body(self.stem(leads)).mean(-1))

    def training_step(self, batch, index):
        leads, rhythms = batch
        loss = F.cross_entropy(self(leads), rhythms, label_smoothing=0.1)
        self.losses.append(loss.item() if READ_EACH else loss.detach())
        return loss

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), 1e-3, weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, ALL)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}


class Timing(L.Callback):
    def __init__(self):
        self.clock, self.seen = None, 0

    def on_train_start(self, trainer, module):
        self.clock = Clock()

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        self.clock.tick()
        self.seen += 1
        if self.seen == ALL:
            print("loss %.3f" % float(sum(module.losses) / ALL))
            self.clock.report(torch_wait)


def main():
    warnings.filterwarnings("ignore")
    L.seed_everything(0)
    loader = DataLoader(Recordings(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    trainer = L.Trainer(
        accelerator="gpu" if DEVICE == "cuda" else "cpu", devices=1, precision="bf16-mixed", max_steps=ALL,
        gradient_clip_val=1.0, logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, callbacks=[Timing()])
    trainer.fit(Classifier(), loader)


if __name__ == "__main__":
    main()
