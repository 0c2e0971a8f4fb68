#!/usr/bin/env bash
# `overlane calibrate` on this machine's GPU: twice in full, to see how far it agrees with itself, once in haste, and
# once cancelled on its way. Then the same settings on the GPU, simulated with the profile just made, and with the
# one that comes with Overlane. Usage: calibrate.sh FOLDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
row() { printf '%-34s %-5s %s\n' "$1" "$2" "$3"; [ "$2" != FAIL ] || failures=$((failures + 1)); }
overlane() { LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" "$here/overlane" "$@"; }
used() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits | head -1; }
number() { grep -o "\"$1\": [0-9.]*" "$2" | head -1 | sed 's/.*: //'; }

# calibrated NAME SECONDS ARGUMENTS...: a profile, the time it took, what it could not measure.
calibrated() {
  local name=$1 most=$2 start end result=ok misses
  shift 2
  start=$(date +%s.%N)
  overlane calibrate "$@" -o "$out/$name.json" >"$out/$name.txt" 2>"$work/$name.err" || result=FAIL
  end=$(date +%s.%N)
  misses=$(grep -c '^Not measured' "$out/$name.txt")
  [ "$misses" = 0 ] || result=FAIL
  awk "BEGIN { exit !($end - $start <= $most) }" || result=FAIL
  row "$name" $result "$(awk "BEGIN { printf \"%.1f s\", $end - $start }"), not measured: $misses"
  cat "$work/$name.err"
  grep '^Not measured' "$out/$name.txt"
}

before=$(used)
calibrated quick 30 --quick
calibrated full 120
row "memory of the GPU given back" "$([ $(($(used) - before)) -lt 64 ] && echo ok || echo FAIL)" "$before MiB before, $(used) MiB after"
calibrated again 120

LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" "$here/overlane" calibrate -o "$out/cancelled.json" >/dev/null 2>"$work/cancelled.err" &
victim=$!
sleep 12
start=$(date +%s%N)
kill -INT $victim
wait $victim
code=$?
row "cancelled" "$([ $code = 130 ] && [ ! -e "$out/cancelled.json" ] && echo ok || echo FAIL)" \
  "exit code $code after $((($(date +%s%N) - start) / 1000000)) ms, GPU memory $(used) MiB"

pipe=(--set workers=0 --set produce_us=0 --set tensors=1 --set batch_bytes=16MiB --set kernel=spin --set compute_us=305)
compare() {
  local name=$1
  shift
  overlane run --engine gpu --json "$@" >"$work/gpu.json" 2>"$work/run.err" || { row "$name" FAIL "$(head -1 "$work/run.err")"; return; }
  overlane run --device "$out/full.json" --json "$@" >"$work/own.json" 2>"$work/run.err" || { row "$name" FAIL "$(head -1 "$work/run.err")"; return; }
  overlane run --device h200 --json "$@" >"$work/shipped.json" 2>/dev/null
  row "$name" ok "$(awk "BEGIN { g = $(number wall_ns "$work/gpu.json"); o = $(number wall_ns "$work/own.json"); s = $(number wall_ns "$work/shipped.json");
    printf \"GPU %.1f ms, own profile %.1f ms (%+.1f %%), shipped H200 %.1f ms (%+.1f %%)\", g / 1e6, o / 1e6, 100 * (o - g) / g, s / 1e6, 100 * (s - g) / g }")"
}
compare "pinned, side stream" "${pipe[@]}" --set pin=ring --set non_blocking=on --set copy_stream=side
compare "pinned, same stream" "${pipe[@]}" --set pin=ring --set non_blocking=on
compare "pinned, blocking" "${pipe[@]}" --set pin=ring
compare "pageable" "${pipe[@]}" --set pin=none
for preset in pageable_blocking pinned_side_stream loader_starved; do compare "preset $preset" --preset $preset; done
echo "failures: $failures"
exit $((failures > 0))
