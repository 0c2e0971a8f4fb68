"""Faster R-CNN (MobileNet backbone) trained the way torchvision's reference script does it: pictures of several sizes
with one to twenty boxes each, a loader with four workers, lists of tensors moved one by one."""

import math
import sys

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn

from steps import ALL, DEVICE, PIN, Clock, torch_wait

BATCH = 8


class Street(Dataset):
    def __len__(self):
        return BATCH * (ALL + 16)

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        height, width = 360 + 24 * (index % 4), 480 + 32 * (index % 5)
        image = torch.rand(3, height, width, generator=g)
        count = 1 + index * 7 % 20
        corner = torch.rand(count, 2, generator=g) * torch.tensor([width * 0.6, height * 0.6])
        size = 20 + torch.rand(count, 2, generator=g) * 100
        boxes = torch.cat([corner, corner + size], 1)
        labels = torch.randint(1, 21, (count,), generator=g)
        return image, {"boxes": boxes, "labels": labels, "image_id": torch.tensor([index])}


def collate(samples):
    return tuple(zip(*samples))


def train_one_epoch(model, optimizer, loader, clock):
    model.train()
    running = 0.0
    for step, (images, targets) in enumerate(loader):
        images = list(image.to(DEVICE) for image in images)
        targets = [{name: value.to(DEVICE) for name, value in target.items()} for target in targets]
        losses = model(images, targets)
        loss = sum(losses.values())
        value = loss.item()
        if not math.isfinite(value):
            print("loss is %s, stopping" % value)
            sys.exit(1)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        running += value
        clock.tick()
        if step + 1 == ALL:
            return running / ALL


def main():
    torch.manual_seed(1)
    model = fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=21).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.002, momentum=0.9, weight_decay=5e-4)
    loader = DataLoader(Street(), BATCH, shuffle=True, num_workers=4, collate_fn=collate, pin_memory=PIN)
    clock = Clock()
    train_one_epoch(model, optimizer, loader, clock)
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
