"""Inference with large results: masks of all classes, 84 MiB a batch, go to the host. `pin`: pictures and masks in
page-locked memory, `nb`: copies that do not wait, the masks of a batch read while the next one runs."""

import torch
import torchvision

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH, SIDE, CLASSES = 8, 362, 21


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=CLASSES).to(DEVICE).eval()
    pictures = [torch.rand(BATCH, 3, SIDE, SIDE) for _ in range(4)]
    masks = [torch.empty(BATCH, CLASSES, SIDE, SIDE) for _ in range(2)]
    if PIN:
        pictures, masks = [one.pin_memory() for one in pictures], [one.pin_memory() for one in masks]
    waiting, checked, clock = None, 0.0, Clock()
    for step in range(ALL):
        found = model(pictures[step % 4].to(DEVICE, non_blocking=NON_BLOCKING))["out"]
        if NON_BLOCKING:
            masks[step % 2].copy_(found, non_blocking=True)
            event = torch.cuda.Event()
            event.record()
            if waiting:
                waiting[0].synchronize()
                checked += float(waiting[1][0, 0, 0, 0])
            waiting = event, masks[step % 2]
        elif PIN:
            masks[step % 2].copy_(found)
            checked += float(masks[step % 2][0, 0, 0, 0])
        else:
            checked += float(found.cpu()[0, 0, 0, 0])
        clock.tick()
    assert checked == checked
    clock.report(torch_wait)


main()
