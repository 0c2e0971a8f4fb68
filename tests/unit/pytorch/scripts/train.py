"""A training loop without the training. Prints how many batches came."""

import argparse
import os
import signal
import time

from torch.utils.data import DataLoader


class Samples:
    def __init__(self, count, killed_at):
        self.count = count
        self.killed_at = killed_at

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if index == self.killed_at:
            time.sleep(1.5)  # for the batches before to be written
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.0005)
        return index


class Stream:
    def __iter__(self):
        return iter(range(20))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--context")
    parser.add_argument("--pin", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--persistent", action="store_true")
    parser.add_argument("--stream", action="store_true")
    parser.add_argument("--validate", action="store_true")
    parser.add_argument("--leave-after", type=int, default=0)
    parser.add_argument("--kill-at", type=int, default=-1)
    options = parser.parse_args()
    data = Stream() if options.stream else Samples(40, options.kill_at)
    settings = {"batch_size": 4, "num_workers": options.workers, "pin_memory": options.pin,
                "persistent_workers": options.persistent, "multiprocessing_context": options.context}
    if options.threads:
        settings["worker_method"] = "thread"
    loader = DataLoader(data, **settings)
    validation = DataLoader(Samples(8, -1), **settings)
    count = 0
    try:
        for _ in range(options.epochs):
            for at, _ in enumerate(loader, 1):
                count += 1
                time.sleep(0.001)
                if at == options.leave_after:
                    break
            if options.validate:
                for _ in validation:
                    pass
    except RuntimeError as error:
        print("error:", error)
    print("batches:", count)


if __name__ == "__main__":
    main()
