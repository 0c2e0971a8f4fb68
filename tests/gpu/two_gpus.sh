#!/usr/bin/env bash
# A job of two processes on two GPUs, recorded into one trace. Usage: two_gpus.sh FOLDER
# Needs two GPUs and python3 with PyTorch.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/torch_two_gpus.py" "$work"
cd "$work" || exit 2
overlane() { LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$here/overlane" "$@"; }
failures=0
row() { printf '%-40s %-5s %s\n' "$1" "$2" "$3"; [ "$2" != FAIL ] || failures=$((failures + 1)); }

launch=(python3 -m torch.distributed.run --standalone --nproc_per_node=2 torch_two_gpus.py 24)
timeout 120 "${launch[@]}" >bare.txt 2>bare.err || { tail -5 bare.err; exit 2; }
sed 's/^/    bare      /' bare.txt
rm -f "$out/two_gpus.overlane"
overlane record --pytorch -o "$out/two_gpus.overlane" -- timeout 120 "${launch[@]}" >recorded.txt 2>recorded.err
code=$?
sed 's/^/    recorded  /' recorded.txt
grep '^overlane' recorded.err
overlane info --json "$out/two_gpus.overlane" >info.json
# One line of counts for each device of the trace.
python3 - info.json >counts.txt <<'PYTHON'
import json, sys
for device in json.load(open(sys.argv[1]))["devices"]:
    print(device["id"], device["kernels"], device["h2d"], device["other_copies"])
PYTHON
row "the job ends as it would" "$([ $code = 0 ] && [ "$(grep -c rank= recorded.txt)" = 2 ] && echo ok || echo FAIL)" "exit code $code"
row "both GPUs in one trace" "$([ "$(wc -l <counts.txt)" = 2 ] && echo ok || echo FAIL)" "$(wc -l <counts.txt) devices"
while read -r id kernels h2d other; do
  row "GPU $id" "$([ "$kernels" -ge 216 ] && [ "$h2d" -ge 24 ] && [ "$other" -ge 6 ] && echo ok || echo FAIL)" \
    "kernels $kernels, to the device $h2d, between devices or on one $other"
done <counts.txt
row "size" ok "$(stat -c %s "$out/two_gpus.overlane") bytes"
echo "failures: $failures"
exit $((failures > 0))
