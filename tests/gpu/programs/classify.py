"""A picture classifier as a first program is: the loader as PyTorch has it, copies that wait, the loss read each time.

Words: `w4` for four workers, and so on.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

BATCH = 64
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)


class Pictures(Dataset):
    def __init__(self):
        self.scene = torch.rand(3, 320, 320)

    def __len__(self):
        return BATCH * (ALL + 1)

    def __getitem__(self, index):
        left, top = index % 96, index // 96 % 96
        picture = self.scene[:, top:top + 224, left:left + 224]
        return (picture.flip(2) - 0.45) / 0.225, index % 10


def main():
    import torchvision

    torch.manual_seed(0)
    net = torchvision.models.resnet18(num_classes=10).to(DEVICE)
    optimizer = torch.optim.SGD(net.parameters(), 1e-3)
    loss_of = nn.CrossEntropyLoss()
    loader = DataLoader(Pictures(), batch_size=BATCH, shuffle=True, num_workers=WORKERS, pin_memory=PIN)
    clock = Clock()
    total = 0.0
    for count, (pictures, labels) in enumerate(loader):
        pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
        labels = labels.to(DEVICE, non_blocking=NON_BLOCKING)
        loss = loss_of(net(pictures), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        clock.tick()
        if count + 1 == ALL:
            break
    clock.report(torch_wait)


main()
