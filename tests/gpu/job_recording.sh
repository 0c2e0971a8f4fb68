#!/usr/bin/env bash
# A training job on all GPUs of this machine, each rank recorded into a file of its own, twelve iterations of it and
# all. Usage: job_recording.sh FOLDER [STEPS]
# Needs two GPUs or more and python3 with PyTorch.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
steps=${2:-80}
iterations=12
after=8
ranks=$(nvidia-smi -L | wc -l)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/job_train.py" "$work"
cd "$work" || exit 2
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OMP_NUM_THREADS=4
launch=(timeout 180 python3 -m torch.distributed.run --standalone --nproc_per_node="$ranks")
failures=0
row() { printf '%-48s %-5s %s\n' "$1" "$2" "$3"; [ "$2" != FAIL ] || failures=$((failures + 1)); }
verdict() { if "$@"; then echo ok; else echo FAIL; fi; }
# Each rank's own time for a step, and their mean.
step_times() { grep -ho 'step_ms=[0-9.]*' "$1" | cut -d= -f2 | sort -n | paste -sd' '; }
mean() { step_times "$1" | tr ' ' '\n' | awk '{ sum += $1 } END { printf "%.3f", NR ? sum / NR : 0 }'; }
record() {  # NAME OPTION...: the job into the folder NAME
  local name=$1
  shift
  rm -rf "${out:?}/$name"
  "${launch[@]}" --no-python "$here/overlane" record "$@" -o "$out/$name/" -- \
    python3 job_train.py --steps "$steps" >"$out/$name.txt" 2>"$out/$name.err"
  local code=$?
  [ $code = 0 ] || tail -20 "$out/$name.err"
  grep '^overlane' "$out/$name.err" | sed 's/^/    /'
  row "$name: the job ends as it would" "$(verdict [ "$code:$(grep -o 'rank=' "$out/$name.txt" | wc -l)" = "0:$ranks" ])" \
    "exit code $code"
  local bare recorded
  bare=$(mean "$out/bare.txt")
  recorded=$(mean "$out/$name.txt")
  row "$name: a step of each rank, ms" ok "$(step_times "$out/$name.txt"); mean $recorded, bare $bare"
}

for turn in 1 2; do  # the first one fills caches
  "${launch[@]}" job_train.py --steps "$steps" >"$out/bare.txt" 2>"$out/bare.err" || { tail -5 "$out/bare.err"; exit 2; }
  row "bare, turn $turn: a step of each rank, ms" ok "$(step_times "$out/bare.txt")"
done
record some --iterations "$iterations" --after "$after"
record whole --pytorch

host=$(uname -n | cut -d. -f1)
expected=$(for ((rank = 0; rank < ranks; ++rank)); do printf 'rank%02d-%s.overlane\n' "$rank" "$host"; done)
for name in some whole; do
  row "$name: a file for each rank" "$(verdict [ "$(ls "$out/$name")" = "$expected" ])" "$(find "$out/$name" -type f | wc -l)"
done
row "some: rank 0 alone says what to do next" "$(verdict [ "$(grep -c 'overlane job' "$out/some.err")" = 1 ])" ""
for file in "$out"/some/*.overlane; do
  "$here/overlane" info --json "$file" >info.json
  counts=$(python3 - info.json <<'PYTHON'
import json, sys
trace = json.load(open(sys.argv[1]))
steps = trace.get("steps") or {"count": 0, "origin": "none", "median_ns": 0}
kernels = sum(device["kernels"] for device in trace["devices"])
print(steps["count"], kernels, "%.3f" % (steps["median_ns"] / 1e6), "%.3f" % (trace["span_ns"] / 1e9),
      trace.get("skipped", {}).get("no_calls", 0), steps["origin"])
PYTHON
)
  read -r count kernels median span uncalled origin <<<"$counts"
  row "$(basename "$file"): calls that launched the kernels" "$(verdict [ "$uncalled" = 0 ])" "$uncalled without"
  row "$(basename "$file"): iterations" \
    "$(verdict [ "$count" -ge "$iterations" -a "$count" -le $((iterations + 6)) -a "$kernels" -gt 0 ])" \
    "$count of $origin, $median ms each; $kernels kernels; $span s; $(stat -c %s "$file") bytes"
done
for name in some whole; do
  sizes=$(stat -c %s "$out/$name"/*.overlane | sort -n)
  smallest=$(head -1 <<<"$sizes")
  largest=$(tail -1 <<<"$sizes")
  result=ok
  [ "$name" = whole ] || result=$(verdict [ $((largest * 2)) -le $((smallest * 3)) ])
  row "$name: sizes, bytes" "$result" "$smallest to $largest"
done

# What else counts, in a program of one process without a DataLoader.
cat >loop.py <<'PYTHON'
import sys
import torch

model = torch.nn.Linear(2048, 2048).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
data = torch.randn(256, 2048, device="cuda")
for step in range(200):
    if sys.argv[1] == "marks":
        torch.cuda.nvtx.range_push(f"step {step}")
    for _ in range(20):
        loss = model(data).pow(2).mean()
        loss.backward()
    if sys.argv[1] == "marks":
        torch.cuda.nvtx.range_pop()
    else:
        optimizer.step()
        optimizer.zero_grad()
    loss.item()
PYTHON
for how in marks optimizer; do
  rm -f "$out/$how.overlane"
  "$here/overlane" record --iterations "$iterations" --after "$after" -o "$out/$how.overlane" -- python3 loop.py "$how" \
    2>"$out/$how.err"
  code=$?
  "$here/overlane" info --json "$out/$how.overlane" >info.json
  figures=$(python3 - info.json <<'PYTHON'
import json, sys
trace = json.load(open(sys.argv[1]))
steps = trace.get("steps") or {"count": 0, "origin": "none"}
print(sum(device["kernels"] for device in trace["devices"]), steps["count"], steps["origin"])
PYTHON
)
  read -r kernels count origin <<<"$figures"
  row "$how: a part of 200 iterations" \
    "$(verdict [ "$code" = 0 -a "$count" -ge "$iterations" -a "$kernels" -lt 20000 ])" "$count of $origin, $kernels kernels"
  grep 'teration' "$out/$how.err" | sed 's/^/    /'
done

# A rank that fails, as its launcher is to see it.
RANK=1 WORLD_SIZE=2 "$here/overlane" record --iterations 3 -o "$work/failed/" -- python3 -c 'exit(3)' 2>failed.err
row "the exit code of a rank" "$(verdict [ $? = 3 ])" ""
row "nothing to count is said" "$(verdict grep -q 'No iteration was counted' failed.err)" ""
echo "failures: $failures"
exit $((failures > 0))
