"""Training-like loops to time with and without recording.

Usage: torch_loop.py launch|gpu|takeover [steps] [--profiler]
  launch    1600 tiny kernels a step: the host is the bottleneck
  gpu       large matrix products: the GPU is the bottleneck
  takeover  torch.profiler starts after two seconds and runs for two
Prints step_ms=<median>.
"""

import sys
import time

import torch


def launch_step(x):
    for _ in range(1600):
        x.add_(1.0)


def gpu_step(a, b, c, host, stream):
    with torch.cuda.stream(stream):
        c.copy_(host, non_blocking=True)
    for _ in range(4):
        torch.mm(a, b)
    torch.cuda.current_stream().wait_stream(stream)


def timed(step, steps, after_each=torch.cuda.synchronize):
    for _ in range(5):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        step()
        after_each()
        times.append(time.perf_counter() - start)
    times.sort()
    return times


def main():
    mode = sys.argv[1]
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    x = torch.zeros(256, device="cuda")
    if mode == "launch":
        def step():
            launch_step(x)
    else:
        a = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
        b = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
        c = torch.empty(1 << 22, device="cuda")
        host = torch.empty(1 << 22).pin_memory()
        stream = torch.cuda.Stream()

        def step():
            gpu_step(a, b, c, host, stream)
    if mode == "takeover":
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
        return
    if "--profiler" in sys.argv:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
            times = timed(step, steps)
    else:
        times = timed(step, steps)
    print(f"step_ms={times[len(times) // 2] * 1e3:.3f} min_ms={times[0] * 1e3:.3f}")


if __name__ == "__main__":
    main()
