"""Reinforcement learning: a policy on the GPU is asked sixteen times by an environment on the host, then trained once.
An iteration is a rollout with its update."""

import numpy
import torch
from torch import nn

from steps import ALL, DEVICE, Clock, torch_wait

WORLDS, ASKED, SIZE = 64, 16, 128


class Environment:
    """Points that are pushed about and are to stay near the origin."""

    def __init__(self):
        self.source = numpy.random.default_rng(0)
        self.state = self.source.standard_normal((WORLDS, SIZE)).astype(numpy.float32)

    def step(self, actions):
        push = numpy.zeros_like(self.state)
        push[numpy.arange(WORLDS), actions] = 1.0
        self.state = 0.95 * self.state - 0.2 * push + 0.1 * self.source.standard_normal(self.state.shape).astype(numpy.float32)
        return -numpy.square(self.state).mean(1)


def main():
    torch.manual_seed(0)
    policy = nn.Sequential(nn.Linear(SIZE, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, SIZE)).to(DEVICE)
    optimizer = torch.optim.Adam(policy.parameters(), 3e-4)
    world, clock = Environment(), Clock()
    for _ in range(ALL):
        states, actions, rewards = [], [], []
        for _ in range(ASKED):
            with torch.no_grad():
                chances = policy(torch.from_numpy(world.state).to(DEVICE)).softmax(-1)
                chosen = torch.multinomial(chances, 1).squeeze(1).cpu().numpy()
            states.append(world.state)
            actions.append(chosen)
            rewards.append(world.step(chosen))
        returns = numpy.cumsum(numpy.stack(rewards)[::-1], 0)[::-1]
        logits = policy(torch.from_numpy(numpy.concatenate(states)).to(DEVICE))
        picked = torch.from_numpy(numpy.concatenate(actions)).to(DEVICE)
        gains = torch.from_numpy((returns - returns.mean()).astype(numpy.float32).reshape(-1)).to(DEVICE)
        loss = (nn.functional.cross_entropy(logits, picked, reduction="none") * gains).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        clock.tick()
    clock.report(torch_wait)


main()
