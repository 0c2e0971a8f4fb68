#!/usr/bin/env bash
# Builds a site of static pages from the Markdown of the source: README, help, docs, and a page for each command of the
# built program. Warnings end it, links to nothing above all.
#
#   tools/site/build.sh [--install] [OUT [PROGRAM]]      build/site/html and build/release/core/cli/overlane without
#
# --install first puts Sphinx with its parser and theme into a Python environment, build/site/tools. Without them this
# ends with 77.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=build/site/tools
if [ "${1:-}" = --install ]; then
  shift
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check -r tools/site/requirements.txt
fi
out=${1:-build/site/html}
program=${2:-build/release/core/cli/overlane}
python=$tools/bin/python
[ -x "$python" ] || python=python3

if ! "$python" -c 'import furo, myst_parser, sphinx' 2>/dev/null; then
  echo "Sphinx with MyST and Furo is not installed; tools/site/build.sh --install installs it." >&2
  exit 77
fi
if [ ! -x "$program" ]; then
  echo "$program is not there; build it, or name another as the second argument." >&2
  exit 1
fi
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$python" tools/site/assemble.py "$program" "$pages/source"
"$python" -m sphinx --quiet --fail-on-warning --keep-going -b html -d "$pages/doctrees" "$pages/source" "$out"
echo "$out/index.html: $(find "$out" -name '*.html' | wc -l) pages"
