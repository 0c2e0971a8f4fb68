"""AdamW for a card that is nearly full: the network and its gradients stay on the GPU, both moments of each block wait on
the host, come to the GPU for the block's update (37 MiB each time) and go back. A language model of eight blocks learns
in bf16, an iteration is a step. `pin`: moments and tokens in page-locked memory; `nb`: neither is waited for, there or
back."""

import torch
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH, LENGTH, WIDTH, LAYERS, HEADS, VOCABULARY = (16, 512, 640, 8, 10, 8192) if DEVICE == "cuda" else (2, 32, 64, 2, 2, 500)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mix, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, hidden):
        batch, length, _ = hidden.shape
        parts = self.mix(self.first(hidden)).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
        hidden = hidden + self.out(seen.transpose(1, 2).reshape(batch, length, -1))
        return hidden + self.narrow(F.gelu(self.wide(self.second(hidden))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.last, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        hidden = self.tokens(ids) + self.places.weight[:ids.shape[1]]
        for block in self.blocks:
            hidden = block(hidden)
        return self.head(self.last(hidden))

    def parts(self):
        """Parameters in the portions in which they are updated."""
        yield [*self.tokens.parameters(), *self.places.parameters()]
        for block in self.blocks:
            yield list(block.parameters())
        yield [*self.last.parameters(), *self.head.parameters()]


class HostMoments:
    def __init__(self, parts, rate, betas=(0.9, 0.95), decay=0.1, tiny=1e-8):
        self.parts, self.rate, self.betas, self.decay, self.tiny = list(parts), rate, betas, decay, tiny
        self.sizes = [[parameter.numel() for parameter in part] for part in self.parts]
        self.moments = [torch.zeros(2, sum(sizes), pin_memory=PIN) for sizes in self.sizes]
        self.count = 0

    @torch.no_grad()
    def step(self):
        self.count += 1
        fast, slow = self.betas
        for part, sizes, host in zip(self.parts, self.sizes, self.moments):
            moments = host.to(DEVICE, non_blocking=NON_BLOCKING)
            gradient = torch.cat([parameter.grad.flatten() for parameter in part])
            first, second = moments[0], moments[1]
            first.lerp_(gradient, 1 - fast)
            second.mul_(slow).addcmul_(gradient, gradient, value=1 - slow)
            step = first / ((second / (1 - slow ** self.count)).sqrt_().add_(self.tiny))
            for parameter, change in zip(part, step.split(sizes)):
                parameter.mul_(1 - self.rate * self.decay)
                parameter.sub_(change.view_as(parameter), alpha=self.rate / (1 - fast ** self.count))
            host.copy_(moments, non_blocking=NON_BLOCKING)  # the next step's copy to the GPU is behind it on the stream


def main():
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    with torch.device(DEVICE):
        model = Model()
    optimizer = HostMoments(model.parts(), 3e-4)
    text = torch.randint(VOCABULARY, (2_000_000,), generator=torch.Generator().manual_seed(1))
    text[1::2] = (text[::2] * 7 + 3) % VOCABULARY  # something to learn
    losses, clock = [], Clock()
    for step in range(ALL):
        starts = torch.randint(len(text) - LENGTH - 1, (BATCH,)).tolist()
        rows = torch.stack([text[start:start + LENGTH + 1] for start in starts])
        rows = (rows.pin_memory() if PIN else rows).to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            logits = model(rows[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())
        model.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.detach())
        clock.tick()
    print("loss %.3f to %.3f" % (losses[0].item(), losses[-1].item()))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
