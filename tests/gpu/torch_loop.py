"""Training-like loops to time with and without recording.

Usage: torch_loop.py launch|gpu|train|takeover [steps] [--profiler]
  launch    1600 tiny kernels a step: the host is the bottleneck
  gpu       four large matrix products and a copy a step, waited for: 0.75 ms
  train     a transformer is trained, ten steps between two waits: the GPU is the bottleneck
  takeover  torch.profiler starts after two seconds and runs for two
Prints step_ms=<median> min_ms= mean_ms=.
"""

import sys
import time

import torch


def launch_loop():
    x = torch.zeros(256, device="cuda")

    def step():
        for _ in range(1600):
            x.add_(1.0)
    return step, 1600


def gpu_loop():
    a = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    c = torch.empty(1 << 22, device="cuda")
    host = torch.empty(1 << 22).pin_memory()
    stream = torch.cuda.Stream()

    def step():
        with torch.cuda.stream(stream):
            c.copy_(host, non_blocking=True)
        for _ in range(4):
            torch.mm(a, b)
        torch.cuda.current_stream().wait_stream(stream)
    return step, 6


def train_loop():
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    host = torch.randn(16, 512, 1024).pin_memory()

    def step():
        for _ in range(10):
            batch = host.cuda(non_blocking=True)
            with torch.autocast("cuda", torch.bfloat16):
                loss = model(batch).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    return step, 10


# A step, how many operations it has, and for how many seconds it is worth timing.
def loops(mode):
    make, seconds = {"launch": (launch_loop, 0.15), "train": (train_loop, 0.4)}.get(mode, (gpu_loop, 0.1))
    step, operations = make()
    return step, operations, seconds


def timed(step, steps):
    for _ in range(5):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return times


def timed_for(step, seconds):
    step()
    torch.cuda.synchronize()
    times = []
    while sum(times) < seconds or len(times) < 3:
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return times


def takeover(step):
    start = time.time()
    while time.time() - start < 2:
        step()
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        start = time.time()
        while time.time() - start < 2:
            step()
        torch.cuda.synchronize()
    kernels = sum(1 for event in profile.events() if "gemm" in event.name or "nvjet" in event.name)
    print(f"profiler_kernels={kernels}")


def main():
    mode = sys.argv[1]
    steps = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 60
    step, _, _ = loops(mode)
    if mode == "takeover":
        return takeover(step)
    if "--profiler" in sys.argv:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
            times = timed(step, steps)
    else:
        times = timed(step, steps)
    mean = sum(times) / len(times)
    times.sort()
    print(f"step_ms={times[len(times) // 2] * 1e3:.3f} min_ms={times[0] * 1e3:.3f} mean_ms={mean * 1e3:.3f}")


if __name__ == "__main__":
    main()
