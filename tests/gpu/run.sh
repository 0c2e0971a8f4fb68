#!/usr/bin/env bash
# All checks of recording and of the loader on a real GPU, in one go, as a table: check, result, figures.
# Usage: run.sh [FOLDER FOR TRACES]. Needs a driver and CUPTI; the rest runs where there is what it needs:
# PyTorch, a second GPU, nvbandwidth (its path in OVERLANE_NVBANDWIDTH), the window (target gpu_window).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

row() { printf '%-34s %-5s %s\n' "$1" "$2" "$3"; [ "$2" != FAIL ] || failures=$((failures + 1)); }
value() { sed -n "s/^$1=//p" "$2" | head -1; }                       # of a report
figure() { grep -o "$1=[0-9.]*" <<<"$2" | head -1 | cut -d= -f2; }   # of a program's output

# record NAME KINDS COMMAND...: runs a command recorded; output in $text, report in $report.
record() {
  local name=$1 kinds=$2
  shift 2
  dir=$work/$name
  rm -rf "$dir"
  mkdir -p "$dir"
  text=$(env OVERLANE_SPOOL_DIR="$dir" OVERLANE_RECORD_KINDS="$kinds" \
    CUDA_INJECTION64_PATH="$here/liboverlane-inject.so" NVTX_INJECTION64_PATH="$here/liboverlane-inject.so" \
    timeout -s KILL 120 "$@" 2>&1)
  code=$?
  report=$work/$name.report
  "$here/spool_report" "$dir" ${save:+--save "$out/$name.overlane"} >"$report" 2>&1
}

