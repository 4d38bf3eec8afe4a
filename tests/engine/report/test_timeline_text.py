"""A timeline is drawn one row an event, in plain characters, whatever its file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from windtunnel.engine.report.timeline_text import MOST_ROWS, WIDTH, drawn, timeline_lines
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.codec import encode, to_plain
from windtunnel.schemas.observations import Timeline, TimelineEntry


def timeline(*entries: TimelineEntry, **more: Any) -> Timeline:
    return Timeline(run_id="0" * 32, scenario_id="s", agent="a", seconds=1.0, entries=list(entries), **more)


CALL = TimelineEntry(
    kind="tool", name="client_lookup", at_ms=250, duration_ms=500, status="error", args_bytes=20, error_chars=12
)


def test_each_event_is_a_row_with_a_bar_for_its_time() -> None:
    shown = timeline(
        TimelineEntry(kind="point", name="on_run_start", at_ms=0),
        TimelineEntry(
            kind="model", name="small", at_ms=100, duration_ms=400, status="ok", messages=2, retry_count=1,
            input_tokens=11, output_tokens=7,
        ),
        TimelineEntry(kind="stream", name="", agent="careful", at_ms=200, duration_ms=250, status="ok", chunks=1),
        CALL,
        TimelineEntry(kind="aux", name="owl-1", aux_task="llm_rubric", at_ms=800),
        TimelineEntry(kind="point", name="on_run_end", at_ms=1000),
        more=3,
    )
    assert artifact_faults("timeline", to_plain(shown)) == []
    assert list(drawn(shown)) == [
        "timeline 9 events in 1.000 s",
        "      0.000 ||                                       | on_run_start",
        "      0.100 |    ================                    | model small           0.400 s  retry 1  2 messages  11 -> 7 tokens",
        "      0.200 |        ==========                      | stream careful        0.250 s  1 piece",
        "      0.250 |          ====================          | tool client_lookup    0.500 s  error  20 B -> 12 chars",
        "      0.800 |                                --------| aux llm_rubric owl-1  no end",
        "      1.000 |                                       || on_run_end",
        "  ... and 3 more",
    ]


def test_a_long_timeline_is_cut_and_says_so() -> None:
    lines = list(drawn(timeline(*[CALL] * (MOST_ROWS + 5))))
    assert len(lines) == MOST_ROWS + 2
    assert lines[-1] == "  ... and 5 more"


def test_what_a_model_or_tool_is_called_is_shown_and_never_obeyed() -> None:
    entry = TimelineEntry(kind="tool", name="\x1b[2Ja\nb\u202e", at_ms=0, duration_ms=1, status="\x1b[31mok")
    assert list(drawn(timeline(entry)))[1:] == [
        f"      0.000 |{'=' * WIDTH}| tool \\x1b[2Ja b\\u202e  0.001 s  \\x1b[31mok"
    ]


times = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(times, times)))
@example([(2.2250738585e-313, 0.0)])
@example([(0.0, 2.2250738585e-313)])
def test_no_time_breaks_the_drawing(given_times: list[tuple[float, float]]) -> None:
    entries = [TimelineEntry(kind="tool", name="t", at_ms=at, duration_ms=took) for at, took in given_times]
    for line in list(drawn(timeline(*entries)))[1:]:
        before, bar, _after = line.split("|")
        assert len(bar) == WIDTH
        assert len(before) < 40


@pytest.mark.parametrize(("content", "told"), [
    (b'{"schema_version": 1, "run', "cannot be read: "),
    (b'{"hello": 1}', "cannot be read: "),
    (b"[]", "cannot be read: "),
    (encode(timeline(schema_version=2)), "cannot be read: schema_version 2; this version reads 1"),
])
def test_a_timeline_that_cannot_be_read_is_told_in_one_line(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "x.timeline.json").write_bytes(content)
    (line,) = timeline_lines(tmp_path / "x.json")
    assert line.startswith(f"timeline x.timeline.json {told}")


def test_no_timeline_is_no_line(tmp_path: Path) -> None:
    assert list(timeline_lines(tmp_path / "x.json")) == []


def test_a_directory_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.timeline.json").mkdir()
    assert list(timeline_lines(tmp_path / "x.json")) == ["timeline x.timeline.json cannot be read: Is a directory"]


def test_json_of_a_later_version_may_say_more(tmp_path: Path) -> None:
    later = json.loads(encode(timeline(CALL))) | {"mood": "good"}
    (tmp_path / "x.timeline.json").write_text(json.dumps(later))
    assert len(list(timeline_lines(tmp_path / "x.json"))) == 2
