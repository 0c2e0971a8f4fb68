#!/usr/bin/env bash
# Installs the command line of a build below a fresh prefix and sees that it finds its own parts there, and not those
# of the build: installed.sh BUILD
set -euo pipefail

prefix=$(mktemp -d "${TMPDIR:-/tmp}/overlane-installed-XXXXXX")
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix/here" --component overlane >/dev/null
mv "$prefix/here" "$prefix/there"  # wherever it is moved
overlane=$prefix/there/bin/overlane

fail() { echo "installed.sh: $*" >&2; exit 1; }
found=$("$overlane" doctor --json --for open --python /nowhere/python)
for built in "$1"/lib/overlane/*.so; do
  [ -e "$built" ] || continue  # no CUDA here
  part=$prefix/there/lib/overlane/${built##*/}
  grep -qF "\"$part\"" <<<"$found" || fail "$part is not found by the program"
done
grep -q '"subject": "window"' <<<"$found" || fail "the doctor's answer is cut off"
"$overlane" --version | grep -q 'PyTorch hook yes' || fail "the hook for PyTorch is not found"
"$overlane" info "$prefix/there/share/overlane/samples/two_gpus.overlane" >/dev/null || [ ! -d "$prefix/there/share/overlane/samples" ] ||
  fail "a sample does not open"
