#!/usr/bin/env bash
# Draws overlane-ui on this machine without a display or Qt: the laboratory's settings on its GPU, the same
# on both engines one above the other, and traces recorded here, light and dark, in two sizes.
# Usage: window.sh FOLDER [TRACE...]. Needs window.tar.xz beside it (target gpu_window).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
if command -v xz >/dev/null; then tar -C "$tree" -xJf "$here/window.tar.xz"; else python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$here/window.tar.xz" "$tree"; fi || exit 2
# What the window starts lies beside it.
cp -r "$here/overlane" "$here"/liboverlane-*.so "$here/pytorch" "$tree/"
cp -u "$here"/lib/* "$tree/lib/"
cat >"$tree/fonts.conf" <<XML
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>$tree/fonts</dir>
  <cachedir>$tree/cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
XML
export FONTCONFIG_FILE="$tree/fonts.conf" QT_PLUGIN_PATH="$tree/plugins" QT_QPA_PLATFORM=offscreen XDG_CACHE_HOME="$tree/cache"
export LD_LIBRARY_PATH="$tree/lib"
failures=0

# draw NAME ARGUMENTS...: the picture in every size and theme
draw() {
  local name=$1 size theme begun
  shift
  for size in 1920x1080 1280x800; do
    for theme in light dark; do
      begun=$(date +%s%N)
      if "$tree/overlane-ui" --screenshot "$out/${name}_${theme}_${size%x*}.png" --size $size --theme $theme "$@" 2>"$tree/error"; then
        printf '%-44s ok    %4d ms\n' "$name $theme $size" $((($(date +%s%N) - begun) / 1000000))
      else
        failures=$((failures + 1))
        printf '%-44s FAIL  %s\n' "$name $theme $size" "$(head -3 "$tree/error")"
      fi
    done
  done
}

draw measured_pageable --engine gpu --preset pageable_blocking
draw measured_pinned --engine gpu --preset pinned_side_stream
draw both_engines --engine both --preset pinned_side_stream
for trace in "$@"; do
  draw "$(basename "$trace" .overlane)" "$trace"
done
if "$tree/live_lanes" "$out" >"$tree/said" 2>&1; then
  printf '%-44s ok\n' "lanes while a run is under way, stop"
else
  failures=$((failures + 1))
  printf '%-44s FAIL\n' "lanes while a run is under way, stop"
fi
grep -E '^  |Failure|error' "$tree/said" | head -12
echo "failures: $failures"
exit $((failures > 0))
