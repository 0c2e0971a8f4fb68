"""A job of two processes, one GPU each: batches from a DataLoader, an all-reduce of gradients in each
step, and every fourth step a copy from this process's GPU to the other one.

Usage: torchrun --nproc_per_node=2 torch_two_gpus.py [STEPS]
"""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    other = torch.device("cuda", 1 - rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    images = torch.randn(steps * 8, 3, 224, 224)
    loader = DataLoader(TensorDataset(images), batch_size=8, num_workers=2, pin_memory=True)
    weights = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    output = torch.empty_like(weights)
    gradients = torch.randn(8 << 20, device="cuda")
    mirror = torch.empty(8 << 20, device=other)
    started = 0.0
    for step, (batch,) in enumerate(loader):
        if step == 4:
            torch.cuda.synchronize()
            started = time.perf_counter()
        batch = batch.to("cuda", non_blocking=True)
        loss = batch.mean()
        for _ in range(8):
            torch.mm(weights, weights, out=output)
        dist.all_reduce(gradients)
        gradients /= 2
        if step % 4 == 3:
            mirror.copy_(gradients, non_blocking=True)
        loss.item()
    torch.cuda.synchronize()
    print(f"rank={rank} step_ms={(time.perf_counter() - started) / (steps - 4) * 1e3:.3f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
