"""A training loop that copies its batches to a GPU. Says what its loaders are set to."""

import argparse
import subprocess
import time

import torch
from torch.utils.data import DataLoader


class Samples:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(0.0005)
        return torch.Tensor()


class Stream:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(torch.Tensor() for _ in range(self.count))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--stream", action="store_true")
    parser.add_argument("--fail-with-workers", action="store_true")
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    if options.child:
        print("child", subprocess.Popen(["sleep", "600"]).pid, flush=True)
        time.sleep(600)
    validation = DataLoader(Samples(8), batch_size=4)
    data = Stream(options.samples) if options.stream else Samples(options.samples)
    loader = DataLoader(data, batch_size=4, num_workers=options.workers)
    print("validation: %d, training: %d" % (validation.num_workers, loader.num_workers), flush=True)
    if options.fail_with_workers and loader.num_workers:
        raise RuntimeError("cannot fork here")
    for epoch in range(3):
        for batch in validation:
            pass
        for batch in loader:
            [one.to("cuda") for one in batch]
            del batch
            torch.Tensor(pinned=True).cuda()  # not the loader's, though perhaps where a batch has been
    print("the end")


if __name__ == "__main__":
    main()
