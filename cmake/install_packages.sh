#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that building, testing and running Overlane need.
# Asks dpkg first, so a second call does nothing; says what it installs before it does.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config
  qt6-base-dev "qt6-svg-dev|libqt6svg6-dev" libqt6svg6 libgl-dev libvulkan-dev libqcustomplot-dev
  libsimdjson-dev libsqlite3-dev libzstd-dev zlib1g-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  python3 fonts-dejavu-core
)
# Named packages are added: `install_packages.sh clang-tidy` for the checks of a submission.
packages+=("$@")

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }

# "a|b": the same thing under its name in one release or another; either will do.
missing=()
for package in "${packages[@]}"; do
  found=no
  for name in ${package//|/ }; do installed "$name" && found=yes; done
  [ $found = yes ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Overlane installs its packages with apt-get, which is not here. Needed: ${missing[*]}" >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Not root and no sudo. As root, run: apt-get install ${missing[*]}" >&2; exit 1; }
  sudo="sudo"
fi

$sudo apt-get update -qq
chosen=()
for package in "${missing[@]}"; do
  for name in ${package//|/ }; do
    if apt-cache show "$name" >/dev/null 2>&1; then chosen+=("$name"); continue 2; fi
  done
  echo "This release has no package named $package." >&2
  exit 1
done
echo "Installing with apt-get: ${chosen[*]}"
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${chosen[@]}" >/dev/null
