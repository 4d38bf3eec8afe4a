"""Checks of calls look at what was witnessed: attempts count, refused and failed ones too."""

from __future__ import annotations

from typing import Any

import pytest
from kit.judged import call, calls, check, told, trace

WITNESSED = trace("x", calls=calls("look", "mail!refused", "look", "mail"))
NONE = trace("x")


@pytest.mark.parametrize(
    ("value", "status", "passed", "detail"),
    [
        ("mail", None, True, "tool-used mail: called 2 times"),
        ("mail", "ok", True, "tool-used mail (ok): called once, call 4 (ok)"),
        ("mail", "error", False, "tool-used mail (error): not called; there was no call"),
        ("book", None, False, "tool-used book: not called; called: look, mail, look, mail"),
        (["book", "mail"], None, True, "tool-used book, mail: called 2 times"),
        (["book", "sell"], None, False, "tool-used book, sell: not called; called: look, mail, look, mail"),
        ({"name": "look", "min": 2}, None, True, "tool-used look: called 2 times"),
        ({"name": "look", "min": 3}, None, False, "tool-used look: called 2 times, at least 3 expected"),
        ({"name": "look", "min": 1, "max": 1}, None, False, "tool-used look: called 2 times, 1 expected"),
        (
            {"name": "book", "max": 2},
            None,
            False,
            "tool-used book: not called; called: look, mail, look, mail, 1 to 2 expected",
        ),
        ({"name": "book", "max": 0}, None, True, "tool-used book: not called; called: look, mail, look, mail"),
        ({"pattern": "lo.*"}, None, True, "tool-used lo.*: called 2 times"),
        ({"pattern": "lo"}, None, False, "tool-used lo: not called; called: look, mail, look, mail"),
    ],
)
def test_tool_used(value: Any, status: str | None, passed: bool, detail: str) -> None:
    keys = {"value": value} if status is None else {"value": value, "status": status}
    assert told(WITNESSED, check("tool-used", **keys)) == (passed, detail)
    assert told(WITNESSED, check("not-tool-used", **keys)) == (not passed, f"not-{detail}")


@pytest.mark.parametrize(
    ("steps", "mode", "status", "passed"),
    [
        (["look", "mail"], "in-order", None, True),
        (["mail", "look"], "in-order", None, True),
        (["look", "look", "look"], "in-order", None, False),
        (["mail", "look"], "in-order", "ok", False),
        (["look", "look", "mail"], "exact", "ok", True),
        (["look", "mail"], "exact", None, False),
        (["look", "mail", "look", "mail"], "exact", None, True),
        (["book"], "in-order", None, False),
    ],
)
def test_tool_sequence(steps: list[str], mode: str, status: str | None, passed: bool) -> None:
    keys: dict[str, Any] = {"steps": steps, "mode": mode} | ({} if status is None else {"status": status})
    assert told(WITNESSED, check("tool-sequence", **keys))[0] is passed
    assert told(WITNESSED, check("not-tool-sequence", **keys))[0] is not passed


def test_a_sequence_that_does_not_hold_shows_what_was_called() -> None:
    assert told(WITNESSED, check("tool-sequence", steps=["book", "look"])) == (
        False,
        "tool-sequence book, look: called: look, mail, look, mail",
    )
    assert told(NONE, check("tool-sequence", steps=["look"])) == (False, "tool-sequence look: there was no call")


MAILS = trace(
    "x",
    calls=[
        call("mail", {"to": "a@x", "opts": {"cc": ["b"], "n": 1}}, n=1),
        call("mail", {"to": "b@x"}, n=2),
        call("mail", "{broken", n=3, status="error"),
    ],
)


