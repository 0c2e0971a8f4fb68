#!/usr/bin/env bash
# Builds the packages and tries them: checks of their form, then a bare Debian in which they are installed, run and
# removed. Needs root, for the chroot, and installs the checkers that are missing.
#
#   tools/package_test.sh [--built] [ROOT]
#
# --built takes the packages that are there. ROOT: a bare Debian of an earlier run to copy; without it, or where it is
# not there yet, debootstrap makes one.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/release
packages=$build/packages
built=
if [ "${1:-}" = --built ]; then built=yes; shift; fi
bare=${1:-}
release=${RELEASE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}

say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
fail() { echo "package_test.sh: $*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || fail "a chroot needs root"
missing=()
for tool in lintian:lintian desktop-file-validate:desktop-file-utils appstreamcli:appstream debootstrap:debootstrap \
            zstd:zstd dpkg-shlibdeps:dpkg-dev; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
if [ ${#missing[@]} -ne 0 ]; then
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
fi

if [ -z "$built" ]; then
  say "make package"
  rm -rf "$packages"
  make package >/dev/null
fi
command_line=$(ls "$packages"/overlane_*.deb)
window=$(ls "$packages"/overlane-ui_*.deb)
archive=$(ls "$packages"/overlane-*.tar.zst)
ls -l "$packages"/*.deb "$packages"/*.zst

say "form"
desktop-file-validate resources/desktop/overlane.desktop
appstreamcli validate --no-net resources/desktop/overlane.metainfo.xml
lintian --allow-root --fail-on error "$command_line" "$window"

say "a bare $release"
root=$(mktemp -d "${TMPDIR:-/tmp}/overlane-package-XXXXXX")
chmod 755 "$root"  # what apt and man do as other users
leave() {
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf "$root"
}
trap leave EXIT
if [ -n "$bare" ] && [ -d "$bare/usr" ]; then
  cp -a "$bare/." "$root"
  chmod 755 "$root"
else
  debootstrap --variant=minbase "$release" "$root" >/dev/null
  if [ -n "$bare" ]; then cp -a "$root/." "$bare"; fi
fi
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$command_line" "$window" "$archive" "$root/root/"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
# What of the file system a package may leave: nothing but what apt itself keeps.
listing() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var -o -path ./root -o -path ./tmp -o -path ./run \) -prune -o -print | sort); }
inside apt-get -qq -o Dpkg::Use-Pty=0 update
# The window's libraries come first, so that removing the packages alone can be seen.
inside apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends man-db bash-completion fonts-dejavu-core >/dev/null
depends=$(dpkg-deb -f "$command_line" Depends; dpkg-deb -f "$window" Depends)
inside apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
  $(tr ',' '\n' <<<"$depends" | sed 's/([^)]*)//; s/|.*//; s/ //g' | grep -v '^overlane$' | sort -u) >/dev/null
listing >"$root/root/before"

say "install"
inside sh -c 'apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /root/*.deb' >/dev/null

try() {
  local programs=$1 share=$2
  inside "$programs/overlane" --version
  inside "$programs/overlane" info "$share/overlane/samples/dataloader_pageable_blocking.overlane" | head -3
  inside "$programs/overlane" run --json >/dev/null
  inside "$programs/overlane" doctor --for open | head -4
  inside "$programs/overlane-ui" --version
  inside "$programs/overlane-ui" --screenshot /root/window.png "$share/overlane/samples/dataloader_pageable_blocking.overlane"
  [ "$(stat -c %s "$root/root/window.png")" -gt 20000 ] || fail "the picture of the window is empty"
  # The command line finds the window that draws for it.
  inside "$programs/overlane" picture "$share/overlane/samples/two_gpus.overlane" -o /root/window.pdf
  [ "$(head -c 5 "$root/root/window.pdf")" = %PDF- ] || fail "the picture of the timeline is no PDF"
  local parts found
  parts=$(inside ls "$programs/../lib/overlane" | grep -c '^liboverlane-')
  found=$(inside "$programs/overlane" doctor --json | grep -c '/lib/overlane/liboverlane-')
  [ "$found" -eq "$parts" ] || fail "$found of $parts libraries of the program are found from $programs"
  inside rm /root/window.png /root/window.pdf
}
say "run"
try /usr/bin /usr/share
inside man -w overlane overlane-info overlane-ui >/dev/null
inside bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader overlane; complete -p overlane' >/dev/null

say "remove"
inside apt-get -qq -o Dpkg::Use-Pty=0 purge -y overlane overlane-ui >/dev/null
listing >"$root/root/after"
diff "$root/root/before" "$root/root/after" || fail "removing the packages left something, or took more"

say "the archive, unpacked elsewhere"
inside mkdir -p /opt/somewhere
zstd -dc "$archive" | tar -x -C "$root/opt/somewhere" --strip-components=1
try /opt/somewhere/bin /opt/somewhere/share
say "all is well"
