#!/usr/bin/env bash
# Training jobs whose model is spread over all GPUs of this machine: parameters sharded and kept in host memory (fsdp),
# and a pipeline of two stages; with one rank held back on purpose or none, each bare and recorded by Overlane.
# Usage: jobs_sharded.sh FOLDER [JOB...]
# Needs four GPUs (OVERLANE_RANKS=2: two) and python3 with PyTorch. Prints each rank's own time per step. Leaves at most six tar files of at
# most 16 MiB in FOLDER, with the recordings and what was printed. After OVERLANE_SECONDS (270) nothing new begins.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scripts=${OVERLANE_SCRIPTS:-$here}
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
jobs=("$@")
[ ${#jobs[@]} -ne 0 ] || jobs=(fsdp pipeline)
seconds=${OVERLANE_SECONDS:-270}
ranks=${OVERLANE_RANKS:-4}
longest=${OVERLANE_LONGEST:-45}
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OMP_NUM_THREADS="${OMP_NUM_THREADS:-4}" PYTHONWARNINGS=ignore
work=$(mktemp -d)
launch=(python3 -m torch.distributed.run --standalone --nproc_per_node="$ranks")
failures=0
neighbor=

# Greedily, the smallest first, so that what is left out is as little as may be.
# shellcheck disable=SC2317 # called at the end
pack() {
  python3 - "$work/runs" "$out" <<'PYTHON'
import os, sys, tarfile
runs, out = sys.argv[1:]
most, limit = 6, (16 << 20) - (1 << 16)
paths = [os.path.join(folder, name) for folder, _, names in os.walk(runs) for name in names]
files = sorted((os.path.getsize(path), path) for path in paths)
parts, sizes = [], []
for size, path in files:
    taken = size + 2048
    place = next((at for at, filled in enumerate(sizes) if filled + taken <= limit), None)
    if place is None and len(parts) < most and taken <= limit:
        parts.append([])
        sizes.append(0)
        place = len(parts) - 1
    if place is None:
        print("left out:", os.path.relpath(path, runs), size, "bytes")
        continue
    parts[place].append(path)
    sizes[place] += taken
for at, paths in enumerate(parts):
    with tarfile.open(os.path.join(out, f"sharded{at}.tar"), "w") as packed:
        for path in paths:
            packed.add(path, os.path.relpath(path, runs))
PYTHON
}
# shellcheck disable=SC2317
finish() {
  [ -z "$neighbor" ] || kill "$neighbor" 2>/dev/null
  pack
  rm -rf "$work"
}
trap finish EXIT

failed() { echo "    FAIL: $1"; tail -5 "$2"; failures=$((failures + 1)); }
has_time() { [ "$SECONDS" -lt "$seconds" ] || { echo "    no time left: $1"; return 1; }; }
bare() {  # JOB NAME OPTION...: without a recording
  local folder=$work/runs/$1-$2
  mkdir -p "$folder"
  has_time "$1 $2, bare" || return
  timeout "$longest" "${launch[@]}" "$scripts/job_sharded.py" "$1" "${@:3}" \
    >"$folder/bare.txt" 2>"$folder/bare.err" ||
    failed "$1 $2, bare" "$folder/bare.err"
  grep -h '^rank=' "$folder/bare.txt" | sort -k3,3 -k1,1 -s | sed "s/^/    bare $2: /"
}
record() {  # JOB NAME OPTION...
  local folder=$work/runs/$1-$2
  mkdir -p "$folder"
  has_time "$1 $2, recorded" || return
  timeout "$longest" "${launch[@]}" --no-python "$here/overlane" record --pytorch --overwrite --iterations 32 --after 6 \
    -o "$folder/recorded/" -- python3 "$scripts/job_sharded.py" "$1" "${@:3}" \
    >"$folder/recorded.txt" 2>"$folder/recorded.err" ||
    failed "$1 $2, recorded" "$folder/recorded.err"
  grep -h '^rank=' "$folder/recorded.txt" | sort | sed "s/^/    recorded $2: /"
  echo "    $(du -sk "$folder/recorded" | cut -f1) KiB, $SECONDS s so far"
}
neighbor() {  # GPU JOB BATCH: both runs with another process on that GPU, which is not recorded
  has_time "$2 busy-gpu" || return
  local signals=$work/signals-$2
  touch "$signals/go"
  for ((tries = 0; tries < 100; ++tries)); do
    [ ! -e "$signals/busy" ] || break
    sleep 0.1
  done
  [ -e "$signals/busy" ] || { failed "$2, the neighbor" "$signals/err"; return; }
  bare "$2" "busy-gpu-$1" none --batch "$3"
  record "$2" "busy-gpu-$1" none --batch "$3"
  touch "$signals/stop"
  wait "$neighbor"
  neighbor=
}

for job in "${jobs[@]}"; do
  echo "$job"
  on=1
  busy=1
  slow=1
  large=128  # bound by the GPU
  [ "$job" = fsdp ] || { slow=$((ranks - 2)); busy=$((ranks - 1)); large=512; }  # a first stage waits for batches
  plants=("none:0" "loader:$slow" "pageable:$slow" "late-host:$on")
  mkdir -p "$work/signals-$job"
  # It loads PyTorch now, and touches the GPU once it is told to.
  python3 "$scripts/job_sharded.py" neighbor --on "$busy" --signals "$work/signals-$job" 2>"$work/signals-$job/err" &
  neighbor=$!
  bare "$job" all "${plants[@]}"
  bare "$job" large none --batch "$large"
  for plant in "${plants[@]}"; do
    record "$job" "${plant/:/-}" "$plant"
  done
  neighbor "$busy" "$job" "$large"
  [ -z "$neighbor" ] || kill "$neighbor" 2>/dev/null
  neighbor=
done
echo "failures: $failures; $SECONDS s"
exit $((failures > 0))
