"""Lightning: rain of the next hour from radar. A convolutional recurrent network (ConvGRU over two scales) in bf16 sees
four pictures and foretells twelve; the dataset cuts films of sixteen pictures out of a day of radar, looks up the rain
of each byte and turns them (37 MiB a batch); one loader worker; loss and critical success index are kept as numbers at
each step. An iteration is a training batch. `w4`: four workers; `pin`: pin_memory of the loader; `nosync`: loss and
index are kept on the GPU and read in the end."""

import warnings

import lightning as L
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, PIN, WORDS, Clock, torch_wait

warnings.filterwarnings("ignore")
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 1)
READ_EACH = "nosync" not in WORDS
TIMES, SIDE, SEEN, AHEAD = 240, 480, 4, 12
BATCH, CROP, WIDTH = (12, 224, 48) if DEVICE == "cuda" else (2, 32, 8)


class Films(Dataset):
    def __init__(self):
        chance = np.random.default_rng(0)
        coarse = chance.random((SIDE // 16, SIDE // 16), dtype=np.float32) ** 3
        sky = (255 * coarse).astype(np.uint8).repeat(16, 0).repeat(16, 1)
        self.radar = np.stack([np.roll(sky, (time, 2 * time), (0, 1)) for time in range(TIMES)])
        self.radar += chance.integers(0, 4, (SIDE, SIDE), dtype=np.uint8) * (self.radar < 250)
        rain = (10 ** ((np.arange(256) / 4 - 2) / 10) / 200) ** (1 / 1.6)  # mm/h of half a dBZ, by Marshall and Palmer
        self.rain = np.log1p(rain).astype(np.float32)

    def __len__(self):
        return 2 * BATCH * ALL

    def __getitem__(self, index):
        chance = np.random.default_rng(index)
        time = chance.integers(TIMES - SEEN - AHEAD)
        row, column = chance.integers(SIDE - CROP, size=2)
        film = self.radar[time:time + SEEN + AHEAD, row:row + CROP, column:column + CROP]
        film = np.rot90(film, chance.integers(4), (1, 2))
        if chance.random() < 0.5:
            film = film[:, :, ::-1]
        film = self.rain[np.ascontiguousarray(film)]
        return film[:SEEN], film[SEEN:]


class Gru(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.gates = nn.Conv2d(inputs + width, 2 * width, 3, padding=1)
        self.fresh = nn.Conv2d(inputs + width, width, 3, padding=1)

    def forward(self, x, state):
        reset, update = torch.sigmoid(self.gates(torch.cat([x, state], 1))).chunk(2, 1)
        fresh = torch.tanh(self.fresh(torch.cat([x, reset * state], 1)))
        return state + update * (fresh - state)


class Nowcast(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.into = nn.Sequential(nn.Conv2d(1, WIDTH, 5, 2, 2), nn.GELU(), nn.Conv2d(WIDTH, WIDTH, 3, 2, 1), nn.GELU())
        self.down = nn.Conv2d(WIDTH, 2 * WIDTH, 3, 2, 1)
        self.fine, self.broad = Gru(2 * WIDTH, WIDTH), Gru(2 * WIDTH, 2 * WIDTH)
        self.up = nn.ConvTranspose2d(2 * WIDTH, WIDTH, 4, 2, 1)
        self.out = nn.Sequential(
            nn.ConvTranspose2d(WIDTH, WIDTH, 4, 2, 1), nn.GELU(), nn.ConvTranspose2d(WIDTH, 1, 4, 2, 1))
        self.losses, self.indices, self.clock = [], [], None

    def forward(self, seen):
        side = seen.shape[-1] // 4
        fine = seen.new_zeros(len(seen), WIDTH, side, side)
        broad = seen.new_zeros(len(seen), 2 * WIDTH, side // 2, side // 2)
        pictures, made = list(seen.unsqueeze(2).unbind(1)), []
        for time in range(SEEN + AHEAD - 1):
            x = self.into(pictures[time] if time < SEEN else made[-1])
            broad = self.broad(self.down(x), broad)
            fine = self.fine(torch.cat([x, self.up(broad)], 1), fine)
            if time >= SEEN - 1:
                made.append(F.softplus(self.out(fine)))
        return torch.cat(made, 1)

    def training_step(self, batch, batch_idx):
        seen, true = batch
        made = self(seen).float()
        loss = ((made - true).abs() * (1 + 4 * true)).mean()
        with torch.no_grad():
            rains, foretold = true > 0.7, made > 0.7
            index = (rains & foretold).sum() / (rains | foretold).sum().clamp(min=1)
        self.losses.append(loss.item() if READ_EACH else loss.detach())
        self.indices.append(index.item() if READ_EACH else index)
        return loss

    def on_train_start(self):
        self.clock = Clock()

    def on_train_batch_end(self, *_):
        self.clock.tick()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 5e-4)


def main():
    L.seed_everything(3, verbose=False)
    model = Nowcast()
    trainer = L.Trainer(
        accelerator="gpu" if DEVICE == "cuda" else "cpu", devices=1, precision="bf16-mixed", max_steps=ALL,
        max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(model, DataLoader(Films(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True))
    model.clock.report(torch_wait)
    print("loss %.3f, index %.3f" % (float(sum(model.losses)) / ALL, float(sum(model.indices)) / ALL))


if __name__ == "__main__":
    main()
