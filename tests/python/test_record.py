"""Recordings, without a GPU: the files, the environment of a recorded part, and every refusal."""

import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest
from unittest import mock

import support

import overlane
from overlane import _record
from overlane._library import library_path

# Writes a spool as the injection library does: tests/unit/recorder/program.
PROGRAM = os.environ.get("OVERLANE_RECORDED_PROGRAM")


def injected_library():
    """The library that the driver loads into a recorded program; None where this build has none."""
    folders = list(pathlib.Path(_record.program_path()).resolve().parents)[:4]
    places = [folder / name / "liboverlane-inject.so" for folder in folders for name in ("", "lib", "lib/overlane")]
    return next((place for place in places if place.exists()), None)


@unittest.skipUnless(injected_library(), "this build cannot record")
class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        silence = contextlib.redirect_stderr(io.StringIO())
        silence.__enter__()
        self.addCleanup(silence.__exit__, None, None, None)

    def file(self, name):
        return os.path.join(self.folder, name)

    def test_a_command_is_recorded_and_opened(self):
        trace = overlane.record(["sh", "-c", "exit 0"], self.file("a.overlane"), gauges=False)
        self.assertEqual(trace.format, "recorded")
        self.assertEqual(trace.title, "sh -c exit 0")
        self.assertEqual(trace.verdict.tone, "nothing")

    @unittest.skipUnless(PROGRAM, "no program that stands for one of CUDA")
    def test_the_work_of_a_program_is_in_its_trace(self):
        trace = overlane.record([PROGRAM, "20"], self.file("a.overlane"))
        self.assertEqual(len(trace.table("kernels")), 20)
        self.assertEqual(trace.overlap(whole=True).copies, 20)
        self.assertEqual(trace.table("copies").column("bytes"), [1 << 20] * 20)

    @unittest.skipUnless(PROGRAM, "no program that stands for one of CUDA")
    def test_work_of_a_part_that_is_written_when_it_ends_is_in_its_trace(self):
        """The program joins the recording by the environment of this one, and writes when it is asked to stop."""
        out = self.in_a_process(f"""
            import subprocess
            with overlane.recording("part.overlane") as part:
                program = subprocess.Popen([{PROGRAM!r}, "30", "1", "hold"], stdout=subprocess.PIPE)
                program.stdout.readline()
            program.communicate()
            print(len(part.trace.table("kernels")), "Test GPU" in part.trace.devices[0]["name"])
        """)
        self.assertEqual(out, "30 True\n")

    def in_a_job(self):
        """As torchrun starts rank 3 of 4."""
        return mock.patch.dict(os.environ, {"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1"})

    def test_below_a_launcher_the_file_has_the_rank_and_is_opened(self):
        for asked, start in (("a.overlane", "a-rank03-"), ("job/", "job/rank03-")):
            with self.in_a_job():
                trace = overlane.record(["true"], self.file(asked))
            self.assertEqual(trace.title, "true")
            self.assertTrue(os.path.relpath(trace.path, self.folder).startswith(start), trace.path)

    def test_without_a_name_the_file_that_was_written_is_opened(self):
        trace = overlane.record(["true"], cwd=self.folder)
        self.assertTrue(os.path.basename(trace.path).startswith("true-"), trace.path)
        self.assertEqual(os.path.dirname(trace.path), self.folder)

    def test_words_are_split_as_a_shell_does(self):
        trace = overlane.record("sh -c 'exit 0'", self.file("a.overlane"))
        self.assertEqual(trace.title, "sh -c exit 0")

    def test_a_program_that_fails_is_an_error_and_its_file_is_kept(self):
        with self.assertRaises(overlane.Error) as raised:
            overlane.record(["sh", "-c", "exit 3"], self.file("a.overlane"))
        self.assertIn("exit code 3", raised.exception.what)
        self.assertEqual(overlane.open(raised.exception.where).format, "recorded")
        trace = overlane.record(["sh", "-c", "exit 3"], self.file("b.overlane"), check=False)
        self.assertEqual(trace.format, "recorded")

    def test_a_file_is_replaced_only_where_it_is_asked_for(self):
        file = self.file("a.overlane")
        overlane.record(["true"], file)
        with self.assertRaises(overlane.Error) as raised:
            overlane.record(["false"], file)
        self.assertIn("exists already", str(raised.exception))
        self.assertEqual(overlane.record(["sh", "-c", ":"], file, overwrite=True).title, "sh -c :")

    def test_what_cannot_start_says_why(self):
        with self.assertRaises(overlane.Error) as raised:
            overlane.record(["/no/such/program"], self.file("a.overlane"))
        self.assertIn("/no/such/program", str(raised.exception))
        with self.assertRaises(overlane.Error):
            overlane.record(["true"], self.file("b.overlane"), kinds="nothing")
        with self.assertRaises(overlane.UsageError):
            overlane.record([])

    def test_a_package_with_all_its_parts_needs_nothing_else(self):
        package = pathlib.Path(self.folder, "site/overlane")
        shutil.copytree(support.ROOT / "python/overlane", package, ignore=shutil.ignore_patterns("__pycache__"))
        for folder, file in (("_lib", library_path()), ("_bin", _record.program_path()), ("_bin", injected_library())):
            (package / folder).mkdir(exist_ok=True)
            shutil.copy(file, package / folder)
        code = (
            "import overlane; trace = overlane.record(['true'], 'a.overlane'); "
            "print(trace.format, overlane._record.program_path().startswith(overlane.__path__[0]))"
        )
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", code]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(ended.stdout, "recorded True\n", ended.stderr)

    def test_the_program_takes_no_library_of_the_current_folder(self):
        """Found by PATH, the program is named without a folder."""
        alone = pathlib.Path(self.folder, "bin")
        alone.mkdir()
        shutil.copy(_record.program_path(), alone)
        shutil.copy(injected_library(), self.folder)
        environment = {**os.environ, "PATH": f"{alone}:/usr/bin:/bin"}
        command = ["sh", "-c", "overlane record -o a.overlane -- true"]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("cannot record", ended.stderr)

    def in_a_process(self, code):
        """In one of its own: a process is recorded once. Python stands in for the driver and loads the library."""
        head = f"""
            import ctypes, os, sys
            sys.path.insert(0, {str(support.ROOT / "python")!r})
            import overlane
            def start_driver():
                ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
        """
        environment = {key: value for key, value in os.environ.items() if key not in _record._VARIABLES}
        ended = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(code)],
            capture_output=True, text=True, cwd=self.folder, env=environment, timeout=60,
        )  # fmt: skip
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_a_part_below_a_launcher_has_the_rank_in_its_name(self):
        with self.in_a_job():
            out = self.in_a_process("""
                with overlane.recording("part.overlane") as part:
                    pass
                print(part.trace.format, part.path.rsplit("/", 1)[-1].startswith("part-rank03-"))
            """)
        self.assertEqual(out, "recorded True\n")

    def test_a_part_of_this_program_is_recorded(self):
        out = self.in_a_process("""
            before = dict(os.environ)
            with overlane.recording("part.overlane") as part:
                start_driver()
                pid = os.getpid()
                try:
                    part.trace
                except overlane.Error as error:
                    print("early:", error.what)
            assert dict(os.environ) == before
            processes = [row for row in part.trace.table("tracks").to_pylist() if row["kind"] == "process"]
            named = part.trace.title.startswith(sys.executable)
            print(pid in [row["native_id"] for row in processes], len(part.messages) > 0, named)
            print(os.path.exists("part.overlane.parts"))
            try:
                with overlane.recording("again.overlane"):
                    pass
            except overlane.Error as error:
                print("again:", error.what)
        """)
        lines = out.splitlines()
        self.assertTrue(lines[0].startswith("early: The recording has not ended"), out)
        self.assertEqual(lines[1], "True True True", out)
        self.assertEqual(lines[2], "False", out)
        self.assertTrue(lines[3].startswith("again: This process was recorded once"), out)

    def test_a_part_ends_while_a_forked_child_lives_on(self):
        """Workers of a DataLoader outlive the block, and hold whatever was open when they were forked."""
        out = self.in_a_process("""
            reader, writer = os.pipe()
            with overlane.recording("part.overlane") as part:
                child = os.fork()
                if child == 0:
                    os.read(reader, 1)
                    os._exit(0)
            print(part.trace.format)
            os.write(writer, b"x")
            os.waitpid(child, 0)
        """)
        self.assertEqual(out, "recorded\n")

    def test_a_part_that_raises_is_kept_and_raises(self):
        out = self.in_a_process("""
            try:
                with overlane.recording("part.overlane") as part:
                    start_driver()
                    raise LookupError("own")
            except LookupError:
                print("own", part.trace.format)
        """)
        self.assertEqual(out, "own recorded\n")

    def test_a_part_without_the_gpu_is_a_trace_without_work(self):
        out = self.in_a_process("""
            with overlane.recording("part.overlane") as part:
                pass
            print(part.trace.verdict.tone)
        """)
        self.assertEqual(out, "nothing\n")

    def test_a_part_does_not_replace_a_file(self):
        pathlib.Path(self.file("part.overlane")).write_text("mine")
        with self.assertRaises(overlane.Error) as raised:
            with overlane.recording(self.file("part.overlane")):
                self.fail("entered")
        self.assertIn("exists already", str(raised.exception))
        self.assertEqual(pathlib.Path(self.file("part.overlane")).read_text(), "mine")
        self.assertNotIn("OVERLANE_SPOOL_DIR", os.environ)

    def test_a_part_is_refused_once_cuda_is_in_use(self):
        with mock.patch.object(_record, "_uses_cuda", lambda: True):
            with self.assertRaises(overlane.Error) as raised:
                with overlane.recording(self.file("part.overlane")):
                    self.fail("entered")
        self.assertIn("before the first", raised.exception.advice)
        self.assertFalse(os.path.exists(self.file("part.overlane")))

    def test_under_a_recorder_a_part_becomes_a_range(self):
        marks = []
        nvtx = types.SimpleNamespace(push_range=marks.append, pop_range=lambda: marks.append("end"))
        with mock.patch.dict(os.environ, {"OVERLANE_SPOOL_DIR": "/tmp/whole.overlane.parts"}):
            with mock.patch.dict(sys.modules, {"nvtx": nvtx, "torch": None}):
                with overlane.recording("part.overlane") as part:
                    pass
            self.assertEqual(marks, ["part.overlane", "end"])
            with self.assertRaises(overlane.Error) as raised:
                part.trace
            self.assertIn("/tmp/whole.overlane", raised.exception.what)
            with mock.patch.dict(sys.modules, {"nvtx": None, "torch": None}):
                with self.assertRaises(overlane.Error):
                    overlane.recording("part.overlane").__enter__()


if __name__ == "__main__":
    unittest.main()
