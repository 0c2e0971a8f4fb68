"""Stands for torch.utils."""
