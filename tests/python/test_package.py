"""The package: what importing loads, the page of a notebook, assertions, callbacks."""

import ast
import html.parser
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import support

import overlane
from overlane import testing

PACKAGE = support.ROOT / "python/overlane"


class Package(unittest.TestCase):
    def test_importing_loads_neither_library_nor_modules(self):
        code = f"import sys; sys.path.insert(0, {str(support.ROOT / 'python')!r}); import overlane; print(*sys.modules)"
        ended = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        loaded = set(ended.stdout.split())
        self.assertIn("overlane", loaded)
        self.assertFalse({name for name in loaded if name.startswith("overlane.")})
        self.assertFalse(loaded & {"ctypes", "json", "dataclasses", "subprocess", "pathlib", "torch", "numpy"})

    def test_fleet_needs_its_packages_only_when_it_is_used(self):
        code = (
            f"import sys; sys.path.insert(0, {str(support.ROOT / 'python')!r}); import overlane\n"
            "overlane.fleet; print(*sys.modules)\n"
            "try: overlane.fleet.scan('x', 'y')\n"
            "except overlane.Error as error: print(error)"
        )
        ended = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        loaded, said = ended.stdout.splitlines()
        self.assertFalse(set(loaded.split()) & {"dask", "distributed", "fsspec", "pyarrow", "ray", "ctypes"})
        self.assertRegex(said, r"The Python package \w+ is missing; pip install overlane\[fleet\]\.")

    def test_everything_that_is_named_is_there(self):
        for name in overlane.__all__:
            self.assertIsNotNone(getattr(overlane, name))
        self.assertEqual(dir(overlane), sorted(overlane.__all__))
        with self.assertRaises(AttributeError):
            overlane.nothing

    def test_every_function_of_the_package_has_words(self):
        for path in PACKAGE.rglob("*.py"):
            tree = ast.parse(path.read_text(), feature_version=(3, 8))
            self.assertTrue(ast.get_docstring(tree), str(path))
            for node in tree.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                    self.assertTrue(ast.get_docstring(node), f"{path.name}: {node.name}")
        self.assertTrue((PACKAGE / "py.typed").is_file())

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_types_hold(self):
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, str(PACKAGE)]
            ended = subprocess.run(command, capture_output=True, text=True, cwd=support.ROOT / "python")
        self.assertEqual(ended.returncode, 0, ended.stdout)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_pytest_has_the_fixture(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "test_fixture.py")
            file.write_text("def test_it(overlane_record):\n    assert overlane_record(['true']).format == 'recorded'\n")
            command = [sys.executable, "-m", "pytest", "-q", "-p", "overlane.pytest_plugin", str(file)]
            environment = {**os.environ, "PYTHONPATH": str(support.ROOT / "python")}
            ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
        self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_no_signal_handler_is_touched(self):
        import signal

        before = signal.getsignal(signal.SIGINT)
        overlane.open(support.PAGEABLE).verdict
        self.assertIs(signal.getsignal(signal.SIGINT), before)


