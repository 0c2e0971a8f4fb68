#!/usr/bin/env bash
# Runs in the folder with the wheels, see test.sh; --bare: inside a system that must have no compiler and no Qt.
set -euo pipefail
cd "$(dirname "$0")"

# expect WORDS COMMAND...: its output must have these words.
expect() {
  local words=$1 output
  shift
  if ! output=$("$@" 2>&1) || ! grep -q -- "$words" <<< "$output"; then
    echo "FAILED: $* did not say \"$words\":"
    echo "$output"
    exit 1
  fi
  echo "ok: $*"
}

if [ "${1:-}" = --bare ] && command -v gcc qmake6 > /dev/null; then
  echo "This system is not bare"
  exit 1
fi
window=no
newest=$(printf '%s\n' 2.34 "$(ldd --version | sed -n '1s/.* //p')" | sort -V | tail -n 1)
if [ "$newest" != 2.34 ] && ls overlane_ui-*.whl > /dev/null 2>&1; then
  window=yes
fi

begin=$(date +%s%N)
python3 -m venv python
source python/bin/activate
pip install --quiet --no-index --find-links . overlane
if [ "$window" = yes ]; then
  pip install --quiet --no-index --find-links . 'overlane[ui]'
fi
expect "3. The same program" overlane demo
echo "from nothing to the demo's answer: $((($(date +%s%N) - begin) / 1000000)) ms"
expect "overlane 0" overlane --version

# What the driver would do: load the library that the environment names.
export FAKE_CUDA=$PWD/libcuda.so.1 OVERLANE_CUPTI=$PWD/libcuda.so.1
expect "own output" overlane record -o recorded.overlane -- \
  sh -c './injected_program "$CUDA_INJECTION64_PATH" work=200 flushed work=200; test $? = 7'
expect '"kernels": 400' overlane info --json recorded.overlane
expect "400" python3 -c "
import overlane
trace = overlane.open('recorded.overlane')
print(len(trace.table('kernels')))"

if [ "$window" = yes ]; then
  overlane-ui --version
  said=$(overlane-ui --screenshot window.png --size 1280x800 recorded.overlane 2>&1)
  if [ -n "$said" ]; then
    echo "FAILED: the window has something to say where there are no fonts and no display:"
    echo "$said"
    exit 1
  fi
  expect "not here: display$" overlane doctor  # and its fonts are enough
  echo "ok: a picture of $(stat -c %s window.png) bytes"
fi
pip uninstall --quiet --yes overlane overlane-ui 2> /dev/null
left=$(find python -path '*/overlane*' -not -type d)  # older pips leave empty folders
if [ -n "$left" ]; then
  echo "FAILED: something is left after uninstalling:" $left
  exit 1
fi
echo "ok: uninstalled"
