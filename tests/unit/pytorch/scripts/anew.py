"""A loop whose workers start anew. As a trial it ends in the middle of the loop, and prints nothing."""

from torch.utils.data import DataLoader


def main():
    for _ in DataLoader(range(100_000), batch_size=4, num_workers=2, multiprocessing_context="spawn"):
        pass
    print("the end")


if __name__ == "__main__":
    main()
