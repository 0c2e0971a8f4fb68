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
sampler torch,transformers sampler.py 40 page pin:pin
lattice torch lattice.py 40 page pin:pin
radar cupy,numpy radar.py 40 page pin:pin
triangle torch triangle.py 40 page pin:pin
forecast torch,numpy forecast.py 56 w0 workers=4:w4 pin+non_blocking:w0_pin_nb drop_syncs:w0_nosync
action torch,torchvision action.py 30 w2_pin workers=8:w8_pin non_blocking:w2_pin_nb
fedavg torch,torchvision fedavg.py 40 page pin:pin pin+non_blocking:pin_nb
lidar torch,numpy lidar.py 40 page pin:pin pin+non_blocking+side_stream=2:pin_nb_side drop_syncs:nosync
cells torch,scipy.sparse,numpy cells.py 56 page pin:pin pin+non_blocking:pin_nb pin+non_blocking+side_stream=2:pin_nb_side
seismic cupy,cupyx,numpy seismic.py 40 page pin:pin
jax_flow jax,optax,numpy jax_flow.py 48 page drop_syncs:nosync
lm_eval torch,transformers lm_eval.py 40 page pin:pin
depth torch,torchvision depth.py 40 w2 workers=8:w8 pin:w2_pin workers=8+pin+non_blocking:w8_pin_nb
stems torch,numpy stems.py 60 page pin:pin pin+non_blocking+read_later:pin_nb
moments torch moments.py 40 page pin:pin pin+non_blocking+read_later:pin_nb
policy torch,torchvision policy.py 40 page pin:pin pin+non_blocking+side_stream=2:pin_nb_side drop_syncs:nosync
ecg torch,lightning,scipy.signal,numpy ecg.py 48 w0 workers=4:w4 drop_syncs:w0_nosync pin+drop_syncs:w0_pin_nosync
wgan torch wgan.py 40 page pin+non_blocking:pin_nb drop_syncs:nosync pin+non_blocking+drop_syncs:pin_nb_nosync
tomography cupy,cupyx,numpy tomography.py 60 page pin:pin pin+non_blocking+read_later:pin_nb
nerf jax,optax,numpy nerf.py 60 page drop_syncs:nosync
pose torch,torchvision,scipy.ndimage,numpy pose.py 32 w2 workers=8:w8 pin:w2_pin workers=8+pin+non_blocking:w8_pin_nb
genome torch,numpy genome.py 48 w0 workers=4:w4 drop_syncs:w0_nosync pin+non_blocking:w0_pin_nb
mri torch mri.py 40 page pin:pin pin+non_blocking+side_stream=2:pin_nb_side pin+non_blocking+drop_syncs:pin_nb_nosync
harvest torch,transformers harvest.py 40 page pin:pin pin+read_later:pin_later pin+non_blocking+read_later:pin_nb_later
unmix cupy,cupyx,numpy unmix.py 48 page pin:pin pin+read_later:pin_later
nowcast torch,lightning,numpy nowcast.py 40 w1 workers=4:w4 workers=4+pin+drop_syncs:w4_pin_nosync drop_syncs:w1_nosync
END
}

{ if [[ -n ${OVERLANE_PAIRS:-} ]]; then cat "$OVERLANE_PAIRS"; else pairs; fi; } |
  awk -v folder="$here/programs/" 'NF { $3 = folder $3; print }' |
  python3 "$here/pair_runs.py" "$1" "${2:-2}" "${3:-}"
