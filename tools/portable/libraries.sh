#!/usr/bin/env bash
# Builds from the distribution's own sources, as archives, what it ships as shared libraries only and what it ships as
# archives for programs only (elfutils); and, as a shared library, what it ships for its own glibc only (expat).
#   tools/portable/libraries.sh FOLDER            installs into FOLDER; needs OVERLANE_GLIBC_STUBS
set -euo pipefail
folder=${1:?a folder to install into}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [ -e "$folder/complete" ]; then
  exit 0
fi

apt-get install --yes -qq --no-install-recommends m4 flex bison patch make > /dev/null

# The sources of the distribution in use, without a change to its own lists.
work=$folder/work
mkdir -p "$work/lists/partial"
sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/{debian,ubuntu}.sources > "$work/source.sources" 2>/dev/null || true
apt=(-o "Dir::Etc::sourcelist=$work/source.sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
     -o APT::Sandbox::User=root -o Acquire::Retries=5 -qq)
apt-get "${apt[@]}" update
(cd "$work" && apt-get "${apt[@]}" source --tar-only fmtlib md4c simdjson expat elfutils)
(cd "$work" && apt-get "${apt[@]}" source --download-only qcustomplot)

# unpacked PATTERN: the folder of a source.
unpacked() { find "$work" -maxdepth 1 -type d -name "$1" | head -n 1; }

# build FOLDER OPTION...
build() {
  cmake -S "$1" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
    -DCMAKE_INSTALL_PREFIX="$folder" "${@:2}"
  cmake --build "$work/build" --target install
  rm -rf "$work/build"
}
for archive in "$work"/*.orig.tar.*; do
  tar -C "$work" -xf "$archive"
done
build "$(unpacked 'fmt*')" -DFMT_TEST=OFF -DFMT_DOC=OFF
build "$(unpacked 'md4c*')"
build "$(unpacked 'simdjson*')" -DSIMDJSON_DEVELOPER_MODE=OFF
build "$(unpacked '*expat*')/expat" -DBUILD_SHARED_LIBS=ON -DEXPAT_BUILD_{TOOLS,TESTS,EXAMPLES,DOCS}=OFF
# Of elfutils the two libraries, in the order in which they need each other.
elfutils=$(unpacked 'elfutils*')
(cd "$elfutils" && CFLAGS="-O2 -fPIC -Wno-error" ./configure --prefix="$folder" --libdir="$folder/lib" --disable-nls \
  --disable-debuginfod --disable-libdebuginfod --without-zstd --without-bzlib)
for part in config lib libelf libcpu backends libebl libdwelf libdwfl libdw; do
  make -C "$elfutils/$part" -j "$(nproc)"
done
for part in config libelf libdw; do
  make -C "$elfutils/$part" install
done
# Without the distribution's change, its header does not compile with Qt 6.
plot=$(unpacked 'qcustomplot*')
tar -C "$plot" -xf "$work"/qcustomplot_*.debian.tar.xz
while read -r change; do
  patch --silent -d "$plot" -p1 < "$plot/debian/patches/$change"
done < "$plot/debian/patches/series"
build "$here/qcustomplot" -DSOURCE="$plot"
rm -rf "$work"
touch "$folder/complete"
