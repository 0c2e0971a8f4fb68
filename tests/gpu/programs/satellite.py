"""Changes between two dates: tiles of thirteen bands (98 MiB a batch, 16 bits a value) lie ready on the host; a siamese
ResNet-18 with a decoder learns masks in bf16; the loss is read each step. `pin`: tiles in page-locked memory, `nb`:
copies that do not wait, `side`: the next batch is sent on a stream of its own while this one is learnt."""

import contextlib

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE = "side" in WORDS
BATCH, BANDS, TILE, READY = (12, 13, 384, 5) if DEVICE == "cuda" else (2, 13, 64, 3)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        net = torchvision.models.resnet18(weights=None)
        net.conv1 = nn.Conv2d(BANDS, 64, 7, 2, 3, bias=False)
        self.stem = nn.Sequential(net.conv1, net.bn1, net.relu)
        self.stages = nn.ModuleList([nn.Sequential(net.maxpool, net.layer1), net.layer2, net.layer3, net.layer4])
        self.squeeze = nn.ModuleList(nn.Conv2d(width, 64, 1) for width in (64, 64, 128, 256, 512))
        self.head = nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2d(64, 1, 1))

    def features(self, x):
        levels = [self.stem(x)]
        for stage in self.stages:
            levels.append(stage(levels[-1]))
        return levels

    def forward(self, before, after):
        levels = self.features(torch.cat([before, after]))
        out = 0
        for squeeze, level in reversed(list(zip(self.squeeze, levels))):
            first, second = level.chunk(2)
            change = squeeze((first - second).abs())
            out = change + (F.interpolate(out, scale_factor=2.0) if torch.is_tensor(out) else 0)
        return F.interpolate(self.head(out), scale_factor=2.0)[:, 0]


def make_ready():
    generator = torch.Generator().manual_seed(0)
    tiles = torch.randint(0, 10_000, (BATCH, BANDS, TILE, TILE), dtype=torch.int16, generator=generator)
    mask = (torch.rand(BATCH, TILE, TILE, generator=generator) < 0.1).to(torch.uint8)
    for number in range(READY):
        batch = tiles.roll(17 * number, 3), tiles.roll(17 * number + 5, 3), mask.roll(17 * number, 2)
        yield [one.pin_memory() for one in batch] if PIN else list(batch)


class Sender:
    def __init__(self):
        self.ready, self.count = list(make_ready()), 0
        self.stream = torch.cuda.Stream() if SIDE else None

    def next(self):
        batch = self.ready[self.count % READY]
        self.count += 1
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            return [one.to(DEVICE, non_blocking=NON_BLOCKING) for one in batch]


def reflectance(tiles):
    return (tiles.float() / 10_000).contiguous(memory_format=torch.channels_last)


def main():
    torch.manual_seed(0)
    model = Siamese().to(DEVICE, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4, weight_decay=0.01)
    rare = torch.full((), 5.0, device=DEVICE)
    sender, total, clock = Sender(), 0.0, Clock()
    upcoming = sender.next() if SIDE else None
    for step in range(ALL):
        batch = upcoming or sender.next()
        if SIDE:
            torch.cuda.current_stream().wait_stream(sender.stream)
            for one in batch:
                one.record_stream(torch.cuda.current_stream())
        before, after, mask = batch
        with torch.autocast(DEVICE, torch.bfloat16):
            scores = model(reflectance(before), reflectance(after))
        loss = F.binary_cross_entropy_with_logits(scores.float(), mask.float(), pos_weight=rare)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        upcoming = sender.next() if SIDE else None
        total += loss.item()
        clock.tick()
    clock.report(torch_wait)
    print("mean loss %.4f" % (total / ALL))


main()
