#!/usr/bin/env bash
# Installs what the tests of overlane.fleet need, into a Python environment: Dask, pyarrow, the packages of three object
# stores (130 MB), and DuckDB and polars for the questions of docs/fleet.md. Tests of Ray run
# where ray is installed there, too.
#
#   tests/fleet/install.sh [FOLDER]    build/fleet where it is left out
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-build/fleet}
bash cmake/install_packages.sh python3-venv
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r tests/fleet/requirements.txt
