#!/usr/bin/env python3
"""Makes a built wheel one to hand out: checks what it needs, adds the licenses and the list of what is inside, tags it.

    tools/wheel/finish.py RAW.whl PLATFORM FOLDER [LICENSES]

LICENSES is the folder of tools/portable/qt.sh with the licenses of the libraries that the wheel carries.
The list is a CycloneDX bill of materials, where PEP 770 puts it: *.dist-info/sboms.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Linked into the programs, by the package of the distribution that they were built from.
LINKED = ["libfmt-dev", "libsimdjson-dev", "libsqlite3-dev", "libzstd-dev", "zlib1g-dev", "libdw-dev", "libelf-dev",
          "liblzma-dev", "libbz2-dev", "libmd4c-dev", "libcli11-dev", "nlohmann-json3-dev", "libstdc++-12-dev"]


def version_of(package: str) -> str:
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return found.stdout


def bill_of_materials(name: str, version: str, parts: list[tuple[str, str]]) -> str:
    return json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "name": name, "version": version,
                                   "licenses": [{"license": {"id": "GPL-3.0-or-later"}}]}},
        "components": [{"type": "library", "name": part, "version": number} for part, number in parts],
    }, indent=1)


def main() -> None:
    raw, platform, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    carried = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    wheel = [sys.executable, "-m", "wheel"]
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([*wheel, "unpack", "--dest", scratch, raw], check=True, stdout=subprocess.DEVNULL)
        root = next(Path(scratch).iterdir())
        info = next(root.glob("*.dist-info"))
        name, version = info.name[: -len(".dist-info")].split("-")

        glibc = re.search(r"_(\d+)_(\d+)_", platform)
        own = [file for file in root.rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF" and
               "qt" not in file.relative_to(root).parts]
        bundled = [file for file in root.rglob("*") if "qt" in file.relative_to(root).parts and file.is_file()]
        check = [sys.executable, Path(__file__).parents[1] / "portable" / "symbol_versions.py"]
        subprocess.run([*check, ".".join(glibc.groups()), *own], check=True)
        if bundled:
            subprocess.run([*check, "--bundled", ".".join(glibc.groups()), *bundled], check=True)

        parts = [(package, version_of(package)) for package in LINKED if version_of(package)]
        licenses = info / "licenses" / "third_party"
        licenses.mkdir(parents=True)
        for package, _ in parts:
            text = Path("/usr/share/doc") / package / "copyright"
            if text.exists():
                shutil.copy(text, licenses / f"{package}.txt")
        if carried:
            for text in carried.iterdir():
                shutil.copy(text, licenses / text.name)
            parts += [tuple(line.split()) for line in (carried / "packages.txt").read_text().splitlines()]
        (info / "sboms").mkdir()
        (info / "sboms" / f"{name}.cdx.json").write_text(bill_of_materials(name, version, parts))

        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([*wheel, "pack", "--dest", scratch, root], check=True, stdout=subprocess.DEVNULL)
        packed = next(Path(scratch).glob("*.whl"))
        subprocess.run([*wheel, "tags", "--remove", "--platform-tag", platform, packed], check=True,
                       stdout=subprocess.DEVNULL)
        for file in Path(scratch).glob("*.whl"):
            shutil.move(file, folder / file.name)


if __name__ == "__main__":
    main()
