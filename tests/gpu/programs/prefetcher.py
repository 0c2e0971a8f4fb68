"""ImageNet in the manner of NVIDIA's examples: bytes are collated and pinned by the loader, a prefetcher copies and
normalises the next batch on a stream of its own while ResNet-50 trains in bf16."""

import random

import torch
import torchvision
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, Clock, torch_wait

BATCH = 128


class Bytes(Dataset):
    def __init__(self):
        self.store = torch.randint(0, 255, (64, 3, 256, 256), dtype=torch.uint8)

    def __len__(self):
        return BATCH * (ALL + 40)

    def __getitem__(self, index):
        top, left = random.randrange(32), random.randrange(32)
        return self.store[index % 64, :, top:top + 224, left:left + 224], index % 1000


class DataPrefetcher:
    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([123.675, 116.28, 103.53], device="cuda").view(1, 3, 1, 1)
        self.std = torch.tensor([58.395, 57.12, 57.375], device="cuda").view(1, 3, 1, 1)
        self.preload()

    def preload(self):
        try:
            self.next_input, self.next_target = next(self.loader)
        except StopIteration:
            self.next_input = self.next_target = None
            return
        with torch.cuda.stream(self.stream):
            self.next_input = self.next_input.cuda(non_blocking=True)
            self.next_target = self.next_target.cuda(non_blocking=True)
            self.next_input = self.next_input.float().sub_(self.mean).div_(self.std)
            self.next_input = self.next_input.contiguous(memory_format=torch.channels_last)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        data, target = self.next_input, self.next_target
        if data is not None:
            data.record_stream(torch.cuda.current_stream())
            target.record_stream(torch.cuda.current_stream())
        self.preload()
        return data, target


def main():
    torch.backends.cudnn.benchmark = True
    model = torchvision.models.resnet50().to(DEVICE, memory_format=torch.channels_last)
    criterion = torch.nn.CrossEntropyLoss().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    loader = DataLoader(Bytes(), BATCH, num_workers=8, pin_memory=True)
    clock = Clock()
    prefetcher = DataPrefetcher(loader)
    data, target = prefetcher.next()
    step = 0
    while data is not None:
        with torch.autocast("cuda", torch.bfloat16):
            loss = criterion(model(data), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print("%d: %.3f" % (step, loss.item()))
        step += 1
        clock.tick()
        if step == ALL:
            break
        data, target = prefetcher.next()
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
