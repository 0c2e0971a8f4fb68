#!/usr/bin/env bash
# Memory that recording takes: the most that `overlane record` and the program hold while the program starts
# kernels as fast as it can, with the merging at the end, and the program alone.
# Usage: memory.sh [KERNELS, 8 million unless given]. About a minute.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
kernels=${1:-8000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# The most resident memory so far of a process, in MiB; nothing once it is gone.
peak() { awk '/^VmHWM/ { printf "%d", $2 / 1024 }' "/proc/$1/status" 2>/dev/null; }

# watch PID NAME: until the process ends, prints the peaks of it and of its child
watch() {
  local own=0 child=0 ended=0 now pid start=$EPOCHREALTIME
  while kill -0 "$1" 2>/dev/null; do
    now=$(peak "$1")
    [[ -n $now ]] && own=$now
    pid=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
    now=$(peak "${pid%% *}")
    if [[ -n $now ]]; then
      child=$now
      ended=$own
    fi
    sleep 0.1
  done
  printf '%-10s own peak %5d MiB (%d MiB until the program ended), child %5d MiB, %.1f s\n' "$2" "$own" "$ended" "$child" \
    "$(awk "BEGIN { print $EPOCHREALTIME - $start }")"
}

"$here/gpu_program" rate "$kernels" >"$work/bare" &
watch $! program
cat "$work/bare"
"$here/overlane" record -o "$work/trace.overlane" -- "$here/gpu_program" rate "$kernels" >"$work/recorded" 2>"$work/said" &
watch $! recorder
cat "$work/recorded"
grep '^overlane: ' "$work/said" | tail -4
echo "trace $(($(stat -c %s "$work/trace.overlane" 2>/dev/null || echo 0) >> 20)) MiB"
