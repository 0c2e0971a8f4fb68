#!/usr/bin/env bash
# PyTorch DataLoader settings on this machine's GPU, in rounds: in each every setting is recorded once with
# `overlane record --pytorch`, in the end each runs bare. A table of step times, FOLDER/round<k>/NAME.overlane,
# and bare.json with the figures of all runs. torch_matrix_table.py makes predictions of the traces.
# Usage: torch_matrix.sh FOLDER [ROUNDS, 3 unless given] [PART OF A NAME]. Needs python3 with PyTorch; about
# two minutes a round.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
rounds=${2:-3}
only=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/torch_matrix.py" "$work"
cd "$work" || exit 2
python3 -c 'import torch; assert torch.cuda.is_available()' || { echo "python3 has no PyTorch that sees a GPU"; exit 2; }

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
  echo "copy_page_block_same $page --samples 256 --products 5 --decode-us 0 --workers 12 --warm-up 30 --steps 30"
  echo "copy_page_nb_side2 $page $nb $side 2 --samples 256 --products 5 --decode-us 0 --workers 12 --warm-up 30 --steps 30"
  echo "copy_pin_nb_same $pin $nb --samples 256 --products 5 --decode-us 0 --workers 12 --warm-up 30 --steps 30"
  echo "copy_pin_nb_side2 $pin $nb $side 2 --samples 256 --products 5 --decode-us 0 --workers 12 --warm-up 30 --steps 30"
  # loader-bound: 37 MiB a batch, 32 ms of decoding in one worker
  echo "loader_page_block_w2 $page --decode-us 500 --workers 2"
  echo "loader_page_block_w4 $page --decode-us 500 --workers 4"
  echo "loader_pin_nb_side2_w4 $pin $nb $side 2 --decode-us 500 --workers 4"
  echo "loader_pin_nb_side2_w8 $pin $nb $side 2 --decode-us 500"
  echo "loader_pin_nb_side2_w4_f8 $pin $nb $side 2 --decode-us 500 --workers 4 --prefetch-factor 8 --warm-up 40"
  # no workers, and batches so small that calls count
  echo "alone_page_block_w0 $page --workers 0 --samples 16 --decode-us 100"
  echo "alone_pin_nb_w0 $pin $nb --workers 0 --samples 16 --decode-us 100"
  echo "small_page_block_same $page --samples 4 --products 5 --steps 160"
  echo "small_pin_nb_side2 $pin $nb $side 2 --samples 4 --products 5 --steps 160"
}

settings | python3 "$here/torch_matrix_runs.py" "$out" "$rounds" "$only"
