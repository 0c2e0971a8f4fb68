"""A GPT whose first eight blocks of twelve keep nothing on the GPU: their inputs (32 MiB each) go to the host, come
back for the backward pass and are computed with again. `pin`: page-locked buffers for them, `nb`: copies that do not
wait."""

import torch
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH, LENGTH, WIDTH, LAYERS, OFFLOADED = (8, 1024, 2048, 12, 8) if DEVICE == "cuda" else (2, 32, 64, 4, 2)
VOCABULARY, DTYPE = 8192, torch.bfloat16


class OffloadedCheckpoint(torch.autograd.Function):
    """Gradient checkpointing with the input of the block on the host until it is wanted."""

    @staticmethod
    def forward(ctx, block, buffer, hidden):
        buffer.copy_(hidden, non_blocking=NON_BLOCKING)
        ctx.block, ctx.buffer, ctx.device = block, buffer, hidden.device
        with torch.no_grad():
            return block(hidden)

    @staticmethod
    def backward(ctx, gradient):
        hidden = ctx.buffer.to(ctx.device, non_blocking=NON_BLOCKING).requires_grad_()
        with torch.enable_grad():
            output = ctx.block(hidden)
        torch.autograd.backward(output, gradient)
        return None, None, hidden.grad


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = (t.unflatten(2, (-1, 64)).transpose(1, 2) for t in self.qkv(self.ln_1(x)).chunk(3, 2))
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.ln_2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def set_buffers(self):
        empty = [torch.zeros(BATCH, LENGTH, WIDTH, dtype=DTYPE, device="cpu") for _ in range(OFFLOADED)]
        self.buffers_on_host = [one.pin_memory() for one in empty] if PIN else empty

    def forward(self, ids, targets):
        x = self.words(ids) + self.places.weight[:ids.shape[1]]
        for index, block in enumerate(self.blocks):
            if index < OFFLOADED:
                x = OffloadedCheckpoint.apply(block, self.buffers_on_host[index], x)
            else:
                x = block(x)
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), targets.flatten())


def batches():
    tokens = torch.randint(VOCABULARY, (2_000_000,))
    while True:
        starts = torch.randint(len(tokens) - LENGTH - 1, (BATCH,)).tolist()
        rows = torch.stack([tokens[start:start + LENGTH + 1] for start in starts]).to(DEVICE)
        yield rows[:, :-1], rows[:, 1:]


def main():
    torch.manual_seed(0)
    with torch.device(DEVICE):
        model = GPT().to(DTYPE)
    model.set_buffers()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4, fused=True)
    source, clock = batches(), Clock()
    for step in range(ALL):
        ids, targets = next(source)
        loss = model(ids, targets)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 10 == 0:
            print("step %d loss %.3f norm %.2f" % (step, loss.item(), norm.item()))
        clock.tick()
    clock.report(torch_wait)


main()
