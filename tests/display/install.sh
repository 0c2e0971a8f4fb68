#!/usr/bin/env bash
# Installs what the tests of this folder need: a display in memory, a window manager, and a hand for mouse and
# keyboard.
exec bash "$(dirname "$0")/../../cmake/install_packages.sh" xvfb openbox xdotool wmctrl x11-utils
