"""Pictures enlarged twice, tile by tile: twenty tiles each, cut on the host, sent, enlarged, brought back and put into
the large picture, which is then compressed. An iteration is a picture."""

import io

import numpy as np
import torch
from PIL import Image
from torch import nn

from steps import ALL, DEVICE, Clock, torch_wait

TILE, BORDER = 192, 16


class Upscaler(nn.Module):
    def __init__(self, width=64, depth=12):
        super().__init__()
        self.head = nn.Conv2d(3, width, 3, padding=1)
        self.body = nn.ModuleList(
            nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1))
            for _ in range(depth))
        self.tail = nn.Sequential(nn.Conv2d(width, 12, 3, padding=1), nn.PixelShuffle(2))

    def forward(self, x):
        x = self.head(x)
        for layer in self.body:
            x = x + 0.1 * layer(x)
        return self.tail(x)


def enlarge(model, picture):
    height, width, _ = picture.shape
    padded = np.pad(picture, ((BORDER, BORDER), (BORDER, BORDER), (0, 0)), mode="reflect")
    large = np.empty((height * 2, width * 2, 3), np.uint8)
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            tile = padded[top:top + TILE + 2 * BORDER, left:left + TILE + 2 * BORDER]
            tensor = torch.from_numpy(np.ascontiguousarray(tile)).to(DEVICE)
            tensor = tensor.permute(2, 0, 1).unsqueeze(0).half().div(255)
            out = model(tensor)[0, :, 2 * BORDER:-2 * BORDER, 2 * BORDER:-2 * BORDER]
            out = out.clamp(0, 1).mul(255).byte().permute(1, 2, 0).cpu().numpy()
            large[2 * top:2 * (top + TILE), 2 * left:2 * (left + TILE)] = out
    return large


@torch.inference_mode()
def main():
    model = Upscaler().eval().to(DEVICE).half()
    rng = np.random.default_rng(0)
    album = [rng.integers(0, 255, (768, 960, 3), dtype=np.uint8) for _ in range(4)]
    clock, sizes = Clock(), []
    for number in range(ALL):
        large = enlarge(model, album[number % 4])
        file = io.BytesIO()
        Image.fromarray(large).save(file, "jpeg", quality=80)
        sizes.append(file.tell())
        clock.tick()
    clock.report(torch_wait)


main()
