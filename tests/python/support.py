"""What the tests of the Python package share: the program, and the traces of the source."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
SAMPLES = ROOT / "resources/samples"
TRACES = ROOT / "tests/data/traces"
PAGEABLE = SAMPLES / "dataloader_pageable_blocking.overlane"
PINNED = SAMPLES / "dataloader_pinned_blocking.overlane"
TWO_GPUS = SAMPLES / "two_gpus.overlane"


def program():
    from overlane._record import program_path

    return program_path()


def printed(*arguments):
    """What the command line prints with --json, and its exit code."""
    ended = subprocess.run([program(), *map(os.fspath, arguments), "--json"], capture_output=True, text=True)
    return json.loads(ended.stdout), ended.returncode


def sample_traces():
    """Every trace of the source: samples, recordings of programs, files of PyTorch and of Nsight Systems."""
    folders = (SAMPLES, TRACES)
    names = ("*.overlane", "*.json.gz", "*.sqlite")
    return sorted(path for folder in folders for name in names for path in folder.rglob(name))
