"""``any-of``, ``expr`` and ``python`` decide over other checks, expressions and code, and contain all three."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from kit.judged import calls, check, finding, scenario, scored, state, told, trace

IN, OUT, ABSENT = check("contains", value="yes"), check("contains", value="no"), check("contains", of="calls[0].text", value="x")
SKIPPED, BROKEN = check("contains", value="yes", when="false"), check("regex", value="(")
YES = trace("yes")


@pytest.mark.parametrize(
    ("inner", "least", "passed"),
    [((IN, OUT), 1, True), ((IN, OUT), 2, False), ((OUT,), 1, False), ((OUT, SKIPPED), 1, False), ((IN, SKIPPED), 1, True),
     ((SKIPPED, SKIPPED), 1, None), ((IN, BROKEN), 1, "error"), ((BROKEN, SKIPPED), 1, "error"), ((IN, ABSENT), 1, True)],
)  # fmt: skip
def test_any_of_counts_the_checks_that_hold(inner: Any, least: int, passed: Any) -> None:
    assert told(YES, check("any-of", checks=inner, min=least))[0] is passed or passed == "error"
    inverted = told(YES, check("not-any-of", checks=inner, min=least))[0]
    assert inverted == (not passed if isinstance(passed, bool) else passed)


def test_any_of_that_hangs_on_what_is_absent_fails_inverted_or_not() -> None:
    for type_ in ("any-of", "not-any-of"):
        assert told(YES, check(type_, checks=(OUT, ABSENT)))[0] is False


def test_any_of_tells_which_held_and_why_others_did_not() -> None:
    assert told(YES, check("any-of", checks=(IN, OUT))) == (True, 'any-of: contains "yes" holds')
    assert told(YES, check("any-of", checks=(OUT, check("tool-used", value="t")))) == (
        False, 'any-of: 0 of 2 checks held: contains "no": not in the reply; tool-used t: not called; there was no call')  # fmt: skip


def test_an_expression_holds_or_does_not() -> None:
    evidence = trace("yes", calls=calls("look", "pay!refused"))
    assert told(evidence, check("expr", that="calls | length == 2")) == (True, "expr calls | length == 2: holds")
    assert told(evidence, check("expr", name="none-paid", that="calls[1].status == 'ok'")) == (
        False, "none-paid (expr calls[1].status == 'ok'): does not hold")  # fmt: skip
    assert told(evidence, check("not-expr", that="calls[1].status == 'ok'"))[0] is True


def test_an_expression_sees_the_names_of_its_place() -> None:
    that = "agent.id == 'careful' and agent.model == 'm' and scenario.id == 's' and 'a' in scenario.tags and vars.x == 1 and case.y == 2"
    assert told(YES, check("expr", that=that), tags=("a",), vars={"x": 1}, case={"y": 2})[0] is True


def test_an_expression_over_an_absent_fact_fails_inverted_or_not() -> None:
    for type_ in ("expr", "not-expr"):
        assert told(YES, check(type_, that="calls[0].name == 'x'"))[0] is False


def test_an_expression_that_breaks_is_an_error() -> None:
    for type_ in ("expr", "not-expr"):
        assert told(YES, check(type_, that="1 / 0"))[0] == "error"


def test_a_when_that_cannot_be_decided_is_an_error() -> None:
    passed, text = told(YES, check("contains", value="yes", when="calls[0].name == 'x'"))
    assert (passed, text.startswith('contains "yes": when: ')) == ("error", True)


CODE = '''
import asyncio, os, sys, time
from types import SimpleNamespace

def good(names): return names.reply == "yes" and names.agent["id"] == "careful"
def bad(names): return False
def text(names): return "too rude"
def found(names): return [{"passed": True, "detail": "fine", "check": "tone"}, SimpleNamespace(passed=False, detail="rude", found=[1])]
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
value = 3
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "polite.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "passed", "detail"),
    [("good", True, "holds"), ("bad", False, "does not hold"), ("text", False, "too rude"), ("one", True, "holds"), ("later", True, "holds"),
     ("nothing", "error", "returned None; return True or False, the text of a failure, or findings ({passed, detail})"),
     ("empty", "error", "returned no finding; return True or False, the text of a failure, or findings ({passed, detail})"),
     ("blank", "error", "returned ''; return True or False, the text of a failure, or findings ({passed, detail})"),
     ("number", "error", "returned 1; return True or False, the text of a failure, or findings ({passed, detail})"),
     ("wild", "error", "returned {'passed': 'yes'}; return True or False, the text of a failure, or findings ({passed, detail})"),
     ("raises", "error", "ValueError: no such thing"), ("leaves", "error", "SystemExit: 0"), ("endless", "error", "returned more than 100 findings"),
     ("value", "error", "int is no function"), ("missing", "error", None)],
)  # fmt: skip
def test_a_function_answers_with_a_bool_a_text_or_findings(folder: Path, name: str, passed: Any, detail: str | None) -> None:
    got = told(YES, check("python", value=f"{folder}/polite.py:{name}"), folder)
    assert got[0] == passed
    assert detail is None or got[1] == f"python polite.py:{name}: {detail}"[:200]
    if isinstance(passed, bool):
        assert told(YES, check("not-python", value=f"{folder}/polite.py:{name}"), folder)[0] is not passed


def test_each_finding_of_a_function_is_kept(folder: Path) -> None:
    found = scored(YES, scenario(check("python", value=f"{folder}/polite.py:found")), folder).findings
    assert [(one.passed, one.detail) for one in found] == [(True, "python polite.py:found: tone: fine"), (False, "python polite.py:found: rude")]
    found = scored(YES, scenario(check("python", value=f"{folder}/polite.py:each")), folder).findings
    assert [(one.passed, one.detail) for one in found] == [(False, "python polite.py:each: first"), (True, "python polite.py:each: holds")]
    assert told(YES, check("not-python", value=f"{folder}/polite.py:found"), folder) == (True, "not-python polite.py:found: rude")


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
    assert told(cut, check("python", value=f"{folder}/polite.py:cut"), folder) == (
        "error", "python polite.py:cut: LookupError: table orders is cut in the trace")  # fmt: skip
    assert told(cut, check("python", value=f"{folder}/polite.py:good"), folder)[0] is True


def test_a_check_of_no_known_type_is_an_error() -> None:
    assert finding(YES, check("vibes")).error is True
