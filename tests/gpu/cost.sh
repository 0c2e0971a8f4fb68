#!/usr/bin/env bash
# What recording costs a PyTorch loop on a real GPU. Usage: cost.sh [targets|kinds|switch|setup]...
#   targets  the loops with each preset, as the collector records them (about 100 s)
#   kinds    each of CUPTI's kinds of record alone (about 100 s)
#   switch   kinds switched on and off in one process: what stays of their cost shows in `off` (about 60 s)
#   setup    what CUPTI is told before it starts (about 60 s)
# Without an argument: targets. Each process is compared with itself before CUPTI came (cost_runs.py);
# ROUNDS (5) and MODES (launch gpu train) change how much is run.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${ROUNDS:-5}
work="calls=copies/sync/memory"

# PyTorch's own CUPTI where it has one, as in a program that imports it.
export OVERLANE_CUPTI=${OVERLANE_CUPTI:-$(python3 - <<'P'
import glob, os, sysconfig
found = glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "nvidia", "*", "lib", "libcupti.so.1[23]"))
print(found[0] if found else "")
P
)}

runs() { python3 "$here/cost_runs.py" "$1" "$rounds" "${@:2}"; }

targets() {
  for mode in ${MODES:-launch gpu train}; do
    runs $mode bare kinds:light kinds:default kinds:default,waits kinds:default,events kinds:all
  done
}

kinds() {
  runs launch bare probe:attach probe:ctx probe:memcpy probe:memset probe:memory probe:overhead+marker probe:sync \
    probe:graph probe:event+stream+external probe:kernel probe:$work probe:$work/launches/events \
    probe:memcpy+memset+memory+$work probe:kernel+memcpy+memset+memory+$work/launches \
    probe:kernel+memcpy+memset+memory+rt$work/launches
}

switch() {
  OVERLANE_PROBE_START=attach CUDA_INJECTION64_PATH=$here/libcost_probe.so python3 "$here/cost_loop.py" launch "$rounds" \
    off:attach memcpy+memset sync graph kernel kernel+flush=50 kernel+flush=500 kernel+buffer=4194304 kernel+buffer=16384 \
    runtime+driver off-again:attach
}

setup() {
  runs launch bare probe:loaded probe:kernel probe:kernel+noclock probe:kernel+unzeroed probe:kernel+shared \
    probe:kernel+pinned probe:kernel+devbuf=16777216 probe:kernel+prealloc=16 probe:hwtrace+kernel
}

for what in "${@:-targets}"; do
  echo "== $what"
  $what
done