@pytest.mark.parametrize(
    ("value", "passed", "detail"),
    [
        ({"args": {"to": "b@x"}}, True, "call 2 (ok) matches"),
        ({"args": {"to": "b@x"}, "mode": "exact"}, True, "call 2 (ok) matches"),
        ({"args": {"to": "a@x"}, "mode": "exact"}, False, 'call 1 (ok) had {"to":"a@x","opts":{"cc":["b"],"n":1}}'),
        ({"args": {"opts": {"n": 1.0}}}, True, "call 1 (ok) matches"),
        ({"args": {"opts": {"n": True}}}, False, 'call 1 (ok) had {"to":"a@x","opts":{"cc":["b"],"n":1}}'),
        ({"args": {"opts": {"cc": []}}}, False, 'call 1 (ok) had {"to":"a@x","opts":{"cc":["b"],"n":1}}'),
        ({"args": {"to": "b@x"}, "every": True}, False, 'call 1 (ok) had {"to":"a@x","opts":{"cc":["b"],"n":1}}'),
        ({"args": {}, "every": True}, False, 'call 3 (error) had "{broken"'),
        ({"args": {}}, True, "call 1 (ok) matches"),
    ],
)
def test_tool_args_match(value: dict[str, Any], passed: bool, detail: str) -> None:
    got = told(MAILS, check("tool-args-match", value={"name": "mail", **value}))
    assert (got[0], got[1].partition(": ")[2]) == (passed, detail)
    assert told(MAILS, check("not-tool-args-match", value={"name": "mail", **value}))[0] is not passed


def test_arguments_of_a_tool_that_was_not_called_do_not_match() -> None:
    made = check("tool-args-match", value={"name": "book", "args": {"id": "{{ case.id }}"}, "every": True})
    assert told(MAILS, made, case={"id": 7}) == (False, 'tool-args-match book {"id":7}: not called; called: mail x3')


@pytest.mark.parametrize(
    ("keys", "passed", "detail"),
    [
        ({"max": 4}, True, "step-count max 4: 4 calls"),
        ({"min": 5}, False, "step-count min 5: 4 calls"),
        ({"min": 1, "max": 3}, False, "step-count min 1 max 3: 4 calls"),
        ({"max": 3, "status": "ok"}, True, "step-count max 3 (ok): 3 calls"),
    ],
)
def test_step_count(keys: dict[str, Any], passed: bool, detail: str) -> None:
    assert told(WITNESSED, check("step-count", **keys)) == (passed, detail)


def test_no_call_is_below_any_ceiling_of_steps() -> None:
    assert told(NONE, check("step-count", max=0)) == (True, "step-count max 0: 0 calls")


@pytest.mark.parametrize(
    ("first", "then", "status", "passed", "detail"),
    [
        ("look", "mail", None, True, "look was call 1 (ok), mail call 2 (refused)"),
        ("mail", "look", None, False, "mail was call 2 (refused), look call 1 (ok)"),
        ("mail", "look", "ok", False, "mail was call 4 (ok), look call 1 (ok)"),
        ("look", "book", None, False, "book was not called; called: look, mail, look, mail"),
        ("book", "mail", None, False, "book was not called, mail was call 2 (refused)"),
        ("look", "look", None, False, "look was call 1 (ok), look call 1 (ok)"),
    ],
)
def test_tool_before(first: str, then: str, status: str | None, passed: bool, detail: str) -> None:
    keys = {"first": first, "then": then} | ({} if status is None else {"status": status})
    got = told(WITNESSED, check("tool-before", **keys))
    assert (got[0], got[1].partition(": ")[2]) == (passed, detail)
    assert told(WITNESSED, check("not-tool-before", **keys))[0] is not passed


@pytest.mark.parametrize(
    ("effect", "ceiling", "passed"),
    [
        ("read", "read", True),
        ("draft", "read", False),
        ("draft", "internal-update", True),
        ("destructive", "external-send", False),
        ("destructive", "destructive", True),
    ],
)
def test_effects_are_ordered(effect: str, ceiling: str, passed: bool) -> None:
    evidence = trace("x", calls=[call("t", effect=effect, status="refused")])
    assert told(evidence, check("effect-ceiling", value=ceiling))[0] is passed


def test_a_call_above_the_ceiling_is_named() -> None:
    evidence = trace("x", calls=[call("look", n=1), call("pay", n=2, effect="destructive", status="refused")])
    assert told(evidence, check("effect-ceiling", value="read")) == (
        False,
        "effect-ceiling read: pay is destructive, call 2 (refused)",
    )
    assert told(evidence, check("effect-ceiling", value="read", status="ok")) == (
        True,
        "effect-ceiling read (ok): no call above it",
    )
    assert told(evidence, check("effect-ceiling", value="reed"))[0] == "error"
