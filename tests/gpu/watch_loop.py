"""A training loop that says what its steps took, before and behind a moment.

Usage: watch_loop.py launch|gpu SECONDS SPLIT_SECONDS
  launch  many small kernels a step: the host is the bottleneck
  gpu     large matrix products: the GPU is the bottleneck
Prints steps, and medians in ms of those before SPLIT_SECONDS and of those behind, with mean and 99th percentile.
"""

import statistics
import sys
import time

import torch


def model_of(mode):
    width, layers, batch = (64, 40, 64) if mode == "launch" else (4096, 8, 4096)
    model = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU())
                                  for _ in range(layers)])
    return model.cuda(), torch.randn(batch, width).pin_memory()


def main():
    mode, seconds, split = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    model, host = model_of(mode)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, foreach=mode != "launch")
    for _ in range(20):
        model(host.cuda(non_blocking=True)).square().mean().backward()
    torch.cuda.synchronize()
    times = []
    begin = last = time.perf_counter()
    while last - begin < seconds:
        loss = model(host.cuda(non_blocking=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        now = time.perf_counter()
        times.append((last - begin, (now - last) * 1e3))
        last = now
    before = [ms for at, ms in times[20:] if at < split]
    behind = [ms for at, ms in times if at >= split]
    print("steps=%d before_ms=%.3f behind_ms=%.3f mean_ms=%.3f p99_ms=%.3f" % (
        len(times), statistics.median(before), statistics.median(behind), statistics.mean(behind),
        sorted(behind)[len(behind) * 99 // 100]))


if __name__ == "__main__":
    main()