# expect NAME: holds the report to what the program printed behind "expect".
expect() {
  local result=ok details=""
  for pair in $(sed -n 's/.*expect //p' <<<"$text"); do
    local key=${pair%%=*} wanted=${pair#*=} got
    if [ "$key" = pinned ]; then got=$(value 'gauge Pinned memory' "$report"); else got=$(value "$key" "$report"); fi
    [ "$got" = "$wanted" ] || result=FAIL
    details+="$key $got/$wanted "
  done
  [ -n "$details" ] || result=FAIL
  [ "$code" = 0 ] || result=FAIL
  [ "$(value dropped "$report")" = 0 ] || result=FAIL
  row "$1" $result "${details}linked $(value linked "$report")/$(value work "$report"), residual $(value residual_ns "$report") ns"
  [ $result = ok ] || { echo "$text" | head -5; grep -E '^(notice|stat|error|property process)' "$report" | head -10; }
}

# part SCRIPT ARGUMENTS...: a check of its own, which prints its rows and how many failed.
part() {
  local script=$1
  shift
  echo "== ${script%.sh}"
  "$here/$script" "$@" || failures=$((failures + 1))
}

"$here/gpu_program" reset >/dev/null || { echo "no GPU that a CUDA program can use here"; exit 2; }

echo "== machine"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 | head -4
uname -r
if ! record probe default "$here/gpu_program" copies || grep -q '^notice [0-9]* 5 ' "$report"; then
  found=$(find / -name 'libcupti.so.1[23]' -not -path '/proc/*' 2>/dev/null | head -1)
  echo "CUPTI is in none of the usual places; found $found"
  export OVERLANE_CUPTI=$found
fi

echo "== records"
save=1
record copies default "$here/gpu_program" copies
grep '^notice' "$report"
expect "copies, all kinds"
grep -E '^count (copy|call)' "$report" | sed 's/^count /    /'
save=
record copies-light light "$here/gpu_program" copies
row "copies, light" "$([ "$(value copies "$report")" = 16 ] && [ "$(value kernels "$report")" = 0 ] && echo ok || echo FAIL)" "copies $(value copies "$report")/16 kernels $(value kernels "$report")/0"
record copies-all all "$here/gpu_program" copies
expect "copies, every call"
record graph default "$here/gpu_program" graph
expect "CUDA graph"
for mode in loop loop-copies; do
  record $mode default "$here/gpu_program" $mode
  row "a graph that loops by itself ($mode)" "$([ "$code" = 0 ] && [ "$(value kernels "$report")" -gt 200 ] && echo ok || echo FAIL)" \
    "exit code $code, kernels $(value kernels "$report")"
done
record reset default "$here/gpu_program" reset
expect "cudaDeviceReset before the end"
record family default "$here/gpu_program" family
row "fork and start again" "$([ "$code" = 0 ] && [ "$(value processes "$report")" = 2 ] && [ "$(value kernels "$report")" = 9 ] && echo ok || echo FAIL)" \
  "processes $(value processes "$report")/2 kernels $(value kernels "$report")/9"

echo "== killed with -9"
for round in 1 2 3; do
  dir=$work/kill$round
  mkdir -p "$dir"
  OVERLANE_SPOOL_DIR=$dir CUDA_INJECTION64_PATH=$here/liboverlane-inject.so "$here/gpu_program" busy >/dev/null 2>&1 &
  victim=$!
  sleep "$((2 + round)).$((round * 3))"
  now=$(date +%s%N)
  kill -9 $victim
  wait $victim 2>/dev/null
  "$here/spool_report" "$dir" >"$work/kill.report" 2>&1
  lost=$(((now - $(value newest_unix_ns "$work/kill.report")) / 1000000))
  row "lost when killed" "$([ "$lost" -lt 1000 ] && echo ok || echo FAIL)" "$lost ms, kernels $(value kernels "$work/kill.report"), zero times $(value zero_times "$work/kill.report")"
done

echo "== disk full, as the largest size of a file"
for blocks in 8 2048; do
  limited="ulimit -f $blocks; export CUDA_CACHE_DISABLE=1; exec '$here/gpu_program' rate 200000"
  # The driver may need files of its own.
  sh -c "$limited" >/dev/null 2>&1 || { echo "    no CUDA program runs here with files of $((blocks / 2)) KiB"; continue; }
  text=$(LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" timeout -s KILL 120 \
    "$here/overlane" record -o "$work/full$blocks.overlane" -- sh -c "$limited" 2>&1)
  code=$?
  row "program that may write $((blocks / 2)) KiB" \
    "$([ "$code" = 0 ] && [ -n "$(figure launches_per_s "$text")" ] && ! grep -q 'used the GPU' <<<"$text" &&
      grep -q 'could not write its records (File too large)' <<<"$text" && echo ok || echo FAIL)" \
    "exit code $code; $(grep 'could not write' <<<"$text" | tail -1 | cut -c1-100)"
done

echo "== speed"
bare=$("$here/gpu_program" rate 1000000)
record rate default "$here/gpu_program" rate 1000000
expect "a million kernels, four threads"
echo "    bare $(figure launches_per_s "$bare")/s, recorded $(figure launches_per_s "$text")/s, collector $(value collector_ms "$report") ms, dropped $(value dropped "$report")"
for round in 1 2; do
  bare=$("$here/gpu_program" launches 40)
  echo "    1600 launches a step, bare       $(figure step_ms "$bare") ms"
  for kinds in light copies,kernels copies,launches default all; do
    record launches "$kinds" "$here/gpu_program" launches 40
    ratio=$(awk "BEGIN { printf \"%.3f\", $(figure step_ms "$text") / $(figure step_ms "$bare") }")
    echo "    1600 launches a step, $kinds: $(figure step_ms "$text") ms, $ratio times bare, own call $(value 'property cost of a recorded call' "$report")"
  done
done
bare=$("$here/gpu_program" pipeline)
record pipeline default "$here/gpu_program" pipeline
row "pipeline 64 x 16 MiB" "$(awk "BEGIN { exit !($(figure ratio "$text") <= 1.02) }" && echo ok || echo FAIL)" \
  "bare $(figure ratio "$bare") recorded $(figure ratio "$text") copy $(figure copy_gb_s "$text") GB/s (bare $(figure copy_gb_s "$bare"))"

part scenarios.sh "$out"
part fidelity.sh "$out" 60
part calibrate.sh "$out/calibration"
part lessons.sh
if python3 -c 'import torch' 2>/dev/null; then
  echo "== PyTorch $(python3 -c 'import torch; print(torch.__version__)')"
  for mode in launch gpu; do
    for round in 1 2; do
      bare=$(python3 "$here/torch_loop.py" $mode)
      echo "    $mode: bare $(figure step_ms "$bare") ms"
      for kinds in light default all; do
        record torch "$kinds" python3 "$here/torch_loop.py" $mode
        ratio=$(awk "BEGIN { printf \"%.3f\", $(figure step_ms "$text") / $(figure step_ms "$bare") }")
        echo "    $mode: $kinds $(figure step_ms "$text") ms, $ratio times bare; events $(value events "$report"), dropped $(value dropped "$report"), overhead $(value overhead_ms "$report") ms"
      done
      if [ $mode = launch ] && [ $round = 1 ]; then
        profiled=$(python3 "$here/torch_loop.py" launch 60 --profiler 2>/dev/null)
        echo "    launch: torch.profiler $(figure step_ms "$profiled") ms"
      fi
    done
  done
  record takeover default python3 "$here/torch_loop.py" takeover
  row "torch.profiler takes over" "$(grep -q '^notice [0-9]* 9 ' "$report" && [ "$(figure profiler_kernels "$text")" -gt 0 ] && echo ok || echo FAIL)" \
    "$(grep -c '^notice' "$report") notices, profiler saw $(figure profiler_kernels "$text") kernels, exit code $code"
  grep '^notice' "$report"
  part torch_matrix.sh "$out/matrix" 1
  [ "$(nvidia-smi -L 2>/dev/null | wc -l)" -lt 2 ] || part two_gpus.sh "$out"
fi
[ -z "${OVERLANE_NVBANDWIDTH:-}" ] || part bandwidth.sh "$OVERLANE_NVBANDWIDTH"
[ ! -e "$here/window.tar.xz" ] || part window.sh "$out/pictures" "$out"/matrix/even_*_block_same.overlane
echo "failures: $failures"
exit $((failures > 0))
