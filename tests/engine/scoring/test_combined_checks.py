"""``any-of`` decides over other checks, and ``expr`` over an expression; both contain what goes wrong inside."""

from __future__ import annotations

from typing import Any

import pytest
from kit.judged import calls, check, finding, told, trace

IN, OUT, ABSENT = (
    check("contains", value="yes"),
    check("contains", value="no"),
    check("contains", of="calls[0].text", value="x"),
)
SKIPPED, BROKEN = check("contains", value="yes", when="false"), check("regex", value="(")
YES = trace("yes")


@pytest.mark.parametrize(
    ("inner", "least", "passed"),
    [
        ((IN, OUT), 1, True),
        ((IN, OUT), 2, False),
        ((OUT,), 1, False),
        ((OUT, SKIPPED), 1, False),
        ((IN, SKIPPED), 1, True),
        ((SKIPPED, SKIPPED), 1, None),
        ((IN, BROKEN), 1, "error"),
        ((BROKEN, SKIPPED), 1, "error"),
        ((IN, ABSENT), 1, True),
    ],
)
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
        False,
        'any-of: 0 of 2 checks held: contains "no": not in the reply; tool-used t: not called; there was no call',
    )


def test_an_expression_holds_or_does_not() -> None:
    evidence = trace("yes", calls=calls("look", "pay!refused"))
    assert told(evidence, check("expr", that="calls | length == 2")) == (True, "expr calls | length == 2: holds")
    assert told(evidence, check("expr", name="none-paid", that="calls[1].status == 'ok'")) == (
        False,
        "none-paid (expr calls[1].status == 'ok'): does not hold",
    )
    assert told(evidence, check("not-expr", that="calls[1].status == 'ok'"))[0] is True


def test_an_expression_sees_the_names_of_its_place() -> None:
    that = "[agent.id, agent.model, scenario.id, scenario.tags, vars.x, case.y] == ['careful', 'm', 's', ['a'], 1, 2]"
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


def test_a_check_of_no_known_type_is_an_error() -> None:
    assert finding(YES, check("vibes")).error is True
