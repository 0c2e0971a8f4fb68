"""What recording costs a PyTorch loop: each process runs it bare first, then recorded.

Usage: cost_runs.py launch|gpu|train ROUNDS VARIANT...
A variant is `bare`, `kinds:LIST` (what the collector is to record), or `probe:WORDS[@WORDS...]` (words
of cost_probe.cpp, set one after the other). The library is in the process from the start; CUPTI comes
when the loop has run bare. Printed: the median of the ratios of a process's median steps, recorded over
bare, with the range and, from eight processes on, the quartiles; the same of the means; and both
medians. PyTorch is imported once: runs are forked before CUDA starts.
"""

import ctypes
import mmap
import os
import shutil
import statistics
import struct
import sys
import tempfile
import time

import torch  # noqa: F401  so that no fork has to

import torch_loop

HERE = os.path.dirname(os.path.abspath(__file__))
WAIT, RECORD = 0, 1
CONTROL_MAGIC = 0x4C54564F  # of core/spool/record_control.cpp


def control_page(folder):
    path = os.path.join(folder, "control")
    with open(path, "wb") as file:
        file.write(struct.pack("<III", CONTROL_MAGIC, 1, WAIT).ljust(4096, b"\0"))
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), 4096)


def in_child(mode, variant, seconds):
    """Times of the steps bare and recorded."""
    what, _, words = variant.partition(":")
    folder = tempfile.mkdtemp()
    control = None
    if what == "kinds":
        library = os.path.join(HERE, "liboverlane-inject.so")
        control = control_page(folder)
        os.environ.update(OVERLANE_SPOOL_DIR=folder, OVERLANE_RECORD_KINDS=words, CUDA_INJECTION64_PATH=library,
                          NVTX_INJECTION64_PATH=library)
    elif what == "probe":
        os.environ.update(OVERLANE_PROBE_START="none", CUDA_INJECTION64_PATH=os.path.join(HERE, "libcost_probe.so"))
    step, _, _ = torch_loop.loops(mode)
    torch_loop.timed(step, 5)
    bare = torch_loop.timed_for(step, seconds)
    if what == "kinds":
        control[8:12] = struct.pack("<I", RECORD)
        time.sleep(0.25)  # looked at ten times a second
    for part in words.split("@") if what == "probe" else []:
        ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).probe_set(part.encode())
        torch_loop.timed(step, 1)
    torch_loop.timed(step, 3)
    recorded = torch_loop.timed_for(step, seconds)
    shutil.rmtree(folder)
    return bare, recorded


def run(mode, variant, seconds):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            bare, recorded = in_child(mode, variant, seconds)
            text = " ".join(repr(of(times)) for of in (statistics.median, statistics.mean) for times in (bare, recorded))
            os.write(write, text.encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return [float(word) for word in text.split()] if text else None


def main():
    mode, rounds, variants = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    seconds = float(os.environ.get("SECONDS_A_RUN", "0.25"))
    found = {variant: [] for variant in variants}
    for turn in range(rounds):
        for variant in variants if turn % 2 == 0 else variants[::-1]:
            if result := run(mode, variant, seconds):
                found[variant].append(result)
    for variant, results in found.items():
        if not results:
            print(f"  {mode:6} {variant}: no result")
            continue
        ratios = [recorded / bare for bare, recorded, _, _ in results]
        means = [recorded / bare for _, _, bare, recorded in results]
        bare, recorded = (statistics.median(column) * 1e3 for column in list(zip(*results))[:2])
        low, _, high = statistics.quantiles(ratios, n=4) if len(ratios) >= 8 else [None] * 3
        quartiles = f" quartiles {low:.3f} {high:.3f}" if low else ""
        print(f"  {mode:6} {variant:60} {statistics.median(ratios):.3f} [{min(ratios):.3f} {max(ratios):.3f}]{quartiles} "
              f"mean {statistics.median(means):.3f}  {bare:.3f} -> {recorded:.3f} ms", flush=True)


if __name__ == "__main__":
    main()
