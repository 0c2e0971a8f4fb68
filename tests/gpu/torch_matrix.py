"""A training loop fed by torch.utils.data.DataLoader, with everything that decides whether its copies
hide as an option. Plain user code: it knows nothing of who may be recording it.

Prints one line of JSON: wall time of a step (from the first step after the warm-up to the end of the
last one's work on the GPU, divided by their number), the times between steps, and the settings. The
epoch is longer than that: it is left in the middle, with every worker at work.
"""

import argparse
import itertools
import json
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset

SAMPLE_BYTES = 3 * 224 * 224 * 4
MATRIX = 4096


class Images(Dataset):
    """Samples of one image's size, each after some time of decoding on one core."""

    def __init__(self, count, decode_us):
        self.count = count
        self.decode_us = decode_us
        self.source = torch.randn(8, 3, 224, 224)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        end = time.perf_counter() + self.decode_us * 1e-6
        while time.perf_counter() < end:
            pass
        return self.source[index % 8], index


class SidePrefetcher:
    """Copies the next batches in a stream of its own while the present one is computed."""

    def __init__(self, loader, depth, non_blocking):
        self.batches = iter(loader)
        self.depth = depth
        self.non_blocking = non_blocking
        self.stream = torch.cuda.Stream()
        self.ready = []

    def fill(self):
        while len(self.ready) < self.depth:
            batch = next(self.batches, None)
            if batch is None:
                return
            with torch.cuda.stream(self.stream):
                images = batch[0].to("cuda", non_blocking=self.non_blocking)
                labels = batch[1].to("cuda", non_blocking=self.non_blocking)
                copied = torch.cuda.Event()
                copied.record()
            self.ready.append((images, labels, copied))

    def __iter__(self):
        self.fill()
        while self.ready:
            images, labels, copied = self.ready.pop(0)
            current = torch.cuda.current_stream()
            current.wait_event(copied)
            images.record_stream(current)
            labels.record_stream(current)
            # Before the loop computes and waits: a copy asked for after loss.item() finds no kernel to hide under.
            self.fill()
            yield images, labels


def same_stream(loader, non_blocking):
    for images, labels in loader:
        yield images.to("cuda", non_blocking=non_blocking), labels.to("cuda", non_blocking=non_blocking)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=50, help="timed, after the warm-up")
    parser.add_argument("--warm-up", type=int, default=25)
    parser.add_argument("--held", action="store_true",
                        help="say 'ready' once CUDA runs, and start the loader at a line of input")
    parser.add_argument("--samples", type=int, default=64, help="of a batch; 588 KiB each")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--prefetch-factor", type=int, default=2)
    parser.add_argument("--decode-us", type=float, default=50, help="time of a worker for a sample")
    parser.add_argument("--pin-memory", action="store_true")
    parser.add_argument("--non-blocking", action="store_true")
    parser.add_argument("--side-stream", type=int, default=0, metavar="DEPTH", help="0: the stream of the kernels")
    parser.add_argument("--products", type=int, default=20, help="matrix products of a step, 0.2 ms each on an H200")
    parser.add_argument("--item-every", type=int, default=1, help="steps between loss.item(); 0: never")
    return parser.parse_args()


def main():
    options = parse()
    steps = options.warm_up + options.steps
    # As much again as workers and prefetcher hold in advance.
    batches_in_all = steps + options.workers * options.prefetch_factor + options.side_stream + 1
    loader = DataLoader(
        Images(batches_in_all * options.samples, options.decode_us),
        batch_size=options.samples,
        num_workers=options.workers,
        pin_memory=options.pin_memory,
        prefetch_factor=options.prefetch_factor if options.workers else None,
    )
    weights = torch.randn(MATRIX, MATRIX, device="cuda", dtype=torch.bfloat16)
    state = torch.randn(MATRIX, MATRIX, device="cuda", dtype=torch.bfloat16)
    output = torch.empty_like(state)
    torch.mm(state, weights, out=output)
    torch.cuda.synchronize()
    if options.held:
        print("ready", flush=True)
        sys.stdin.readline()
    if options.side_stream:
        batches = SidePrefetcher(loader, options.side_stream, options.non_blocking)
    else:
        batches = same_stream(loader, options.non_blocking)

    marks = []
    started = 0.0
    for step, (images, labels) in enumerate(itertools.islice(batches, steps)):
        if step == options.warm_up:
            torch.cuda.synchronize()
            started = time.perf_counter()
            marks.append(started)
        loss = images.mean() + labels.float().mean()
        for _ in range(options.products):
            torch.mm(state, weights, out=output)
        loss = loss + output[0, 0]
        if options.item_every and (step + 1) % options.item_every == 0:
            loss.item()
        if step >= options.warm_up:
            marks.append(time.perf_counter())
    torch.cuda.synchronize()
    wall = time.perf_counter() - started
    gaps = sorted(after - before for before, after in zip(marks, marks[1:]))
    print(json.dumps({
        "step_ms": round(wall / options.steps * 1e3, 4),
        "median_ms": round(gaps[len(gaps) // 2] * 1e3, 4),
        "p10_ms": round(gaps[len(gaps) // 10] * 1e3, 4),
        "p90_ms": round(gaps[len(gaps) * 9 // 10] * 1e3, 4),
        "batch_bytes": options.samples * (SAMPLE_BYTES + 8),
        **vars(options),
    }), flush=True)


if __name__ == "__main__":
    main()
