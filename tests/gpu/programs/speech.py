"""Speech recognition with CTC: utterances of 4 to 16 s in batches of similar lengths, made faster or slower by the
loader in the main thread; torchaudio's mels and masks on the GPU; the loss is read each step. `w4`: four loader
workers, `pin`, `nb`: of the batches, `nosync`: the loss is read each twentieth step."""

import numpy as np
import torch
import torchaudio
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

NO_SYNC = "nosync" in WORDS
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
RATE, LETTERS = 16_000, 29
BATCH, HIDDEN, SECONDS = (16, 512, (4, 16)) if DEVICE == "cuda" else (2, 32, (1, 2))


class Utterances(Dataset):
    def __init__(self, count=256):
        rng = np.random.default_rng(0)
        noise = rng.integers(-8000, 8000, RATE * SECONDS[1], np.int16)
        lengths = np.sort(rng.integers(RATE * SECONDS[0], RATE * SECONDS[1], count))
        self.waves = [np.roll(noise, 1000 * index)[:length] for index, length in enumerate(lengths)]
        self.texts = [rng.integers(1, LETTERS, length // RATE * 12) for length in lengths]

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        wave = self.waves[index].astype(np.float32) / 32768
        speed = np.random.uniform(0.9, 1.1)
        wave = np.interp(np.arange(0, len(wave) - 1, speed), np.arange(len(wave)), wave)
        wave = wave - 0.97 * np.concatenate([[0], wave[:-1]])
        return torch.from_numpy(wave.astype(np.float32)), torch.from_numpy(self.texts[index])


class Buckets(torch.utils.data.Sampler):
    """Neighbours in length make a batch; batches come in any order."""

    def __init__(self, count):
        self.starts = list(range(0, count, BATCH))

    def __iter__(self):
        for _ in range(ALL):
            start = self.starts[torch.randint(len(self.starts), ()).item()]
            yield list(range(start, start + BATCH))


def collate(rows):
    waves, texts = zip(*rows)
    lengths = torch.tensor([len(wave) for wave in waves]), torch.tensor([len(text) for text in texts])
    return nn.utils.rnn.pad_sequence(waves, batch_first=True), torch.cat(texts), *lengths


class Recognizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mel = torchaudio.transforms.MelSpectrogram(RATE, 400, hop_length=160, n_mels=80)
        self.mask = nn.Sequential(torchaudio.transforms.FrequencyMasking(20), torchaudio.transforms.TimeMasking(40))
        self.front = nn.Sequential(nn.Conv2d(1, 32, 3, 2, 1), nn.GELU(), nn.Conv2d(32, 64, 3, (2, 1), 1), nn.GELU())
        self.lstm = nn.LSTM(64 * 20, HIDDEN, 3, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * HIDDEN, LETTERS)

    def forward(self, waves):
        mels = self.mask((self.mel(waves) + 1e-5).log())
        mels = (mels - mels.mean(-1, keepdim=True)) / (mels.std(-1, keepdim=True) + 1e-5)
        features = self.front(mels[:, None]).flatten(1, 2).transpose(1, 2)
        return self.head(self.lstm(features)[0]).log_softmax(2).transpose(0, 1)


def main():
    torch.manual_seed(0)
    data, model = Utterances(), Recognizer().to(DEVICE)
    loader = DataLoader(data, batch_sampler=Buckets(len(data)), collate_fn=collate, num_workers=WORKERS, pin_memory=PIN)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
    total, clock = 0.0, Clock()
    for step, (waves, texts, lengths, text_lengths) in enumerate(loader):
        waves = waves.to(DEVICE, non_blocking=NON_BLOCKING)
        texts = texts.to(DEVICE, non_blocking=NON_BLOCKING)
        chances = model(waves)
        frames = (lengths // 320).clamp(max=len(chances))
        loss = nn.functional.ctc_loss(chances, texts, frames, text_lengths, zero_infinity=True)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if not NO_SYNC or step % 20 == 19:
            total += loss.item()
        clock.tick()
    clock.report(torch_wait)
    assert total == total


main()
