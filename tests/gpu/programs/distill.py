"""Knowledge distillation: a ResNet-50 that no longer learns teaches a ResNet-18 in bf16; six loader workers crop and
flip pictures of bytes, the GPU normalises them; loss and accuracy are read each step. `pin`, `nb`: of batches;
`nosync`: both are read each sixteenth step only."""

import numpy as np
import torch
import torchvision
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

NO_SYNC = "nosync" in WORDS
BATCH, SIDE, CLASSES, WORKERS = (192, 224, 200, 6) if DEVICE == "cuda" else (4, 64, 10, 1)
TEMPERATURE, ALPHA = 4.0, 0.7


class Pictures(Dataset):
    def __init__(self, count=256):
        rng = np.random.default_rng(0)
        self.pictures = rng.integers(0, 256, (count, 3, SIDE + 32, SIDE + 32), np.uint8)
        self.labels = rng.integers(0, CLASSES, count)

    def __len__(self):
        return BATCH * ALL

    def __getitem__(self, index):
        top, left = np.random.randint(0, 33, 2)
        picture = self.pictures[index % len(self.pictures), :, top:top + SIDE, left:left + SIDE]
        if np.random.rand() < 0.5:
            picture = picture[:, :, ::-1]
        return torch.from_numpy(np.ascontiguousarray(picture)), int(self.labels[index % len(self.labels)])


def normalise(pictures):
    mean = torch.tensor([0.485, 0.456, 0.406], device=DEVICE).view(3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225], device=DEVICE).view(3, 1, 1)
    return ((pictures.float() / 255 - mean) / std).contiguous(memory_format=torch.channels_last)


def distillation(student, teacher, labels):
    soft = F.kl_div(F.log_softmax(student / TEMPERATURE, 1), F.softmax(teacher / TEMPERATURE, 1), reduction="batchmean")
    return ALPHA * TEMPERATURE ** 2 * soft + (1 - ALPHA) * F.cross_entropy(student, labels)


def main():
    torch.manual_seed(0)
    teacher = torchvision.models.resnet50(weights=None, num_classes=CLASSES)
    teacher = teacher.to(DEVICE, memory_format=torch.channels_last).eval().requires_grad_(False)
    student = torchvision.models.resnet18(weights=None, num_classes=CLASSES)
    student = student.to(DEVICE, memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(student.parameters(), 0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, ALL)
    loader = DataLoader(Pictures(), BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN, drop_last=True)
    history, clock = [], Clock()
    for step, (pictures, labels) in enumerate(loader):
        pictures = normalise(pictures.to(DEVICE, non_blocking=NON_BLOCKING))
        labels = labels.to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            with torch.no_grad():
                wanted = teacher(pictures)
            logits = student(pictures)
        loss = distillation(logits.float(), wanted.float(), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        right = (logits.argmax(1) == labels).float().mean()
        if not NO_SYNC or step % 16 == 15:
            history.append((loss.item(), right.item()))
        clock.tick()
    clock.report(torch_wait)
    print("loss %.3f, accuracy %.3f" % history[-1])


main()
