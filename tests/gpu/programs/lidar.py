"""Cars in LiDAR sweeps, in the manner of PointPillars: NumPy sorts the points of two sweeps into pillars in the main
thread, a network on the GPU finds boxes, all scores and boxes go to the host, which decodes the best and drops those
that overlap. An iteration is such a pair of sweeps; each phase is timed with torch.cuda.synchronize. `pin`: pillars,
scores and boxes in page-locked memory, `nb`: pillars are sent without waiting, `side`: the next pair is sorted, and
sent on a stream of its own, while the network runs on this one; `nosync`: no torch.cuda.synchronize."""

import contextlib
import time

import numpy as np
import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE, TIMED = "side" in WORDS, "nosync" not in WORDS
LOW, HIGH, CELL = np.array([0.0, -39.68, -3.0]), np.array([69.12, 39.68, 1.0]), 0.16
COLUMNS, ROWS = 432, 496
PAIR, POINTS, PILLARS, IN_PILLAR, ANCHORS = 2, 130_000, 12_000, 32, 6
WIDTHS = (96, 192, 384) if DEVICE == "cuda" else (8, 16, 16)


def make_sweeps(count=6):
    """Points around cars and walls before the vehicle: x, y, z, intensity."""
    chance, sweeps = np.random.default_rng(0), []
    for _ in range(count):
        angle = chance.uniform(-0.5 * np.pi, 0.5 * np.pi, POINTS)
        distance = 3 + 60 * chance.beta(1.2, 2.5, POINTS)
        distance = np.where(chance.random(POINTS) < 0.3, np.round(distance / 6) * 6, distance)
        z = chance.normal(-1.5, 0.4, POINTS)
        sweeps.append(np.stack([distance * np.cos(angle), distance * np.sin(angle), z, chance.random(POINTS)],
                               axis=1).astype(np.float32))
    return sweeps


