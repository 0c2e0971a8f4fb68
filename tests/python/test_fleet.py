"""overlane.fleet: a data set of planted traces, read by real clusters whose processes are killed."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import fleet_traces
import support

import overlane
from overlane.fleet import __main__, _schema
from overlane.fleet._row import read_trace

try:
    import dask
    import duckdb
    import polars
    import pyarrow
    from distributed import LocalCluster
except ImportError as error:
    raise unittest.SkipTest(f"{error.name} is not installed; tests/fleet/install.sh installs it.")

COUNT = int(os.environ.get("OVERLANE_FLEET_TRACES", "60"))
TRAP = pathlib.Path(__file__).resolve().parent / "fleet_trap"
DOCS = support.ROOT / "docs/fleet.md"


def rows_of(out):
    return {row["url"].partition("://")[2]: row for row in overlane.fleet.open(out).to_pylist()}


def here(engine, workers, jobs, count=0):
    """In the place of an engine: files and rows are the same with each, and its processes take long to start."""
    for job in jobs:
        yield job, read_trace(job)


def program(*words, **variables):
    environment = {**os.environ, "OVERLANE_PYTHON": sys.executable, **variables}
    command = [support.program(), "fleet", "scan", *map(os.fspath, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def main(*words):
    """What the program does, in this process: exit code, output and errors."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = __main__.main([os.fspath(word) for word in words])
    return code, out.getvalue(), err.getvalue()


