"""Locked-image tuning: features of 120 000 pictures lie on the host, 64 MiB of them are gathered for each batch; a
text tower of compiled blocks learns to match. `pin`: page-locked buffers, `nb`: copies that do not wait, `side`: the
next batch is gathered and sent on a stream of its own while this one is learnt."""

import contextlib

import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE = "side" in WORDS
BATCH, ROWS, TOKENS, WIDTH, WORDS_EACH = (4096, 120_000, 8, 512, 24) if DEVICE == "cuda" else (16, 200, 8, 64, 8)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        q, k, v = self.qkv(self.norms[0](x)).unflatten(-1, (3, WIDTH // 64, 64)).transpose(1, 3).unbind(2)
        x = x + self.out(nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.mlp(self.norms[1](x))


class Towers(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        self.words = nn.Embedding(30_000, WIDTH)
        self.blocks = nn.ModuleList(torch.compile(Block()) for _ in range(layers))
        self.score, self.project = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, WIDTH)
        self.scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, features, ids):
        pictures = (self.score(features).softmax(1) * features).sum(1)
        texts = self.words(ids)
        for block in self.blocks:
            texts = block(texts)
        pictures, texts = (nn.functional.normalize(x, dim=-1) for x in (self.project(pictures), texts.mean(1)))
        logits = pictures @ texts.T * self.scale.exp()
        answers = torch.arange(len(logits), device=logits.device)
        return (nn.functional.cross_entropy(logits, answers) + nn.functional.cross_entropy(logits.T, answers)) / 2


class Source:
    def __init__(self):
        self.features = torch.randn(ROWS // 100, TOKENS, WIDTH).repeat(100, 1, 1)
        self.ids = torch.randint(30_000, (ROWS, WORDS_EACH))
        self.buffers = [self.empty() for _ in range(2)]
        self.stream = torch.cuda.Stream() if SIDE else None
        self.sent = 0

    def empty(self):
        pair = torch.zeros(BATCH, TOKENS, WIDTH), torch.zeros(BATCH, WORDS_EACH, dtype=torch.int64)
        return [one.pin_memory() for one in pair] if PIN else pair

    def next(self):
        rows = torch.randint(ROWS, (BATCH,))
        features, ids = self.buffers[self.sent % 2]
        self.sent += 1
        torch.index_select(self.features, 0, rows, out=features)
        torch.index_select(self.ids, 0, rows, out=ids)
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            return tuple(one.to(DEVICE, non_blocking=NON_BLOCKING) for one in (features, ids))

    def ready(self, batch):
        torch.cuda.current_stream().wait_stream(self.stream)
        for one in batch:
            one.record_stream(torch.cuda.current_stream())
        return batch


def main():
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    source, towers = Source(), Towers().to(DEVICE)
    optimizer = torch.optim.AdamW(towers.parameters(), 5e-4)
    total, clock = 0.0, Clock()
    batch = source.next() if SIDE else None
    for step in range(ALL):
        features, ids = source.ready(batch) if SIDE else source.next()
        with torch.autocast(DEVICE, torch.bfloat16):
            loss = towers(features, ids)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if SIDE and step + 1 < ALL:
            batch = source.next()
        total += loss.item()
        clock.tick()
    clock.report(torch_wait)
    print("mean loss %.3f" % (total / ALL))


main()
