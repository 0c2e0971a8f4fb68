"""Structures of proteins: six blocks of triangle multiplication on a map of all pairs of residues; what the first two
keep for backward waits on the host, by torch.autograd.graph.save_on_cpu. `pin`: its pin_memory=True (with which
PyTorch also fetches without waiting)."""

import contextlib

import torch
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, PIN, Clock, torch_wait

RESIDUES, WIDTH, BLOCKS, OFFLOADED, BINS = (160, 64, 6, 2, 64) if DEVICE == "cuda" else (24, 16, 3, 1, 8)


class Triangle(nn.Module):
    def __init__(self, equation):
        super().__init__()
        self.equation = equation
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.sides, self.gates = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, 2 * WIDTH)
        self.out, self.gate = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, pairs):
        x = self.before(pairs)
        left, right = (self.sides(x) * self.gates(x).sigmoid()).chunk(2, -1)
        met = torch.einsum(self.equation, left, right) / RESIDUES ** 0.5
        return pairs + self.out(self.after(met)) * self.gate(x).sigmoid()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.outgoing, self.incoming = Triangle("ikc,jkc->ijc"), Triangle("kic,kjc->ijc")
        self.transition = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, pairs):
        pairs = self.incoming(self.outgoing(pairs))
        return pairs + self.transition(pairs)


class Structure(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right, self.apart = nn.Embedding(21, WIDTH), nn.Embedding(21, WIDTH), nn.Embedding(65, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.head = nn.Linear(WIDTH, BINS)

    def forward(self, sequence):
        place = torch.arange(len(sequence), device=sequence.device)
        apart = (place[:, None] - place).clamp(-32, 32) + 32
        pairs = self.left(sequence)[:, None] + self.right(sequence) + self.apart(apart)
        for index, block in enumerate(self.blocks):
            kept = torch.autograd.graph.save_on_cpu(pin_memory=PIN) if index < OFFLOADED else contextlib.nullcontext()
            with kept:
                pairs = block(pairs)
        return self.head(pairs + pairs.transpose(0, 1))


def main():
    torch.manual_seed(0)
    chains = [(torch.randint(0, 21, (RESIDUES,)), torch.randint(0, BINS, (RESIDUES, RESIDUES))) for _ in range(16)]
    model = Structure().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    total, clock = 0.0, Clock()
    for step in range(ALL):
        sequence, distances = (one.to(DEVICE) for one in chains[step % len(chains)])
        with torch.autocast(DEVICE, torch.bfloat16):
            scores = model(sequence)
        loss = F.cross_entropy(scores.float().flatten(0, 1), distances.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        total += loss.item()
        clock.tick()
    clock.report(torch_wait)
    print("mean loss %.4f" % (total / ALL))


main()
