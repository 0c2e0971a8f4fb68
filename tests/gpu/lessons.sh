#!/usr/bin/env bash
# Every lesson on this machine's GPU, its claims held to what was measured; the advisor's answer, and presets,
# simulated and measured. Usage: lessons.sh [SECONDS FOR THE LESSONS]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
limit=${1:-180}
failures=0
overlane() { LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" "$here/overlane" "$@"; }

started=$SECONDS
overlane lessons check --engine gpu --time-limit "$limit"
code=$?
[ $code -eq 0 ] || failures=$((failures + 1))
echo "lessons: exit $code after $((SECONDS - started)) s"

echo "== advisor"
overlane advise --preset pageable_blocking --engine gpu | sed '/^import collections/,$d' || failures=$((failures + 1))

echo "== presets, wall time simulated and measured"
for preset in pageable_blocking pinned_blocking pinned_same_stream pinned_side_stream; do
  for engine in simulated gpu; do
    device=$([ $engine = simulated ] && echo "--device h200_vm")
    overlane run --preset $preset $device --engine $engine --json |
      grep -o '"wall_ns": *[0-9]*' | head -1 | sed "s/.*: */$preset $engine /"
  done
done
echo "failures: $failures"
exit $((failures > 0))
