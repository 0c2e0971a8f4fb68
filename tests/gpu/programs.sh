#!/usr/bin/env bash
# Ordinary programs on this machine's GPU (the folder programs beside this file), each bare and recorded: what an
# iteration takes by the program's own clock, and recordings to hold the judgement to.
# OVERLANE_PROGRAMS_SET: `programs`, unless given; `further`, `blind`, `unseen`, `fresh`, `fifth` and `sixth`, others; `changed`, some after
# a change that what-if predicts; or a file of lines like theirs below.
# Usage: programs.sh FOLDER [ROUNDS, 1 unless given] [MODES, bare,stacks unless given] [PART OF A NAME].
# Needs python3 with PyTorch, torchvision, torchaudio, transformers, accelerate, JAX, optax, CuPy, Lightning, SciPy,
# Numba.
set -uo pipefail
OVERLANE_PROGRAMS_SET=${OVERLANE_PROGRAMS_SET:-programs}
here=$(cd "$(dirname "$0")" && pwd)
export HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error PYTHONWARNINGS=ignore TOKENIZERS_PARALLELISM=false

# With the path of the script in each line.
located() {
  while read -r name modules script arguments; do
    echo "$name $modules $here/programs/$script $arguments"
  done
}

# name, what is imported beforehand, the program, its variant and its number of iterations
nlp=torch,transformers,accelerate
programs() {
  located <<END
diffusion_page torch diffusion.py page 24
gan_page torch gan.py page 40
lengths_page torch lengths.py page 56
embed_page $nlp embed.py page 32
fourier_page cupy,numpy fourier.py page 40
accumulate_pin $nlp accumulate.py pin 40
trainer_pin $nlp trainer.py pin 30
rollout_page torch rollout.py page 40
offloaded_page $nlp offloaded.py page 24
optax_page jax,optax optax_train.py page 40
segment_page torch,torchvision segment.py page 40
compiled_page torch,torch._inductor compiled.py page 60
END
}

# Written by somebody who did not know how iterations, roles and causes are found.
further() {
  located <<END
sage_page torch,numpy sage.py page 40
dlrm_page torch dlrm.py page 40
superres_page torch,PIL.Image superres.py page 30
ppo_page torch,numpy ppo.py page 40
host_adam_page torch host_adam.py page 36
audio_pin torch,scipy.signal audio.py pin 40
nano_pin torch nano.py pin 32
detect_page torch,torchvision detect.py page 36
prefetcher_pin torch,torchvision prefetcher.py pin 40
video_pin torch,torchvision video.py pin 60
server_page torch,torchvision server.py page 60
kmeans_dev cupy,numpy kmeans.py dev 40
jax_scan_page jax,optax jax_scan.py page 40
jax_prefetch_page jax jax_prefetch.py page 40
numba_page numpy numba_heat.py page 48
lightning_val_page torch,lightning lightning_val.py page 40
reduce_page torch,torch._inductor reduce_overhead.py page 60
contrastive_pin torch,torchvision contrastive.py pin 40
shards_page torch,numpy shards.py page 40
END
}

# Written by somebody else, who noted beforehand what should be found.
blind() {
  located <<END
unet_page torch,numpy unet.py page 40
lora_page torch,transformers lora.py page 40
lit_page torch,torch._inductor lit.py page 40
microscope_page cupy,cupyx.scipy.ndimage,numpy microscope.py page 40
jax_vit_page jax,optax jax_vit.py page 40
sessions_page torch sessions.py page 40
checkpoint_offload_page torch checkpoint_offload.py page 40
features_page torch,torchvision,lightning features.py page 40
surrogate_page torch,numpy surrogate.py page 40
speech_page torch,torchaudio speech.py page 40
END
}

# Written by a third person, likewise.
unseen() {
  located <<END
distill_page torch,torchvision distill.py page 40
retrieval_eval_w2 torch,torchvision,transformers retrieval_eval.py w2 40
sampler_page torch,transformers sampler.py page 40
sliding_page torch sliding.py page 40
causal_trainer_w0 torch,transformers,accelerate causal_trainer.py w0 40
lattice_page torch lattice.py page 40
radar_page cupy,cupyx.scipy.ndimage,numpy radar.py page 60
jax_molecules_page jax,optax jax_molecules.py page 48
satellite_page torch,torchvision satellite.py page 40
triangle_page torch triangle.py page 40
END
}

# By a fourth person, likewise.
fresh() {
  located <<END
forecast_w0 torch,numpy forecast.py w0 56
action_w2_pin torch,torchvision action.py w2_pin 30
fedavg_page torch,torchvision fedavg.py page 40
lidar_page torch,numpy lidar.py page 40
cells_page torch,scipy.sparse,numpy cells.py page 56
seismic_page cupy,cupyx,numpy seismic.py page 40
jax_flow_page jax,optax,numpy jax_flow.py page 48
lm_eval_page torch,transformers lm_eval.py page 40
END
}

# By a fifth person, likewise.
fifth() {
  located <<END
depth_w2 torch,torchvision depth.py w2 40
stems_page torch,numpy stems.py page 60
moments_page torch moments.py page 40
policy_page torch,torchvision policy.py page 40
ecg_w0 torch,lightning,scipy.signal,numpy ecg.py w0 48
wgan_page torch wgan.py page 40
tomography_page cupy,cupyx,numpy tomography.py page 60
nerf_page jax,optax,numpy nerf.py page 60
END
}

