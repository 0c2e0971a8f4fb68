"""A data-parallel training job, one process a GPU, in which one rank may be held back on purpose.

Usage: torchrun --nproc_per_node=N job_train.py [--plant KIND] [--on RANK] [--steps N] [--batch N] [--profile FOLDER]
KIND: none; loader (its workers take longer for a batch), pageable (large batches from pageable memory, blocking),
busy-gpu (another process works on its GPU), late-host (its host works before each step).
With --profile each rank writes FOLDER/rankN.json.gz with torch.profiler. Each rank prints its time per step.
"""

import argparse
import contextlib
import multiprocessing
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset

TOKENS, WIDTH, LAYERS = 256, 1024, 12
WARM_UP = 6


class Sequences(Dataset):
    def __init__(self, count, seconds, width):
        self.count, self.seconds = count, seconds
        self.sample = torch.randn(TOKENS, width)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return self.sample


def keep_busy(device, started, stop):
    torch.cuda.set_device(device)
    matrix = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    while not stop.is_set():
        for _ in range(20):
            torch.mm(matrix, matrix)
        torch.cuda.synchronize()
        started.set()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--plant", default="none")
    arguments.add_argument("--on", type=int, default=1)
    arguments.add_argument("--steps", type=int, default=40)
    arguments.add_argument("--batch", type=int, default=16, help="64 and more: bound by the GPU, not the host")
    arguments.add_argument("--profile")
    options = arguments.parse_args()
    rank = int(os.environ["RANK"])
    local = int(os.environ["LOCAL_RANK"])
    plant = options.plant if rank == options.on else "none"
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    torch.manual_seed(rank)

    neighbor = None
    if plant == "busy-gpu":
        spawn = multiprocessing.get_context("spawn")
        begun, stop = spawn.Event(), spawn.Event()
        neighbor = spawn.Process(target=keep_busy, args=(local, begun, stop), daemon=True)
        neighbor.start()
        begun.wait(60)

    layer = nn.TransformerEncoderLayer(WIDTH, 16, 4 * WIDTH, batch_first=True, dropout=0.0)
    model = nn.TransformerEncoder(layer, LAYERS).cuda().to(torch.bfloat16)
    model = DistributedDataParallel(model, device_ids=[local])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    seconds = 0.02 if plant == "loader" else 0.0
    wide = WIDTH * 4 if plant == "pageable" else WIDTH
    loader = DataLoader(Sequences(options.batch * (options.steps + 4), seconds, wide), batch_size=options.batch,
                        num_workers=4, pin_memory=plant != "pageable")

    profiler = contextlib.nullcontext()
    if options.profile:
        os.makedirs(options.profile, exist_ok=True)
        profiler = torch.profiler.profile(
            schedule=torch.profiler.schedule(wait=WARM_UP, warmup=2, active=12, repeat=1),
            on_trace_ready=lambda done: done.export_chrome_trace(f"{options.profile}/rank{rank}.json.gz"))
    started = steps = 0
    with profiler as running:
        for step, batch in enumerate(loader):
            if step == WARM_UP:
                torch.cuda.synchronize()
                started = time.perf_counter()
            if step == options.steps:
                break
            if plant == "late-host":
                until = time.perf_counter() + 0.015
                while time.perf_counter() < until:
                    sum(range(1000))
            batch = batch.to("cuda", non_blocking=plant != "pageable")[..., :WIDTH].to(torch.bfloat16)
            loss = model(batch).float().pow(2).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            steps = step + 1
            if running:
                running.step()
        torch.cuda.synchronize()
    print(f"rank={rank} plant={plant} step_ms={(time.perf_counter() - started) / (steps - WARM_UP) * 1e3:.3f}", flush=True)
    dist.barrier()
    if neighbor:
        stop.set()
        neighbor.join(10)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
