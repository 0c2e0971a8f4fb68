"""Images from noise: twenty denoising steps of a small UNet for each batch of images, which then go to the host."""

import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

DENOISE = 20


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.GroupNorm(8, outputs), nn.SiLU(),
                                  nn.Conv2d(outputs, outputs, 3, padding=1), nn.GroupNorm(8, outputs), nn.SiLU())

    def forward(self, x):
        return self.body(x)


class UNet(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.enter = Block(3, width)
        self.down = Block(width, 2 * width)
        self.middle = Block(2 * width, 2 * width)
        self.up = Block(3 * width, width)
        self.leave = nn.Conv2d(width, 3, 1)
        self.time = nn.Linear(1, width)

    def forward(self, x, t):
        first = self.enter(x) + self.time(t)[:, :, None, None]
        low = self.middle(self.down(nn.functional.avg_pool2d(first, 2)))
        return self.leave(self.up(torch.cat([first, nn.functional.interpolate(low, scale_factor=2.0)], 1)))


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = UNet().to(DEVICE).eval()
    clock = Clock()
    for _ in range(ALL):
        noise = torch.randn(16, 3, 128, 128)
        x = (noise.pin_memory() if PIN else noise).to(DEVICE, non_blocking=NON_BLOCKING)
        for step in range(DENOISE, 0, -1):
            t = torch.full((1, 1), step / DENOISE, device=DEVICE)
            x = x - model(x, t) / DENOISE
            if step > 1:
                x = x + 0.01 * torch.randn_like(x)
        images = ((x.clamp(-1, 1) + 1) * 127.5).to(torch.uint8).cpu().numpy()
        assert images.shape == (16, 3, 128, 128)
        clock.tick()
    clock.report(torch_wait)


main()
