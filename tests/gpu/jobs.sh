#!/usr/bin/env bash
# Training jobs on all GPUs of this machine, with one rank held back on purpose or none, each profiled by PyTorch and
# recorded by Overlane, one file a rank. Usage: jobs.sh FOLDER [PLANT...]
# Needs two GPUs or more and python3 with PyTorch. Prints each rank's own time per step, bare and recorded.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
plants=("$@")
[ ${#plants[@]} -ne 0 ] || plants=(none loader pageable busy-gpu late-host)
ranks=$(nvidia-smi -L | wc -l)
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OMP_NUM_THREADS=4
launch=(python3 -m torch.distributed.run --standalone --nproc_per_node="$ranks")
failures=0
for plant in "${plants[@]}"; do
  folder=$out/$plant
  mkdir -p "$folder/recorded"
  batch=16
  [ "$plant" != busy-gpu ] || batch=64  # else the host is what limits a step
  timeout 120 "${launch[@]}" "$here/job_train.py" --plant "$plant" --batch "$batch" >"$folder/bare.txt" 2>"$folder/bare.err" ||
    { tail -5 "$folder/bare.err"; failures=$((failures + 1)); continue; }
  timeout 120 "${launch[@]}" "$here/job_train.py" --plant "$plant" --batch "$batch" --profile "$folder/profiled" \
    >"$folder/profiled.txt" 2>"$folder/profiled.err" || { tail -5 "$folder/profiled.err"; failures=$((failures + 1)); }
  # shellcheck disable=SC2016 # each rank's shell knows its rank
  timeout 180 "${launch[@]}" --no-python bash -c '
    exec "$1/overlane" record --pytorch --overwrite -o "$2/rank$RANK.overlane" -- python3 "$1/job_train.py" --plant "$3" --batch "$4"' \
    _ "$here" "$folder/recorded" "$plant" "$batch" >"$folder/recorded.txt" 2>"$folder/recorded.err" ||
    { tail -5 "$folder/recorded.err"; failures=$((failures + 1)); }
  for how in bare profiled recorded; do
    grep -h '^rank=' "$folder/$how.txt" | sort | sed "s/^/    $plant, $how: /"
  done
done
echo "failures: $failures"
exit $((failures > 0))
