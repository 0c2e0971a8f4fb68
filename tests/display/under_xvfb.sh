#!/usr/bin/env bash
# Runs a command on a display of its own with a window manager, in a home of its own, and takes both away again.
#
#   under_xvfb.sh WIDTHxHEIGHT COMMAND...
#
# Exits with 77 (skipped) and a sentence where what this needs is not installed; with
# OVERLANE_DISPLAY_TESTS=always that is a failure.
set -euo pipefail
size=$1
shift

missing=()
for tool in Xvfb openbox xdotool wmctrl xwininfo; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -ne 0 ]; then
  echo "Skipped: the window is not driven on a display without ${missing[*]}; tests/display/install.sh installs them."
  [ "${OVERLANE_DISPLAY_TESTS:-}" = always ] && exit 1
  exit 77
fi

folder=$(mktemp -d)
processes=()
stop() {
  [ ${#processes[@]} -eq 0 ] || kill "${processes[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

# The server picks a number that is free and writes it once it answers.
mkfifo "$folder/number"
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp 3<>"$folder/number" 2>"$folder/xvfb.log" &
processes+=($!)
exec 3<>"$folder/number"
if ! read -r -t 60 number <&3; then
  echo "Xvfb did not start:" >&2
  cat "$folder/xvfb.log" >&2
  exit 1
fi
exec 3>&-
export DISPLAY=":$number" QT_QPA_PLATFORM=xcb QT_XCB_GL_INTEGRATION=none
unset WAYLAND_DISPLAY SESSION_MANAGER DBUS_SESSION_BUS_ADDRESS
export HOME="$folder" XDG_CONFIG_HOME="$folder/config" XDG_RUNTIME_DIR="$folder/run" XDG_CACHE_HOME="$folder/cache"
mkdir -m 700 "$XDG_RUNTIME_DIR"

# Without a window manager no window becomes active: one that ends is started again. It goes with the server.
while :; do
  openbox >>"$folder/openbox.log" 2>&1 || true
  sleep 0.2
done &
processes+=($!)
for _ in $(seq 300); do
  xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break
  sleep 0.2
done

"$@"