class Page(unittest.TestCase):
    def test_a_notebook_shows_the_verdict_without_scripts(self):
        trace = overlane.open(support.PAGEABLE)
        page = trace._repr_html_()
        self.assertIn("38 of 76", page)
        self.assertNotIn("<script", page)
        self.assertNotRegex(page, r'(src|href)="(?!data:)')
        tags = []

        class Balance(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                if tag != "img":
                    tags.append(tag)

            def handle_endtag(self, tag):
                assert tags.pop() == tag

        Balance().feed(page)
        self.assertEqual(tags, [])

    def test_a_notebook_shows_the_timeline_where_there_is_one(self):
        import base64

        page = overlane.open(support.PAGEABLE)._repr_html_()
        picture = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
        self.assertIn(b"</svg>", base64.b64decode(picture.group(1)))
        hosts = overlane.open(support.TRACES / "kineto/hta_rank_non_gpu.json.gz")
        self.assertNotIn("<img", hosts._repr_html_())

    def test_names_of_strangers_are_text_and_the_page_stays_small(self):
        from overlane import _page

        trace = overlane.open(support.PAGEABLE)
        trace.path = "<script>alert(1)</script>" * 10_000
        page = trace._repr_html_()
        self.assertNotIn("<script", page)
        self.assertLess(len(page.encode()), _page.MOST_BYTES)

    def test_durations_have_three_digits(self):
        from overlane._page import duration

        texts = [duration(ns) for ns in (0, 999, 1_000, 12_345, 999_600, 1_234_567, 99_960_000, 2_500_000_000)]
        plain = [text.replace("\u2009", " ").replace("\u00b5", "u") for text in texts]
        self.assertEqual(plain, ["0 ns", "999 ns", "1.00 us", "12.3 us", "1.00 ms", "1.23 ms", "100 ms", "2.50 s"])


class Testing(unittest.TestCase):
    def test_overlap_is_asserted(self):
        testing.assert_overlap(support.PAGEABLE, "<", 0.01)
        testing.assert_overlap(overlane.open(support.PAGEABLE), "<=", 0)
        testing.assert_overlap(support.SAMPLES / "dataloader_pinned_side_stream.overlane", ">", 0.5)
        with self.assertRaises(AssertionError) as raised:
            testing.assert_overlap(support.PAGEABLE, ">", 0.9)
        self.assertIn("0.000, not > 0.9", str(raised.exception))
        self.assertIn("pageable", str(raised.exception))

    def test_a_share_of_nothing_fails(self):
        for comparison in (">=", "<="):
            with self.assertRaises(AssertionError):
                testing.assert_overlap(support.SAMPLES / "pipeline_pinned.overlane", comparison, 0.5, kind="d2h")

    def test_wrong_questions_are_no_failed_assertions(self):
        for comparison, share in (("=>", 0.5), (">", 90)):
            with self.assertRaises(overlane.UsageError):
                testing.assert_overlap(support.PAGEABLE, comparison, share)

    def test_findings_are_asserted(self):
        testing.assert_no_worse(support.PINNED, support.PAGEABLE)
        testing.assert_no_worse(support.PAGEABLE, support.PAGEABLE)
        side_stream = support.SAMPLES / "dataloader_pinned_side_stream.overlane"
        with self.assertRaises(AssertionError) as raised:
            testing.assert_no_worse(support.PAGEABLE, side_stream, tolerate=2)
        self.assertIn("1.2 x slower", str(raised.exception))
        self.assertNotIn("No hazard that", str(raised.exception))
        testing.assert_no_findings(support.PAGEABLE, "hazard")
        with self.assertRaises(AssertionError) as raised:
            testing.assert_no_findings(support.PAGEABLE)
        self.assertIn("sync-copies", str(raised.exception))


class Callbacks(unittest.TestCase):
    """With stubs for the libraries: what they call, and the NVTX ranges that come of it."""

    def setUp(self):
        self.marks = []
        self.nvtx = types.ModuleType("nvtx")
        self.nvtx.push_range = lambda name: self.marks.append(f"+{name}")
        self.nvtx.pop_range = lambda: self.marks.append("-")

    def modules(self, **modules):
        missing = {
            "torch": None,
            "lightning": None,
            "lightning.pytorch": None,
            "pytorch_lightning": None,
            "transformers": None,
        }
        return mock.patch.dict(sys.modules, {**missing, "nvtx": self.nvtx, **modules})

    def test_lightning_marks_batches_behind_the_warm_up(self):
        stub = types.ModuleType("pytorch_lightning")
        stub.Callback = type("Callback", (), {})
        with self.modules(pytorch_lightning=stub):
            callback = overlane.callbacks.lightning(warm_up=1)
            self.assertIsInstance(callback, stub.Callback)
            for step in range(3):
                trainer = types.SimpleNamespace(global_step=step)
                callback.on_train_batch_start(trainer, None, None, step)
                callback.on_train_batch_end(trainer, None, None, None, step)
        self.assertEqual(self.marks, ["+step 1", "-", "+step 2", "-"])

    def test_transformers_marks_optimizer_steps(self):
        stub = types.ModuleType("transformers")
        stub.TrainerCallback = type("TrainerCallback", (), {})
        with self.modules(transformers=stub):
            callback = overlane.callbacks.transformers(warm_up=0)
            for step in range(2):
                callback.on_step_begin(None, types.SimpleNamespace(global_step=step), None)
            callback.on_train_end(None, None, None)
        self.assertEqual(self.marks, ["+step 0", "-", "+step 1", "-"])

    def test_torch_marks_where_it_is_there(self):
        cuda = types.SimpleNamespace(
            is_available=lambda: True,
            nvtx=types.SimpleNamespace(
                range_push=lambda name: self.marks.append(f"torch {name}"), range_pop=lambda: self.marks.append("pop")
            ),
        )
        stub = types.ModuleType("transformers")
        stub.TrainerCallback = object
        with self.modules(transformers=stub, torch=types.SimpleNamespace(cuda=cuda)):
            callback = overlane.callbacks.transformers(warm_up=0)
            callback.on_step_begin(None, types.SimpleNamespace(global_step=7), None)
            callback.on_step_end(None, None, None)
        self.assertEqual(self.marks, ["torch step 0", "pop"])

    def test_a_library_that_is_missing_is_said(self):
        with self.modules():
            for make in (overlane.callbacks.lightning, overlane.callbacks.transformers):
                with self.assertRaises(overlane.Error) as raised:
                    make()
                self.assertIn("not installed", raised.exception.what)


if __name__ == "__main__":
    unittest.main()
