"""Python says what the command line says, of every trace of the source."""

import tempfile
import unittest
import warnings

import support

import overlane


def opened(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", overlane.DamagedTraceWarning)
        return overlane.open(path)


class Answers(unittest.TestCase):
    def test_info_of_every_trace_is_that_of_the_command_line(self):
        traces = support.sample_traces()
        self.assertGreater(len(traces), 30)
        steps = overlaps = 0
        for path in traces:
            with self.subTest(path.name):
                expected, _ = support.printed("info", path)
                trace = opened(path)
                self.assertEqual(trace.info(), expected)
                self.assertEqual(trace.verdict.sentence, expected["verdict"]["sentence"])
                self.assertEqual(
                    [one.rule for one in trace.findings], [one["rule"] for one in expected["findings"]["list"]]
                )
                self.assertEqual(len(trace.iterations), expected["steps"]["count"])
                self.assertEqual(trace.step_ns, expected["step_ns"])
                whole = {row.key: row for row in trace.overlap(by="device", whole=True).rows}
                for device in expected["devices"]:
                    row = whole[device["id"]]
                    self.assertEqual(row.busy_ns, device["h2d_busy_ns"])
                    self.assertEqual(row.hidden_ns, device["h2d_hidden_ns"])
                    if row.share is not None:
                        self.assertEqual(row.share, device["overlap_share"])
                        overlaps += 1
                steps += expected["step_ns"] > 0
        self.assertGreater(steps, 10)
        self.assertGreater(overlaps, 10)

    def test_digest_and_easiest_change(self):
        trace = opened(support.TRACES / "programs/fourier_page.overlane")
        self.assertEqual(trace.digest()["bound"], trace.verdict.main_loss)
        start_ns, end_ns = trace.digest()["active_ns"]
        self.assertEqual(sum(trace.digest()["parts"].values()), end_ns - start_ns)
        self.assertTrue(trace.easiest().startswith("Easiest change: pin the results, "))
        self.assertTrue(opened(support.PAGEABLE).easiest().startswith("Easiest change: pin the loader's batches, "))
        self.assertEqual(opened(support.SAMPLES / "dataloader_pinned_side_stream.overlane").easiest(), "")

    def test_names_of_samples_are_those_of_the_command_line(self):
        for path in sorted(support.SAMPLES.glob("*.overlane")):
            with self.subTest(path.name):
                expected, _ = support.printed("names", path)
                trace = opened(path)
                self.assertEqual(trace.names(), expected)
                rows = trace.table("names", of="kernels").to_pylist()
                self.assertEqual([row["total_ns"] for row in rows], [row["total_ns"] for row in expected["kernels"]])

    def test_whatif_is_that_of_the_command_line(self):
        trace = opened(support.PAGEABLE)
        expected, _ = support.printed("whatif", support.PAGEABLE, "--change", "pin", "--change", "non_blocking")
        answer = trace.whatif("pin", "non_blocking")
        self.assertEqual(answer.json, expected)
        self.assertEqual(answer.prediction.changes, ("pin", "non_blocking"))
        self.assertGreater(answer.prediction.speedup, 1)
        suggested, _ = support.printed("whatif", support.PAGEABLE, "--steps", "5-15")
        answer = trace.whatif(steps=(5, 15))
        self.assertEqual(answer.json, suggested)
        self.assertGreater(len(answer.suggestions), 1)
        self.assertIn("pin", [change["form"] for change in overlane.changes()])

    def test_check_is_that_of_the_command_line(self):
        trace = opened(support.PAGEABLE)
        for limits in ((), ("hazard",), ("problem:10%", "step-time:1ms")):
            options = [word for limit in limits for word in ("--fail-on", limit)]
            expected, code = support.printed("check", support.PAGEABLE, *options)
            check = trace.check(*limits)
            self.assertEqual(check.json, expected)
            self.assertEqual(bool(check), code == 0)
            self.assertEqual(len(check.fired), expected["fired"])

    def test_check_against_an_earlier_trace_is_that_of_the_command_line(self):
        fast, slow = support.SAMPLES / "dataloader_pinned_side_stream.overlane", support.PAGEABLE
        for file, against, options in ((slow, fast, {}), (fast, slow, {}), (slow, fast, {"tolerate": 30})):
            words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
            expected, code = support.printed("check", file, "--against", against, *words)
            check = opened(file).check(against=opened(against), **options)
            self.assertEqual(check.json, expected)
            self.assertEqual(bool(check), code == 0)
            self.assertEqual(opened(file).check(against=against, **options), check)
        both = opened(slow).check("hazard", against=opened(fast))
        self.assertEqual([result.rule for result in both.results], ["hazard", "slower", "sync-copies"])
        for wrong in ({"tolerate": 2}, {"tolerate": -1, "against": fast}, {"tolerate": 1001, "against": fast}):
            with self.assertRaises(overlane.UsageError):
                opened(slow).check(**wrong)

    def test_picture_is_that_of_the_command_line(self):
        trace = opened(support.TWO_GPUS)
        with tempfile.TemporaryDirectory() as folder:
            for number, (words, options) in enumerate((
                ((), {}),
                (("--steps", "2-4", "--theme", "dark"), {"steps": (2, 4), "theme": "dark"}),
                (("--from", "10ms", "--to", "20ms"), {"range_ns": (10_000_000, 20_000_000)}),
                (("--whole", "--gauges", "--size", "1500x900"), {"whole": True, "gauges": True, "size": "1500x900"}),
            )):  # fmt: skip
                file = f"{folder}/{number}.svg"
                support.printed("picture", support.TWO_GPUS, "-o", file, *words)
                with open(file, encoding="utf-8") as drawn:
                    self.assertEqual(trace.picture(**options), drawn.read())
            self.assertEqual(trace.picture(f"{folder}/own.svg"), f"{folder}/own.svg")
            with open(f"{folder}/own.svg", encoding="utf-8") as own:
                self.assertEqual(own.read(), trace.picture())
            for wrong in ({"output": f"{folder}/a.png"}, {"theme": "pink"}, {"size": "9"}, {"steps": 1, "whole": True}):
                with self.assertRaises(overlane.UsageError):
                    trace.picture(**wrong)

    def test_compare_is_that_of_the_command_line(self):
        expected, _ = support.printed("compare", support.PAGEABLE, support.PINNED)
        before, after = opened(support.PAGEABLE), opened(support.PINNED)
        compared = overlane.compare(before, after)
        self.assertEqual(compared.json, expected)
        self.assertEqual(before.compare(after), compared)
        self.assertEqual(compared.step_time_ns.claim, "lower")
        self.assertLess(compared.step_time_ns.b.median, compared.step_time_ns.a.median)

    def test_report_is_the_page_of_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            support.printed("report", support.PAGEABLE, "-o", f"{folder}/a.html", "--against", support.PINNED)
            trace = opened(support.PAGEABLE)
            trace.report(f"{folder}/b.html", against=opened(support.PINNED))
            with open(f"{folder}/a.html") as a, open(f"{folder}/b.html") as b:
                self.assertEqual(a.read(), b.read())

    def test_a_part_is_written_and_opens(self):
        with tempfile.TemporaryDirectory() as folder:
            opened(support.PAGEABLE).convert(f"{folder}/copies.csv", steps=(2, 4), table="copies")
            with open(f"{folder}/copies.csv", encoding="utf-8") as csv:
                columns = csv.readline().rstrip().split(",")
            self.assertEqual(tuple(columns), opened(support.PAGEABLE).table("copies").column_names)
            opened(support.PAGEABLE).convert(f"{folder}/part.overlane", steps=(2, 4))
            self.assertEqual(len(opened(f"{folder}/part.overlane").iterations), 3)

    def test_overlap_of_iterations_adds_up(self):
        trace = opened(support.SAMPLES / "dataloader_pinned_side_stream.overlane")
        overlap = trace.overlap(by="iteration")
        self.assertEqual(len(overlap.rows), sum(one.judged for one in trace.iterations))
        self.assertGreater(overlap.hidden_ns, 0)
        self.assertEqual(float(overlap), overlap.share)
        self.assertLessEqual(abs(sum(row.hidden_ns for row in overlap.rows) - overlap.hidden_ns), overlap.busy_ns // 10)
        self.assertEqual(overlap.exposed_ns, overlap.busy_ns - overlap.hidden_ns)

    def test_a_part_is_judged_alone(self):
        trace = opened(support.PAGEABLE)
        name = trace.table("ranges").column("name")[6]
        part = trace.part(name)
        self.assertEqual(part.info()["findings"]["range_ns"], list(part.range_ns))
        self.assertLess(part.verdict.copies, trace.verdict.copies)
        self.assertEqual(part.overlap().range_ns, part.range_ns)
        self.assertEqual(trace.part(part.range_ns).verdict, part.verdict)
        self.assertTrue(part.findings)
        with self.assertRaises(overlane.UsageError) as raised:
            trace.part("no such range")
        self.assertIn("step 12", str(raised.exception))

    def test_another_loop_is_that_of_the_command_line(self):
        expected, _ = support.printed("info", support.PAGEABLE, "--iteration", "2")
        self.assertEqual(opened(support.PAGEABLE).info(iteration="2"), expected)


class Laboratory(unittest.TestCase):
    def test_runs_are_those_of_the_command_line(self):
        from overlane import lab

        expected, _ = support.printed("run", "--set", "pin=thread", "--set", "non_blocking=on", "--set", "workers=8")
        run = lab.run(pin="thread", non_blocking=True, workers=8)
        self.assertEqual(run.json, expected)
        self.assertEqual(run.trace.format, "simulated")
        self.assertGreater(len(run.trace), 0)
        self.assertEqual(run.trace.verdict.tone, run.verdict.tone)

    def test_sweeps_are_those_of_the_command_line(self):
        from overlane import lab

        expected, _ = support.printed("sweep", "--over", "workers=1,2,4", "--over", "pin=none,thread", "--repeat", "2")
        sweep = lab.sweep({"workers": [1, 2, 4], "pin": ["none", "thread"]}, repeats=2)
        self.assertEqual(sweep.json, expected)
        self.assertEqual(len(sweep.to_pylist()), 6)
        self.assertEqual(sweep.points[5].at, {"workers": "4", "pin": "thread"})
        self.assertGreater(sweep.points[0].median("batch_ns"), 0)

    def test_advice_is_that_of_the_command_line(self):
        from overlane import lab

        expected, _ = support.printed("advise", "--preset", "laptop_swaps", "--pinned-limit", "2G", "--cores", "6")
        advice = lab.advise(preset="laptop_swaps", pinned_limit="2G", cores=6)
        self.assertEqual(advice.json, expected)
        self.assertLessEqual(advice.advised.batch_ns, advice.now.batch_ns)

    def test_lists_name_what_there_is(self):
        from overlane import lab

        self.assertIn("h200", [one["key"] for one in lab.devices()])
        self.assertIn("workers", [one["key"] for one in lab.settings()])
        for preset in lab.presets()[:3]:
            self.assertGreater(lab.run(preset=preset["key"]).wall_ns, 0)


if __name__ == "__main__":
    unittest.main()