# By a sixth person, who knew what each change is, but not how it is predicted.
sixth() {
  located <<END
pose_w2 torch,torchvision,scipy.ndimage,numpy pose.py w2 32
genome_w0 torch,numpy genome.py w0 48
mri_page torch mri.py page 40
harvest_page torch,transformers harvest.py page 40
unmix_page cupy,cupyx,numpy unmix.py page 48
nowcast_w1 torch,lightning,numpy nowcast.py w1 40
END
}

# The same after a change that what-if predicts.
changed() {
  located <<END
diffusion_pin_nb torch diffusion.py pin_nb 24
gan_pin_nb torch gan.py pin_nb 40
lengths_rare torch lengths.py rare 56
embed_pin_nb $nlp embed.py pin_nb 32
fourier_pin cupy,numpy fourier.py pin 40
trainer_page $nlp trainer.py page 30
segment_pin torch,torchvision segment.py pin 40
segment_pin_nb torch,torchvision segment.py pin_nb 40
compiled_pin_nb torch,torch._inductor compiled.py pin_nb 60
numba_pin numpy numba_heat.py pin 48
sage_pin_nb torch,numpy sage.py pin_nb 40
host_adam_pin torch host_adam.py pin 36
lightning_val_pin torch,lightning lightning_val.py pin 40
shards_pin_nb torch,numpy shards.py pin_nb 40
unet_w8 torch,numpy unet.py w8 40
unet_pin_nb torch,numpy unet.py pin_nb 40
lora_nosync torch,transformers lora.py nosync 40
lora_pin_nb torch,transformers lora.py pin_nb 40
lit_pin torch,torch._inductor lit.py pin 40
lit_pin_nb torch,torch._inductor lit.py pin_nb 40
lit_pin_nb_side torch,torch._inductor lit.py pin_nb_side 40
microscope_pin cupy,cupyx.scipy.ndimage,numpy microscope.py pin 40
microscope_pin_nb cupy,cupyx.scipy.ndimage,numpy microscope.py pin_nb 40
jax_vit_nosync jax,optax jax_vit.py nosync 40
sessions_pin torch sessions.py pin 40
sessions_pin_nb torch sessions.py pin_nb 40
sessions_pin_nb_side torch sessions.py pin_nb_side 40
sessions_nosync torch sessions.py nosync 40
checkpoint_offload_pin torch checkpoint_offload.py pin 40
checkpoint_offload_pin_nb torch checkpoint_offload.py pin_nb 40
features_w8 torch,torchvision,lightning features.py w8 40
features_pin torch,torchvision,lightning features.py pin 40
surrogate_pin torch,numpy surrogate.py pin 40
surrogate_pin_nb torch,numpy surrogate.py pin_nb 40
surrogate_pin_nb_side torch,numpy surrogate.py pin_nb_side 40
speech_w4 torch,torchaudio speech.py w4 40
speech_nosync torch,torchaudio speech.py nosync 40
speech_pin torch,torchaudio speech.py pin 40
speech_pin_nb torch,torchaudio speech.py pin_nb 40
distill_pin_nb torch,torchvision distill.py pin_nb 40
distill_nosync torch,torchvision distill.py nosync 40
retrieval_eval_w8 torch,torchvision,transformers retrieval_eval.py w8 40
retrieval_eval_w2_pin torch,torchvision,transformers retrieval_eval.py w2_pin 40
sampler_pin torch,transformers sampler.py pin 40
sampler_pin_nb torch,transformers sampler.py pin_nb 40
sliding_pin torch sliding.py pin 40
causal_trainer_w4 torch,transformers,accelerate causal_trainer.py w4 40
causal_trainer_w0_nosync torch,transformers,accelerate causal_trainer.py w0_nosync 40
lattice_pin torch lattice.py pin 40
lattice_pin_nb torch lattice.py pin_nb 40
radar_pin cupy,cupyx.scipy.ndimage,numpy radar.py pin 60
jax_molecules_nosync jax,optax jax_molecules.py nosync 48
satellite_pin torch,torchvision satellite.py pin 40
satellite_pin_nb torch,torchvision satellite.py pin_nb 40
satellite_pin_nb_side torch,torchvision satellite.py pin_nb_side 40
triangle_pin torch triangle.py pin 40
forecast_w4 torch,numpy forecast.py w4 56
forecast_w0_pin_nb torch,numpy forecast.py w0_pin_nb 56
forecast_w0_nosync torch,numpy forecast.py w0_nosync 56
action_w8_pin torch,torchvision action.py w8_pin 30
action_w2_pin_nb torch,torchvision action.py w2_pin_nb 30
fedavg_pin torch,torchvision fedavg.py pin 40
fedavg_pin_nb torch,torchvision fedavg.py pin_nb 40
lidar_pin torch,numpy lidar.py pin 40
lidar_pin_nb_side torch,numpy lidar.py pin_nb_side 40
lidar_nosync torch,numpy lidar.py nosync 40
cells_pin torch,scipy.sparse,numpy cells.py pin 56
cells_pin_nb torch,scipy.sparse,numpy cells.py pin_nb 56
cells_pin_nb_side torch,scipy.sparse,numpy cells.py pin_nb_side 56
seismic_pin cupy,cupyx,numpy seismic.py pin 40
jax_flow_nosync jax,optax,numpy jax_flow.py nosync 48
lm_eval_pin torch,transformers lm_eval.py pin 40
END
}

case $OVERLANE_PROGRAMS_SET in
  programs | further | blind | unseen | fresh | fifth | sixth | changed) $OVERLANE_PROGRAMS_SET ;;
  *) cat "$OVERLANE_PROGRAMS_SET" ;;
esac |
  python3 "$here/program_runs.py" "$1" "${2:-1}" "${3:-bare,stacks}" "${4:-}"
