"""A recommender whose embedding tables stay on the host: looked up there, summed, copied to the GPU for the rest of the
network; their gradients come back and a sparse SGD on the host applies them."""

import torch
from torch import nn

from steps import ALL, DEVICE, Clock, torch_wait

TABLES, ROWS, WIDTH, BATCH, HOT, DENSE = 8, 100_000, 64, 8192, 3, 13


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(DENSE, 512), nn.ReLU(), nn.Linear(512, WIDTH), nn.ReLU())
        pairs = (TABLES + 1) * TABLES // 2
        self.top = nn.Sequential(nn.Linear(WIDTH + pairs, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(),
                                 nn.Linear(1024, 1))
        rows, columns = torch.tril_indices(TABLES + 1, TABLES + 1, -1)
        self.register_buffer("rows", rows)
        self.register_buffer("columns", columns)

    def forward(self, dense, sparse):
        dense = self.bottom(dense)
        every = torch.cat([dense.unsqueeze(1), sparse], 1)
        crossed = (every @ every.transpose(1, 2))[:, self.rows, self.columns]
        return self.top(torch.cat([dense, crossed], 1)).squeeze(1)


def clicks():
    while True:
        yield (torch.randn(BATCH, DENSE), torch.randint(0, ROWS, (TABLES, BATCH, HOT)),
               (torch.rand(BATCH) < 0.2).float())


def main():
    torch.manual_seed(0)
    tables = nn.ModuleList(nn.EmbeddingBag(ROWS, WIDTH, mode="sum", sparse=True) for _ in range(TABLES))
    towers = Towers().to(DEVICE)
    sgd = torch.optim.SGD(tables.parameters(), 0.05)
    adam = torch.optim.Adam(towers.parameters(), 1e-3)
    clock = Clock()
    for step, (dense, ids, clicked) in zip(range(ALL), clicks()):
        looked_up = torch.stack([table(i) for table, i in zip(tables, ids)], 1)
        sparse = looked_up.to(DEVICE)
        score = towers(dense.to(DEVICE), sparse)
        loss = nn.functional.binary_cross_entropy_with_logits(score, clicked.to(DEVICE))
        sgd.zero_grad()
        adam.zero_grad()
        loss.backward()
        sgd.step()
        adam.step()
        if step % 16 == 0:
            print("loss %.4f" % loss.item())
        clock.tick()
    clock.report(torch_wait)


main()
