"""A robot arm learns by imitation, in the manner of ACT: from the frames of two cameras and the joints a transformer
predicts the next fifty actions. Windows are gathered from episodes in the host's memory in the main thread; each step
sends six tensors (front frames 14 MiB, wrist frames 14 MiB, goals, joints, actions, padding); both parts of the loss are
read each step. `pin`: the buffers of a batch are page-locked, `nb`: copies that do not wait, `side`: the next batch is
gathered, and sent on a stream of its own, while this one is learnt; `nosync`: the losses are added up on the GPU and read
in the end."""

import contextlib

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE, READ_EACH = "side" in WORDS, "nosync" not in WORDS
BATCH, HEIGHT, WIDTH, HIDDEN, LAYERS = (64, 240, 320, 512, 4) if DEVICE == "cuda" else (4, 64, 64, 64, 1)
EPISODES, TIMES, JOINTS, CHUNK, GOAL, LATENT = 12, 120, 14, 50, 768, 32


class Demonstrations:
    """Episodes on the host, and batches of windows of them in two sets of buffers in turns."""

    def __init__(self):
        chance = torch.Generator().manual_seed(0)
        count = EPISODES * TIMES
        shape = (count, 3, HEIGHT, WIDTH)
        noise = torch.randint(0, 256, (1 << 20,), dtype=torch.uint8, generator=chance)
        many = -(-count * 3 * HEIGHT * WIDTH // len(noise))
        self.front = noise.repeat(many)[:count * 3 * HEIGHT * WIDTH].view(shape)
        self.wrist = self.front.flip(0)
        steps = torch.randn(EPISODES, TIMES, JOINTS, generator=chance)
        self.joints = (0.05 * steps).cumsum(1).reshape(count, JOINTS)
        self.goals = torch.randn(EPISODES, 16, GOAL, generator=chance)
        self.chance, self.count = chance, 0
        self.buffers = [self.make_buffers() for _ in range(2)]
        self.sent = [torch.cuda.Event() for _ in range(2)] if NON_BLOCKING else None
        self.stream = torch.cuda.Stream() if SIDE else None

    def make_buffers(self):
        frames = dict(dtype=torch.uint8, pin_memory=PIN)
        return (torch.empty(BATCH, 3, HEIGHT, WIDTH, **frames), torch.empty(BATCH, 3, HEIGHT, WIDTH, **frames),
                torch.empty(BATCH, 16, GOAL, pin_memory=PIN), torch.empty(BATCH, JOINTS, pin_memory=PIN),
                torch.empty(BATCH, CHUNK, JOINTS, pin_memory=PIN), torch.empty(BATCH, CHUNK, dtype=torch.bool, pin_memory=PIN))

    def next(self):
        turn = self.count % 2
        self.count += 1
        front, wrist, goals, joints, actions, padding = buffers = self.buffers[turn]
        if NON_BLOCKING:
            self.sent[turn].synchronize()  # what these buffers held before is on the GPU
        episodes = torch.randint(EPISODES, (BATCH,), generator=self.chance)
        times = torch.randint(TIMES - 1, (BATCH,), generator=self.chance)
        rows = episodes * TIMES + times
        torch.index_select(self.front, 0, rows, out=front)
        torch.index_select(self.wrist, 0, rows, out=wrist)
        torch.index_select(self.goals, 0, episodes, out=goals)
        torch.index_select(self.joints, 0, rows, out=joints)
        ahead = times[:, None] + torch.arange(1, CHUNK + 1)
        padding.copy_(ahead >= TIMES)
        places = episodes[:, None] * TIMES + ahead.clamp(max=TIMES - 1)
        actions.copy_(self.joints[places])
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            batch = [part.to(DEVICE, non_blocking=NON_BLOCKING) for part in buffers]
            if NON_BLOCKING:
                self.sent[turn].record()
        return batch


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        backbone = torchvision.models.resnet18(weights=None)
        self.eyes = nn.Sequential(*list(backbone.children())[:-2], nn.Conv2d(512, HIDDEN, 1))
        self.joints, self.goal, self.style = nn.Linear(JOINTS, HIDDEN), nn.Linear(GOAL, HIDDEN), nn.Linear(LATENT, HIDDEN)
        self.posterior = nn.Sequential(nn.Linear(CHUNK * JOINTS + JOINTS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 2 * LATENT))
        self.body = nn.Transformer(HIDDEN, 8, LAYERS, LAYERS, 4 * HIDDEN, dropout=0.1, batch_first=True)
        self.places = nn.Parameter(0.02 * torch.randn(1, 512, HIDDEN))
        self.queries = nn.Parameter(0.02 * torch.randn(1, CHUNK, HIDDEN))
        self.head = nn.Linear(HIDDEN, JOINTS)

    def forward(self, front, wrist, goals, joints, actions):
        frames = torch.cat([front, wrist]).float().div_(127.5).sub_(1)
        seen = self.eyes(frames.contiguous(memory_format=torch.channels_last))
        seen = seen.flatten(2).transpose(1, 2)
        front, wrist = seen.chunk(2)
        mean, log_variance = self.posterior(torch.cat([actions.flatten(1), joints], 1)).float().chunk(2, -1)
        latent = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        known = torch.cat([self.style(latent)[:, None], self.joints(joints)[:, None], self.goal(goals), front, wrist], 1)
        made = self.head(self.body(known + self.places[:, :known.shape[1]], self.queries.expand(len(joints), -1, -1)))
        divergence = -0.5 * (1 + log_variance - mean ** 2 - log_variance.exp()).sum(1).mean()
        return made.float(), divergence


def main():
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    policy = Policy().to(DEVICE)
    optimizer = torch.optim.AdamW(policy.parameters(), 1e-4, weight_decay=1e-4)
    demonstrations, clock = Demonstrations(), Clock()
    errors, divergences = 0.0, 0.0
    upcoming = demonstrations.next() if SIDE else None
    for _ in range(ALL):
        batch = upcoming if SIDE else demonstrations.next()
        if SIDE:
            torch.cuda.current_stream().wait_stream(demonstrations.stream)
            for part in batch:
                part.record_stream(torch.cuda.current_stream())
        front, wrist, goals, joints, actions, padding = batch
        with torch.autocast(DEVICE, torch.bfloat16):
            made, divergence = policy(front, wrist, goals, joints, actions)
        error = (F.l1_loss(made, actions, reduction="none") * ~padding[..., None]).mean()
        loss = error + 10 * divergence
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        upcoming = demonstrations.next() if SIDE else None
        errors += error.item() if READ_EACH else error.detach()
        divergences += divergence.item() if READ_EACH else divergence.detach()
        clock.tick()
    print("error %.4f, divergence %.4f" % (errors / ALL, divergences / ALL))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
