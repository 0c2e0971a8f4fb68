"""Organs in CT scans: windows of 96 voxels a side, half overlapping, are cut out on the host and go through a 3D U-Net
three at a time; scores come back, are weighted and added up on the host. An iteration is a scan (nine windows, three
batches). `pin`: windows and scores in page-locked memory."""

import itertools

import torch
from torch import nn

from steps import ALL, DEVICE, PIN, Clock, torch_wait

SHAPE, WINDOW, WIDTH = ((96, 192, 192), 96, 16) if DEVICE == "cuda" else ((32, 64, 64), 32, 4)
CLASSES, TOGETHER = 3, 3


def double(inputs, outputs):
    return nn.Sequential(
        nn.Conv3d(inputs, outputs, 3, padding=1), nn.InstanceNorm3d(outputs), nn.LeakyReLU(0.01, True),
        nn.Conv3d(outputs, outputs, 3, padding=1), nn.InstanceNorm3d(outputs), nn.LeakyReLU(0.01, True))


class UNet3d(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [WIDTH * 2 ** level for level in range(4)]
        self.down = nn.ModuleList(double(a, b) for a, b in zip([1] + widths, widths))
        self.up = nn.ModuleList(nn.ConvTranspose3d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.join = nn.ModuleList(double(2 * a, a) for a in widths[:-1])
        self.head = nn.Conv3d(WIDTH, CLASSES, 1)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(nn.functional.max_pool3d(x, 2) if level else x)
            kept.append(x)
        for level in reversed(range(len(self.up))):
            x = self.join[level](torch.cat([self.up[level](x), kept[level]], 1))
        return self.head(x)


def corners():
    """Where windows begin, half a window apart, the last at the edge."""
    starts = [sorted({*range(0, size - WINDOW, WINDOW // 2), size - WINDOW}) for size in SHAPE]
    return [tuple(slice(start, start + WINDOW) for start in corner) for corner in itertools.product(*starts)]


def bell():
    one = torch.exp(-0.5 * (torch.linspace(-1, 1, WINDOW) / 0.25) ** 2).clamp(min=1e-3)
    return one[:, None, None] * one[:, None] * one


class Predictor:
    def __init__(self, model):
        self.model, self.places, self.weight = model, corners(), bell()
        self.windows = torch.zeros(TOGETHER, 1, WINDOW, WINDOW, WINDOW)
        self.scores = torch.zeros(TOGETHER, CLASSES, WINDOW, WINDOW, WINDOW)
        if PIN:
            self.windows, self.scores = self.windows.pin_memory(), self.scores.pin_memory()
        self.total = torch.zeros(CLASSES, *SHAPE)

    def __call__(self, scan):
        volume = scan.float().clamp_(-1000, 400).add_(300).div_(700)
        self.total.zero_()
        for first in range(0, len(self.places), TOGETHER):
            places = self.places[first:first + TOGETHER]
            for row, place in enumerate(places):
                self.windows[row, 0] = volume[place]
            scores = self.model(self.windows[:len(places)].to(DEVICE).to(next(self.model.parameters()).dtype))
            self.scores[:len(places)].copy_(scores.float())
            for row, place in enumerate(places):
                self.total[(slice(None), *place)] += self.scores[row] * self.weight
        return self.total.argmax(0)


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = UNet3d().to(DEVICE, torch.float16 if DEVICE == "cuda" else torch.float32).eval()
    scans = [torch.randint(-1024, 2000, SHAPE, dtype=torch.int16) for _ in range(4)]
    predictor, sizes, clock = Predictor(model), [], Clock()
    for step in range(ALL):
        labels = predictor(scans[step % len(scans)])
        sizes.append([int((labels == organ).sum()) for organ in range(CLASSES)])
        clock.tick()
    clock.report(torch_wait)
    print("voxels of the last scan", *sizes[-1])


main()
