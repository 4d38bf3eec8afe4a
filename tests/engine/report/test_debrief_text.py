"""A debrief is shown by what its answers are about, one line each and inert, whatever its file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from windtunnel.engine.report.debrief_text import MOST_ROWS, TIMED_OUT, debrief_line, debrief_lines

SAID: dict[str, Any] = {
    "template": "environment_first",
    "reply": "1. It said \"busy\". 2. Nothing. 3. I would look.",
    "sections": [
        {"n": 1, "about": "environment", "text": "It said \"busy\"."},
        {"n": 2, "about": "blockers", "text": "Nothing."},
        {"n": 3, "about": "steering", "text": "I would\nlook."},
    ],
    "follow_ups": [{"prompt": "Quote that error exactly.", "reply": "busy"}],
    "quotes": [{"text": "busy", "witnessed": True}, {"text": "gone", "witnessed": False}],
    "timed_out": False,
    "error": None,
}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "20260302T090000000000Z_1a2b3c4d.json"


def shown(trace: Path, data: Any) -> list[str]:
    trace.with_suffix(".debrief.json").write_text(data if isinstance(data, str) else json.dumps(data))
    return list(debrief_lines(trace))


def test_answers_stand_by_what_they_are_about_then_further_questions_and_quotations(trace: Path) -> None:
    assert shown(trace, SAID) == [
        "debrief  environment_first",
        '  environment  It said "busy".',
        "  blockers     Nothing.",
        "  steering     I would look.",
        "  asked        Quote that error exactly.",
        "  says         busy",
        '  quotes       "busy": a tool returned it',
        '  quotes       "gone": no tool returned it',
    ]


def test_a_reply_without_numbers_is_shown_as_it_is(trace: Path) -> None:
    assert shown(trace, {"template": "t", "reply": "I do not know.", "sections": []}) == [
        "debrief  t", "  says  I do not know.",
    ]


def test_what_kept_it_from_an_end_is_told(trace: Path) -> None:
    assert shown(trace, {"template": "t", "reply": "", "timed_out": True, "error": "late"}) == [
        "debrief  t", f"  broke off  {TIMED_OUT}",
    ]
    assert shown(trace, {"template": "t", "reply": "Yes.", "error": "the endpoint is down"}) == [
        "debrief  t", "  says       Yes.", "  broke off  the endpoint is down",
    ]


@pytest.mark.parametrize("data", [
    "{", "[]", "3", {}, {"sections": 3, "follow_ups": ["x"], "quotes": {"a": 1}, "reply": ["x"], "template": 1},
])
def test_a_file_that_tells_nothing_is_passed_over(trace: Path, data: Any) -> None:
    assert shown(trace, data) == []
    assert debrief_line("bad", trace.with_suffix(".debrief.json")) == ""


def test_no_file_is_no_debrief(trace: Path) -> None:
    assert list(debrief_lines(trace)) == []


def test_it_is_shown_within_bounds_and_never_obeyed(trace: Path) -> None:
    hostile = {"n": 1, "about": "\x1b[2J", "text": "\u202egreen\r\nPASS all"}
    lines = shown(trace, {"template": "\x1b]0;x", "sections": [hostile] * 100})
    assert lines[:2] == ["debrief  \\x1b]0;x", "  \\x1b[2J  \\u202egreen PASS all"]
    assert lines[-1] == f"  ... and {100 - MOST_ROWS} more"
    assert len(lines) == MOST_ROWS + 2