class Planted(unittest.TestCase):
    """The planted traces, scanned once for all."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.traces = pathlib.Path(cls.folder, "traces")
        cls.planted = fleet_traces.plant(cls.traces, COUNT)
        cls.out = pathlib.Path(cls.folder, "fleet")
        cls.told = []
        cls.progress = overlane.fleet.scan(
            cls.traces, cls.out, workers=2, version_of=r"/(v[0-9.]+)/", progress=lambda one: cls.told.append(one.done)
        )

    def test_planted_causes_are_found(self):
        self.assertEqual(list(fleet_traces.wrong(self.planted, rows_of(self.out))), [])
        self.assertEqual({one.cause for one in self.planted}, set(fleet_traces.CAUSES))

    def test_progress_counts_every_file(self):
        broken = sum(one.cause in ("broken", "empty") for one in self.planted)
        self.assertEqual((self.progress.done, self.progress.failed, self.progress.left), (COUNT, broken, 0))
        self.assertEqual(self.told[-1], COUNT)

    def test_a_run_has_the_figures_of_the_command_line(self):
        rows = rows_of(self.out)
        chosen = {}
        for one in self.planted:
            if one.cause in fleet_traces.FOUND:
                chosen.setdefault((one.cause, one.path.suffix), one.path)
        self.assertGreater(len(chosen), 4)
        for path in chosen.values():
            info, _ = support.printed("info", path)
            row = rows[str(path)]
            (device,) = info["devices"]
            verdict = info["verdict"]
            self.assertEqual(row["verdict"], verdict["sentence"])
            self.assertEqual(row["step_ns"], info["step_ns"] or None)
            self.assertEqual(row["steps"], info["steps"]["count"])
            self.assertEqual(row["span_ns"], info["span_ns"])
            self.assertEqual(row["copies_ns"], device["h2d_busy_ns"])
            self.assertEqual(row["exposed_ns"], device["exposed_copy_ns"])
            self.assertEqual(row["overlap"], device["overlap_share"] if device["h2d"] else None)
            self.assertEqual(row["idle_ns"], device["device_idle_ns"])
            self.assertEqual(
                [(one["cause"], one["label"], one["lost_ns"]) for one in row["causes"]],
                [(one["id"], one["name"], one["lost_ns"]) for one in verdict["losses"]],
            )
            self.assertEqual(
                [(one["rule"], one["severity"], one["title"], one["lost_ns"]) for one in row["findings"]],
                [(one["rule"], one["severity"], one["title"], one["gpu_idle_ns"]) for one in info["findings"]["list"]],
            )

    def test_the_place_of_a_file_groups_it(self):
        for path, row in rows_of(self.out).items():
            team, version = pathlib.Path(path).parts[-3:-1]
            self.assertEqual((row["grouping"], row["version"]), (f"{team}/{version}", version))
            self.assertEqual(row["name"], pathlib.Path(path).name)

    def test_sqlite_has_its_form_and_the_rows_of_the_parts(self):
        with contextlib.closing(sqlite3.connect(self.out / "fleet.sqlite")) as file:
            self.assertEqual(file.execute("pragma user_version").fetchone(), (1,))
            form = {
                table: [(name, kind) for _, name, kind, *_ in file.execute(f"pragma table_info({table})")]
                for table in ("runs", "causes", "findings", "gpu_losses")
            }
            integers = (
                "recorded rank steps step_ns span_ns gpus copies_ns exposed_ns idle_ns communication_ns "
                "exposed_communication_ns"
            ).split()
            names = (
                "url name grouping version recorded gpu host rank steps step_ns span_ns gpus copies_ns exposed_ns "
                "overlap idle_ns communication_ns exposed_communication_ns verdict verdict_id easiest error"
            ).split()
            kinds = {"overlap": "REAL", **dict.fromkeys(integers, "INTEGER")}
            self.assertEqual(form["runs"], [("id", "INTEGER"), *((name, kinds.get(name, "TEXT")) for name in names)])
            self.assertEqual(
                form["causes"],
                [
                    ("run", "INTEGER"),
                    ("cause", "TEXT"),
                    ("label", "TEXT"),
                    ("lost_ns", "INTEGER"),
                    ("all_lost_ns", "INTEGER"),
                ],
            )
            self.assertEqual([name for name, _ in form["gpu_losses"]], ["run", "gpu", "cause", "label", "lost_ns"])
            self.assertEqual(
                form["findings"],
                [("run", "INTEGER"), ("rule", "TEXT"), ("severity", "TEXT"), ("title", "TEXT"), ("lost_ns", "INTEGER")],
            )
            runs = file.execute(f"select {', '.join(names)} from runs").fetchall()
            expected = [tuple(row[name] for name in names) for row in rows_of(self.out).values()]
            self.assertEqual(sorted(runs, key=lambda row: row[0]), sorted(expected, key=lambda row: row[0]))
            for table, member in (("causes", "cause"), ("findings", "rule")):
                query = f"select url, {member}, lost_ns from {table} join runs on run = id"
                flat = overlane.fleet.open(self.out, table)
                self.assertGreater(len(flat), COUNT / 2)
                self.assertEqual(
                    sorted(file.execute(query)),
                    sorted(zip(*(flat.column(one).to_pylist() for one in ("url", member, "lost_ns")))),
                )

    def test_every_column_says_what_it_is(self):
        schema = overlane.fleet.open(self.out).schema
        text = DOCS.read_text()
        for field in schema:
            self.assertTrue(field.metadata[b"about"])
            self.assertIn(f"| `{field.name}` |", text)
            if field.name.endswith("_ns"):
                self.assertEqual((field.type, field.metadata[b"unit"]), (pyarrow.int64(), b"ns"))
        self.assertEqual(schema.metadata[b"overlane.fleet"], str(_schema.VERSION).encode())

    def test_the_questions_of_the_docs_have_answers(self):
        questions = re.findall(r"^```sql\n(.*?)^```$", DOCS.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(questions), 5)
        tables = {name: overlane.fleet.open(self.out, name) for name in ("runs", "causes", "findings")}
        here = duckdb.connect()
        for name, table in tables.items():
            here.register(name, table)
        there = polars.SQLContext({name: polars.from_arrow(table) for name, table in tables.items()}, eager=True)

        def plain(rows):
            return [tuple(round(one, 9) if isinstance(one, float) else one for one in row) for row in rows]

        for question in questions:
            with self.subTest(question):
                answer = plain(here.execute(question).fetchall())
                self.assertTrue(answer)
                self.assertEqual(answer, plain(there.execute(question).rows()))

    def test_the_questions_find_what_was_planted(self):
        runs = overlane.fleet.open(self.out)
        here = duckdb.connect()
        here.register("runs", runs)
        slow = here.execute("select count(*) from runs where verdict_id = 'batches'").fetchall()
        self.assertEqual(slow, [(sum(one.cause == "loader" for one in self.planted),)])
        self.assertEqual(len(polars.from_arrow(runs)), COUNT)


class FewTraces(unittest.TestCase):
    """Scans of a few traces each."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.traces = self.folder / "traces"
        (self.traces / "a").mkdir(parents=True)
        (self.traces / "b").mkdir()
        shutil.copy(support.PAGEABLE, self.traces / "a/one.overlane")
        shutil.copy(support.PINNED, self.traces / "b/two.overlane")
        self.out = self.folder / "fleet"

    def scan(self, *urls, **options):
        return overlane.fleet.scan(urls or self.traces, self.out, workers=1, **options)


