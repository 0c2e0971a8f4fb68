"""PPO on 64 pendulums in NumPy: 24 steps of the environments, then three epochs of six minibatches, each cut out of the
rollout buffer on the host. An iteration is a rollout with its epochs."""

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal

from steps import ALL, DEVICE, Clock, torch_wait

ENVS, HORIZON, EPOCHS, MINIBATCHES = 64, 24, 3, 6


class Pendulums:
    def __init__(self, n, seed=0):
        self.rng = np.random.default_rng(seed)
        self.angle = self.rng.uniform(-np.pi, np.pi, (n, 4))
        self.speed = np.zeros((n, 4))

    def observation(self):
        return np.concatenate([np.cos(self.angle), np.sin(self.angle), self.speed], 1).astype(np.float32)

    def step(self, torque):
        cost = (np.mod(self.angle + np.pi, 2 * np.pi) - np.pi) ** 2 + 0.1 * self.speed ** 2
        for _ in range(4):  # sub-steps of the integrator
            self.speed = np.clip(self.speed + (15 * np.sin(self.angle) + 3 * np.clip(torque, -2, 2)) * 0.0125, -8, 8)
            self.angle = self.angle + self.speed * 0.0125
        done = self.rng.random(len(cost)) < 0.005
        self.angle[done] = self.rng.uniform(-np.pi, np.pi, (done.sum(), 4))
        self.speed[done] = 0
        return self.observation(), -cost.sum(1).astype(np.float32), done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(12, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 4))
        self.critic = nn.Sequential(nn.Linear(12, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 1))
        self.log_std = nn.Parameter(torch.zeros(4))

    def forward(self, obs):
        return Normal(self.actor(obs), self.log_std.exp()), self.critic(obs).squeeze(-1)


class RolloutBuffer:
    def __init__(self):
        self.obs = np.zeros((HORIZON, ENVS, 12), np.float32)
        self.actions = np.zeros((HORIZON, ENVS, 4), np.float32)
        self.log_probs = np.zeros((HORIZON, ENVS), np.float32)
        self.rewards = np.zeros((HORIZON, ENVS), np.float32)
        self.values = np.zeros((HORIZON + 1, ENVS), np.float32)
        self.dones = np.zeros((HORIZON, ENVS), np.float32)

    def advantages(self, gamma=0.99, lam=0.95):
        out, last = np.zeros_like(self.rewards), 0
        for t in reversed(range(HORIZON)):
            alive = 1 - self.dones[t]
            delta = self.rewards[t] + gamma * self.values[t + 1] * alive - self.values[t]
            last = delta + gamma * lam * alive * last
            out[t] = last
        return out

    def minibatches(self, adv):
        flat = [a.reshape(HORIZON * ENVS, *a.shape[2:]) for a in
                (self.obs, self.actions, self.log_probs, adv, adv + self.values[:-1])]
        for part in np.array_split(np.random.permutation(HORIZON * ENVS), MINIBATCHES):
            yield [torch.as_tensor(a[part]).to(DEVICE) for a in flat]


def collect(env, obs, policy, buffer):
    for t in range(HORIZON):
        with torch.no_grad():
            dist, value = policy(torch.as_tensor(obs, device=DEVICE))
            action = dist.sample()
            log_prob = dist.log_prob(action).sum(-1)
        buffer.obs[t], buffer.values[t] = obs, value.cpu().numpy()
        buffer.actions[t], buffer.log_probs[t] = action.cpu().numpy(), log_prob.cpu().numpy()
        obs, buffer.rewards[t], buffer.dones[t] = env.step(buffer.actions[t])
    with torch.no_grad():
        buffer.values[HORIZON] = policy(torch.as_tensor(obs, device=DEVICE))[1].cpu().numpy()
    return obs


def update(policy, optimizer, buffer):
    adv = buffer.advantages()
    losses = []
    for _ in range(EPOCHS):
        for obs, action, old, a, ret in buffer.minibatches(adv):
            dist, value = policy(obs)
            ratio = (dist.log_prob(action).sum(-1) - old).exp()
            a = (a - a.mean()) / (a.std() + 1e-8)
            surrogate = torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
            loss = -surrogate + 0.5 * (value - ret).pow(2).mean() - 0.001 * dist.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            losses.append(loss.item())
    return np.mean(losses)


def main():
    torch.manual_seed(0)
    env, policy, buffer = Pendulums(ENVS), ActorCritic().to(DEVICE), RolloutBuffer()
    optimizer = torch.optim.Adam(policy.parameters(), 3e-4, eps=1e-5)
    obs, clock = env.observation(), Clock()
    for _ in range(ALL):
        obs = collect(env, obs, policy, buffer)
        update(policy, optimizer, buffer)
        clock.tick()
    clock.report(torch_wait)


main()
