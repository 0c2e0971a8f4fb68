#!/usr/bin/env bash
# Builds programs that run on systems older than this one: glibc 2.28 (2018) and later, with nothing else installed; the
# window with Qt 6 and fonts beside it, for glibc 2.34 (2021) and later.
#   tools/portable/build.sh [FOLDER]       FOLDER: build/portable; FOLDER/root is what to copy to another machine
# Needs a Debian or Ubuntu with the packages of `make run`, and PyPI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$here/prepare.sh" "${1:-$root/build/portable}"

cmake -S "$root" -B "$folder/release" -G Ninja -DCMAKE_BUILD_TYPE=Release "${portable[@]}" -DOVERLANE_APP=ON \
  -DOVERLANE_TESTS=OFF -DOVERLANE_BENCH=OFF -DOVERLANE_FUZZ=OFF
cmake --build "$folder/release" --target programs
rm -rf "$folder/root"
cmake --install "$folder/release" --prefix "$folder/root" --strip
python3 "$here/symbol_versions.py" "$glibc" "$folder"/root/bin/* "$folder"/root/lib/overlane/*.so
python3 "$here/symbol_versions.py" --bundled "$glibc_of_qt" "$folder"/root/lib/overlane/qt/lib/*
