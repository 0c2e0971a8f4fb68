"""A GPT trained in the manner of nanoGPT: tokens from a memory-mapped file, four micro-batches for each step of AdamW,
fp16 with GradScaler, gradient checkpointing. An iteration is a step of the optimizer."""

import contextlib
import math
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from steps import ALL, DEVICE, Clock, torch_wait

block_size, batch_size, n_layer, n_head, n_embd, vocab = 512, 8, 8, 12, 768, 8192
gradient_accumulation_steps = 4
path = os.path.join(tempfile.mkdtemp(), "train.bin")
np.random.default_rng(0).integers(0, vocab, 2_000_000).astype(np.uint16).tofile(path)


def get_batch():
    data = np.memmap(path, dtype=np.uint16, mode="r")
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([torch.from_numpy(data[i:i + block_size].astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy(data[i + 1:i + 1 + block_size].astype(np.int64)) for i in ix])
    if DEVICE == "cuda":
        return x.pin_memory().to(DEVICE, non_blocking=True), y.pin_memory().to(DEVICE, non_blocking=True)
    return x, y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.c_attn, self.c_proj = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd)
        self.fc, self.proj = nn.Linear(n_embd, 4 * n_embd), nn.Linear(4 * n_embd, n_embd)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, n_head, C // n_head).transpose(1, 2) for t in self.c_attn(self.ln_1(x)).chunk(3, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.proj(F.gelu(self.fc(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, n_embd), nn.Embedding(block_size, n_embd)
        self.h = nn.ModuleList(Block() for _ in range(n_layer))
        self.ln_f, self.lm_head = nn.LayerNorm(n_embd), nn.Linear(n_embd, vocab, bias=False)

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1), device=idx.device))
        for layer in self.h:
            x = checkpoint(layer, x, use_reentrant=False)
        return F.cross_entropy(self.lm_head(self.ln_f(x)).flatten(0, 1), targets.flatten())


torch.manual_seed(1337)
model = GPT().to(DEVICE)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
scaler = torch.amp.GradScaler(DEVICE, enabled=DEVICE == "cuda")
ctx = torch.autocast(DEVICE, torch.float16) if DEVICE == "cuda" else contextlib.nullcontext()
X, Y = get_batch()
clock = Clock()
for it in range(ALL):
    lr = 6e-4 * 0.5 * (1 + math.cos(math.pi * it / ALL))
    for group in optimizer.param_groups:
        group["lr"] = lr
    for micro_step in range(gradient_accumulation_steps):
        with ctx:
            loss = model(X, Y) / gradient_accumulation_steps
        X, Y = get_batch()
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if it % 10 == 0:
        print("iter %d: loss %.4f" % (it, loss.item() * gradient_accumulation_steps))
    clock.tick()
clock.report(torch_wait)
