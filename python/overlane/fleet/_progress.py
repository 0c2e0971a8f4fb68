"""How far a scan is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List


@dataclass
class Progress:
    """How far a scan is; handed to the caller after each file, and returned at the end."""

    #: Files found and looked at so far; final once ``listing`` is False.
    found: int = 0
    #: Of them: in the data set already, as they are now.
    skipped: int = 0
    #: Read in this scan, those with an error included.
    done: int = 0
    #: Of them: with an error.
    failed: int = 0
    #: Since the first file was read.
    seconds: float = 0.0
    #: Files are still being looked for.
    listing: bool = True
    #: Folders that could not be listed.
    unlisted: List[str] = field(default_factory=list)

    @property
    def left(self) -> int:
        """Files that are still to be read."""
        return self.found - self.skipped - self.done

    @property
    def per_second(self) -> float:
        """Files read per second since the first of this scan; 0 up to it."""
        return (self.done - 1) / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        if self.listing:
            return f"{self.found:,} traces found"
        words = f"{self.done:,} done, {self.failed:,} failed, {self.per_second:.3g} per second, {self.left:,} left"
        if self.left and self.per_second > 0:
            seconds = round(self.left / self.per_second)
            words += f" ({seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02})"
        return words
