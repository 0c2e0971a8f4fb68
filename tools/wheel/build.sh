#!/usr/bin/env bash
# Builds the wheels `overlane` (glibc 2.28 and later) and `overlane-ui` (glibc 2.34 and later).
#   tools/wheel/build.sh [FOLDER [--no-window]]      FOLDER: build/portable; the wheels are in FOLDER/wheels
# Needs a Debian or Ubuntu with the packages of `make run`, and PyPI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$root/tools/portable/prepare.sh" "${1:-$root/build/portable}" "${2:-}"

python=$folder/python
if [ ! -x "$python/bin/auditwheel" ]; then
  python3 -m venv "$python"
  "$python/bin/pip" install --quiet pip wheel scikit-build-core auditwheel
fi
rm -rf "$folder/wheels" "$folder/raw"

# wheel SOURCE PLATFORM: one build folder serves both, so that nothing is compiled twice.
wheel() {
  SKBUILD_CMAKE_ARGS=$(IFS=';'; echo "${portable[*]}") "$python/bin/pip" wheel --quiet --no-deps --no-build-isolation \
    --config-settings "build-dir=$folder/wheel" --wheel-dir "$folder/raw" "$root/$1"
  "$python/bin/python" "$here/finish.py" "$folder"/raw/*.whl "$2" "$folder/wheels" "${@:3}"
  rm -rf "$folder/raw"
}
wheel python "manylinux_${glibc/./_}_x86_64"
if [ "${2:-}" != --no-window ]; then
  wheel python/ui "manylinux_${glibc_of_qt/./_}_x86_64" "$folder/qt/licenses"
fi
"$python/bin/auditwheel" show "$folder"/wheels/overlane-*.whl
ls -l "$folder/wheels"
