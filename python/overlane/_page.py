"""What a notebook shows of a trace: verdict, timeline and findings as HTML without scripts, of bounded size."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from ._errors import Error

if TYPE_CHECKING:
    from ._trace import Trace

MOST_BYTES = 262_144
_MOST_PICTURE_BYTES = 131_072  # before base64
_MOST_FINDINGS = 12
_MOST_CHARACTERS = 600


def _cut(text: str) -> str:
    return escape(text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "\u2026")


def duration(ns: int) -> str:
    """Three digits and the unit that fits: "12.3 ms"."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("\u00b5s", 1e3)):
        if abs(ns) >= size * 0.9995:
            value = ns / size
            digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
            return f"{value:.{digits}f}\u2009{unit}"
    return f"{ns}\u2009ns"


def _share_bar(share: float) -> str:
    percent = max(0.0, min(1.0, share)) * 100
    return (
        '<div style="width:12em;height:.6em;border:1px solid currentColor;border-radius:.2em;display:inline-block">'
        f'<div style="width:{percent:.1f}%;height:100%;background:currentColor"></div></div> {percent:.1f}\u2009%'
    )


def _picture(trace: "Trace") -> str:
    """The timeline as an image of its own, so that its style stays its own; none where there is nothing to draw."""
    try:
        svg = trace.picture().encode()
    except Error:
        return ""
    if len(svg) > _MOST_PICTURE_BYTES:
        return ""
    return (
        '<img alt="Timeline of a typical stretch" style="max-width:100%" '
        f'src="data:image/svg+xml;base64,{b64encode(svg).decode()}">'
    )


def page_of(trace: "Trace") -> str:
    """The page of ``Trace._repr_html_``."""
    verdict = trace.verdict
    overlap = trace.overlap()
    rows = [
        ("file", _cut(trace.path)),
        ("events", f"{len(trace):,}".replace(",", "\u2009")),
        ("average step", duration(trace.step_ns) if trace.step_ns else "-"),
        ("copies to the GPU hidden", "-" if overlap.share is None else _share_bar(overlap.share)),
        ("copies to the GPU exposed", duration(overlap.exposed_ns)),
    ]
    if trace.damage:
        rows.append(("damage", _cut(trace.damage)))
    head = (
        '<div class="overlane" style="font-family:sans-serif;max-width:60em">'
        f"<p><b>{_cut(verdict.sentence)}</b></p><p>{_cut(verdict.advice)}</p>"
    )
    facts = "".join(
        f'<tr><td style="text-align:left">{name}</td><td style="text-align:left">{value}</td></tr>'
        for name, value in rows
    )
    parts = [head, f"<table>{facts}</table>", _picture(trace)]
    findings = trace.findings
    if findings:
        parts.append(
            "<table><tr><th>finding</th><th>GPU idle</th><th>host blocked</th><th>share</th><th>change</th></tr>"
        )
        for finding in findings[:_MOST_FINDINGS]:
            parts.append(
                f'<tr><td style="text-align:left">{_cut(finding.title)}</td><td>{duration(finding.gpu_idle_ns)}</td>'
                f"<td>{duration(finding.host_blocked_ns)}</td><td>{finding.share_of_wall * 100:.1f}\u2009%</td>"
                f'<td style="text-align:left">{_cut(finding.change)}</td></tr>'
            )
        parts.append("</table>")
        if len(findings) > _MOST_FINDINGS:
            parts.append(f"<p>and {len(findings) - _MOST_FINDINGS} more findings</p>")
    parts.append("</div>")
    return "".join(parts)
