#!/usr/bin/env bash
# Packs the window for a machine without Qt into FOLDER/window.tar.xz: the programs, the libraries they need
# but the C and C++ ones, Qt's plugins for drawing without a display, and a font.
# Usage: window_bundle.sh FOLDER PLUGIN-FOLDER PROGRAM... See window.sh.
set -euo pipefail
folder=$1
plugins=$2
shift 2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/lib "$tree"/fonts "$tree"/plugins/{platforms,imageformats,iconengines}
cp -L "$@" "$tree/"
strip "${@/#*\//$tree/}"
for plugin in platforms/libqoffscreen.so imageformats/libqsvg.so iconengines/libqsvgicon.so; do
  cp -L "$plugins/$plugin" "$tree/plugins/$plugin"
done
for needs in "$@" "$tree"/plugins/*/*.so; do
  ldd "$needs" |
    awk '$3 ~ /^\// && $3 !~ /\/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so/ { print $3 }' |
    xargs -r -I{} cp -L -u {} "$tree/lib/"
done
for style in '' :bold :italic; do
  cp -L -u "$(fc-match -f '%{file}' "DejaVu Sans$style")" "$tree/fonts/"
done
cp -L -u "$(fc-match -f '%{file}' 'DejaVu Sans Mono')" "$tree/fonts/"
tar -C "$tree" -c . | xz -3 -T0 >"$folder/window.tar.xz"
du -sh "$folder/window.tar.xz"
