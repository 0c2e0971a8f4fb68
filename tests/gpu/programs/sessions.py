"""Chats whose KV caches wait on the host: the cache of a session (of any length) comes to the GPU, twelve tokens are
decoded, the cache goes back. An iteration is such a turn. `pin`: caches in page-locked memory, `nb`: copies that do
not wait, `side`: the next session's cache comes on a stream of its own, `nosync`: no look at each token."""

import random

import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

NO_SYNC, SIDE, END, NEW = "nosync" in WORDS, "side" in WORDS, 2, 12
WIDTH, LAYERS, CONTEXT, SESSIONS = (2048, 12, 1536, 8) if DEVICE == "cuda" else (128, 2, 64, 4)
DTYPE = torch.bfloat16


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.RMSNorm(WIDTH) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x, keys, values, place):
        q, keys[place], values[place] = self.qkv(self.norms[0](x)).chunk(3, -1)
        q, k, v = (t.view(-1, WIDTH // 64, 64).transpose(0, 1) for t in (q, keys[:place + 1], values[:place + 1]))
        x = x + self.out(nn.functional.scaled_dot_product_attention(q, k, v).reshape(WIDTH))
        return x + self.down(nn.functional.silu(self.up(self.norms[1](x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.head = nn.Embedding(16_000, WIDTH), nn.Linear(WIDTH, 16_000, bias=False)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, token, cache, place):
        x = self.words(token)
        for layer, (keys, values) in zip(self.layers, cache):
            x = layer(x, keys, values, place)
        return self.head(x).argmax()


def new_cache(device):
    return [[torch.zeros(CONTEXT, WIDTH, dtype=DTYPE, device=device) for _ in "kv"] for _ in range(LAYERS)]


class Session:
    def __init__(self, length):
        self.length, self.token = length, 5
        self.cache = new_cache("cpu")
        if PIN:
            self.cache = [[one.pin_memory() for one in pair] for pair in self.cache]

    def load(self, cache):
        for device, host in zip(cache, self.cache):
            for into, source in zip(device, host):
                into[:self.length].copy_(source[:self.length], non_blocking=NON_BLOCKING)

    def store(self, cache):
        for device, host in zip(cache, self.cache):
            for source, into in zip(device, host):
                into[:self.length].copy_(source[:self.length], non_blocking=NON_BLOCKING)


@torch.inference_mode()
def turn(model, session, cache):
    token = torch.tensor(session.token, device=DEVICE)
    for _ in range(NEW):
        token = model(token, cache, session.length)
        session.length += 1
        if not NO_SYNC and token.item() == END:
            token = torch.tensor(END + 1, device=DEVICE)  # a chat of random weights does not end
    session.store(cache)
    session.token = int(token)
    if session.length + NEW > CONTEXT:
        session.length = CONTEXT // 3


def main():
    torch.manual_seed(0)
    chance = random.Random(0)
    with torch.device(DEVICE):
        model = Decoder().to(DTYPE).eval()
    sessions = [Session(chance.randint(CONTEXT // 3, CONTEXT - 2 * NEW)) for _ in range(SESSIONS)]
    caches = [new_cache(DEVICE) for _ in range(2 if SIDE else 1)]
    side = torch.cuda.Stream() if SIDE else None
    order = [sessions[(3 * step + step // SESSIONS) % SESSIONS] for step in range(ALL + 1)]
    clock = Clock()
    for step in range(ALL):
        cache = caches[step % len(caches)]
        if not SIDE or step == 0:
            order[step].load(cache)
        if SIDE:
            torch.cuda.current_stream().wait_stream(side)
            side.wait_stream(torch.cuda.current_stream())  # the other cache has been stored
            with torch.cuda.stream(side):
                order[step + 1].load(caches[(step + 1) % 2])
        turn(model, order[step], cache)
        clock.tick()
    clock.report(torch_wait)


main()
