"""What is wrong is an exception with what, where and what to do next; Ctrl+C interrupts."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import warnings

import support

import overlane


class Errors(unittest.TestCase):
    def assert_parts(self, error):
        self.assertTrue(error.what)
        self.assertTrue(error.advice)
        self.assertIn(error.what.rstrip(".")[:20], str(error))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        self.assertEqual(pickle.loads(pickle.dumps(error)).advice, error.advice)

    def test_a_file_that_is_not_there(self):
        with self.assertRaises(overlane.Error) as raised:
            overlane.open("/no/such/file.overlane")
        self.assert_parts(raised.exception)
        self.assertEqual(raised.exception.where, "/no/such/file.overlane")

    def test_a_file_of_no_known_format(self):
        with self.assertRaises(overlane.Error) as raised:
            overlane.open(__file__)
        self.assert_parts(raised.exception)

    def test_a_name_with_a_zero_byte(self):
        with self.assertRaises(overlane.UsageError):
            overlane.open("a\0b")

    def test_a_damaged_file_opens_as_far_as_it_goes(self):
        whole = support.PAGEABLE.read_bytes()
        damaged = 0
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "damaged.overlane")
            for place in range(0, len(whole), max(1, len(whole) // 40)):
                file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
                try:
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always")
                        trace = overlane.open(file)
                    self.assertEqual(bool(trace.damage), bool(caught))
                    damaged += bool(trace.damage)
                    for warning in caught:
                        self.assertIs(warning.category, overlane.DamagedTraceWarning)
                        self.assertEqual(warning.filename, __file__)
                    trace.info()
                except overlane.Error as error:
                    self.assertTrue(error.what)
            file.write_bytes(whole[: len(whole) // 2])
            try:
                overlane.open(file)
            except overlane.Error as error:
                self.assertEqual(error.where, str(file))
        self.assertGreater(damaged, 0)

    def test_unknown_names_say_the_nearest(self):
        trace = overlane.open(support.PAGEABLE)
        for call, near in (
            (lambda: trace.table("copiez"), "copies"),
            (lambda: trace.table("kernels", iteratoin="1"), "iteration"),
            (lambda: trace.overlap("h2h"), "h2d"),
            (lambda: trace.overlap(by="rol"), "role"),
            (lambda: trace.names(of="kernel"), "kernels"),
            (lambda: trace.check("hazzard"), "hazard"),
            (lambda: overlane.lab.run(workerz=4), "workers"),
            (lambda: overlane.lab.run(device="h20"), "h200"),
            (lambda: overlane.lab.sweep(ready="workrs"), "workers"),
        ):
            with self.assertRaises(overlane.UsageError) as raised:
                call()
            self.assert_parts(raised.exception)
            self.assertIn(near, str(raised.exception))
            self.assertIsInstance(raised.exception, ValueError)

    def test_wrong_values(self):
        trace = overlane.open(support.PAGEABLE)
        for call in (
            lambda: trace.whatif("pinn"),
            lambda: trace.whatif(steps="9-2"),
            lambda: trace.overlap(steps="x"),
            lambda: trace.overlap(steps=3, whole=True),
            lambda: trace.table("kernels", iteration=object()),
            lambda: trace.convert(support.PAGEABLE),
            lambda: trace.report(support.PAGEABLE),
            lambda: overlane.lab.run(workers=-1),
            lambda: overlane.lab.sweep(),
            lambda: overlane.lab.sweep({"workers": "1..3"}, repeats=0),
            lambda: overlane.lab.advise(ram="much"),
        ):
            with self.assertRaises(overlane.UsageError):
                call()
        with self.assertRaises(overlane.Error):
            trace.info(iteration="no such loop")
        with self.assertRaises(KeyError):
            trace.table("kernels").column("nam")
        self.assertGreater(support.PAGEABLE.stat().st_size, 1000)

    def test_a_library_that_is_missing_or_other(self):
        for path in ("/no/such/lib.so", __file__):
            environment = {**os.environ, "OVERLANE_LIBRARY": path}
            code = (
                f"import sys; sys.path.insert(0, {str(support.ROOT / 'python')!r}); import overlane; overlane.open('x')"
            )
            ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
            self.assertIn("The library cannot be loaded", ended.stderr)
            self.assertIn(path, ended.stderr)


class Interrupts(unittest.TestCase):
    def test_ctrl_c_interrupts_long_work(self):
        # A shell's job in the background ignores Ctrl+C, and so would the child.
        code = f"""
            import signal, sys
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.path.insert(0, {str(support.ROOT / "python")!r})
            import overlane
            overlane.lab.presets()
            try:
                print("ready", flush=True)
                while True:
                    overlane.lab.sweep({{"workers": "1..32", "batch_bytes": "1M..256M*100"}}, repeats=20)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(child.stdout.readline(), "ready\n")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual(out, "interrupted\n", err)

    def test_a_handler_of_the_program_interrupts_as_well(self):
        class Alarm(Exception):
            pass

        def ring(number, frame):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with self.assertRaises(Alarm):
                while True:
                    overlane.lab.sweep({"workers": "1..32", "batch_bytes": "1M..256M*100"}, repeats=20)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(overlane.lab.run().wall_ns, 0)

    def test_many_threads_ask_one_trace(self):
        trace = overlane.open(support.PAGEABLE)
        expected = trace.names()
        failures = []

        def ask():
            try:
                for _ in range(20):
                    assert trace.names() == expected
                    assert len(trace.table("copies").to_pylist()) == 81
                    trace.overlap(steps=(2, 5))
            except Exception as error:  # told below
                failures.append(error)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
