#!/usr/bin/env bash
# The loader on this machine's GPU, pinned and pageable, blocking and not, in the kernels' stream and in one
# of its own, beside the simulation of an H200; the traces of these are kept. Then files, presets, and a
# result read too early. Usage: scenarios.sh FOLDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
row() { printf '%-34s %-5s %s\n' "$1" "$2" "$3"; [ "$2" != FAIL ] || failures=$((failures + 1)); }
overlane() { LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" "$here/overlane" "$@"; }
number() { grep -o "\"$1\": [0-9.]*" "$2" | head -1 | sed 's/.*: //'; }
# loader NAME MAY-BE-WRONG ARGUMENTS...: a measured and a simulated run of the same settings.
loader() {
  local name=$1 early=$2 result=ok
  shift 2
  overlane run --engine gpu --json ${keep:+-o "$out/$keep.overlane"} "$@" >"$work/gpu.json" 2>"$work/gpu.err" || result=FAIL
  overlane run --device h200 --json "$@" >"$work/simulated.json" 2>/dev/null
  [ "$(number wrong_batches "$work/gpu.json")" = 0 ] || result=FAIL
  [ "$early" = early ] || [ "$(number wrong_results "$work/gpu.json")" = 0 ] || result=FAIL
  row "$name" $result "$(awk "BEGIN { w = $(number wall_ns "$work/gpu.json") + 0; s = $(number wall_ns "$work/simulated.json") + 0;
    printf \"wall %.1f ms, simulated %.1f ms\", w / 1e6, s / 1e6 }" 2>/dev/null), hidden $(number overlap_share "$work/gpu.json"), early results $(number wrong_results "$work/gpu.json")"
  [ $result = ok ] || head -3 "$work/gpu.err"
}
pipe=(--set workers=0 --set produce_us=0 --set tensors=1 --set batch_bytes=16MiB --set kernel=spin --set compute_us=305)
for memory in pinned pageable; do
  for call in blocking non_blocking; do
    for stream in same side; do
      keep=${memory}_${call}_$stream
      loader "$memory, $call, $stream stream" no "${pipe[@]}" --set pin="$([ $memory = pinned ] && echo ring || echo none)" \
        --set non_blocking="$([ $call = blocking ] && echo off || echo on)" \
        --set copy_stream="$([ $stream = same ] && echo compute || echo side)"
    done
  done
done
keep=
loader "pinned, two streams" no "${pipe[@]}" --set pin=ring --set non_blocking=on --set streams=2
loader "result read before its copy ended" early "${pipe[@]}" --set pin=ring --set non_blocking=on --set result_bytes=1MiB --set read_result_early=on
for preset in pageable_blocking pinned_side_stream loader_starved; do loader "preset $preset" no --preset $preset; done
for files in cached drive; do
  loader "a batch from files, $files" no --set files=$files --set file_bytes=12MiB --set produce_us=2000 --set batches=48
done
overlane run --engine gpu --set batches=4 2>/dev/null | grep NUMA
echo "failures: $failures"
exit $((failures > 0))
