# To be sourced, with a folder and, where the window is not built, --no-window: makes there what a portable build needs.
# Sets folder, glibc (what the programs need), glibc_of_qt (what the window needs), and portable (options for CMake).
portable_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
glibc=2.28
glibc_of_qt=2.34
mkdir -p "$1"
folder=$(cd "$1" && pwd)
bash "$portable_here/stubs.sh" "$glibc" "$folder/glibc-$glibc"
export OVERLANE_GLIBC_STUBS=$folder/glibc-$glibc
bash "$portable_here/libraries.sh" "$folder/libraries" > "$folder/libraries.log"
portable=("-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DOVERLANE_PORTABLE=ON
          "-DCMAKE_TOOLCHAIN_FILE=$portable_here/toolchain.cmake" "-DCMAKE_PREFIX_PATH=$folder/libraries")
if [ "${2:-}" != --no-window ]; then
  bash "$portable_here/qt.sh" "$folder/qt" "$folder/libraries"
  portable+=("-DOVERLANE_QT=$folder/qt")
fi
