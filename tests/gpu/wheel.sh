#!/usr/bin/env bash
# The wheels of tools/wheel/build.sh on a machine with a GPU: installed into an environment of its own, without root, Qt
# or compiler, then what the README says to do. CUPTI comes from PyTorch's packages or the toolkit.
# Usage: wheel.sh WHEELS FOLDER, where the window's wheel may be left out. Needs python3 with PyTorch. Keeps recordings, a report and pictures.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wheels=$(cd "${1:?the folder of the wheels}" && pwd)
mkdir -p "${2:?a folder to keep things in}"
folder=$(cd "$2" && pwd)
cd "$folder"

packages=$(python3 -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])')
begin=$(date +%s%N)
python3 -m venv environment
echo "$packages" > "$(echo environment/lib/python3*/site-packages)/torch.pth"
source environment/bin/activate
window=$(ls "$wheels"/overlane_ui-*.whl 2> /dev/null || true)
pip install --quiet --no-index --find-links "$wheels" "overlane${window:+[ui]}"
overlane demo > demo.txt
echo "from nothing to the demo's answer: $((($(date +%s%N) - begin) / 1000000)) ms"
overlane --version
overlane doctor || echo "doctor: exit code $?"

overlane record -o train.overlane -- python "$here/torch_loop.py" gpu 60
overlane info train.overlane > info.txt
head -n 8 info.txt
overlane whatif train.overlane | head -n 12
overlane report train.overlane -o train.html

cat > part.py <<'END'
import torch, overlane
with overlane.recording("part.overlane") as part:
    host = torch.empty(1 << 24).pin_memory()
    for _ in range(20):
        device = host.to("cuda", non_blocking=True)
        torch.mm(torch.ones(4096, 4096, device="cuda"), torch.ones(4096, 4096, device="cuda"))
    torch.cuda.synchronize()
print("part:", part.trace.overlap().share, len(part.trace.table("copies")), len(part.trace.table("kernels")))
END
python part.py
python -X importtime -c "import overlane" 2>&1 | tail -n 1
if [ -n "$window" ]; then
  overlane-ui --screenshot train.png --size 1920x1080 --theme dark train.overlane
  echo "picture: $(stat -c %s train.png) bytes"
fi
rm -rf environment
