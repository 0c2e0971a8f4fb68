"""What each kind of record costs a PyTorch loop, within one process.

Usage: cost_loop.py launch|gpu|train ROUNDS SETTING...
A setting is words of cost_probe.cpp, joined by +, or NAME:WORDS. The driver must have loaded
libcost_probe.so (CUDA_INJECTION64_PATH, OVERLANE_PROBE_START=attach). Each setting is run beside the
loop with every kind off, ROUNDS times in turn; printed are the median over the rounds of the ratio of
both, of medians and of means of the steps, and the difference of the medians per operation.
"""

import ctypes
import os
import statistics
import sys

import torch

import torch_loop


def main():
    mode, rounds = sys.argv[1], int(sys.argv[2])
    settings = [argument.split(":", 1) if ":" in argument else (argument, argument) for argument in sys.argv[3:]]
    step, operations, seconds = torch_loop.loops(mode)
    probe = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"])
    probe.probe_records.restype = ctypes.c_ulong
    probe.probe_requests.restype = ctypes.c_ulong

    def block(words):
        probe.probe_set(words.encode())
        return torch_loop.timed_for(step, seconds)

    block("attach")
    block("attach")
    found = {name: [] for name, _ in settings}
    records = {}
    for turn in range(rounds):
        for name, words in settings if turn % 2 == 0 else settings[::-1]:
            bare = block("attach")
            before = probe.probe_records(), probe.probe_requests()
            recorded = block(words)
            after = probe.probe_records(), probe.probe_requests()
            records[name] = [new - old for new, old in zip(after, before)]
            found[name].append((bare, recorded))
    for name, _ in settings:
        medians = [statistics.median(r) / statistics.median(b) for b, r in found[name]]
        means = [statistics.mean(r) / statistics.mean(b) for b, r in found[name]]
        extra = [(statistics.median(r) - statistics.median(b)) / operations * 1e6 for b, r in found[name]]
        bare = statistics.median(statistics.median(b) for b, _ in found[name])
        print(f"  {mode:6} {name:34} {statistics.median(medians):.3f} [{min(medians):.3f} {max(medians):.3f}] "
              f"mean {statistics.median(means):.3f}  {statistics.median(extra):+.2f} us/op  off {bare * 1e3:.3f} ms  "
              f"records {records[name][0]} buffers {records[name][1]}")


if __name__ == "__main__":
    main()
