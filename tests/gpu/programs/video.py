"""Video analytics: chunks of 24 frames in page-locked memory are sent on a stream of their own; three networks (a
segmenter, an embedder, a classifier) each run on another stream; results come back into page-locked memory, and the
chunk before is read while this one runs. An iteration is a chunk."""

import torch
import torchvision
from torch import nn

from steps import ALL, DEVICE, Clock, torch_wait

FRAMES, HEIGHT, WIDTH = 24, 288, 512


def segmenter():
    layers, width = [], 3
    for out in (64, 96, 96, 64):
        layers += [nn.Conv2d(width, out, 3, padding=1), nn.ReLU()]
        width = out
    return nn.Sequential(*layers, nn.Conv2d(width, 8, 1))


class Slot:
    """What one chunk needs; two take turns."""

    def __init__(self):
        self.frames = torch.empty(FRAMES, 3, HEIGHT, WIDTH, dtype=torch.uint8, device=DEVICE)
        self.masks = torch.empty(FRAMES, HEIGHT, WIDTH, dtype=torch.uint8, pin_memory=True)
        self.vectors = torch.empty(FRAMES, 512, dtype=torch.float16, pin_memory=True)
        self.classes = torch.empty(FRAMES, dtype=torch.int64, pin_memory=True)
        self.sent, self.done = torch.cuda.Event(), [torch.cuda.Event() for _ in range(3)]


@torch.no_grad()
def main():
    nets = [segmenter(), torchvision.models.resnet18(num_classes=512), torchvision.models.resnet34(num_classes=400)]
    nets = [net.eval().to(DEVICE).half() for net in nets]
    copies, streams = torch.cuda.Stream(), [torch.cuda.Stream() for _ in nets]
    video = [torch.randint(0, 255, (FRAMES, 3, HEIGHT, WIDTH), dtype=torch.uint8).pin_memory() for _ in range(5)]
    slots, tally = [Slot(), Slot()], torch.zeros(8, dtype=torch.int64)
    clock = Clock()
    for chunk in range(ALL):
        slot = slots[chunk % 2]
        with torch.cuda.stream(copies):
            for done in slot.done:
                copies.wait_event(done)
            slot.frames.copy_(video[chunk % 5], non_blocking=True)
            slot.sent.record()
        for net, stream, done, which in zip(nets, streams, slot.done, range(3)):
            with torch.cuda.stream(stream):
                stream.wait_event(slot.sent)
                out = net(slot.frames.half().div_(255))
                if which == 0:
                    slot.masks.copy_(out.argmax(1).byte(), non_blocking=True)
                elif which == 1:
                    slot.vectors.copy_(nn.functional.normalize(out), non_blocking=True)
                else:
                    slot.classes.copy_(out.argmax(1), non_blocking=True)
                done.record()
        if chunk > 0:
            before = slots[(chunk - 1) % 2]
            for done in before.done:
                done.synchronize()
            tally += torch.bincount(before.masks[::8].flatten().long(), minlength=8)
        clock.tick()
    clock.report(torch_wait)


main()
