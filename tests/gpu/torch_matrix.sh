#!/usr/bin/env bash
# PyTorch DataLoader settings on this machine's GPU, each run bare and recorded with `overlane record
# --pytorch`: a table of step times, the traces, and bare.json with the step times of the bare runs.
# Usage: torch_matrix.sh FOLDER [PART OF A NAME]. Needs python3 with PyTorch; about 12 s a setting.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
only=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/torch_matrix.py" "$work"
cd "$work" || exit 2
failures=0
python3 -c 'import torch; assert torch.cuda.is_available()' || { echo "python3 has no PyTorch that sees a GPU"; exit 2; }
overlane() { LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$here/overlane" "$@"; }
figure() { grep -o "\"$1\": [0-9.]*" "$2" | head -1 | sed 's/.*: //'; }

page=""
pin="--pin-memory"
nb="--non-blocking"
side="--side-stream"
# name and options: copies, compute and loader take turns at being what limits the step
settings() {
  # balanced: 37 MiB a batch, 4 ms of kernels
  echo "even_page_block_same $page"
  echo "even_page_nb_same $page $nb"
  echo "even_page_block_side2 $page $side 2"
  echo "even_page_nb_side2 $page $nb $side 2"
  echo "even_pin_block_same $pin"
  echo "even_pin_nb_same $pin $nb"
  echo "even_pin_block_side2 $pin $side 2"
  echo "even_pin_nb_side2 $pin $nb $side 2"
  # the same on the way from one to the other: depth, workers, syncs
  echo "even_pin_nb_side1 $pin $nb $side 1"
  echo "even_pin_nb_side4 $pin $nb $side 4"
  echo "even_page_block_w2 $page --workers 2"
  echo "even_pin_nb_side2_w4 $pin $nb $side 2 --workers 4"
  echo "even_page_block_free $page --item-every 0"
  echo "even_pin_nb_free $pin $nb --item-every 0"
  echo "even_pin_nb_side2_free $pin $nb $side 2 --item-every 0"
  # compute-bound: 9 MiB a batch, 10 ms of kernels
  echo "compute_page_block_same $page --samples 16 --products 50"
  echo "compute_page_nb_side2 $page $nb $side 2 --samples 16 --products 50"
  echo "compute_pin_nb_same $pin $nb --samples 16 --products 50"
  echo "compute_pin_nb_side2 $pin $nb $side 2 --samples 16 --products 50"
  # the loss read every eighth step only, so that the host runs ahead: 18 MiB a batch, 8 ms of kernels
  echo "ahead_page_block_same $page --samples 32 --products 40 --item-every 8"
  echo "ahead_pin_block_same $pin --samples 32 --products 40 --item-every 8"
  echo "ahead_pin_nb_same $pin $nb --samples 32 --products 40 --item-every 8"
  echo "ahead_pin_nb_side2 $pin $nb $side 2 --samples 32 --products 40 --item-every 8"
  # copy-bound: 147 MiB a batch, 1 ms of kernels, samples for nothing
  echo "copy_page_block_same $page --samples 256 --products 5 --decode-us 0 --workers 12"
  echo "copy_page_nb_side2 $page $nb $side 2 --samples 256 --products 5 --decode-us 0 --workers 12"
  echo "copy_pin_nb_same $pin $nb --samples 256 --products 5 --decode-us 0 --workers 12"
  echo "copy_pin_nb_side2 $pin $nb $side 2 --samples 256 --products 5 --decode-us 0 --workers 12"
  # loader-bound: 37 MiB a batch, 32 ms of decoding in one worker
  echo "loader_page_block_w2 $page --decode-us 500 --workers 2"
  echo "loader_page_block_w4 $page --decode-us 500 --workers 4"
  echo "loader_pin_nb_side2_w4 $pin $nb $side 2 --decode-us 500 --workers 4"
  echo "loader_pin_nb_side2_w8 $pin $nb $side 2 --decode-us 500"
  echo "loader_pin_nb_side2_w4_f8 $pin $nb $side 2 --decode-us 500 --workers 4 --prefetch-factor 8"
  # no workers, and batches so small that calls count
  echo "alone_page_block_w0 $page --workers 0 --samples 16 --decode-us 100"
  echo "alone_pin_nb_w0 $pin $nb --workers 0 --samples 16 --decode-us 100"
  echo "small_page_block_same $page --samples 4 --products 5 --steps 80"
  echo "small_pin_nb_side2 $pin $nb $side 2 --samples 4 --products 5 --steps 80"
}

printf '%-26s %9s %9s %7s %8s  %s\n' setting "bare ms" "rec. ms" ratio "file KiB" verdict
echo '[' >"$out/bare.json"
comma=""
while read -r name arguments; do
  [[ $name == *"$only"* ]] || continue
  # shellcheck disable=SC2086
  timeout 90 python3 torch_matrix.py $arguments >bare.txt 2>bare.err || { failures=$((failures + 1)); tail -2 bare.err; }
  rm -f "$out/$name.overlane"
  # shellcheck disable=SC2086
  overlane record --pytorch --duration 90 -o "$out/$name.overlane" -- python3 torch_matrix.py $arguments >recorded.txt 2>recorded.err ||
    { failures=$((failures + 1)); tail -3 recorded.err; }
  bare=$(figure step_ms bare.txt)
  recorded=$(figure step_ms recorded.txt)
  verdict=$(grep -v -E '^overlane: |^$|Warning|warn' recorded.err | tail -2 | head -1 | cut -c1-120)
  printf '%-26s %9s %9s %7s %8s  %s\n' "$name" "$bare" "$recorded" \
    "$(awk "BEGIN { printf \"%.3f\", (${recorded:-0} + 0) / (${bare:-0} + 1e-9) }")" \
    "$(($(stat -c %s "$out/$name.overlane" 2>/dev/null || echo 0) / 1024))" "$verdict"
  grep '^overlane: ' recorded.err | grep -v -E ' processes?, ' | head -3
  echo "$comma {\"name\": \"$name\", \"arguments\": \"$arguments\", \"bare\": $(cat bare.txt), \"recorded\": $(cat recorded.txt)}" >>"$out/bare.json"
  comma=","
done < <(settings)
echo ']' >>"$out/bare.json"
echo "failures: $failures"
exit $((failures > 0))
