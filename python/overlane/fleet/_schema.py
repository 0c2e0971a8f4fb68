"""What a row of the data set holds: the Arrow schema of its Parquet parts, the one list of its columns.

Names end with their unit (``_ns``: int64 nanoseconds, ``_bytes``); each column has "about" and, where it has one,
"unit" in its metadata. Columns are appended, never renamed.
"""

from __future__ import annotations

from typing import Any, Tuple

from ._needs import need

#: Of the schema; raised where a reader of the old one would misread the new.
VERSION = 1

#: Name, Arrow type, unit, meaning. Those up to "error" are in fleet.sqlite as well, in this order.
COLUMNS: Tuple[Tuple[str, str, str, str], ...] = (
    ("url", "string", "", "Where the trace lies; names the row"),
    ("name", "string", "", "Name of the file"),
    ("grouping", "string", "", "Folder below the scanned URL, or what --group takes of the URL"),
    ("version", "string", "", "What --version-of takes of the URL"),
    ("recorded", "int64", "s", "Unix time of the start of the trace, where the trace says it"),
    ("gpu", "string", "", "Names of the GPUs"),
    ("host", "string", "", "Name of the host, where the trace or its name says it"),
    ("rank", "int64", "", "Rank in the job, where the trace or its name says it"),
    ("steps", "int64", "", "Whole iterations of the program's outer loop, without warm-up"),
    ("step_ns", "int64", "ns", "Average iteration without warm-up; null without iterations"),
    ("span_ns", "int64", "ns", "From the first event to the end of the last"),
    ("gpus", "int64", "", "GPUs with work in the trace"),
    ("copies_ns", "int64", "ns", "Copies to the device run, overlapping ones counted once; all GPUs together"),
    ("exposed_ns", "int64", "ns", "Of it: without a kernel"),
    ("overlap", "double", "1", "Hidden part of copies_ns, 0 to 1; null without copies"),
    ("idle_ns", "int64", "ns", "GPU idle: no kernel, copy or memset runs; all GPUs together"),
    ("communication_ns", "int64", "ns", "Data moves between GPUs; all GPUs together"),
    ("exposed_communication_ns", "int64", "ns", "Of it: without a kernel that computes"),
    ("verdict", "string", "", "The verdict's sentence"),
    ("verdict_id", "string", "", "What limits an iteration: compute, or the id of a cause; null where nothing does"),
    ("easiest", "string", "", "The easiest change that is predicted to win a tenth; null where there is none"),
    ("error", "string", "", "Why the trace was not read; null where it was"),
    ("tone", "string", "", "Tone of the verdict: problem, neutral, nothing"),
    ("advice", "string", "", "What to change"),
    ("format", "string", "", "Who wrote the trace: recorded, kineto, nsys ..."),
    ("program", "string", "", "The framework that ran, where the trace shows it"),
    ("events", "int64", "", "Events of the trace"),
    ("damage", "string", "", "What is broken of a file that was read in part; null where nothing is"),
    ("size_bytes", "int64", "B", "Size of the file"),
    ("stamp", "string", "", "Time, ETag or generation of the file that was read"),
    ("root", "string", "", "The scanned URL that the file was found below"),
    ("read_at_ns", "int64", "ns", "Unix time at which it was read"),
    ("took_ns", "int64", "ns", "What fetching and reading it took"),
    ("cpu_ns", "int64", "ns", "Processor time of the process that read it"),
    ("overlane", "string", "", "Version of Overlane that read it"),
)
#: Of the judged range, on the GPU that the verdict speaks of.
CAUSE = (("cause", "string"), ("label", "string"), ("lost_ns", "int64"))
#: The same of each GPU, where the trace has several.
GPU_LOSS = (("gpu", "int64"), *CAUSE)
#: GPU idle that a finding causes, all GPUs together.
FINDING = (("rule", "string"), ("severity", "string"), ("title", "string"), ("lost_ns", "int64"))
#: Columns of fleet.sqlite's table runs, behind its id.
RUN_COLUMNS = tuple(name for name, _, _, _ in COLUMNS[: [one[0] for one in COLUMNS].index("error") + 1])


def schema() -> Any:
    """The ``pyarrow.Schema`` of a part."""
    arrow = need("pyarrow")
    types = {"string": arrow.string(), "int64": arrow.int64(), "double": arrow.float64()}
    fields = [
        arrow.field(name, types[kind], metadata={"about": about, **({"unit": unit} if unit else {})})
        for name, kind, unit, about in COLUMNS
    ]
    for name, members, about in (
        (
            "causes",
            CAUSE,
            "Time without kernels by cause, most first, in ns: of the judged range, on the verdict's GPU",
        ),
        ("findings", FINDING, "What costs time or risks results; lost_ns: GPU idle by it, in ns, all GPUs together"),
        ("gpu_losses", GPU_LOSS, "The causes of each GPU, in ns, where a trace has several; else empty"),
    ):
        row = arrow.struct([(member, types[kind]) for member, kind in members])
        fields.append(arrow.field(name, arrow.list_(row), metadata={"about": about}))
    return arrow.schema(fields, metadata={"overlane.fleet": str(VERSION)})
