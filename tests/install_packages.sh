#!/usr/bin/env bash
# Runs cmake/install_packages.sh with stand-ins for apt: it must ask for names that the release has, where one package
# has another name in each. Both releases were looked at; what is listed here is missing there.
set -euo pipefail

script=$(cd "$(dirname "$0")/.." && pwd)/cmake/install_packages.sh
fakes=$(mktemp -d "${TMPDIR:-/tmp}/overlane-apt-XXXXXX")
trap 'rm -rf "$fakes"' EXIT
stand_in() { printf '#!/bin/bash\n%s\n' "$2" > "$fakes/$1"; chmod +x "$fakes/$1"; }
stand_in dpkg-query 'exit 1'
stand_in id 'echo 0'
stand_in apt-get 'echo "$@" >> "$ASKED"'
stand_in apt-cache '[[ " $ABSENT " == *" $2 "* ]] || echo "$2 | 1.0 | main"'

# names RELEASE ABSENT...
names() {
  local release=$1 name
  export ABSENT="${*:2}" ASKED=$fakes/asked
  : > "$ASKED"
  PATH=$fakes:$PATH bash "$script" > "$fakes/said" 2>&1 || { echo "$release:"; cat "$fakes/said"; exit 1; }
  for name in $ABSENT; do
    if grep -qw -- "$name" "$ASKED"; then echo "$release has no $name"; exit 1; fi
  done
  grep -qw -- "${NEEDED:?}" "$ASKED" || { echo "$release: $NEEDED is not installed"; exit 1; }
}
NEEDED=libarchive13 names "Debian 12" libarchive13t64 libqt6svg6-dev
NEEDED=libarchive13t64 names "Debian 13" libarchive13 libqt6svg6-dev

# Without these, cpack makes a .deb that depends on nothing, and says so in a warning alone.
make -n -C "$(dirname "$script")/.." package | grep -q 'install_packages.sh.*dpkg-dev file' ||
  { echo "make package does not install what finds its dependencies"; exit 1; }