def sort_into_pillars(points, features, places, sweep):
    """Fills `features` (pillars, points in each, 9) and `places` (pillars; which sweep and cell, -1 where none)."""
    points = points[((points[:, :3] > LOW) & (points[:, :3] < HIGH)).all(axis=1)]
    column = np.minimum(((points[:, 0] - LOW[0]) / CELL).astype(np.int32), COLUMNS - 1)
    row = np.minimum(((points[:, 1] - LOW[1]) / CELL).astype(np.int32), ROWS - 1)
    cell = row * COLUMNS + column
    order = np.argsort(cell, kind="stable")
    points, cell = points[order], cell[order]
    cells, starts, counts = np.unique(cell, return_index=True, return_counts=True)
    pillar = np.repeat(np.arange(len(cells)), counts)
    slot = np.arange(len(points)) - starts[pillar]
    means = np.add.reduceat(points[:, :3], starts, axis=0) / counts[:, None]
    centres = np.stack([(cells % COLUMNS + 0.5) * CELL + LOW[0], (cells // COLUMNS + 0.5) * CELL + LOW[1]], axis=1)
    keep = (slot < IN_PILLAR) & (pillar < PILLARS)
    points, pillar, slot = points[keep], pillar[keep], slot[keep]
    features[:] = 0
    features[pillar, slot, :4] = points
    features[pillar, slot, 4:7] = points[:, :3] - means[pillar]
    features[pillar, slot, 7:] = points[:, :2] - centres[pillar]
    used = min(len(cells), PILLARS)
    places[:] = -1
    places[:used] = sweep * ROWS * COLUMNS + cells[:used]


class Sender:
    """Sorts a pair of sweeps on the host and sends it; buffers in turns, so that one can still be read by a copy."""

    def __init__(self):
        self.sweeps, self.count = make_sweeps(), 0
        self.stream = torch.cuda.Stream() if SIDE else None
        self.buffers = [(torch.empty(PAIR, PILLARS, IN_PILLAR, 9, pin_memory=PIN),
                         torch.empty(PAIR, PILLARS, dtype=torch.int64, pin_memory=PIN)) for _ in range(2)]

    def next(self):
        features, places = self.buffers[self.count % 2]
        for sweep in range(PAIR):
            points = self.sweeps[(self.count * PAIR + sweep) % len(self.sweeps)]
            sort_into_pillars(points, features[sweep].numpy(), places[sweep].numpy(), sweep)
        self.count += 1
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            return features.to(DEVICE, non_blocking=NON_BLOCKING), places.to(DEVICE, non_blocking=NON_BLOCKING)


def stage(inside, outside, layers):
    parts = []
    for layer in range(layers):
        parts += [nn.Conv2d(inside if layer == 0 else outside, outside, 3, 2 if layer == 0 else 1, 1, bias=False),
                  nn.BatchNorm2d(outside), nn.ReLU(inplace=True)]
    return nn.Sequential(*parts)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(9, 64, bias=False), nn.LayerNorm(64), nn.ReLU(inplace=True))
        self.stages = nn.ModuleList([stage(64, WIDTHS[0], 6), stage(WIDTHS[0], WIDTHS[1], 8),
                                     stage(WIDTHS[1], WIDTHS[2], 8)])
        self.enlarge = nn.ModuleList(nn.Sequential(
            nn.ConvTranspose2d(width, 128, 2 ** level, 2 ** level, bias=False), nn.BatchNorm2d(128),
            nn.ReLU(inplace=True)) for level, width in enumerate(WIDTHS))
        self.scores, self.boxes = nn.Conv2d(3 * 128, ANCHORS, 1), nn.Conv2d(3 * 128, ANCHORS * 7, 1)

    def forward(self, features, places):
        points = self.point(features.flatten(0, 1))
        used = features.flatten(0, 1).abs().amax(-1, keepdim=True) > 0
        pillars = torch.where(used, points, torch.zeros_like(points)).amax(1)
        places = places.flatten()
        # Pillars that are not used go to a place of their own behind the canvas.
        canvas = torch.zeros(PAIR * ROWS * COLUMNS + 1, 64, device=features.device)
        canvas[torch.where(places < 0, torch.full_like(places, len(canvas) - 1), places)] = pillars
        x = canvas[:-1].view(PAIR, ROWS, COLUMNS, 64).permute(0, 3, 1, 2).contiguous()
        levels = []
        for one, enlarge in zip(self.stages, self.enlarge):
            x = one(x)
            levels.append(enlarge(x))
        levels = torch.cat(levels, 1)
        return self.scores(levels), self.boxes(levels)


def without_overlaps(boxes, scores, most=100, overlap=0.3):
    """Boxes seen from above (x, y, length, width), best first; the indices of those kept."""
    low, high = boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2
    area, kept, left = boxes[:, 2] * boxes[:, 3], [], np.argsort(-scores)
    while len(left) and len(kept) < most:
        best, left = left[0], left[1:]
        kept.append(best)
        shared = np.clip(np.minimum(high[best], high[left]) - np.maximum(low[best], low[left]), 0, None).prod(axis=1)
        left = left[shared / (area[best] + area[left] - shared + 1e-9) < overlap]
    return kept


def decode(scores, boxes):
    """Scores (anchors, rows, columns) and boxes (anchors * 7, rows, columns) of a sweep into a list of cars."""
    rows, columns = scores.shape[1:]
    scores = 1 / (1 + np.exp(-scores.reshape(-1)))
    boxes = boxes.reshape(ANCHORS, 7, rows * columns).transpose(0, 2, 1).reshape(-1, 7)
    best = np.argpartition(-scores, 1000)[:1000]
    cell = best % (rows * columns)
    x = (cell % columns + 0.5) * 2 * CELL + LOW[0] + boxes[best, 0]
    y = (cell // columns + 0.5) * 2 * CELL + LOW[1] + boxes[best, 1]
    length, width = 3.9 * np.exp(np.clip(boxes[best, 3], -1, 1)), 1.6 * np.exp(np.clip(boxes[best, 4], -1, 1))
    seen = np.stack([x, y, length, width], axis=1)
    kept = without_overlaps(seen, scores[best])
    return [(*seen[index], boxes[best[index], 6], scores[best[index]]) for index in kept]


def timestamp():
    if TIMED:
        torch_wait()
    return time.perf_counter()


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = Detector().to(DEVICE).eval()
    sender = Sender()
    results = [torch.empty(PAIR, channels, ROWS // 2, COLUMNS // 2, pin_memory=True)
               for channels in (ANCHORS, ANCHORS * 7)] if PIN else None
    spent, cars, clock = np.zeros(3), 0, Clock()
    upcoming = sender.next() if SIDE else None
    for count in range(ALL):
        start = timestamp()
        features, places = upcoming or sender.next()
        sent = timestamp()
        if SIDE:
            torch.cuda.current_stream().wait_stream(sender.stream)
            features.record_stream(torch.cuda.current_stream())
            places.record_stream(torch.cuda.current_stream())
        out = model(features, places)
        upcoming = sender.next() if SIDE else None
        found = timestamp()
        if PIN:
            for result, one in zip(results, out):
                result.copy_(one)
            scores, boxes = (result.numpy() for result in results)
        else:
            scores, boxes = (one.cpu().numpy() for one in out)
        for sweep in range(PAIR):
            cars += len(decode(scores[sweep], boxes[sweep]))
        spent += sent - start, found - sent, time.perf_counter() - found
        clock.tick()
    print("%d boxes; sending, network, decoding: %s ms" % (cars, (spent / ALL * 1e3).round(1)))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
