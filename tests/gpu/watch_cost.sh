#!/usr/bin/env bash
# What `overlane watch` costs a PyTorch loop: bare, recorded whole, watched, and watched where CUPTI is left between two
# windows (OVERLANE_DETACH, an experiment). Usage: watch_cost.sh FOLDER [launch|gpu]
# Needs one GPU and python3 with PyTorch; less than a minute for a loop. `before_ms` is the median step before the first
# window, `behind_ms` that of all later steps, few of which lie in a window: their ratio in one process is what stays
# between windows. `mean_ms` and `p99_ms` have the windows as well.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
mode=${2:-launch}
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OMP_NUM_THREADS=4
seconds=5.5 split=2
loop=(python3 "$here/watch_loop.py" "$mode" "$seconds" "$split")
failures=0
run() {
  local name=$1
  shift
  timeout 40 "$@" >"$out/$name.txt" 2>"$out/$name.err"
  local code=$?
  [ $code -eq 0 ] || failures=$((failures + 1))
  printf '%-9s exit %d  %s\n' "$name" $code "$(grep -h '^steps=' "$out/$name.txt")"
}
run bare "${loop[@]}"
steps=$(sed -n 's/^steps=\([0-9]*\).*/\1/p' "$out/bare.txt")
after=$(python3 -c "print(int(${steps:-100} * $split / $seconds))")  # iterations before the first window
run recorded "$here/overlane" record --no-stacks --overwrite -o "$out/recorded.overlane" -- "${loop[@]}"
watch=("$here/overlane" watch --every 1s --iterations 10 --after "$after" --keep 9)
run watched "${watch[@]}" -o "$out/watched" --metrics "$out/watched.prom" --otlp "$out/watched.jsonl" -- "${loop[@]}"
OVERLANE_DETACH=1 run detached "${watch[@]}" -o "$out/detached" -- "${loop[@]}"
for name in watched detached; do
  grep -h 'overlane:' "$out/$name.err" | sed "s/^/    $name: /"
done
for trace in "$out"/watched/*.overlane "$out"/detached/*.overlane; do
  [ -e "$trace" ] && "$here/overlane" info --json "$trace" | python3 -c '
import json, sys
info = json.load(sys.stdin)
print("    %s: %s" % (sys.argv[1], json.dumps({name: info["steps"].get(name) for name in ("count", "origin")})))' \
    "$(basename "$(dirname "$trace")")/$(basename "$trace")"
done
echo "failures: $failures"
exit $((failures > 0))
