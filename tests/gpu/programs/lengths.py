"""Sentences of different lengths, padded to the longest of their batch, into an LSTM; after each sixteen batches a
validation of four, each phase with loader workers of its own. `rare`: the loss is read each sixteenth time only.
The result is the mean time of a training iteration, validation and the start of workers left out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

BATCH, EPOCH = 64, 16


class Sentences(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        words = torch.Generator().manual_seed(index)
        return torch.randint(1, 20000, (int(torch.randint(20, 120, (1,), generator=words)),), generator=words)


def padded(sentences):
    return nn.utils.rnn.pad_sequence(sentences, batch_first=True), torch.tensor([len(words) for words in sentences])


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20000, 512, padding_idx=0)
        self.lstm = nn.LSTM(512, 512, num_layers=2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(1024, 50)

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.head(states)


def main():
    torch.manual_seed(0)
    model = Tagger().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    often = 16 if "rare" in WORDS else 1
    clock, done = Clock(), 0
    while done < ALL:
        model.train()
        loader = DataLoader(Sentences(BATCH * EPOCH), BATCH, shuffle=True, num_workers=2, collate_fn=padded, pin_memory=PIN)
        for place, (words, lengths) in enumerate(loader):
            if place == 0:
                clock.skip()
            words = words.to(DEVICE, non_blocking=NON_BLOCKING)
            loss = nn.functional.cross_entropy(model(words, lengths).flatten(0, 1), words.flatten() % 50, ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            done += 1
            if done % often == 0:
                assert loss.item() == loss.item()
            clock.tick()
        torch_wait()
        model.eval()
        with torch.no_grad():
            for words, lengths in DataLoader(Sentences(BATCH * 4), BATCH, num_workers=2, collate_fn=padded, pin_memory=PIN):
                assert model(words.to(DEVICE), lengths).argmax(-1).float().mean().item() >= 0
        clock.skip()
    clock.report()


main()
