#!/usr/bin/env bash
# Rates of pinned copies of a run on this machine's GPU beside those of NVIDIA's nvbandwidth (copy engine),
# for the same sizes, in turns. Usage: bandwidth.sh NVBANDWIDTH [ROUNDS]
# nvbandwidth: https://github.com/NVIDIA/nvbandwidth, built on its own. A row fails where our median is
# more than 0.5 % lower.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nvbandwidth=${1:?the path of nvbandwidth}
rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
overlane() { LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$here/overlane" "$@"; }
number() { grep -o "\"$1\": [0-9.]*" "$2" | head -1 | sed 's/.*: //'; }
median() { tr ' ' '\n' <<<"$1" | grep . | sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# theirs CASE MIB: GB/s
theirs() { "$nvbandwidth" -t "$1" -b "$2" -i 5 2>/dev/null | awk '$1 == "0" && NF == 2 { print $2; exit }'; }
# ours DIRECTION MIB: GB/s of the copies themselves. As many buffers as batches, so that all copies are
# queued one behind the other and the host does nothing beside them.
ours() {
  local count=$(($2 >= 256 ? 8 : 32)) sizes
  if [ "$1" = h2d ]; then sizes="--set batch_bytes=$2MiB --set result_bytes=0"; else sizes="--set batch_bytes=64KiB --set result_bytes=$2MiB"; fi
  # shellcheck disable=SC2086
  overlane run --engine gpu --force -o "$work/run.overlane" $sizes --set batches=$count --set device_buffers=$count \
    --set workers=0 --set produce_us=0 --set tensors=1 --set compute_us=0 --set pin=ring --set non_blocking=on >/dev/null 2>"$work/run.err" ||
    { cat "$work/run.err" >&2; return 1; }
  overlane info --json "$work/run.overlane" >"$work/info.json"
  awk "BEGIN { printf \"%.3f\", $count * $2 * 1048576 / $(number "$1_busy_ns" "$work/info.json") }"
}

printf '%-8s %-10s %14s %14s %8s\n' size direction nvbandwidth overlane ratio
for mib in 16 64 512; do
  for direction in h2d d2h; do
    if [ $direction = h2d ]; then case=host_to_device_memcpy_ce; else case=device_to_host_memcpy_ce; fi
    a="" b=""
    for _ in $(seq "$rounds"); do
      a+="$(theirs $case $mib) "
      b+="$(ours $direction $mib) "
      rm -f "$work/run.overlane"
    done
    ratio=$(awk "BEGIN { printf \"%.4f\", ($(median "$b") + 0) / ($(median "$a") + 1e-9) }")
    result=$(awk "BEGIN { print ($ratio >= 0.995) ? \"ok\" : \"FAIL\" }")
    [ "$result" = ok ] || failures=$((failures + 1))
    printf '%-8s %-10s %9s GB/s %9s GB/s %8s %s   (%s| %s)\n' "$mib MiB" $direction "$(median "$a")" "$(median "$b")" "$ratio" "$result" "$a" "$b"
  done
done
echo "failures: $failures"
exit $((failures > 0))
