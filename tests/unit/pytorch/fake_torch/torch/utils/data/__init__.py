"""Stands for torch.utils.data: importing it imports the loader, as in PyTorch."""

from torch.utils.data.dataloader import DataLoader, _DatasetKind

__all__ = ["DataLoader", "_DatasetKind"]
