"""Joints of people in photographs: a ResNet-50 with three transposed convolutions learns in bf16 where seventeen joints
are; two loader workers cut each person out by an affine map (SciPy), change the light and draw a heat map for each
joint (13.5 MiB of pictures and 4.8 MiB of heat maps a batch); errors are added up on the GPU and printed in the end.
`w8`: eight workers; `pin`: pin_memory of the loader, `nb`: copies that do not wait."""

import numpy as np
import torch
import torchvision
from scipy import ndimage
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 2)
PHOTOS, PEOPLE, JOINTS, HEIGHT, WIDTH, COARSE = 24, 2000, 17, 256, 192, 4
BATCH, CHANNELS = (24, 256) if DEVICE == "cuda" else (2, 8)
MEAN, SCALE = (np.array(values, np.float32)[:, None, None] for values in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))


class People(Dataset):
    def __init__(self):
        chance = np.random.default_rng(0)
        small = chance.integers(0, 256, (PHOTOS, 3, 30, 40), np.uint8)
        self.photos = small.repeat(16, axis=2).repeat(16, axis=3)  # 480 by 640
        self.photo = chance.integers(PHOTOS, size=PEOPLE)
        self.centre = chance.uniform((160, 160), (320, 480), (PEOPLE, 2))
        self.tall = chance.uniform(180, 420, PEOPLE)
        spread = chance.normal(0, 0.18, (PEOPLE, JOINTS, 2)) * self.tall[:, None, None]
        self.joints = self.centre[:, None] + spread
        self.seen = chance.random((PEOPLE, JOINTS)) < 0.85

    def __len__(self):
        return BATCH * ALL * 2

    def __getitem__(self, index):
        chance, person = np.random.default_rng(index), index % PEOPLE
        angle, zoom = np.deg2rad(chance.normal(0, 20)), self.tall[person] * 1.25 / HEIGHT * chance.uniform(0.75, 1.25)
        turn = zoom * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        mirror = chance.random() < 0.5
        if mirror:
            turn[:, 1] *= -1
        middle = np.array([HEIGHT / 2, WIDTH / 2])
        offset = self.centre[person] - turn @ middle
        photo = self.photos[self.photo[person]]
        picture = np.stack([ndimage.affine_transform(channel, turn, offset, (HEIGHT, WIDTH), np.float32, order=1)
                            for channel in photo])
        picture = (picture * (chance.uniform(0.7, 1.3, (3, 1, 1)).astype(np.float32) / 255)).clip(0, 1)
        picture = (picture - MEAN) / SCALE
        joints = (self.joints[person] - offset) @ np.linalg.inv(turn).T
        rows, columns = np.arange(HEIGHT // COARSE), np.arange(WIDTH // COARSE)
        down, across = (((places[None] - joints[:, axis, None] / COARSE) / 2) ** 2
                        for axis, places in enumerate((rows, columns)))
        maps = np.exp(-0.5 * (down[:, :, None] + across[:, None, :]))
        inside = ((joints >= 0) & (joints < (HEIGHT, WIDTH))).all(1) & self.seen[person]
        return picture, maps.astype(np.float32), inside.astype(np.float32)


class Pose(nn.Module):
    def __init__(self):
        super().__init__()
        trunk = torchvision.models.resnet50(weights=None)
        self.trunk = nn.Sequential(*list(trunk.children())[:-2])
        layers, inside = [], 2048
        for _ in range(3):
            layers += [nn.ConvTranspose2d(inside, CHANNELS, 4, 2, 1, bias=False), nn.BatchNorm2d(CHANNELS), nn.ReLU()]
            inside = CHANNELS
        self.head = nn.Sequential(*layers, nn.Conv2d(CHANNELS, JOINTS, 1))

    def forward(self, pictures):
        return self.head(self.trunk(pictures))


def off_by(made, true, weights):
    """How far the highest place of each map is from where it should be, in pixels of a map."""
    columns = made.shape[-1]
    first, second = (maps.flatten(2).argmax(-1) for maps in (made, true))
    down, across = first // columns - second // columns, first % columns - second % columns
    return (torch.sqrt((down ** 2 + across ** 2).float()) * weights).sum() / weights.sum().clamp(min=1)


def main():
    torch.manual_seed(0)
    model = Pose().to(DEVICE, memory_format=torch.channels_last)
    optimizer = torch.optim.Adam(model.parameters(), 5e-4)
    loader = DataLoader(People(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    total, distance, clock = torch.zeros((), device=DEVICE), torch.zeros((), device=DEVICE), Clock()
    for _, (pictures, maps, weights) in zip(range(ALL), loader):
        pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
        maps = maps.to(DEVICE, non_blocking=NON_BLOCKING)
        weights = weights.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            made = model(pictures.contiguous(memory_format=torch.channels_last))
        loss = ((made.float() - maps) ** 2 * weights[:, :, None, None]).mean() * 100
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            total += loss
            distance += off_by(made, maps, weights)
        clock.tick()
    clock.report(torch_wait)
    print("loss %.4f, off by %.2f pixels" % (total.item() / ALL, distance.item() / ALL))


if __name__ == "__main__":
    main()
