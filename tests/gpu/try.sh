#!/usr/bin/env bash
# `overlane try` with programs of the folder programs beside this file, and with those of a file of lines
# `NAME SCRIPT ARGUMENTS` in OVERLANE_TRY_PROGRAMS. Keeps NAME.json and what was printed, NAME.txt.
# Usage: try.sh FOLDER [BUDGET, 5m unless given] [PART OF A NAME]. Needs python3 with PyTorch, torchvision,
# transformers, accelerate.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error PYTHONWARNINGS=ignore TOKENIZERS_PARALLELISM=false
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
folder=$1
mkdir -p "$folder"

programs() {
  cat <<END
classify_w0 $here/programs/classify.py page_w0 4000
classify_w4 $here/programs/classify.py page_w4 4000
gan_page $here/programs/gan.py page 4000
trainer_page $here/programs/trainer.py page 2000
END
  [ -z "${OVERLANE_TRY_PROGRAMS:-}" ] || cat "$OVERLANE_TRY_PROGRAMS"
}

programs | grep -- "${3:-}" | while read -r name script arguments; do
  echo "== $name"
  # shellcheck disable=SC2086 # arguments are words
  "$here/overlane" try --budget "${2:-5m}" --json -- python3 "$script" $arguments \
    < /dev/null > "$folder/$name.json" 2> "$folder/$name.txt"
  cat "$folder/$name.txt"
  python3 - "$folder/$name.json" <<'END'
import json, sys
try:
    tried = json.load(open(sys.argv[1]))
except ValueError:
    sys.exit("no answer")
for row in tried["rows"]:
    print("%-60s %d runs %.2f ms %s %s predicted %s" % (
        row["change"], len(row["runs_ns"]), row["batch_ns"] / 1e6, row.get("gain"), row.get("direction"),
        row.get("predicted")))
print(tried["sentence"])
END
done
