"""A Wasserstein GAN with gradient penalty makes spectrograms of bird calls: for each step of the generator four of the
critic, each with a batch of its own (8 MiB, gathered from the host's memory in the main thread). An iteration is a step of
the generator with its four of the critic; the critic's distance and penalty are read each time, as is the generator's
loss. `pin`: page-locked buffers for the batches, `nb`: copies that do not wait; `nosync`: what was read each time is
read in the end."""

import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

READ_EACH = "nosync" not in WORDS
CALLS, BATCH, SIDE, WIDTH = (4096, 128, 128, 48) if DEVICE == "cuda" else (64, 4, 64, 8)
CRITIC_STEPS, NOISE, PENALTY, BUFFERS = 4, 128, 10.0, 2


def read(value):
    return value.item() if READ_EACH else value.detach()


def make_calls():
    """Chirps: a bright line that rises or falls, over noise."""
    chance = torch.Generator().manual_seed(0)
    rows, columns = torch.arange(SIDE)[:, None], torch.arange(SIDE)[None, :]
    calls = torch.empty(CALLS, 1, SIDE, SIDE)
    for call in calls:
        start, slope, thick = torch.rand(3, generator=chance).tolist()
        line = SIDE * start + (slope - 0.5) * columns
        call[0] = torch.exp(-((rows - line) / (2 + 6 * thick)) ** 2)
    return calls.mul_(1.6).sub_(0.8).add_(0.1 * torch.rand(1, 1, SIDE, SIDE, generator=chance))


class Batches:
    def __init__(self):
        self.calls, self.chance = make_calls(), torch.Generator().manual_seed(1)
        self.buffers = [torch.empty(BATCH, 1, SIDE, SIDE, pin_memory=PIN) for _ in range(BUFFERS)]
        self.sent = [torch.cuda.Event() for _ in range(BUFFERS)] if NON_BLOCKING else None
        self.order, self.count = torch.empty(0, dtype=torch.int64), 0

    def __iter__(self):
        return self

    def __next__(self):
        if len(self.order) < BATCH:
            self.order = torch.randperm(CALLS, generator=self.chance)
        rows, self.order = self.order[:BATCH], self.order[BATCH:]
        turn = self.count % BUFFERS
        self.count += 1
        if NON_BLOCKING:
            self.sent[turn].synchronize()
        torch.index_select(self.calls, 0, rows, out=self.buffers[turn])
        batch = self.buffers[turn].to(DEVICE, non_blocking=NON_BLOCKING)
        if NON_BLOCKING:
            self.sent[turn].record()
        return batch


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(NOISE, 8 * WIDTH * (SIDE // 16) ** 2)
        layers = []
        for inside, outside in ((8, 4), (4, 2), (2, 1), (1, 1)):
            layers += [nn.Upsample(scale_factor=2), nn.Conv2d(inside * WIDTH, outside * WIDTH, 3, padding=1),
                       nn.BatchNorm2d(outside * WIDTH), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Conv2d(WIDTH, 1, 3, padding=1), nn.Tanh())

    def forward(self, noise):
        return self.body(self.first(noise).view(len(noise), 8 * WIDTH, SIDE // 16, SIDE // 16))


def make_critic():
    layers, inside = [], 1
    for outside in (1, 2, 4, 8):
        layers += [nn.Conv2d(inside, outside * WIDTH, 5, 2, 2), nn.LeakyReLU(0.2)]
        inside = outside * WIDTH
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(inside * (SIDE // 16) ** 2, 1))


def gradient_penalty(critic, true, made):
    share = torch.rand(len(true), 1, 1, 1, device=true.device)
    mixed = torch.lerp(made, true, share).requires_grad_()
    gradient, = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return ((gradient.flatten(1).norm(dim=1) - 1) ** 2).mean()


def main():
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = True
    generator, critic = Generator().to(DEVICE), make_critic().to(DEVICE)
    of_generator = torch.optim.Adam(generator.parameters(), 1e-4, betas=(0.0, 0.9))
    of_critic = torch.optim.Adam(critic.parameters(), 1e-4, betas=(0.0, 0.9))
    batches, clock = Batches(), Clock()
    distances, penalties, losses = [], [], []
    for _ in range(ALL):
        for _ in range(CRITIC_STEPS):
            true = next(batches)
            with torch.no_grad():
                made = generator(torch.randn(BATCH, NOISE, device=DEVICE))
            distance = critic(true).mean() - critic(made).mean()
            penalty = gradient_penalty(critic, true, made)
            of_critic.zero_grad()
            (PENALTY * penalty - distance).backward()
            of_critic.step()
            distances.append(read(distance))
            penalties.append(read(penalty))
        loss = -critic(generator(torch.randn(BATCH, NOISE, device=DEVICE))).mean()
        of_generator.zero_grad()
        loss.backward()
        of_generator.step()
        losses.append(read(loss))
        clock.tick()
    print("distance %.4f, penalty %.4f, generator %.4f" % tuple(
        float(sum(values[-20:]) / 20) for values in (distances, penalties, losses)))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
