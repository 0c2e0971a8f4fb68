"""Federated averaging, simulated on one card: each client in turn gets the common weights from the host, trains a
ResNet-34 for three batches of its own pictures and gives its weights back to the host, where they are added to the
average; after five clients the average becomes the common weights. An iteration is a client's turn. `pin`: common
weights, those of a client and pictures in page-locked memory, `nb`: what goes to the GPU is not waited for."""

import torch
import torchvision
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

CLIENTS, ROUND, LOCAL, CLASSES = 8, 5, 3, 62
BATCH, SIDE = (64, 96) if DEVICE == "cuda" else (4, 32)


def host_empty_like(tensor):
    return torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=PIN)


class Client:
    def __init__(self, seed):
        generator = torch.Generator().manual_seed(seed)
        self.pictures = torch.rand(LOCAL * BATCH, 3, SIDE, SIDE, generator=generator)
        self.labels = torch.randint(0, CLASSES, (LOCAL * BATCH,), generator=generator)
        if PIN:
            self.pictures, self.labels = self.pictures.pin_memory(), self.labels.pin_memory()

    def train(self, model):
        optimizer = torch.optim.SGD(model.parameters(), 0.02, momentum=0.9, weight_decay=5e-4)
        total = 0.0
        for pictures, labels in zip(self.pictures.split(BATCH), self.labels.split(BATCH)):
            pictures = pictures.to(DEVICE, non_blocking=NON_BLOCKING)
            labels = labels.to(DEVICE, non_blocking=NON_BLOCKING)
            loss = F.cross_entropy(model((pictures - 0.5) / 0.25), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        return total / LOCAL


class Server:
    def __init__(self, model):
        self.common = {}
        for name, value in model.state_dict().items():
            self.common[name] = host_empty_like(value)
            self.common[name].copy_(value)
        self.total = {name: torch.zeros_like(value, pin_memory=False) for name, value in self.common.items()}
        self.given_back = {name: host_empty_like(value) for name, value in self.common.items()} if PIN else None
        self.clients = 0

    @torch.no_grad()
    def send(self, model):
        for name, value in model.state_dict().items():
            value.copy_(self.common[name], non_blocking=NON_BLOCKING)

    @torch.no_grad()
    def take(self, model):
        if PIN:
            for name, value in model.state_dict().items():
                self.given_back[name].copy_(value)
            state = self.given_back
        else:
            state = {name: value.cpu() for name, value in model.state_dict().items()}
        for name, value in state.items():
            if value.is_floating_point():
                self.total[name].add_(value, alpha=1 / ROUND)
            else:
                self.total[name].copy_(value)
        self.clients += 1
        if self.clients % ROUND == 0:
            for name, value in self.total.items():
                self.common[name].copy_(value)
                value.zero_()


def main():
    torch.manual_seed(0)
    model = torchvision.models.resnet34(weights=None, num_classes=CLASSES).to(DEVICE).train()
    clients = [Client(seed) for seed in range(CLIENTS)]
    server = Server(model)
    total, clock = 0.0, Clock()
    for turn in range(ALL):
        server.send(model)
        total += clients[turn * 3 % CLIENTS].train(model)
        server.take(model)
        clock.tick()
    print("mean loss %.4f" % (total / ALL))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
