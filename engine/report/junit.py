"""JUnit XML that CI servers read: a test suite a pack and agent, a test case a scenario.

What failed its gate is a failure; what is missing is an error; what does not gate is skipped, with its result as the
reason. Nothing that did not pass looks like a pass.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from ...schemas.codec import decode
from ...schemas.errors import CodecFault
from ...schemas.input_file import read_input
from ...schemas.scores import Score
from ...schemas.sweeps import Aggregate
from .inert import inert

MOST_SCORE_BYTES = 64 << 20
MOST_RUNS = 20
MISSING = ("INVALID", "ERROR", "NOT_RUN")


def junit_xml(aggregates: Sequence[Aggregate], root: Path) -> bytes:
    """The report as UTF-8; reasons of single runs are read from the scores below ``root``, one batch at a time."""
    buffer = io.BytesIO()
    xml = XMLGenerator(buffer, encoding="utf-8", short_empty_elements=True)
    xml.startDocument()
    with Element(xml, "testsuites", {"name": "wind tunnel", **_totals(aggregates)}):
        ordered = sorted(aggregates, key=lambda a: (a.pack, a.agent))
        for (pack, agent), rows in groupby(ordered, key=lambda a: (a.pack, a.agent)):
            suite = list(rows)
            with Element(xml, "testsuite", {"name": f"{pack}.{agent}", **_totals(suite)}):
                for row in suite:
                    _case(xml, row, root)
    xml.endDocument()
    return buffer.getvalue()


def outcome(row: Aggregate) -> tuple[str, str]:
    """The JUnit element of a batch's result ("" for a pass), and its message."""
    told = f"{row.verdict} {row.counts.get('PASS', 0)}/{row.runs}" + (f" {row.reason}" if row.reason else "")
    if row.verdict == "SKIPPED":
        return "skipped", row.skip or ""
    if row.verdict in MISSING:
        return "error", told
    if row.gates and row.failed:
        return "failure", told
    if row.verdict == "FAIL":
        why = f"known failure ({row.known_failure['reason']})" if row.known_failure else "does not gate"
        return "skipped", f"{why}: {told}"
    return "", told


def _case(xml: XMLGenerator, row: Aggregate, root: Path) -> None:
    kind, message = outcome(row)
    named = {"classname": f"{row.pack}.{row.agent}", "name": row.scenario_id, "time": f"{row.seconds:.3f}"}
    with Element(xml, "testcase", named):
        if kind:
            attributes = {"message": inert(message, 500), **({"type": row.verdict} if kind != "skipped" else {})}
            with Element(xml, kind, attributes):
                if kind != "skipped":
                    xml.characters("\n".join(_run_lines(row, root)))


def _run_lines(row: Aggregate, root: Path) -> Iterator[str]:
    """One line for each of the first runs that did not pass."""
    folder = root / row.pack / row.scenario_id / row.agent
    told = 0
    for stem in row.run_stems:
        try:
            score = decode(read_input(folder / f"{stem}.score.json", MOST_SCORE_BYTES), Score)
        except (OSError, CodecFault):
            line = f"{stem}: its score cannot be read"
        else:
            if score.verdict == "PASS":
                continue
            line = f"{stem}: {score.verdict} {inert(score.reason, 500)}"
        if told == MOST_RUNS:
            yield f"and more, in {row.pack}/{row.scenario_id}/{row.agent}"
            return
        told += 1
        yield line


def _totals(rows: Sequence[Aggregate]) -> dict[str, str]:
    kinds = [outcome(row)[0] for row in rows]
    return {
        "tests": str(len(rows)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")), "time": f"{sum(row.seconds for row in rows):.3f}",
    }


class Element:
    """An element that closes itself; attributes are made inert."""

    def __init__(self, xml: XMLGenerator, name: str, attributes: Mapping[str, str]) -> None:
        self._xml = xml
        self._name = name
        self._attributes = {key: inert(value) for key, value in attributes.items()}

    def __enter__(self) -> None:
        self._xml.startElement(self._name, AttributesImpl(self._attributes))

    def __exit__(self, *_: object) -> None:
        self._xml.endElement(self._name)
