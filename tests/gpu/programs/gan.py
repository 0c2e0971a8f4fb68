"""A GAN: two networks and two optimizers, trained in turns on each batch of a DataLoader with four workers."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH = 256


class Pictures(Dataset):
    def __len__(self):
        return BATCH * (ALL + 40)

    def __getitem__(self, index):
        picture = torch.full((3, 64, 64), float(index % 7) / 7)
        return picture.roll(index % 64, 2) + 0.1 * torch.rand(3, 64, 64)


def generator():
    layers, width = [nn.ConvTranspose2d(100, 512, 4), nn.ReLU()], 512
    while width > 64:
        layers += [nn.ConvTranspose2d(width, width // 2, 4, 2, 1), nn.BatchNorm2d(width // 2), nn.ReLU()]
        width //= 2
    return nn.Sequential(*layers, nn.ConvTranspose2d(width, 3, 4, 2, 1), nn.Tanh())


def discriminator():
    layers, width = [nn.Conv2d(3, 64, 4, 2, 1), nn.LeakyReLU(0.2)], 64
    while width < 512:
        layers += [nn.Conv2d(width, width * 2, 4, 2, 1), nn.BatchNorm2d(width * 2), nn.LeakyReLU(0.2)]
        width *= 2
    return nn.Sequential(*layers, nn.Conv2d(width, 1, 4), nn.Flatten())


def main():
    torch.manual_seed(0)
    makes, judges = generator().to(DEVICE), discriminator().to(DEVICE)
    optimizers = [torch.optim.Adam(net.parameters(), 2e-4, betas=(0.5, 0.999)) for net in (makes, judges)]
    loss_of = nn.functional.binary_cross_entropy_with_logits
    loader = DataLoader(Pictures(), batch_size=BATCH, num_workers=4, pin_memory=PIN)
    real, fake = torch.ones(BATCH, 1, device=DEVICE), torch.zeros(BATCH, 1, device=DEVICE)
    clock = Clock()
    for count, pictures in enumerate(loader):
        pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
        made = makes(torch.randn(BATCH, 100, 1, 1, device=DEVICE))
        optimizers[1].zero_grad()
        judged = loss_of(judges(pictures), real) + loss_of(judges(made.detach()), fake)
        judged.backward()
        optimizers[1].step()
        optimizers[0].zero_grad()
        fooled = loss_of(judges(made), real)
        fooled.backward()
        optimizers[0].step()
        losses = judged.item(), fooled.item()
        assert all(value == value for value in losses)
        clock.tick()
        if count + 1 == ALL:
            break
    clock.report(torch_wait)


main()
