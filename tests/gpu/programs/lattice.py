"""Flow around cylinders by the lattice Boltzmann method: after each twenty-four time steps the state (72 MiB) goes to
the host as a checkpoint; the one before is looked at meanwhile. An iteration is such a round. `pin`: page-locked
buffers, `nb`: the copy is waited for only when its checkpoint is looked at."""

import torch

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

ROWS, COLUMNS, TIME_STEPS = (1024, 2048, 24) if DEVICE == "cuda" else (64, 128, 4)
SPEED, TAU = 0.08, 0.6
MOVES = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]  # rows, columns
OPPOSITE = [MOVES.index((-row, -column)) for row, column in MOVES]
WEIGHTS = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4


class Flow:
    def __init__(self):
        self.moves = torch.tensor(MOVES, dtype=torch.float32, device=DEVICE)
        self.weights = torch.tensor(WEIGHTS, device=DEVICE).view(9, 1, 1)
        self.opposite = torch.tensor(OPPOSITE, device=DEVICE)
        row = torch.arange(ROWS, device=DEVICE).view(-1, 1)
        column = torch.arange(COLUMNS, device=DEVICE)
        self.wall = torch.zeros(ROWS, COLUMNS, dtype=torch.bool, device=DEVICE)
        for y, x in ((0.5, 0.2), (0.3, 0.4), (0.7, 0.4)):
            self.wall |= (row - y * ROWS) ** 2 + (column - x * COLUMNS) ** 2 < (ROWS / 16) ** 2
        velocity = torch.zeros(2, ROWS, COLUMNS, device=DEVICE)
        velocity[1] = SPEED + 0.001 * torch.randn(ROWS, COLUMNS, device=DEVICE)
        self.state = self.equilibrium(torch.ones(ROWS, COLUMNS, device=DEVICE), velocity)
        self.inflow = self.state[:, :, :1].clone()

    def equilibrium(self, density, velocity):
        along = 3 * torch.einsum("id,dyx->iyx", self.moves, velocity)
        square = 1.5 * (velocity * velocity).sum(0)
        return self.weights * density * (1 + along + 0.5 * along * along - square)

    def step(self):
        moved = torch.stack([torch.roll(one, move, (0, 1)) for one, move in zip(self.state, MOVES)])
        moved[:, :, :1] = self.inflow
        density = moved.sum(0)
        velocity = torch.einsum("id,iyx->dyx", self.moves, moved) / density
        after = moved + (self.equilibrium(density, velocity) - moved) / TAU
        self.state = torch.where(self.wall, moved[self.opposite], after)


def look_at(checkpoint):
    density = checkpoint.sum(0)
    return float(density.mean()), float(density.max() - density.min())


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    flow = Flow()
    checkpoints = [torch.zeros(9, ROWS, COLUMNS) for _ in range(2)]
    if PIN:
        checkpoints = [checkpoint.pin_memory() for checkpoint in checkpoints]
    copied = [torch.cuda.Event() if NON_BLOCKING else None for _ in checkpoints]
    history, clock = [], Clock()
    for step in range(ALL):
        for _ in range(TIME_STEPS):
            flow.step()
        if step > 0:
            last = (step - 1) % 2
            if NON_BLOCKING:
                copied[last].synchronize()
            history.append(look_at(checkpoints[last]))
        checkpoints[step % 2].copy_(flow.state, non_blocking=NON_BLOCKING)
        if NON_BLOCKING:
            copied[step % 2].record()
        clock.tick()
    clock.report(torch_wait)
    assert all(mean == mean for mean, _ in history)
    print("density %.4f, from end to end %.4f" % history[-1])


main()
