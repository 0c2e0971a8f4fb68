#!/usr/bin/env python3
"""Fails if a program or library asks for a newer glibc than said, or for a library that may not be installed.

    tools/portable/symbol_versions.py [--bundled] 2.28 FILE...

Of files that are bundled with all they need, only the glibc is checked, and the newest named.
"""

import re
import subprocess
import sys
from pathlib import Path

# What each Linux system has, whatever else is installed.
SYSTEM = re.compile(r"(ld-linux-x86-64|libc|libm|libpthread|libdl|librt|libutil|libgcc_s)\.so|libQt6")


def glibc_versions(file: Path) -> set[tuple[int, ...]]:
    symbols = subprocess.run(["objdump", "-T", file], check=True, capture_output=True, text=True).stdout
    return {tuple(map(int, version.split("."))) for version in re.findall(r"\bGLIBC_([0-9.]+)", symbols)}


def needed(file: Path) -> list[str]:
    dynamic = subprocess.run(["objdump", "-p", file], check=True, capture_output=True, text=True).stdout
    return re.findall(r"NEEDED\s+(\S+)", dynamic)


def main() -> int:
    arguments = sys.argv[1:]
    bundled = arguments[0] == "--bundled"
    if bundled:
        del arguments[0]
    newest = tuple(map(int, arguments[0].split(".")))
    failures = 0
    for file in map(Path, arguments[1:]):
        version = max(glibc_versions(file), default=())
        foreign = [] if bundled else [name for name in needed(file) if not SYSTEM.match(name)]
        if not bundled:
            print(f"{file.name}: glibc {'.'.join(map(str, version))}, {file.stat().st_size / 2**20:.1f} MiB")
        if version > newest:
            print(f"{file.name} needs glibc {'.'.join(map(str, version))}, newer than {arguments[0]}")
            failures += 1
        if foreign:
            print(f"{file.name} needs what may not be installed: {', '.join(foreign)}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
