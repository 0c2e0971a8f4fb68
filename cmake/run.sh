#!/usr/bin/env bash
# Starts the window. Without a display: runs the default scenario in the terminal and leaves a
# picture of the window, so that a server shows something useful too.
set -euo pipefail

tools=${tools:-build/release}
window="$tools/app/program/overlane-ui"

why="No display"
if [ ! -x "$window" ]; then
  why="Built without the window"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  SECONDS=0
  status=0
  "$window" || status=$?
  # Qt aborts (134) at once where the display named in the environment does not answer.
  if [ $status -ne 134 ] || [ $SECONDS -gt 5 ]; then exit $status; fi
  why="The display ${DISPLAY:-$WAYLAND_DISPLAY} cannot be used"
fi

if [ ! -x "$window" ]; then
  echo "$why: the default scenario in the terminal."
  exec "$tools/core/cli/overlane" run
fi
echo "$why: the default scenario in the terminal, and a picture of the window."
"$tools/core/cli/overlane" run
picture="$tools/overlane.png"
log="$tools/screenshot.log"  # offscreen, Qt complains about what a screen would have
"$window" --screenshot "$picture" 2>"$log" || { cat "$log" >&2; exit 1; }
echo "Picture of the window: $picture"
