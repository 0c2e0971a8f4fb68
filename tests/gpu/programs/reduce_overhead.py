"""Ranking with torch.compile(mode="reduce-overhead"): a small transformer scores candidates of each query, replayed as a
CUDA graph; features come from pageable NumPy arrays, scores go back. An iteration is a query."""

import numpy as np
import torch
from torch import nn

from steps import ALL, DEVICE, Clock, torch_wait

CANDIDATES, TOKENS, WIDTH = 256, 32, 256


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(WIDTH, 8, 1024, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.score = nn.Linear(WIDTH, 1)

    def forward(self, x):
        return self.score(self.encoder(x).mean(1)).squeeze(1)


def main():
    torch.set_float32_matmul_precision("high")
    model = Ranker().to(DEVICE).eval()
    ranker = torch.compile(model, mode="reduce-overhead")
    rng = np.random.default_rng(0)
    corpus = rng.standard_normal((4096, TOKENS, WIDTH), dtype=np.float32)
    clock, best = Clock(), []
    for query in range(ALL):
        candidates = rng.integers(0, len(corpus), CANDIDATES)
        with torch.inference_mode():
            scores = ranker(torch.from_numpy(corpus[candidates]).to(DEVICE))
            order = scores.cpu().numpy().argsort()[::-1]
        best.append(candidates[order[:10]])
        clock.tick()
    clock.report(torch_wait)


main()
