#!/usr/bin/env bash
# Predictions of what-if beside what the changed programs take: programs of the folder programs on this machine's GPU,
# each recorded as it is, then run as it is and with each change in turns.
# OVERLANE_PAIRS: a file of lines as pair_runs.py reads them; those below, unless given.
# Usage: pairs.sh FOLDER [ROUNDS, 2 unless given] [PART OF A NAME]. Needs what programs.sh needs.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error PYTHONWARNINGS=ignore TOKENIZERS_PARALLELISM=false

pairs() {
  cat <<END
gan torch gan.py 40 page pin+non_blocking:pin_nb
embed torch,transformers,accelerate embed.py 32 page pin+non_blocking:pin_nb
segment torch,torchvision segment.py 40 page pin:pin
fourier cupy,numpy fourier.py 40 page pin:pin
diffusion torch diffusion.py 24 page pin+non_blocking:pin_nb
compiled torch,torch._inductor compiled.py 60 page pin+non_blocking:pin_nb
checkpoint_offload torch checkpoint_offload.py 40 page pin:pin
retrieval_eval torch,torchvision,transformers retrieval_eval.py 40 w2 workers=8:w8
satellite torch,torchvision satellite.py 40 page pin:pin pin+non_blocking+side_stream=2:pin_nb_side
forecast torch,numpy forecast.py 56 w0 workers=4:w4 pin+non_blocking:w0_pin_nb drop_syncs:w0_nosync
action torch,torchvision action.py 30 w2_pin workers=8:w8_pin non_blocking:w2_pin_nb
fedavg torch,torchvision fedavg.py 40 page pin:pin pin+non_blocking:pin_nb
lidar torch,numpy lidar.py 40 page pin:pin pin+non_blocking+side_stream=2:pin_nb_side drop_syncs:nosync
cells torch,scipy.sparse,numpy cells.py 56 page pin:pin pin+non_blocking:pin_nb pin+non_blocking+side_stream=2:pin_nb_side
seismic cupy,cupyx,numpy seismic.py 40 page pin:pin
jax_flow jax,optax,numpy jax_flow.py 48 page drop_syncs:nosync
lm_eval torch,transformers lm_eval.py 40 page pin:pin
END
}

{ if [[ -n ${OVERLANE_PAIRS:-} ]]; then cat "$OVERLANE_PAIRS"; else pairs; fi; } |
  awk -v folder="$here/programs/" 'NF { $3 = folder $3; print }' |
  python3 "$here/pair_runs.py" "$1" "${2:-2}" "${3:-}"
