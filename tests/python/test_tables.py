"""Tables: values against each other, releases in every order, and the readers that are installed."""

import ctypes
import gc
import importlib.util
import itertools
import unittest

import support

import overlane

NAMES = ("copies", "kernels", "calls", "host", "ranges", "iterations", "idle", "names", "events", "tracks", "counters")


def installed(name):
    return unittest.skipUnless(importlib.util.find_spec(name), f"{name} is not installed")


class Tables(unittest.TestCase):
    def test_rows_columns_and_lists_agree(self):
        trace = overlane.open(support.TWO_GPUS)
        for name in NAMES:
            with self.subTest(name):
                table = trace.table(name)
                rows = table.to_pylist()
                self.assertGreater(len(rows), 0)
                self.assertEqual(len(rows), len(table))
                self.assertEqual(tuple(rows[0]), table.column_names)
                self.assertEqual(table.to_pydict(), {key: [row[key] for row in rows] for key in table.column_names})
                self.assertEqual(table.column(table.column_names[-1]), [row[table.column_names[-1]] for row in rows])

    def test_events_stand_where_other_tables_say(self):
        trace = overlane.open(support.PAGEABLE)
        events = trace.table("events").to_pylist()
        self.assertEqual(len(events), len(trace))
        copies = trace.table("copies").to_pylist()
        self.assertEqual([copy["start_ns"] for copy in copies], sorted(copy["start_ns"] for copy in copies))
        for copy in copies:
            event = events[copy["event"]]
            self.assertEqual((event["start_ns"], event["name"]), (copy["start_ns"], copy["name"]))
            self.assertEqual(event["link"], copy["call"])
            self.assertTrue(event["kind"].startswith("copy"))
        numbers = {one.number for one in trace.iterations}
        self.assertLessEqual({copy["iteration"] for copy in copies} - {None}, numbers)
        for finding in trace.findings:
            for evidence in finding.evidence:
                self.assertLess(evidence, len(events))

    def test_copies_and_idle_time_add_up_to_the_summary(self):
        trace = overlane.open(support.PINNED)
        (device,) = trace.info()["devices"]
        copies = [row for row in trace.table("copies").to_pylist() if row["direction"] == "h2d"]
        self.assertEqual(len(copies), device["h2d"])
        self.assertEqual(sum(row["bytes"] for row in copies), device["h2d_bytes"])
        self.assertEqual({row["source"] for row in copies}, {"pinned"})
        kernels = sum(not row["communication"] for row in trace.table("kernels").to_pylist())
        self.assertEqual(kernels, device["kernels"])
        idle = sum(trace.table("idle").column("duration_ns"))
        self.assertEqual(idle, trace.span_ns[1] - trace.span_ns[0] - device["kernel_busy_ns"])

    def test_an_empty_table_has_columns(self):
        trace = overlane.lab.run().trace
        table = trace.table("ranges")
        empty = trace.table("names", of="functions")
        self.assertEqual(empty.to_pylist(), [])
        self.assertIn("total_ns", empty.column_names)
        self.assertEqual(len(table.to_pylist()), len(table))

    def test_trace_stream_and_capsule_may_go_in_any_order(self):
        for order in itertools.permutations(("trace", "table", "stream", "schema")):
            held = {"trace": overlane.open(support.TWO_GPUS)}
            held["table"] = held["trace"].table("copies")
            held["stream"] = held["table"].__arrow_c_stream__()
            held["schema"] = held["table"].__arrow_c_schema__()
            for name in order:
                del held[name]
                gc.collect()

    def test_a_stream_that_is_half_read_is_released(self):
        rows = overlane.open(support.PAGEABLE).table("events")._batches(("start_ns",))
        self.assertGreater(len(next(rows)["start_ns"]), 0)
        del rows
        gc.collect()

    def test_capsules_have_the_names_of_the_protocol(self):
        table = overlane.open(support.PAGEABLE).table("events")
        is_valid = ctypes.pythonapi.PyCapsule_IsValid
        is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
        self.assertTrue(is_valid(table.__arrow_c_stream__(), b"arrow_array_stream"))
        self.assertTrue(is_valid(table.__arrow_c_schema__(), b"arrow_schema"))

    @installed("pyarrow")
    def test_pyarrow_takes_every_table(self):
        import pyarrow

        trace = overlane.open(support.TWO_GPUS)
        for name in NAMES:
            table = trace.table(name)
            taken = pyarrow.table(table)
            taken.validate(full=True)
            self.assertEqual(taken.to_pylist(), table.to_pylist())
            self.assertEqual(pyarrow.schema(table), taken.schema)
        del trace, table
        gc.collect()
        self.assertGreater(taken.num_rows, 0)
        taken.validate(full=True)

    @installed("polars")
    def test_polars_takes_every_table(self):
        import polars

        trace = overlane.open(support.TWO_GPUS)
        for name in NAMES:
            table = trace.table(name)
            self.assertEqual(polars.DataFrame(table).to_dicts(), table.to_pylist())

    @installed("duckdb")
    def test_duckdb_takes_every_table(self):
        import duckdb

        trace = overlane.open(support.TWO_GPUS)
        for name in NAMES:
            taken = trace.table(name)
            self.assertEqual(duckdb.sql("select count(*) from taken").fetchall(), [(len(taken),)])
            rows = duckdb.sql("select * from taken").fetchall()
            self.assertEqual([tuple(row.values()) for row in taken.to_pylist()], rows)

    @installed("pandas")
    @installed("pyarrow")
    def test_pandas_takes_every_table(self):
        import pyarrow

        trace = overlane.open(support.TWO_GPUS)
        for name in NAMES:
            table = trace.table(name)
            self.assertEqual(pyarrow.table(table).to_pandas().shape, (len(table), len(table.column_names)))


if __name__ == "__main__":
    unittest.main()
