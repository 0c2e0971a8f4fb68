"""Load forecasting: an N-HiTS of twelve blocks learns the next four days of electricity customers from three weeks before
them; the dataset cuts each window out, fills its gaps, scales it and gives it a calendar, all in NumPy; the loader has
no workers. Loss and error are read each step. `w4`: four workers; `pin`, `nb`: of batches; `nosync`: loss and error are
added up on the GPU and read in the end."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
READ_EACH = "nosync" not in WORDS
CUSTOMERS, HOURS, PAST, FUTURE, CALENDAR = 370, 24 * 365 * 2, 512, 96, 6
BATCH, HIDDEN = (256, 512) if DEVICE == "cuda" else (16, 32)


class Loads(Dataset):
    def __init__(self):
        chance = np.random.default_rng(0)
        hours = np.arange(HOURS, dtype=np.float32)
        level = chance.lognormal(3, 1, (CUSTOMERS, 1)).astype(np.float32)
        shift = chance.uniform(0, 24, (CUSTOMERS, 1)).astype(np.float32)
        day = 1 + 0.5 * np.sin((hours + shift) * np.float32(2 * np.pi / 24))
        noise = chance.random((CUSTOMERS, HOURS), dtype=np.float32)
        self.loads = level * day * (0.8 + 0.4 * noise)
        self.loads[chance.random((CUSTOMERS, HOURS), dtype=np.float32) < 0.01] = np.nan

    def __len__(self):
        return BATCH * ALL

    def __getitem__(self, index):
        chance = np.random.default_rng(index)
        customer, start = chance.integers(CUSTOMERS), chance.integers(HOURS - PAST - FUTURE)
        hours = np.arange(start, start + PAST + FUTURE)
        window = self.loads[customer, start:start + PAST + FUTURE].copy()
        gaps = np.isnan(window)
        window[gaps] = np.interp(hours[gaps], hours[~gaps], window[~gaps])
        window = np.log1p(window)
        mean, scale = window[:PAST].mean(), window[:PAST].std() + 1e-3
        window = (window - mean) / scale
        turns = [hours * (2 * np.pi / period) for period in (24, 24 * 7, 24 * 365)]
        calendar = np.stack([f(turn) for turn in turns for f in (np.sin, np.cos)], axis=-1).astype(np.float32)
        return (window[:PAST].astype(np.float32), calendar[:PAST], calendar[PAST:], window[PAST:].astype(np.float32),
                np.array([mean, scale], dtype=np.float32))


class Block(nn.Module):
    def __init__(self, pool):
        super().__init__()
        self.pool = nn.MaxPool1d(pool)
        self.past_calendar = nn.Linear(PAST * CALENDAR, 64)
        self.future_calendar = nn.Linear(FUTURE * CALENDAR, 64)
        layers, width = [], PAST // pool + 128
        for _ in range(3):
            layers += [nn.Linear(width, HIDDEN), nn.ReLU(), nn.Dropout(0.1)]
            width = HIDDEN
        self.body = nn.Sequential(*layers)
        self.back, self.fore = nn.Linear(HIDDEN, PAST // pool), nn.Linear(HIDDEN, FUTURE // pool)

    def forward(self, past, past_calendar, future_calendar):
        pooled = self.pool(past[:, None])[:, 0]
        calendars = self.past_calendar(past_calendar), self.future_calendar(future_calendar)
        hidden = self.body(torch.cat([pooled, *calendars], 1))
        back = F.interpolate(self.back(hidden)[:, None], size=PAST, mode="linear")[:, 0]
        return back, F.interpolate(self.fore(hidden)[:, None], size=FUTURE, mode="linear")[:, 0]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(pool) for pool in (16, 8, 4, 1) for _ in range(3))

    def forward(self, past, past_calendar, future_calendar):
        past_calendar, future_calendar = past_calendar.flatten(1), future_calendar.flatten(1)
        rest, forecast = past, 0
        for block in self.blocks:
            back, fore = block(rest, past_calendar, future_calendar)
            rest, forecast = rest - back, forecast + fore
        return forecast


def main():
    torch.manual_seed(0)
    model = Forecaster().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    loader = DataLoader(Loads(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    losses, errors, clock = 0.0, 0.0, Clock()
    for batch in loader:
        past, past_calendar, future_calendar, target, scaling = [
            part.to(DEVICE, non_blocking=NON_BLOCKING) for part in batch]
        forecast = model(past, past_calendar, future_calendar)
        loss = F.smooth_l1_loss(forecast, target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            mean, scale = scaling[:, :1], scaling[:, 1:]
            made, true = torch.expm1(forecast * scale + mean), torch.expm1(target * scale + mean)
            error = (2 * (made - true).abs() / (made.abs() + true.abs() + 1e-6)).mean()
        losses += loss.item() if READ_EACH else loss.detach()
        errors += error.item() if READ_EACH else error
        clock.tick()
    print("loss %.4f, sMAPE %.4f" % (losses / ALL, errors / ALL))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
