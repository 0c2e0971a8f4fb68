#!/usr/bin/env bash
# Tries the wheels where people install them: in bare systems without Qt, compilers or X11, the oldest and the newest
# Debian that can be had. Each installs the wheel, judges the samples, records a stand-in for a CUDA program, reads the
# recording from Python, and, where its glibc allows the window, draws a picture.
#   tools/wheel/test.sh [FOLDER [--here]]     FOLDER: build/portable, with the wheels of tools/wheel/build.sh
# Needs root. The short form, --here, tries the wheel without the window, and on this system only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$root/tools/portable/prepare.sh" "${1:-$root/build/portable}" --no-window

# A driver and a CUPTI without a GPU, and a program that uses them, as the unit tests have them.
cmake -S "$root" -B "$folder/stand_in" -G Ninja -DCMAKE_BUILD_TYPE=Release "${portable[@]}" -DOVERLANE_APP=OFF \
  -DOVERLANE_BENCH=OFF -DOVERLANE_FUZZ=OFF > "$folder/stand_in.log" 2>&1
cmake --build "$folder/stand_in" --target fake_cuda injected_program >> "$folder/stand_in.log"

# pack FOLDER: what try_wheel.sh needs.
pack() {
  rm -rf "$1"
  mkdir -p "$1"
  cp "$folder"/wheels/*.whl "$folder"/stand_in/tests/unit/cupti/libcuda.so.1 \
    "$folder"/stand_in/tests/unit/cupti/injected_program "$here/try_wheel.sh" "$1"
}
if [ "${2:-}" = --here ]; then
  pack "$folder/try"
  rm -f "$folder"/try/overlane_ui-*.whl
  bash "$folder/try/try_wheel.sh"
  exit
fi

command -v debootstrap > /dev/null || apt-get install --yes -qq debootstrap > /dev/null
for suite in bullseye sid; do
  system=$folder/systems/$suite
  if [ ! -e "$system/complete" ]; then
    rm -rf "$system"
    mkdir -p "$system"
    debootstrap --variant=minbase --include=python3-venv "$suite" "$system" > "$folder/debootstrap.log"
    touch "$system/complete"
  fi
  pack "$system/try"
  echo "== $suite, glibc $(chroot "$system" ldd --version | sed -n '1s/.* //p')"
  unshare --mount --pid --fork --mount-proc="$system/proc" chroot "$system" env -i PATH=/usr/bin:/bin HOME=/try LANG=C.UTF-8 bash /try/try_wheel.sh --bare
  if [ -e "$system/try/window.png" ]; then
    cp "$system/try/window.png" "$folder/window_$suite.png"
  fi
done
