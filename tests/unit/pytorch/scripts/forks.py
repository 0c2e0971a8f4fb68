"""A loader used before and after a fork; the child has a second one, and goes on with a loop that was begun."""

import os

from torch.utils.data import DataLoader


def main():
    # The child of a fork cannot ask its parent's fork server for workers, as it would from Python 3.14 on.
    first = DataLoader(range(40), batch_size=4, num_workers=2, multiprocessing_context="fork")
    count = sum(1 for _ in first)
    begun = iter(DataLoader(range(12), batch_size=4))
    next(begun)
    next(begun)
    child = os.fork()
    if child == 0:
        count = sum(1 for _ in begun) + sum(1 for _ in first) + sum(1 for _ in DataLoader(range(20), batch_size=4))
        print("child:", count, flush=True)
    else:
        _, status = os.waitpid(child, 0)
        count += sum(1 for _ in first)
        print("parent:", count, "status:", status)


if __name__ == "__main__":
    main()
