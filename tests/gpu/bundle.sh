#!/usr/bin/env bash
# Collects programs, the scripts beside this file and the shared libraries they need, apart from the
# C library's, into one folder. Usage: bundle.sh FOLDER PROGRAM...
set -euo pipefail
folder=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder/lib"
cp -r "$here/programs" "$folder/programs"
cp "$here"/*.sh "$here"/*.py "$@" "$folder/"
cp -r "$here/../../resources/pytorch" "$folder/pytorch"
for program in "$@"; do
  ldd "$program" |
    awk '$3 ~ /^\// && $3 !~ /\/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so/ { print $3 }' |
    xargs -r -I{} cp -L -u {} "$folder/lib/"
done
strip "$folder"/*.so "$folder"/{spool_report,node_rates,overlane}
du -sh "$folder"
