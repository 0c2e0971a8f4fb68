#!/usr/bin/env bash
# What `overlane advise` says of a loader's settings, held to PyTorch DataLoaders on this machine's GPU. Each setting
# below is advised on as the scenario that it is, then timed as it is, as advised, and as a neighbour of the advice
# (pin thread and one more worker), in turns: a process for each setting in each round.
# Leaves FOLDER/loader_settings.md, the table, and FOLDER/loader_settings.json, every figure.
# Usage: loader_settings.sh FOLDER [ROUNDS, 3 unless given] [PART OF A NAME]. Needs python3 with PyTorch; five to
# eight minutes. From the environment:
#   OVERLANE_SETTINGS_DEVICE   the profile to simulate with; h200_vm unless given
#   OVERLANE_SETTINGS_SECONDS  no process begins its runs after that; 450 unless given
#   OVERLANE_SETTINGS_DRY=1    without a GPU: batches stay on the host and compute is a pause; shows that it runs
#   OVERLANE                   the program; the one beside this file unless given
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)

# name; MiB of a batch and its tensors; workers, prefetch_factor, ms of a worker for a batch; ms of kernels;
# pin_memory; non_blocking; batches on the device with a side stream, 0: the kernels' stream; loss.item() each step
settings() {
  cat <<END
# name            mib tensors workers prefetch produce_ms compute_ms pin non_blocking side item
example            48       2       4        2         24         10   0            0    0    0
example_item       48       2       4        2         24         10   0            0    0    1
example_pinned     48       2       4        2         24         10   1            1    2    0
slow_page_w2       24       1       2        2         30          4   0            0    0    0
slow_pin_w8        16       1       8        2         40          5   1            1    0    1
alone_page          8       1       0        2          6          6   0            0    0    0
alone_pin          16       1       0        2          4          8   1            1    0    1
small_page          4       1       2        2          4          2   0            0    0    1
small_pin           4       2       4        4          6          3   1            1    2    1
compute_page       12       1       4        2         20         20   0            0    0    0
compute_pin        12       1       8        4         20         20   1            1    2    1
copy_page          48       1       8        2          8          4   0            0    0    1
copy_pin           48       1       8        2          8          4   1            0    0    1
even_pin           32       2       6        2         24          6   1            1    2    1
one_worker         24       1       1        2         10         12   0            1    2    0
END
}

settings | python3 "$here/loader_settings.py" "$out" "${2:-3}" "${3:-}"
