#!/usr/bin/env bash
# Ordinary programs on this machine's GPU (the folder programs beside this file), each bare and recorded: what an
# iteration takes by the program's own clock, and recordings to hold the judgement to.
# OVERLANE_PROGRAMS_SET: `programs`, unless given; `changed`, each after a change that what-if predicts; or a file of
# lines like theirs below.
# Usage: programs.sh FOLDER [ROUNDS, 1 unless given] [MODES, bare,stacks unless given] [PART OF A NAME].
# Needs python3 with PyTorch, torchvision, transformers, accelerate, JAX, optax, CuPy.
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
END
}

case $OVERLANE_PROGRAMS_SET in
  programs | changed) $OVERLANE_PROGRAMS_SET ;;
  *) cat "$OVERLANE_PROGRAMS_SET" ;;
esac |
  python3 "$here/program_runs.py" "$1" "${2:-1}" "${3:-bare,stacks}" "${4:-}"
