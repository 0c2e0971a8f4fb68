#!/usr/bin/env bash
# check.py in the environment that install.sh made, where it did.
#
#   tests/perfetto/run.sh --overlane PROGRAM [--pictures FOLDER] [TRACE ...]
cd "$(dirname "$0")/../.." || exit 1
python=build/perfetto/bin/python
[ -x "$python" ] || python=python3
exec "$python" tests/perfetto/check.py "$@"
