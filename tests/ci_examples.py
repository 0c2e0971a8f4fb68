#!/usr/bin/env python3
"""Holds docs/ci.md to what it says: its files are YAML of the services' form, and its commands run as written.

usage: ci_examples.py --overlane PROGRAM

Each job's commands run in order in a scratch folder with stand-ins: a sample for what a GPU would record, whose command
line the program itself has to take, and a pip that installs nothing. Outputs that the page quotes are those of the
program. Ends with 77 where PyYAML is not installed (Debian's python3-yaml).
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/ci.md"
SAMPLES = ROOT / "resources/samples"
GOOD = SAMPLES / "dataloader_pinned_side_stream.overlane"
SKIPPED = 77
FENCE = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"^```\n\$ ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r"^- `(overlane check [^`]+)`", re.MULTILINE)
ACTION = re.compile(r"[\w-]+/[\w/-]+@v\d+")
# What `overlane record` of the job writes is a sample; a wrong command line still ends it.
OVERLANE = """#!/bin/sh
"{program}" "$@"
code=$?
[ "$1" = record ] || exit $code
[ $code -ne 2 ] || exit 2
while [ "$1" != -- ]; do
  [ "$1" != -o ] || cp "{recorded}" "$2"
  shift
done
"""
PIP = '#!/bin/sh\n[ "$1" = install ] || exit 2\n'


def github(jobs):
    """The commands of a workflow, and what is wrong with its form."""
    commands, problems = [], []
    for name, job in jobs.get("jobs", {}).items():
        if "runs-on" not in job:
            problems.append(f"job {name} has no runs-on")
        for step in job.get("steps", []):
            if ("run" in step) == ("uses" in step):
                problems.append(f"step {step} of job {name} needs one of run and uses")
            if not ACTION.fullmatch(step.get("uses", "a/b@v1")):
                problems.append(f"step {step} of job {name} names no action with its version")
            if step.keys() - {"run", "uses", "if", "with", "name", "env"}:
                problems.append(f"step {step} of job {name} has a key that no step has")
            commands += [step["run"]] if "run" in step else []
    return commands, problems


def gitlab(jobs):
    commands, problems = [], []
    for name, job in jobs.items():
        if job.keys() - {"tags", "script", "artifacts", "stage", "image", "before_script", "needs"}:
            problems.append(f"job {name} has a key that no job has")
        if not isinstance(job.get("script"), list):
            problems.append(f"job {name} has no script")
        commands += job.get("script", [])
    return commands, problems


SERVICES = {"GitHub Actions": github, "GitLab": gitlab}


def prepare(folder, program):
    tools = folder / "tools"
    tools.mkdir()
    for name, text in (("overlane", OVERLANE.format(program=program, recorded=GOOD)), ("pip", PIP)):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    for sample in SAMPLES.glob("*.overlane"):
        shutil.copy(sample, folder)
    for name in ("main.overlane", "train.overlane"):
        shutil.copy(GOOD, folder / name)
    (folder / "overlane.rules").write_text("hazard  # results may be wrong\nstep-time:1s\n")
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}


def problems(text, program):
    import yaml

    def run(command, folder, environment):
        return subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)

    found = FENCE.findall(text)
    if {title for title, _ in found} != set(SERVICES):
        yield f"has YAML for {[title for title, _ in found]}, not for {list(SERVICES)}"
        return
    for title, source in found:
        commands, wrong = SERVICES[title](yaml.safe_load(source))
        yield from (f"{title}: {one}" for one in wrong)
        if not any(command.startswith("overlane check") for command in commands):
            yield f"{title}: checks nothing"
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            environment = prepare(folder, program)
            for command in commands:
                ended = run(command, folder, environment)
                if ended.returncode != 0:
                    yield f"{title}: `{command}` ended with {ended.returncode}: {ended.stderr.strip() or ended.stdout.strip()}"
            for name in re.findall(r"[\w.]+\.(?:sarif|xml|overlane)", source):
                if not (folder / name).is_file():
                    yield f"{title}: {name} is not there after the commands"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        environment = prepare(folder, program)
        for command in ASKED.findall(text):
            ended = run(command, folder, environment)
            if ended.returncode != 0:
                yield f"`{command}` ended with {ended.returncode}: {ended.stderr.strip() or ended.stdout.strip()}"
        quoted = QUOTED.findall(text)
        if not quoted:
            yield "quotes no output"
        for command, lines in quoted:
            said = run(command, folder, environment).stdout.replace("\u2009", " ").splitlines()
            said = [line.replace("\u202f", " ").rstrip() for line in said]
            yield from (f"`{command}` does not print {line!r} but {said}" for line in lines.splitlines() if line not in said)
            new, old = re.fullmatch(r"overlane check (\S+) --against (\S+)", command).groups()
            for pair in ((old, new), (old, old), (new, new)):  # where the page says that nothing fires
                if run(f"overlane check {pair[0]} --against {pair[1]}", folder, environment).returncode != 0:
                    yield f"{pair[0]} against {pair[1]} does not pass"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overlane", required=True, type=pathlib.Path)
    asked = parser.parse_args()
    if importlib.util.find_spec("yaml") is None:
        print("Not installed: PyYAML; apt-get install python3-yaml.")
        return SKIPPED
    found = list(problems(PAGE.read_text(encoding="utf-8"), asked.overlane.resolve()))
    for problem in found:
        print(f"docs/ci.md: {problem}", file=sys.stderr)
    if not found:
        print("docs/ci.md holds")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
