"""Depth from one picture: a ResNet-34 with a decoder learns in bf16 what a depth camera saw; two loader workers crop,
resize, flip, jitter colours, blur and normalise with torchvision's transforms (30 MiB a batch, pictures and depths as
float32); the errors are added up on the GPU and printed in the end. `w8`: eight workers; `pin`: pin_memory of the
loader, `nb`: copies that do not wait."""

import torch
import torchvision
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision import tv_tensors
from torchvision.transforms import v2

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
BATCH, HEIGHT, WIDTH = (24, 256, 320) if DEVICE == "cuda" else (2, 64, 96)
SCENES = 160


class Rooms(Dataset):
    """Pictures and depths as they would come out of decoded files."""

    def __init__(self):
        chance = torch.Generator().manual_seed(0)
        size = (HEIGHT * 3 // 2, WIDTH * 3 // 2)
        coarse = torch.rand(SCENES, 4, 12, 16, generator=chance)
        self.pictures = torch.empty(SCENES, 3, *size, dtype=torch.uint8)
        self.depths = torch.empty(SCENES, 1, *size)
        for scene in range(SCENES):
            smooth = F.interpolate(coarse[scene:scene + 1], size=size, mode="bilinear", align_corners=False)[0]
            grain = torch.rand(3, *size, generator=chance)
            self.pictures[scene] = (255 * (0.8 * smooth[:3] + 0.2 * grain)).to(torch.uint8)
            self.depths[scene] = 0.5 + 9.5 * smooth[3:]
        self.transform = v2.Compose([
            v2.RandomResizedCrop((HEIGHT, WIDTH), scale=(0.4, 1.0), antialias=True),
            v2.RandomHorizontalFlip(),
            v2.ColorJitter(0.3, 0.3, 0.3, 0.05),
            v2.GaussianBlur(5),
            v2.ToDtype({tv_tensors.Image: torch.float32, "others": None}, scale=True),
            v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
            v2.ToPureTensor(),
        ])

    def __len__(self):
        return 4 * BATCH * ALL  # nobody gets to the end of it

    def __getitem__(self, index):
        scene = index % SCENES
        picture = tv_tensors.Image(self.pictures[scene])
        depth = tv_tensors.Mask(self.depths[scene])  # resized by the nearest, colours left alone
        return self.transform(picture, depth)


class Up(nn.Module):
    def __init__(self, inputs, beside, outputs):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs + beside, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))

    def forward(self, below, beside):
        below = F.interpolate(below, size=beside.shape[-2:], mode="nearest")
        return self.body(torch.cat([below, beside], 1))


class DepthNet(nn.Module):
    def __init__(self):
        super().__init__()
        encoder = torchvision.models.resnet34(weights=None)
        self.stem = nn.Sequential(encoder.conv1, encoder.bn1, encoder.relu)
        self.pool = encoder.maxpool
        self.stages = nn.ModuleList([encoder.layer1, encoder.layer2, encoder.layer3, encoder.layer4])
        self.ups = nn.ModuleList([Up(512, 256, 256), Up(256, 128, 128), Up(128, 64, 64), Up(64, 64, 32)])
        self.head = nn.Conv2d(32, 1, 3, padding=1)

    def forward(self, pictures):
        kept = [self.stem(pictures)]
        hidden = self.pool(kept[0])
        for stage in self.stages:
            hidden = stage(hidden)
            kept.append(hidden)
        hidden = kept.pop()
        for up in self.ups:
            hidden = up(hidden, kept.pop())
        hidden = F.interpolate(self.head(hidden).float(), scale_factor=2.0, mode="bilinear", align_corners=False)
        return 0.1 + F.softplus(hidden)


def scale_invariant(made, true, share=0.85):
    difference = torch.log(made) - torch.log(true)
    return 10 * torch.sqrt((difference ** 2).mean() - share * difference.mean() ** 2 + 1e-6)


def main():
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    loader = DataLoader(Rooms(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    model = DepthNet().to(DEVICE, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-4, total_steps=ALL + 1)
    errors, batches, clock = torch.zeros(2, device=DEVICE), iter(loader), Clock()
    for _ in range(ALL):
        pictures, depths = next(batches)
        pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
        depths = depths.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            made = model(pictures.contiguous(memory_format=torch.channels_last))
        loss = scale_invariant(made, depths)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        with torch.no_grad():
            errors += torch.stack([((made - depths).abs() / depths).mean(), loss])
        clock.tick()
    print("relative error %.3f, loss %.3f" % tuple((errors / ALL).tolist()))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
