#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that building, testing and running Overlane need.
# Asks dpkg first, so a second call does nothing; says what it installs before it does.
#
#   install_packages.sh [--no-app] [PACKAGE...]     --no-app leaves Qt out; named packages are added
set -euo pipefail

# "a|b": the same thing under its name in one release or another; either will do.
packages=(
  g++ cmake ninja-build pkg-config
  libsimdjson-dev libsqlite3-dev libzstd-dev zlib1g-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libdw-dev libmd4c-dev "libarchive13t64|libarchive13" libgtest-dev libgmock-dev libbenchmark-dev python3 locales
)
app_packages=(
  qt6-base-dev "qt6-svg-dev|libqt6svg6-dev" libqt6svg6 libgl-dev libvulkan-dev libqcustomplot-dev
  fonts-dejavu-core
)
if [ "${1:-}" = --no-app ]; then shift; else packages+=("${app_packages[@]}"); fi
packages+=("$@")

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }

if ! command -v apt-get >/dev/null; then
  echo "Overlane installs its packages with apt-get, which is not here. Under Debian's names it needs:" >&2
  echo "  ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  for name in ${package//|/ }; do
    if installed "$name"; then continue 2; fi
  done
  missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

# Sets `chosen` to the names that this release has, the first of each pair where none is known.
choose_names() {
  chosen=()
  unknown=()
  local package name
  for package in "${missing[@]}"; do
    for name in ${package//|/ }; do
      if [ -n "$(apt-cache madison "$name" 2>/dev/null)" ]; then chosen+=("$name"); continue 2; fi
    done
    unknown+=("$package")
    chosen+=("${package%%|*}")
  done
}

stop_with_advice() {
  choose_names
  echo "$1 Have an administrator run:" >&2
  echo "  apt-get update && apt-get install --no-install-recommends ${chosen[*]}" >&2
  exit 1
}

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || stop_with_advice "Packages are missing, and this is neither root nor a machine with sudo."
  echo "Packages are missing; installing them needs root, so sudo may ask for a password."
  sudo true || stop_with_advice "sudo did not allow it."
  sudo="sudo"
fi

# Fresh machines often run their own updates right after they start: wait for those.
apt=($sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
"${apt[@]}" update || echo "apt-get update failed; going on with the package lists that are here." >&2
choose_names
if [ ${#unknown[@]} -ne 0 ]; then
  echo "This release offers no package named: ${unknown[*]}" >&2
  echo "Debian 12 or 13 or Ubuntu 24.04 is needed, on Ubuntu with the component 'universe' enabled." >&2
  exit 1
fi
echo "Installing with apt-get (some minutes on a bare system): ${chosen[*]}"
"${apt[@]}" install -y --no-install-recommends "${chosen[@]}" >/dev/null
