"""Single cells: a variational autoencoder with a negative binomial likelihood learns from counts of 18 000 genes; cells
lie in a sparse matrix on the host, SciPy makes each batch dense (53 MiB) in the main thread; loss and likelihood are
read each step. `pin`: the buffers of dense counts and of samples' numbers are page-locked, `nb`: copies that do not
wait, `side`: the next batch is made dense, and sent on a stream of its own, while this one is learnt."""

import contextlib

import numpy as np
import scipy.sparse
import torch
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE = "side" in WORDS
CELLS, GENES, SEEN, SAMPLES, LATENT = 6000, 18_000, 1500, 12, 32
BATCH, HIDDEN = (768, 512) if DEVICE == "cuda" else (32, 64)


def make_counts():
    chance = np.random.default_rng(0)
    genes = (GENES * chance.random((CELLS, SEEN), dtype=np.float32) ** 2).astype(np.int32)
    genes.sort(axis=1)
    counts = 1 + chance.poisson(1.5, CELLS * SEEN).astype(np.float32)
    starts = np.arange(0, CELLS * SEEN + 1, SEEN, dtype=np.int32)
    counts = scipy.sparse.csr_matrix((counts, np.minimum(genes, GENES - 1).ravel(), starts), shape=(CELLS, GENES))
    counts.sum_duplicates()
    return counts, chance.integers(0, SAMPLES, CELLS)


class Batches:
    """Dense batches in two buffers in turns, so that one can still be read by a copy."""

    def __init__(self):
        self.counts, self.samples = make_counts()
        self.chance, self.count = np.random.default_rng(1), 0
        self.buffers = [(torch.empty(BATCH, GENES, pin_memory=PIN),
                         torch.empty(BATCH, dtype=torch.int64, pin_memory=PIN)) for _ in range(2)]
        self.stream = torch.cuda.Stream() if SIDE else None

    def next(self):
        dense, samples = self.buffers[self.count % 2]
        self.count += 1
        rows = self.chance.choice(CELLS, BATCH, replace=False)
        self.counts[rows].toarray(out=dense.numpy())
        samples.numpy()[:] = self.samples[rows]
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            return dense.to(DEVICE, non_blocking=NON_BLOCKING), samples.to(DEVICE, non_blocking=NON_BLOCKING)


def layer(inside, outside):
    return nn.Sequential(nn.Linear(inside, outside), nn.BatchNorm1d(outside), nn.ReLU(), nn.Dropout(0.1))


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(layer(GENES + SAMPLES, HIDDEN), layer(HIDDEN, HIDDEN))
        self.mean, self.log_variance = nn.Linear(HIDDEN, LATENT), nn.Linear(HIDDEN, LATENT)
        self.decoder = nn.Sequential(layer(LATENT + SAMPLES, HIDDEN), layer(HIDDEN, HIDDEN))
        self.rates = nn.Linear(HIDDEN, GENES)
        self.log_dispersion = nn.Parameter(torch.randn(GENES))

    def forward(self, counts, samples):
        samples = F.one_hot(samples, SAMPLES).float()
        hidden = self.encoder(torch.cat([torch.log1p(counts), samples], 1))
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        latent = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        shares = torch.softmax(self.rates(self.decoder(torch.cat([latent, samples], 1))), -1)
        divergence = -0.5 * (1 + log_variance - mean ** 2 - log_variance.exp()).sum(1)
        return counts.sum(1, keepdim=True) * shares, self.log_dispersion.exp(), divergence


def negative_binomial(counts, rates, dispersion, tiny=1e-8):
    both = torch.log(dispersion + rates + tiny)
    return (dispersion * (torch.log(dispersion + tiny) - both) + counts * (torch.log(rates + tiny) - both)
            + torch.lgamma(counts + dispersion) - torch.lgamma(dispersion) - torch.lgamma(counts + 1)).sum(1)


def main():
    torch.manual_seed(0)
    model = Autoencoder().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, eps=0.01, weight_decay=1e-6)
    batches, losses, likelihoods, clock = Batches(), [], [], Clock()
    upcoming = batches.next() if SIDE else None
    for step in range(ALL):
        counts, samples = upcoming or batches.next()
        if SIDE:
            torch.cuda.current_stream().wait_stream(batches.stream)
            counts.record_stream(torch.cuda.current_stream())
            samples.record_stream(torch.cuda.current_stream())
        rates, dispersion, divergence = model(counts, samples)
        likelihood = negative_binomial(counts, rates, dispersion).mean()
        loss = min(1.0, step / 400) * divergence.mean() - likelihood
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        upcoming = batches.next() if SIDE else None
        losses.append(loss.item())
        likelihoods.append(likelihood.item())
        clock.tick()
    print("loss %.1f, likelihood %.1f" % (losses[-1], likelihoods[-1]))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
