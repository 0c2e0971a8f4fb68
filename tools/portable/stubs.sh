#!/usr/bin/env bash
# Makes the stub libraries of an older glibc: what is linked with them runs on that glibc and on every later one.
#   tools/portable/stubs.sh VERSION FOLDER        tools/portable/stubs.sh 2.28 build/portable/glibc-2.28
# They come from zig, which has the symbol lists of every glibc; it is taken from PyPI into FOLDER's neighbor `zig`.
set -euo pipefail
version=${1:?a version of glibc, such as 2.28}
folder=${2:?a folder for the stubs}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
zig=$(dirname "$folder")/zig

if [ -e "$folder/complete" ]; then
  exit 0
fi
if [ ! -x "$zig/bin/python" ]; then
  python3 -c 'import ensurepip' 2> /dev/null || apt-get install --yes -qq --no-install-recommends python3-venv > /dev/null
  python3 -m venv "$zig"
  "$zig/bin/pip" install --quiet ziglang==0.17.1
fi

# A program and a library that use each part make zig build all of the stubs.
cache=$folder/cache
mkdir -p "$cache"
echo 'int main(void) { return 0; }' > "$cache/main.c"
ZIG_GLOBAL_CACHE_DIR=$cache ZIG_LOCAL_CACHE_DIR=$cache "$zig/bin/python" -m ziglang cc \
  -target "x86_64-linux-gnu.$version" "$cache/main.c" -o "$cache/main" -lm -lpthread -ldl -lrt -lutil

# take NAME [AS]: the one file of this name that zig built.
take() {
  local found
  found=$(find "$cache/o" -name "$1" -type f | head -n 1)
  if [ -z "$found" ]; then
    echo "zig built no $1 for glibc $version" >&2
    exit 1
  fi
  cp "$found" "$folder/${2:-$1}"
}
for part in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 crt1.o libc_nonshared.a; do
  take "$part"
done
take libld.so.2 ld-linux-x86-64.so.2
ln -sf crt1.o "$folder/Scrt1.o"
for part in m pthread dl rt util; do
  ln -sf "$(cd "$folder" && ls "lib$part.so."*)" "$folder/lib$part.so"
done
cat > "$folder/libc.so" <<'SCRIPT'
OUTPUT_FORMAT(elf64-x86-64)
GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( ld-linux-x86-64.so.2 ) )
SCRIPT
gcc -O2 -Wall -Wextra -fPIC -c "$here/newer_glibc.c" -o "$cache/newer_glibc.o"
ar rcs "$folder/libnewer_glibc.a" "$cache/newer_glibc.o"
rm -rf "$cache"
touch "$folder/complete"
