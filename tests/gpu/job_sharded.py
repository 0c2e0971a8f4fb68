"""A training job whose model is spread over the ranks, in which one rank may be held back on purpose.

Usage: torchrun --nproc_per_node=N job_sharded.py fsdp|pipeline [PLANT[:RANK]...] [--steps N] [--batch N]
       job_sharded.py neighbor --on GPU --signals FOLDER
fsdp shards parameters over all ranks and keeps them in host memory (fully_shard with CPUOffloadPolicy). pipeline has
two stages, of ranks 0 and 1, 2 and 3 and so on, which pass on microbatches; equal stages average their gradients.
PLANT is none, loader (its workers take longer for a batch), pageable (large batches from pageable memory, blocking) or
late-host (its host works before each step). neighbor keeps a GPU busy from FOLDER/go to FOLDER/stop and says so in
FOLDER/busy. Each rank prints its time per step for each plant in turn.
"""

import argparse
import os
import pathlib
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import CPUOffloadPolicy, fully_shard
from torch.distributed.pipelining import PipelineStage, Schedule1F1B
from torch.utils.data import DataLoader, Dataset

TOKENS = int(os.environ.get("OVERLANE_JOB_TOKENS", "256"))
WIDTH = int(os.environ.get("OVERLANE_JOB_WIDTH", "1024"))
LAYERS, MICROBATCHES, WARM_UP = 8, 8, 6
CUDA = torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"  # without a GPU: to see that it runs


class Sequences(Dataset):
    def __init__(self, count, seconds, width):
        self.count, self.seconds = count, seconds
        self.sample = torch.randn(TOKENS, width).to(torch.bfloat16)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return self.sample


def synchronize():
    if CUDA:
        torch.cuda.synchronize()


def layers(count):
    return nn.Sequential(*[nn.TransformerEncoderLayer(WIDTH, 16, 4 * WIDTH, batch_first=True, dropout=0.0)
                           for _ in range(count)]).to(DEVICE, torch.bfloat16)


class Sharded:
    """All layers on each rank, their parameters in parts in host memory."""

    def __init__(self):
        self.model = layers(LAYERS)
        offload = CPUOffloadPolicy(pin_memory=CUDA)
        for layer in self.model:
            fully_shard(layer, offload_policy=offload)
        fully_shard(self.model, offload_policy=offload)

    def step(self, batch):
        self.model(batch).float().pow(2).mean().backward()


class Pipeline:
    """Half of the layers on each rank, microbatches passed on between two ranks."""

    def __init__(self):
        mesh = init_device_mesh(DEVICE, (dist.get_world_size() // 2, 2), mesh_dim_names=("data", "stage"))
        self.equals = mesh["data"].get_group()
        self.number = mesh.get_local_rank("stage")
        self.model = layers(LAYERS // 2)
        device = torch.device("cuda", torch.cuda.current_device()) if CUDA else torch.device("cpu")
        stage = PipelineStage(self.model, self.number, 2, device, group=mesh["stage"].get_group())
        self.schedule = Schedule1F1B(stage, MICROBATCHES,
                                     loss_fn=lambda out, wanted: (out - wanted).float().pow(2).mean())

    def step(self, batch):
        if self.number == 0:
            self.schedule.step(batch)
        else:
            self.schedule.step(target=batch)
        gradients = [parameter.grad for parameter in self.model.parameters()]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat, group=self.equals)
        flat /= dist.get_world_size(self.equals)
        for gradient, part in zip(gradients, flat.split([gradient.numel() for gradient in gradients])):
            gradient.copy_(part.view_as(gradient))


def train(job, optimizer, plant, options):
    pageable = plant == "pageable"
    seconds = 0.03 if plant == "loader" else 0.0
    data = Sequences(options.batch * (options.steps + 4), seconds, WIDTH * (8 if pageable else 1))
    loader = DataLoader(data, batch_size=options.batch, num_workers=4, pin_memory=CUDA and not pageable)
    started = 0
    for step, batch in enumerate(loader):
        if step == WARM_UP:
            synchronize()
            started = time.perf_counter()
        if step == options.steps:
            break
        if plant == "late-host":
            until = time.perf_counter() + 0.02
            while time.perf_counter() < until:
                sum(range(1000))
        moved = batch.to(DEVICE, non_blocking=not pageable)
        if pageable:
            moved = batch.to(DEVICE)  # once more: a batch of twice the size
        job.step(moved[..., :WIDTH].contiguous())
        optimizer.step()
        optimizer.zero_grad()
    synchronize()
    return (time.perf_counter() - started) / (options.steps - WARM_UP) * 1e3


def keep_busy(options):
    signals = pathlib.Path(options.signals)
    while not (signals / "go").exists():
        time.sleep(0.05)
    side = 4096 if CUDA else 64
    matrix = torch.randn(side, side, device=f"cuda:{options.on}" if CUDA else "cpu", dtype=torch.bfloat16)
    while not (signals / "stop").exists():
        for _ in range(20):
            torch.mm(matrix, matrix)
        if CUDA:
            torch.cuda.synchronize(options.on)
        (signals / "busy").touch()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("kind", choices=["fsdp", "pipeline", "neighbor"])
    arguments.add_argument("plants", nargs="*", default=["none"])
    arguments.add_argument("--steps", type=int, default=int(os.environ.get("OVERLANE_JOB_STEPS", "44")))
    arguments.add_argument("--batch", type=int, default=16, help="128 and more: bound by the GPU, not the host")
    arguments.add_argument("--on", type=int, default=1)
    arguments.add_argument("--signals")
    options = arguments.parse_args()
    if options.kind == "neighbor":
        return keep_busy(options)
    rank = int(os.environ["RANK"])
    local = int(os.environ["LOCAL_RANK"])
    if CUDA:
        torch.cuda.set_device(local)
        dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    else:
        dist.init_process_group("gloo")
    torch.manual_seed(rank)
    job = Sharded() if options.kind == "fsdp" else Pipeline()
    optimizer = torch.optim.SGD(job.model.parameters(), lr=1e-3)
    for named in options.plants:
        plant, _, on = named.partition(":")
        mine = plant if rank == int(on or 1) else "none"
        taken = train(job, optimizer, mine, options)
        print(f"rank={rank} job={options.kind} plant={named} step_ms={taken:.3f}", flush=True)
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
