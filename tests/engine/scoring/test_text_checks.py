"""Text checks look at ``of`` as promptfoo's do, and fail where it finds nothing."""

from __future__ import annotations

from typing import Any

import pytest
from kit.judged import call, check, told, trace, turn

REPLY = trace("It is ops@bluewing.example, costs 20 EUR.")


@pytest.mark.parametrize(
    ("type_", "value", "passed", "detail"),
    [
        ("contains", "bluewing", True, 'contains "bluewing": in the reply'),
        ("contains", "Bluewing", False, 'contains "Bluewing": not in the reply'),
        ("icontains", "BLUEWING", True, 'icontains "BLUEWING": in the reply'),
        ("not-contains", "20 EUR", False, 'not-contains "20 EUR": in the reply'),
        ("contains-any", ["zz", "costs"], True, 'contains-any "zz", "costs": "costs" in the reply'),
        ("contains-any", ["zz", "yy"], False, 'contains-any "zz", "yy": none of them in the reply'),
        ("contains-all", ["It", "costs"], True, 'contains-all "It", "costs": all in the reply'),
        ("contains-all", ["It", "no", "y"], False, 'contains-all "It", "no", "y": "no", "y" not in the reply'),
        ("not-contains-all", ["It", "no"], True, 'not-contains-all "It", "no": "no" not in the reply'),
        ("regex", "[0-9]+ EUR", True, 'regex "[0-9]+ EUR": "20 EUR" in the reply matches'),
        ("regex", "^costs", False, 'regex "^costs": no match in the reply'),
        ("not-regex", "ORD-[0-9]+", True, 'not-regex "ORD-[0-9]+": no match in the reply'),
        ("mentions", "OPS@bluewing.example", True, 'mentions "OPS@bluewing.example": in the reply'),
        ("mentions", "2", False, 'mentions "2": not in the reply'),
        ("mentions-any", ["21", "20"], True, 'mentions-any "21", "20": "20" in the reply'),
        ("mentions-all", ["21", "20"], False, 'mentions-all "21", "20": "21" not in the reply'),
        ("is-json", None, False, "is-json: the reply is not JSON: JSON is malformed: invalid character (byte 0)"),
    ],
)
def test_text_checks_say_what_they_found(type_: str, value: Any, passed: bool, detail: str) -> None:
    keys = {} if value is None else {"value": value}
    assert told(REPLY, check(type_, **keys)) == (passed, detail)


NOTHING = [
    ("a reply", trace(None), {}, "there is no reply"),
    ("text in the reply", trace(""), {}, "the reply is empty"),
    ("more than blanks", trace(" \n"), {}, "the reply is empty"),
    ("a call", trace("x"), {"of": "calls[-1].args.body"}, ""),
    ("a key", trace("x", calls=[call("t")]), {"of": "calls[-1].args.body"}, ""),
]


@pytest.mark.parametrize(("_", "evidence", "of", "detail"), NOTHING, ids=[row[0] for row in NOTHING])
@pytest.mark.parametrize(
    "type_",
    [
        "contains",
        "not-contains",
        "equals",
        "not-equals",
        "mentions",
        "not-mentions",
        "regex",
        "not-regex",
        "contains-any",
        "not-contains-any",
        "not-is-json",
    ],
)
def test_where_of_finds_nothing_a_check_fails_inverted_or_not(
    _: str, evidence: Any, of: dict[str, str], detail: str, type_: str
) -> None:
    keys = {} if type_ == "not-is-json" else {"value": ["a"] if type_.endswith("any") else "a"}
    passed, text = told(evidence, check(type_, **keys, **of))
    assert passed is False
    assert text.endswith(detail)


@pytest.mark.parametrize("value", [0, False, []])
def test_zero_false_and_an_empty_list_are_values(value: Any) -> None:
    evidence = trace("x", calls=[call("t", {"v": value})])
    assert told(evidence, check("equals", of="calls[0].args.v", value=value))[0] is True
    assert told(evidence, check("not-contains", of="calls[0].args.v", value="x"))[0] is True


def test_null_equals_null_and_is_no_text() -> None:
    evidence = trace("x", calls=[call("t", {"v": None})])
    assert told(evidence, check("equals", of="calls[0].args.v", value=None)) == (
        True,
        "equals null: calls[0].args.v is null",
    )
    assert told(evidence, check("not-contains", of="calls[0].args.v", value="x"))[0] is False


