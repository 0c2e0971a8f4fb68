#!/usr/bin/env bash
# Random settings of the loader on this machine's GPU, two runs each and one recorded, and the simulation of
# an H200 held to them; keeps the rows. Usage: fidelity.sh FOLDER [COUNT [SEED...]]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
count=${2:-240}
seeds=("${@:3}")
[ ${#seeds[@]} -gt 0 ] || seeds=(1)
failures=0
overlane() { LD_LIBRARY_PATH="$here/lib:${LD_LIBRARY_PATH:-}" "$here/overlane" "$@"; }
for seed in "${seeds[@]}"; do
  rows=$out/fidelity_$seed.jsonl
  overlane fidelity --engine gpu --count "$count" --seed "$seed" -o "$rows" || failures=$((failures + 1))
  [ -s "$rows" ] && overlane fidelity "$rows" --device h200_vm --plot "$out/fidelity_$seed.svg"
done
echo "failures: $failures"
exit $((failures > 0))
