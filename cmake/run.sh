#!/usr/bin/env bash
# Starts the window. Without a display: runs the default scenario in the terminal and leaves a
# picture of the window, so that a server shows something useful too.
set -euo pipefail

tools=${tools:-build/release}
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x "$tools/app/ui/overlane-ui" ]; then
  exec "$tools/app/ui/overlane-ui"
fi

echo "No display: the default scenario in the terminal, and a picture of the window."
"$tools/core/cli/overlane" run
if [ -x "$tools/app/ui/overlane-ui" ]; then
  picture="$tools/overlane.png"
  "$tools/app/ui/overlane-ui" --screenshot "$picture"
  echo "Picture of the window: $picture"
fi
