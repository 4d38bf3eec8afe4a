"""A ``python`` check calls a pack's function with copies, within a time, and contains whatever it does."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from kit.judged import calls, check, scenario, scored, state, told, trace

YES = trace("yes")
FORMS = "return True or False, the text of a failure, or findings ({passed, detail})"

CODE = """
import asyncio, os, sys, time
from types import SimpleNamespace

def good(names): return names.reply == "yes" and names.agent["id"] == "careful"
def bad(names): return False
def text(names): return "too rude"
def found(names):
    return [{"passed": True, "detail": "fine", "check": "tone"}, SimpleNamespace(passed=False, detail="rude", found=[1])]
def one(names): return {"passed": True}
def each(names):
    yield "first"
    yield {"passed": True}
async def later(names):
    await asyncio.sleep(0)
    return True
def nothing(names): return None
def empty(names): return []
def blank(names): return ""
def number(names): return 1
def wild(names): return [{"passed": "yes"}]
def raises(names): raise ValueError("no such thing")
def leaves(names): sys.exit(0)
def hangs(names): time.sleep(5); return True
def endless(names):
    while True: yield {"passed": True}
def spoils(names):
    names.calls.clear(); names.world["orders"][0]["id"] = "Z"; names.turns[0]["reply"] = "no"
    return True
def cut(names): return len(names.world["orders"]) == 1
def got(names): return names.world.get("orders") is None
def walked(names): return not list(names.world.values())
value = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "polite.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "passed", "detail"),
    [
        ("good", True, "holds"),
        ("bad", False, "does not hold"),
        ("text", False, "too rude"),
        ("one", True, "holds"),
        ("later", True, "holds"),
        (
            "nothing",
            "error",
            f"returned None; {FORMS}",
        ),
        (
            "empty",
            "error",
            f"returned no finding; {FORMS}",
        ),
        ("blank", "error", f"returned ''; {FORMS}"),
        ("number", "error", f"returned 1; {FORMS}"),
        (
            "wild",
            "error",
            f"returned {{'passed': 'yes'}}; {FORMS}",
        ),
        ("raises", "error", "ValueError: no such thing"),
        ("leaves", "error", "SystemExit: 0"),
        ("endless", "error", "returned more than 100 findings"),
        ("value", "error", "int is no function"),
        ("missing", "error", None),
    ],
)
def test_a_function_answers_with_a_bool_a_text_or_findings(
    folder: Path, name: str, passed: Any, detail: str | None
) -> None:
    got = told(YES, check("python", value=f"{folder}/polite.py:{name}"), folder)
    assert got[0] == passed
    assert detail is None or got[1] == f"python polite.py:{name}: {detail}"[:200]
    if isinstance(passed, bool):
        assert told(YES, check("not-python", value=f"{folder}/polite.py:{name}"), folder)[0] is not passed


def test_each_finding_of_a_function_is_kept(folder: Path) -> None:
    found = scored(YES, scenario(check("python", value=f"{folder}/polite.py:found")), folder).findings
    assert [(one.passed, one.detail) for one in found] == [
        (True, "python polite.py:found: tone: fine"),
        (False, "python polite.py:found: rude"),
    ]
    found = scored(YES, scenario(check("python", value=f"{folder}/polite.py:each")), folder).findings
    assert [(one.passed, one.detail) for one in found] == [
        (False, "python polite.py:each: first"),
        (True, "python polite.py:each: holds"),
    ]
    assert told(YES, check("not-python", value=f"{folder}/polite.py:found"), folder) == (
        True,
        "not-python polite.py:found: rude",
    )


def test_a_function_that_hangs_is_left_behind(folder: Path) -> None:
    began = time.monotonic()
    made = check("python", value=f"{folder}/polite.py:hangs", timeout_s=0.05)
    assert told(YES, made, folder) == ("error", "python polite.py:hangs: not done within 0.05 s")
    assert time.monotonic() - began < 4
    assert all(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


def test_a_function_gets_copies(folder: Path) -> None:
    evidence = trace("yes", calls=calls("look"), world=state({"id": "A"}))
    after = check("expr", that="calls | length == 1 and world.orders[0].id == 'A' and turns[0].reply == 'yes'")
    found = scored(evidence, scenario(check("python", value=f"{folder}/polite.py:spoils"), after), folder).findings
    assert [one.passed for one in found] == [True, True]


def test_a_function_that_reads_a_cut_table_is_an_error(folder: Path) -> None:
    cut = trace("yes", world=state({"id": "A"}, cut=True, total=5))
    for name in ("cut", "got", "walked"):
        assert told(cut, check("python", value=f"{folder}/polite.py:{name}"), folder) == (
            "error",
            f"python polite.py:{name}: LookupError: table orders is cut in the trace",
        )
    assert told(cut, check("python", value=f"{folder}/polite.py:good"), folder)[0] is True
