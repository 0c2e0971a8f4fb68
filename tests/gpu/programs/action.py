"""Actions in videos: an R(2+1)D-18 in bf16 learns from clips of sixteen frames that two loader workers cut out, resize,
jitter and normalise; gradients are gathered over two batches of eight clips. An iteration is a step of the optimizer
with both its batches, the loss of each is read. The loader pins, copies wait. `w8`: eight workers, `nb`: copies that do
not wait, `nosync`: losses are added up on the GPU and read in the end."""

import torch
import torchvision
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 2)
READ_EACH = "nosync" not in WORDS
BATCH, GATHER, CLASSES, FRAMES, STRIDE, SIDE = (8, 2, 174, 16, 2, 112) if DEVICE == "cuda" else (2, 2, 174, 4, 2, 56)


class Clips(Dataset):
    """Decoded videos, kept in memory, as a cache of a small data set would."""

    def __init__(self, count=12):
        generator = torch.Generator().manual_seed(0)
        still = torch.randint(0, 256, (count, 3, 256, 400), dtype=torch.uint8, generator=generator)
        self.videos = [torch.stack([picture[:, :240, frame:frame + 320] for frame in range(64)]) for picture in still]
        self.transform = v2.Compose([
            v2.RandomResizedCrop(SIDE, scale=(0.3, 1.0), antialias=True), v2.RandomHorizontalFlip(),
            v2.ColorJitter(0.4, 0.4, 0.4, 0.1), v2.ToDtype(torch.float32, scale=True),
            v2.Normalize([0.4322, 0.3947, 0.3765], [0.2280, 0.2215, 0.2170])])

    def __len__(self):
        return BATCH * GATHER * ALL

    def __getitem__(self, index):
        video = self.videos[index % len(self.videos)]
        start = int(torch.randint(0, len(video) - FRAMES * STRIDE + 1, ()))
        clip = self.transform(video[start:start + FRAMES * STRIDE:STRIDE])
        return clip.transpose(0, 1), index % CLASSES


def main():
    torch.manual_seed(0)
    model = torchvision.models.video.r2plus1d_18(weights=None, num_classes=CLASSES).to(DEVICE).train()
    optimizer = torch.optim.SGD(model.parameters(), 0.001, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, ALL)
    loader = DataLoader(Clips(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    total, clock = 0.0, Clock()
    for count, (clips, labels) in enumerate(loader):
        clips = clips.to(DEVICE, non_blocking=NON_BLOCKING)
        labels = labels.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            scores = model(clips)
        loss = F.cross_entropy(scores.float(), labels, label_smoothing=0.1)
        (loss / GATHER).backward()
        total += loss.item() if READ_EACH else loss.detach()
        if (count + 1) % GATHER == 0:
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            clock.tick()
    print("mean loss %.4f" % (total / ALL / GATHER))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
