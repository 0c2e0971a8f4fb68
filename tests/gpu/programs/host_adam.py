"""The optimizer on the host: the network computes in bf16 on the GPU, gradients go to the host, AdamW works on float32
copies there, new weights go back. `pin`: all of it in page-locked memory."""

import torch
from torch import nn

from steps import ALL, DEVICE, PIN, Clock, torch_wait

WIDTH, LAYERS, TOKENS = 1024, 10, 8192


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


class HostAdamW:
    def __init__(self, module, lr):
        self.device_params = [p for p in module.parameters()]
        self.host_params = []
        for p in self.device_params:
            master = p.detach().float().cpu()
            if PIN:
                master = master.pin_memory()
            master.requires_grad_()
            master.grad = torch.zeros_like(master)
            if PIN:
                master.grad = master.grad.pin_memory()
            self.host_params.append(master)
        self.optimizer = torch.optim.AdamW(self.host_params, lr)

    @torch.no_grad()
    def step(self):
        for device, host in zip(self.device_params, self.host_params):
            host.grad.copy_(device.grad)
            device.grad = None
        self.optimizer.step()
        for device, host in zip(self.device_params, self.host_params):
            device.copy_(host)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(*[Residual() for _ in range(LAYERS)]).to(DEVICE, torch.bfloat16)
    target = torch.randn(TOKENS, WIDTH, device=DEVICE, dtype=torch.bfloat16)
    optimizer = HostAdamW(model, 1e-4)
    pool = [torch.randn(TOKENS, WIDTH).bfloat16() for _ in range(4)]
    clock = Clock()
    for step in range(ALL):
        x = pool[step % 4].to(DEVICE)
        loss = nn.functional.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        clock.tick()
    clock.report(torch_wait)


main()
