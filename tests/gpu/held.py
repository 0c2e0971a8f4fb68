"""Runs a Python program that waits, once its libraries are imported, for a line on standard input.

Usage: held.py MODULE,MODULE SCRIPT [ARGUMENT...]. Prints "ready", waits, then runs the script as if it had been
started itself. So programs import side by side and run one after the other.
"""

import importlib
import runpy
import sys
import os

for module in filter(None, sys.argv[1].split(",")):
    importlib.import_module(module)
print("ready", flush=True)
sys.stdin.readline()
sys.argv = sys.argv[2:]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