def test_of_may_look_at_an_earlier_turn_and_at_arguments() -> None:
    evidence = trace(turns=[turn("Which Ana?", 1), turn("Done.", 2)], calls=[call("mail", {"body": "Dear Bo"})])
    assert told(evidence, check("contains", of="turns[0].reply", value="?")) == (
        True,
        'contains "?": in turns[0].reply',
    )
    assert told(evidence, check("mentions", of="calls[-1].args.body", value="bo"))[0] is True
    assert told(evidence, check("mentions", value="Ana"))[0] is False


def test_a_value_that_is_no_text_is_searched_as_json_and_leaf_by_leaf() -> None:
    evidence = trace("x", calls=[call("mail", {"body": 'the "code"\nis 4711', "n": 5})])
    for needle in ('the "code"', 'code"\nis', '{"body":', "4711"):
        assert told(evidence, check("contains", of="calls | map(attribute='args') | list", value=needle))[0] is True
    assert told(evidence, check("mentions", of="calls[0].args", value="is 4711"))[0] is True


@pytest.mark.parametrize(
    ("found", "expected", "passed"),
    [
        ("4", 4, True),
        ("4.0", 4, False),
        (4, 4, True),
        (4, 4.0, True),
        (4, "4", False),
        (True, 1, False),
        ("true", True, True),
        ('{"a": [1]}', {"a": [1]}, True),
        ('{"a": [1]}', {"a": [2]}, False),
        ("{", {"a": 1}, False),
        ({"a": 1}, {"a": 1}, True),
        ("a", "a", True),
        ("a ", "a", False),
        (None, 0, False),
        ([1, 2], [2, 1], False),
    ],
)
def test_equals_reads_text_as_promptfoo_does_and_compares_values_as_json(
    found: Any, expected: Any, passed: bool
) -> None:
    evidence = trace(found if isinstance(found, str) else "x", calls=[call("t", {"v": found})])
    of = {} if isinstance(found, str) else {"of": "calls[0].args.v"}
    assert told(evidence, check("equals", value=expected, **of))[0] is passed
    assert told(evidence, check("not-equals", value=expected, **of))[0] is not passed


def test_a_text_for_contains_any_is_split_at_commas_as_in_promptfoo() -> None:
    made = check("contains-any", value="{{ case.words }}")
    assert told(trace("a cat"), made, case={"words": "dog, cat"})[0] is True


@pytest.mark.parametrize(
    ("type_", "value", "detail"),
    [
        ("contains", "", 'contains "": value is empty: there is nothing to look for'),
        ("contains-all", [], "contains-all: value is an empty list: there is nothing to look for"),
        ("mentions", "\u200b", 'mentions "\u200b": value "\u200b" is blank: there is nothing to look for'),
        ("mentions-all", ["a", " "], 'mentions-all "a", " ": value " " is blank: there is nothing to look for'),
        (
            "mentions-any",
            "a;b",
            'mentions-any "a;b": value is no list: "a;b" (text); split it, like {{ case.x.split(\';\') }}',
        ),
        ("contains", {"a": 1}, 'contains {"a":1}: value is no text: {"a":1} (object)'),
        ("regex", "(", ""),
    ],
)
def test_a_value_that_cannot_be_looked_for_is_an_error_of_the_grader(type_: str, value: Any, detail: str) -> None:
    for kind in (type_, f"not-{type_}"):
        passed, text = told(trace("x"), check(kind, value=value))
        assert passed == "error"
        assert kind != type_ or text.startswith(detail)


def test_a_pattern_that_never_ends_is_an_error() -> None:
    passed, text = told(trace("1," * 60), check("regex", value="(.*?,){25}P"))
    assert (passed, "took too long" in text) == ("error", True), text


def test_values_are_templates_over_the_run() -> None:
    evidence = trace("It is 42 for ORD-1.", calls=[call("t", rows=[{"id": "ORD-1"}])])
    assert told(evidence, check("mentions", value="{{ calls[0].rows[0].id }}"))[0] is True
    assert (
        told(evidence, check("mentions-all", value="{{ case.facts.split(';') }}"), case={"facts": "42;ORD-1"})[0]
        is True
    )
    assert told(evidence, check("mentions", value="{{ case.n }}"), case={"n": 42}) == (
        True,
        'mentions "42": in the reply',
    )


def test_a_value_that_needs_a_fact_the_run_lacks_fails_inverted_or_not() -> None:
    for type_ in ("mentions", "not-mentions"):
        assert told(trace("x"), check(type_, value="{{ calls[0].text }}"))[0] is False


def test_details_are_bounded_and_on_one_line() -> None:
    passed, text = told(trace("x"), check("contains", value="long\ntext " * 500))
    assert (passed, len(text) <= 200, "\n" in text) == (False, True, False)
