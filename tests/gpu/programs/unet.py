"""U-Net for masks of cells: three loader workers crop, flip, relight and add noise in NumPy; fp16 with GradScaler;
Dice on three validation batches after each sixteen steps, left out of the mean. `w8`: eight workers; `pin`, `nb`: of
batches."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

BATCH, SIDE, WIDTH = (32, 256, 32) if DEVICE == "cuda" else (2, 64, 8)
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 3)


class Cells(Dataset):
    def __init__(self, count):
        rng = np.random.default_rng(0)
        self.count = count
        self.scenes = rng.random((24, SIDE * 2, SIDE * 2, 3), np.float32)
        self.masks = (self.scenes.mean(3) > 0.5).astype(np.float32)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        rng = np.random.default_rng(index)
        top, left = rng.integers(SIDE, size=2)
        picture = self.scenes[index % 24, top:top + SIDE, left:left + SIDE]
        mask = self.masks[index % 24, top:top + SIDE, left:left + SIDE]
        turns = rng.integers(4)
        picture, mask = np.rot90(picture, turns), np.rot90(mask, turns)
        if rng.random() < 0.5:
            picture, mask = picture[:, ::-1], mask[:, ::-1]
        picture = picture ** rng.uniform(0.7, 1.4) * rng.uniform(0.8, 1.2)
        picture = picture + 0.05 * rng.standard_normal(picture.shape, np.float32)
        picture = (picture - picture.mean((0, 1))) / picture.std((0, 1))
        return np.ascontiguousarray(picture.transpose(2, 0, 1), np.float32), np.ascontiguousarray(mask[None])


def twice(into, out):
    return nn.Sequential(nn.Conv2d(into, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
                         nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, width, depth=4):
        super().__init__()
        widths = [width * 2 ** level for level in range(depth + 1)]
        self.down = nn.ModuleList(twice(a, b) for a, b in zip([3] + widths, widths))
        self.ups = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(twice(2 * a, a) for a in widths[:-1])
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else nn.functional.max_pool2d(x, 2))
            kept.append(x)
        for level in reversed(range(len(self.ups))):
            x = self.merge[level](torch.cat([kept[level], self.ups[level](x)], 1))
        return self.head(x)


def dice(logits, mask):
    probability = logits.float().sigmoid()
    return 2 * (probability * mask).sum() / (probability.sum() + mask.sum() + 1)


def validate(model, batches):
    model.eval()
    scores = []
    with torch.inference_mode(), torch.autocast(DEVICE, enabled=DEVICE == "cuda"):
        for pictures, masks in batches:
            scores.append(dice(model(pictures.to(DEVICE)), masks.to(DEVICE)).item())
    model.train()
    return sum(scores) / len(scores)


def main():
    torch.manual_seed(0)
    model = UNet(WIDTH).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
    scaler = torch.amp.GradScaler(DEVICE, enabled=DEVICE == "cuda")
    loader = DataLoader(Cells(BATCH * (ALL + 40)), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN)
    validation = list(DataLoader(Cells(BATCH * 3), BATCH))
    clock = Clock()
    for count, (pictures, masks) in enumerate(loader):
        pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
        masks = masks.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, enabled=DEVICE == "cuda"):
            logits = model(pictures)
            loss = nn.functional.binary_cross_entropy_with_logits(logits, masks) + 1 - dice(logits, masks)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        clock.tick()
        if count % 16 == 15:
            print("step %d loss %.3f dice %.3f" % (count, loss.item(), validate(model, validation)))
            clock.skip()
        if count + 1 == ALL:
            break
    clock.report(torch_wait)


main()