class DataSets(FewTraces):
    """The files that scans leave."""

    def setUp(self):
        super().setUp()
        engine = unittest.mock.patch("overlane.fleet._scan.results", here)
        engine.start()
        self.addCleanup(engine.stop)

    def test_a_file_that_is_done_is_not_read_again(self):
        self.assertEqual(self.scan().done, 2)
        before = rows_of(self.out)
        again = self.scan()
        self.assertEqual((again.done, again.skipped), (0, 2))
        self.assertEqual(rows_of(self.out), before)
        shutil.copy(support.TWO_GPUS, self.traces / "three.overlane")
        shutil.copy(support.TWO_GPUS, self.traces / "a/one.overlane")
        more = self.scan()
        self.assertEqual((more.done, more.skipped), (2, 1))
        rows = rows_of(self.out)
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows[str(self.traces / "a/one.overlane")]["gpus"], 2)
        self.assertEqual(rows[str(self.traces / "three.overlane")]["grouping"], None)
        self.each_gpu_has_its_own_losses(str(self.traces / "three.overlane"))
        raw = duckdb.connect().execute(f"select count(*) from read_parquet('{self.out}/*.parquet')").fetchall()
        self.assertEqual(raw, [(3,)])

    def each_gpu_has_its_own_losses(self, url):
        lost = [one for one in overlane.fleet.open(self.out, "gpu_losses").to_pylist() if one["url"].endswith(url)]
        self.assertEqual({one["gpu"] for one in lost}, {0, 1})
        causes = [one for one in overlane.fleet.open(self.out, "causes").to_pylist() if one["url"].endswith(url)]
        self.assertTrue(causes)
        for one in causes:
            each = [gpu["lost_ns"] for gpu in lost if gpu["cause"] == one["cause"]]
            self.assertEqual(one["all_lost_ns"], sum(each))
            self.assertIn(one["lost_ns"], [0, *each])
        # The verdict's GPU does not stand for the other one.
        self.assertNotEqual(sum(one["all_lost_ns"] for one in causes), 2 * sum(one["lost_ns"] for one in causes))

    def test_a_broken_file_is_read_again_when_it_is_asked_for(self):
        (self.traces / "a/bad.json").write_text("{")
        self.assertEqual(self.scan().failed, 1)
        self.assertIn("bad.json", rows_of(self.out)[str(self.traces / "a/bad.json")]["error"])
        self.assertEqual(self.scan().done, 0)
        self.assertEqual(self.scan(retry_failed=True).done, 1)
        self.assertEqual(len(rows_of(self.out)), 3)

    def test_expressions_group_rows_that_are_there_already(self):
        self.scan()
        self.scan(group=r"/(\w+)\.overlane", version_of="o")
        rows = rows_of(self.out)
        self.assertEqual([row["grouping"] for row in rows.values()], ["one", "two"])
        self.assertEqual([row["version"] for row in rows.values()], ["o", "o"])

    def test_files_patterns_and_filters_choose(self):
        self.assertEqual(self.scan(str(self.traces / "*/t*.overlane")).done, 1)
        self.assertEqual(self.scan(self.traces, only="one").done, 1)
        shutil.copy(support.PINNED, self.traces / "no_ending")
        self.assertEqual(self.scan().done, 0)
        self.assertEqual(self.scan(self.traces / "no_ending").done, 1)
        self.assertEqual(
            {row["name"] for row in rows_of(self.out).values()}, {"one.overlane", "two.overlane", "no_ending"}
        )

    def test_links_and_odd_names_are_rows_and_no_loops(self):
        odd = os.fsencode(self.traces) + b"/a/odd \xff#%41?.overlane"
        shutil.copy(support.PINNED, odd)
        (self.traces / "a/loop").symlink_to(self.traces)
        (self.traces / "a/link.overlane").symlink_to(self.traces / "b/two.overlane")
        (self.traces / "a/nowhere.overlane").symlink_to(self.traces / "none")
        os.mkfifo(self.traces / "a/pipe.json")
        (self.traces / ".hidden").mkdir()
        shutil.copy(support.PINNED, self.traces / ".hidden/x.overlane")
        self.assertEqual((self.scan().done, self.scan().done), (5, 0))
        rows = {row["name"]: row for row in rows_of(self.out).values()}
        self.assertEqual(rows["link.overlane"]["verdict_id"], "copies")
        self.assertEqual(rows["odd \ufffd#%41?.overlane"]["verdict_id"], "copies")
        self.assertIn("nowhere.overlane", rows["nowhere.overlane"]["error"])

    def test_the_data_set_may_lie_below_the_traces(self):
        self.out = self.traces / "fleet"
        self.scan()
        self.assertEqual(self.scan().done, 0)

    def test_rows_of_a_killed_scan_are_kept_once_each(self):
        self.scan()
        (part,) = self.out.glob("part-*.parquet")
        shutil.copy(part, self.out / "part-000009.parquet")  # as between a new part and the end of the old ones
        (self.out / "part-000010.parquet.unfinished").write_text("cut")
        (self.out / "fleet.sqlite").unlink()
        self.assertEqual(len(rows_of(self.out)), 2)
        self.assertEqual(self.scan().done, 0)
        self.assertEqual(len(list(self.out.glob("part-*"))), 1)
        self.assertTrue((self.out / "fleet.sqlite").exists())

    def test_one_scan_at_a_time_writes(self):
        from overlane.fleet._store import Store

        with contextlib.closing(Store(str(self.out))):
            with self.assertRaises(overlane.Error) as raised:
                self.scan()
        self.assertIn("Another scan writes", raised.exception.what)

    def test_a_newer_data_set_is_left_alone(self):
        import pyarrow.parquet

        self.out.mkdir()
        table = pyarrow.table({"url": ["x"]}).replace_schema_metadata({"overlane.fleet": "99"})
        pyarrow.parquet.write_table(table, self.out / "part-000001.parquet")
        with self.assertRaises(overlane.Error) as raised:
            self.scan()
        self.assertIn("A newer Overlane wrote this", str(raised.exception))

    def test_only_what_a_dead_process_of_this_person_left_is_removed(self):
        from overlane.fleet import _places

        holder = (
            "import sys\n"
            "from overlane.fleet import _places\n"
            "with _places.place() as folder:\n"
            "    print(folder, flush=True)\n"
            "    sys.stdin.read()\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(support.ROOT / "python"), "TMPDIR": str(self.folder)}
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", holder]
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
            used = pathlib.Path(process.stdout.readline().strip())
            (used / "trace.overlane").write_text("down")
            link = used.with_name(used.name + "link")
            link.symlink_to(self.traces)
            other = used.with_name(used.name.replace(_places._host(), "0" * 8))  # of another machine
            shutil.copytree(used, other)
            _places.sweep(str(self.folder))
            self.assertTrue((used / "trace.overlane").exists())
            process.kill()
            process.wait()
        self.assertTrue(used.exists())
        with unittest.mock.patch("os.getuid", lambda: os.stat(used).st_uid + 1):
            _places.sweep(str(self.folder))
        self.assertTrue(used.exists())
        _places.sweep(str(self.folder))
        self.assertFalse(used.exists())
        self.assertTrue(link.is_symlink())
        self.assertTrue((other / "trace.overlane").exists())
        self.assertTrue((self.traces / "a/one.overlane").exists())


class Traps(unittest.TestCase):
    """A program that scans files of which some end the processes that fetch them, and one that needs a variable."""

    PROGRAM = """
import os, overlane, sys
if __name__ == '__main__':
    traces, out = sys.argv[1:]
    overlane.fleet.scan(f'trap://{traces}/some', f'{out}/some', workers=2)
    for _ in range(2):
        print(overlane.fleet.scan(f'trap://{traces}/locked', f'{out}/locked', workers=1, retry_failed=True).failed)
        os.environ['TRAP_KEY'] = 'fits'  # as a person sets that of a store
"""
    FINE = [f"fine{number}" for number in range(40)]  # so many that a task takes several

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.temporary = cls.folder / "tmp"
        cls.traces = cls.folder / "traces"
        for name in ("tmp", "traces/some", "traces/locked"):
            (cls.folder / name).mkdir(parents=True)
        for name in ("some/kills", "some/once1", "some/once2", *(f"some/{one}" for one in cls.FINE), "locked/locked"):
            shutil.copy(support.PINNED, cls.traces / f"{name}.overlane")
        script = cls.folder / "scan.py"
        script.write_text(cls.PROGRAM)
        environment = {
            **os.environ,
            "PYTHONPATH": f"{support.ROOT / 'python'}{os.pathsep}{TRAP}",
            "TMPDIR": os.fspath(cls.temporary),
        }
        command = [sys.executable, script, cls.traces, cls.folder]
        cls.ended = subprocess.run(command, capture_output=True, text=True, env=environment)

    def test_killed_processes_end_no_scan(self):
        self.assertEqual(self.ended.returncode, 0, self.ended.stderr)
        rows = rows_of(self.folder / "some")
        self.assertEqual(len(rows), 3 + len(self.FINE))
        for path, row in rows.items():
            if path.endswith("kills.overlane"):
                self.assertIn("Each process that read this trace ended", row["error"])
            else:
                self.assertIsNone(row["error"], path)
                self.assertEqual(row["verdict_id"], "copies")
        self.assertTrue((self.traces / "some/once1.overlane.met").exists())

    def test_processes_have_the_variables_of_their_scan(self):
        self.assertEqual((self.ended.returncode, self.ended.stdout), (0, "1\n0\n"), self.ended.stderr)

    def test_what_killed_processes_fetched_is_gone(self):
        self.assertEqual(list(self.temporary.iterdir()), [])


class Engines(FewTraces):
    """Scans by processes of their own."""

    def test_an_interrupted_scan_leaves_a_data_set_and_goes_on(self):
        for number in range(60):
            shutil.copy(support.PINNED, self.traces / f"{number}.overlane")
        script = self.folder / "scan.py"
        script.write_text(
            "import os, signal, sys\n"
            "from overlane.fleet import __main__ as program\n"
            "def draw(self, progress):\n"
            "    self.last = progress\n"
            "    if progress.done == 10:\n"
            "        os.killpg(0, signal.SIGINT)  # as a terminal does\n"
            "if __name__ == '__main__':\n"
            "    program._StatusLine.draw = draw\n"
            "    sys.exit(program.main(['scan', sys.argv[1], '-o', sys.argv[2], '--workers', '2']))\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(support.ROOT / "python")}
        command = [sys.executable, script, self.traces, self.out]
        ended = subprocess.run(command, capture_output=True, text=True, env=environment, start_new_session=True)
        self.assertEqual(ended.returncode, 130, ended.stderr)
        self.assertRegex(
            ended.stderr, r"\Aoverlane: interrupted; \d+ traces were read, and the same command continues.\n\Z"
        )
        read = len(rows_of(self.out))
        self.assertGreaterEqual(read, 10)
        self.assertLess(read, 62)
        with contextlib.closing(sqlite3.connect(self.out / "fleet.sqlite")) as file:
            self.assertEqual(file.execute("select count(*) from runs").fetchone(), (read,))
        with unittest.mock.patch("overlane.fleet._scan.results", here):
            rest = self.scan()
        self.assertEqual((rest.skipped, rest.done), (read, 62 - read))

    def test_a_cluster_of_others_reads_too(self):
        with dask.config.set({"temporary-directory": self.folder}), LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster:
            address = cluster.scheduler_address.replace("tcp://", "dask://")
            progress = overlane.fleet.scan(self.traces, self.out, address)
        self.assertEqual((progress.done, progress.failed), (2, 0))

    def test_ray_reads_the_same(self):
        try:
            import ray  # noqa: F401
        except ImportError:
            self.skipTest("ray is not installed.")
        (self.traces / "a/bad.json").write_text("{")
        self.assertEqual(overlane.fleet.scan(self.traces, self.out, "ray", workers=2).done, 3)
        other = self.folder / "other"
        overlane.fleet.scan(self.traces, other, workers=1)
        own = ("read_at_ns", "took_ns", "cpu_ns")
        rays, dasks = (
            {path: {key: value for key, value in row.items() if key not in own} for path, row in rows_of(out).items()}
            for out in (self.out, other)
        )
        self.assertEqual(rays, dasks)

    @unittest.mock.patch("overlane.fleet._engines.ANSWERS_WITHIN_S", 0.1)
    def test_mistakes_are_sentences(self):
        from overlane.fleet import open as opened

        (self.folder / "empty").mkdir()
        for call, words in (
            (lambda: self.scan(self.folder / "none"), "There is no such file or folder"),
            (lambda: self.scan(self.folder / "empty"), "There is no trace in it"),
            (lambda: self.scan(group="("), "is no regular expression"),
            (lambda: overlane.fleet.scan(self.traces, self.out, "spark://x"), "There is no engine 'spark://x'"),
            (lambda: overlane.fleet.scan(self.traces, self.out, "dask://127.0.0.1:1"), "does not answer"),
            (lambda: self.scan("nothing://x"), "nothing"),
            (lambda: opened(self.folder), "There is no fleet in this folder"),
            (lambda: opened(self.folder, "copies"), "There is no table 'copies'"),
        ):
            with self.assertRaises(overlane.Error) as raised:
                call()
            self.assertIn(words, str(raised.exception))


    def test_a_damaged_part_is_a_sentence(self):
        import pyarrow.parquet

        self.scan()
        (part,) = self.out.glob("part-*.parquet")
        whole, table = part.read_bytes(), pyarrow.parquet.read_table(part)
        inside = whole[:40] + b"\xff" * 160 + whole[200:]
        for make in (
            lambda: part.write_bytes(whole[: len(whole) // 2]),
            lambda: part.write_bytes(b""),
            lambda: part.write_bytes(inside),
            lambda: pyarrow.parquet.write_table(table.drop(["url"]), part),
            lambda: pyarrow.parquet.write_table(table.set_column(0, "url", pyarrow.array([1, 2])), part),
            lambda: pyarrow.parquet.write_table(table.drop(["size_bytes"]), part),
        ):
            make()
            with self.assertRaises(overlane.Error) as raised:
                self.scan()
            self.assertIn("Take the file away and scan again", str(raised.exception))
            self.assertEqual(raised.exception.where, str(part))

    def test_what_cannot_be_written_is_a_sentence(self):
        import errno

        (self.out / "fleet.sqlite").mkdir(parents=True)
        with self.assertRaises(overlane.Error) as raised:
            self.scan()
        self.assertIn("The data set cannot be written", raised.exception.what)
        shutil.rmtree(self.out)
        for what in ("overlane.fleet._sqlite._TABLES", "overlane.fleet._scan.json.dumps"):
            full = OSError(errno.ENOSPC, "No space left on device")
            with unittest.mock.patch(what, side_effect=full) if "json" in what else unittest.mock.patch(what, "bad"):
                with self.assertRaises(overlane.Error) as raised:
                    self.scan(retry_failed=True)
            self.assertIn("The data set cannot be written", raised.exception.what)
            shutil.rmtree(self.out)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_the_program_hands_the_scan_to_python(self):
        ended = program(
            support.PINNED,
            support.SAMPLES / "two_gpus.overlane",
            "-o",
            self.folder / "fleet",
            "--group",
            r"(\w+)\.overlane",
        )
        self.assertEqual(ended.returncode, 0)
        self.assertRegex(ended.stderr, r"\A(overlane: .* left( \([0-9:]+\))?\n)*\Z")
        self.assertEqual(ended.stdout, f"{self.folder / 'fleet'}: 2 traces read.\n")
        groups = {row["grouping"] for row in rows_of(self.folder / "fleet").values()}
        self.assertEqual(groups, {"dataloader_pinned_blocking", "two_gpus"})

    @unittest.mock.patch("overlane.fleet._scan.results", here)
    def test_where_nothing_can_be_read_it_fails(self):
        bad = self.folder / "bad.json"
        bad.write_text("{")
        code, out, _ = main("scan", bad, "-o", self.folder / "fleet")
        self.assertEqual(code, 1)
        self.assertIn("1 traces read (1 of them with an error).", out)
        code, out, err = main("scan", self.folder / "none", "-o", self.folder / "fleet")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"\Aoverlane: .*none: There is no such file or folder; check the name.\n\Z")

    def test_packages_that_are_missing_are_named(self):
        shim = self.folder / "python3"
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
        shim.chmod(0o755)
        ended = program(support.PINNED, "-o", self.folder / "fleet", OVERLANE_PYTHON=str(shim))
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(
            ended.stderr, r"\Aoverlane: The Python package \w+ is missing; pip install overlane\[fleet\].\n\Z"
        )


if __name__ == "__main__":
    unittest.main()
