"""Click logs from compressed shards: a background thread inflates and parses them into a queue of batches; the loop
takes one, sends it, and trains a wide network. `pin`: batches are pinned by the thread."""

import queue
import threading
import zlib

import numpy as np
import torch
from torch import nn
from torch.utils.data import IterableDataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH, COLUMNS = 16384, 200


def make_shards(count=4):
    rng = np.random.default_rng(0)
    return [zlib.compress((rng.standard_normal((BATCH, COLUMNS)) * 40).astype(np.int8).tobytes(), 1)
            for _ in range(count)]


class Logs(IterableDataset):
    def __init__(self, shards):
        self.shards = shards
        self.queue = queue.Queue(maxsize=4)
        threading.Thread(target=self.read, daemon=True, name="reader").start()

    def read(self):
        for i in range(ALL + 8):
            raw = np.frombuffer(zlib.decompress(self.shards[i % len(self.shards)]), np.int8).reshape(BATCH, COLUMNS)
            x = raw.astype(np.float32)
            x = (x - x.mean(0)) / (x.std(0) + 1e-3)
            y = (x[:, :8].sum(1) > 0).astype(np.float32)
            x, y = torch.from_numpy(x), torch.from_numpy(y)
            self.queue.put((x.pin_memory(), y.pin_memory()) if PIN else (x, y))
        self.queue.put(None)

    def __iter__(self):
        while (item := self.queue.get()) is not None:
            yield item


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(COLUMNS, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(),
                        nn.Linear(2048, 1)).to(DEVICE)
    optimizer = torch.optim.Adagrad(net.parameters(), 0.01)
    clock = Clock()
    for step, (x, y) in enumerate(Logs(make_shards())):
        x, y = x.to(DEVICE, non_blocking=NON_BLOCKING), y.to(DEVICE, non_blocking=NON_BLOCKING)
        loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            print("step %d: %.4f" % (step + 1, loss.item()))
        clock.tick()
        if step + 1 == ALL:
            break
    clock.report(torch_wait)


main()
