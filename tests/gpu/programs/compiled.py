"""torch.compile: a transformer of four layers is trained; batches of 8 MiB come from pageable memory on the host."""

import torch
from torch import nn

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait


def main():
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(512, 8, 2048, dropout=0.0, batch_first=True)
    model = nn.Sequential(nn.TransformerEncoder(layer, 4, enable_nested_tensor=False), nn.Linear(512, 512)).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)

    @torch.compile
    def loss_of(rows):
        return (model(rows) - rows).square().mean()

    batches = [torch.randn(16, 256, 512) for _ in range(4)]
    if PIN:
        batches = [batch.pin_memory() for batch in batches]
    clock = Clock()
    for step in range(ALL):
        rows = batches[step % 4].to(DEVICE, non_blocking=NON_BLOCKING)
        with torch.autocast(DEVICE, torch.bfloat16):
            loss = loss_of(rows)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 20 == 19:
            assert loss.item() == loss.item()
        clock.tick()
    clock.report(torch_wait)


main()
