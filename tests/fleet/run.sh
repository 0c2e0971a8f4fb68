#!/usr/bin/env bash
# The tests of overlane.fleet, with the environment that install.sh made, where it did.
cd "$(dirname "$0")/../python" || exit 1
python=../../build/fleet/bin/python
[ -x "$python" ] || python=python3
if ! "$python" -c 'import distributed, duckdb, fsspec, polars, pyarrow' 2> /dev/null; then
  echo "Dask, DuckDB, fsspec, polars or pyarrow is not installed: tests/fleet/install.sh installs them."
  exit 77
fi
exec "$python" -m unittest -q test_fleet test_fleet_stores
