"""GraphSAGE on a graph that lies on the host: neighbours are drawn and features gathered with NumPy in the main thread,
then copied. `pin`: the gathered features go through a page-locked buffer."""

import numpy as np
import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

NODES, DEGREE, WIDTH, CLASSES = 300_000, 16, 128, 40
SEEDS, FANOUT = 1024, (10, 5)

rng = np.random.default_rng(0)
neighbours = rng.integers(0, NODES, (NODES, DEGREE), dtype=np.int32)
features = rng.standard_normal((NODES, WIDTH), dtype=np.float32)
labels = rng.integers(0, CLASSES, NODES)


def sample(seeds):
    """Blocks from the outermost to the innermost: for each target the positions of its neighbours among the sources."""
    blocks, targets = [], seeds
    for fan in FANOUT:
        drawn = neighbours[targets[:, None], rng.integers(0, DEGREE, (len(targets), fan))]
        sources, where = np.unique(np.concatenate([targets, drawn.ravel()]), return_inverse=True)
        blocks.append((where[:len(targets)], where[len(targets):].reshape(drawn.shape)))
        targets = sources
    return targets, blocks[::-1]


class Sage(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.ModuleList([nn.Linear(WIDTH, 256), nn.Linear(256, 256)])
        self.near = nn.ModuleList([nn.Linear(WIDTH, 256), nn.Linear(256, 256)])
        self.head = nn.Linear(256, CLASSES)

    def forward(self, h, blocks):
        for own, near, (self_index, near_index) in zip(self.own, self.near, blocks):
            h = torch.relu(own(h[self_index]) + near(h[near_index].mean(1)))
        return self.head(h)


model = Sage().to(DEVICE)
optimizer = torch.optim.Adam(model.parameters(), 3e-3)
staging = torch.empty(SEEDS * 80, WIDTH, pin_memory=True) if PIN else None
order = rng.permutation(NODES)
clock = Clock()
for step in range(ALL):
    seeds = order[step * SEEDS % (NODES - SEEDS):][:SEEDS]
    nodes, blocks = sample(seeds)
    if PIN:
        x = staging[:len(nodes)]
        np.take(features, nodes, 0, out=x.numpy())
    else:
        x = torch.from_numpy(features[nodes])
    x = x.to(DEVICE, non_blocking=NON_BLOCKING)
    blocks = [tuple(torch.from_numpy(i).to(DEVICE) for i in block) for block in blocks]
    y = torch.from_numpy(labels[seeds]).to(DEVICE)
    loss = nn.functional.cross_entropy(model(x, blocks), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print("step %d loss %.3f" % (step, loss.item()))
    clock.tick()
clock.report(torch_wait)
