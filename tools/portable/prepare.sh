# To be sourced, with a folder: makes there what a portable build needs.
# Sets folder, glibc (what the programs need), glibc_of_qt (what the window needs), and portable (options for CMake).
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
glibc=2.28
glibc_of_qt=2.34
mkdir -p "$1"
folder=$(cd "$1" && pwd)
bash "$here/stubs.sh" "$glibc" "$folder/glibc-$glibc"
export OVERLANE_GLIBC_STUBS=$folder/glibc-$glibc
bash "$here/libraries.sh" "$folder/libraries" > "$folder/libraries.log"
bash "$here/qt.sh" "$folder/qt" "$folder/libraries"
portable=("-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DOVERLANE_PORTABLE=ON "-DOVERLANE_QT=$folder/qt"
          "-DCMAKE_TOOLCHAIN_FILE=$here/toolchain.cmake" "-DCMAKE_PREFIX_PATH=$folder/libraries")
