#!/bin/sh
# The pictures of the README, anew: resources/screenshots/make.sh [PROGRAM]
# PROGRAM is overlane-ui, from build/release unless named. The measured ones need an NVIDIA GPU, and are
# left as they are without.
set -eu
cd "$(dirname "$0")/../.."
ui=${1:-build/release/app/program/overlane-ui}
pictures=resources/screenshots
trace=tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz

"$ui" --screenshot "$pictures/default_light.png" --size 1920x1080 --theme light
"$ui" --screenshot "$pictures/laptop_swaps_dark.png" --size 1280x800 --theme dark --preset laptop_swaps
"$ui" --screenshot "$pictures/pytorch_trace_dark.png" --size 1920x1080 --theme dark "$trace"
"$ui" --screenshot "$pictures/what_if_dark.png" --size 1920x1080 --theme dark --what-if pin "$trace"
if [ -e /dev/nvidiactl ]; then
    "$ui" --screenshot "$pictures/measured_light.png" --size 1280x800 --theme light --engine gpu
    "$ui" --screenshot "$pictures/both_engines_dark.png" --size 1920x1080 --theme dark --engine both
fi
