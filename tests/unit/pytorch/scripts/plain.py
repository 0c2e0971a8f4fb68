"""No PyTorch: says what a program could notice of the hook."""

import json
import sys

import sitecustomize

print("modules:", [name for name in sys.modules if "overlane" in name or "multiprocessing" in name])
print("path:", [path for path in sys.path if path.endswith("resources/pytorch")])
print("sitecustomize:", getattr(sitecustomize, "OWN", None), json.dumps(sys.argv[1:]))
print("to stderr", file=sys.stderr)
sys.exit(7)
