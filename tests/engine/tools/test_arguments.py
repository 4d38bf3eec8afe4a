from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kit.tool_bench import Bench
from kit.worlds import pack, rule, takes, tool
from windtunnel.engine.tools.host import BadArguments
from windtunnel.engine.tools.quick_arguments import surely_sound
from windtunnel.schemas.value_schema import schema_faults

SCHEMA = takes(
    optional=("limit",), query={"type": "string", "minLength": 2}, limit={"type": ["integer", "null"], "maximum": 9}
)
TOOL = tool("find", SCHEMA, rule(text="found"))
NONE = tool("clock", takes(), rule(text="09:00"))
SLOW = "(a+)+$"
KNOWN = "arguments: query (string), limit (integer or null, optional)"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({}, f"'query' is a required property; {KNOWN}"),
        ({"query": 5}, f"query: 5 is not of type 'string'; {KNOWN}"),
        ({"query": "ab", "limit": 10}, f"limit: 10 is greater than the maximum of 9; {KNOWN}"),
        ({"query": "ab", "qeury": 1}, f"'qeury' is not known here; known: query, limit; {KNOWN}"),
        ([1], f"the arguments must be an object, not a list; {KNOWN}"),
        (None, f"the arguments must be an object, not null; {KNOWN}"),
        (
            BadArguments('{"query": ', "not JSON: it ends too early"),
            f'the arguments could not be read (not JSON: it ends too early): {{"query": ; {KNOWN}',
        ),
        (BadArguments("", "empty"), f"the arguments could not be read (empty); {KNOWN}"),
    ],
)
def test_bad_arguments_are_an_error_that_says_what_is_wrong_and_which_there_are(args: object, error: str) -> None:
    bench = Bench(pack(TOOL))
    result = bench.call("find", args)
    assert (result.status, result.error) == ("error", error)
    assert bench.last.status == "error"


def test_sound_arguments_pass() -> None:
    bench = Bench(pack(TOOL, NONE))
    assert [bench.call("find", {"query": "ab", "limit": limit}).text for limit in (9, 3.0, None)] == ["found"] * 3
    assert bench.call("clock").text == "09:00"
    assert bench.call("clock", {"zone": "x"}).error == "'zone' is not known here; known: nothing; it takes no arguments"


def test_the_record_keeps_bad_arguments_as_they_came() -> None:
    bench = Bench(pack(TOOL))
    bench.call("find", BadArguments('{"query": "b\ud800', "not JSON"))
    bench.call("find", {"query": ["x"]})
    assert [call.args for call in bench.witness.calls] == ['{"query": "b\\ud800', {"query": ["x"]}]


def test_a_pattern_that_takes_too_long_is_the_packs_fault_and_not_the_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windtunnel.schemas.patterns.TIMEOUT_S", 0.05)
    bench = Bench(pack(tool("t", takes(it={"type": "string", "pattern": SLOW}), rule(text="x"))))
    error = "the tool is broken: pattern took too long: more than 0.05 s; make it simpler"
    assert bench.call("t", {"it": "a" * 5000 + "b"}).error == error
    assert bench.host.faults == [f"tool t: {error}"]
    assert bench.call("t", {"it": "aa"}).text == "x"


def test_a_50_mb_argument_is_told_of_in_a_few_words() -> None:
    bench = Bench(pack(TOOL))
    error = bench.call("find", {"query": "ab", "limit": "x" * 50_000_000}).error
    assert isinstance(error, str)
    assert len(error) < 2_100
    assert len(str(bench.last.args)) < 1_100_000


names = st.sampled_from(["a", "b", "c"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.sampled_from(["", "a", "ab", "abc", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)
kinds = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
bounds = st.integers(-3, 3)
sizes = st.integers(0, 3)


def of_schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": kinds | st.lists(kinds, min_size=1, max_size=3, unique=True),
            "enum": st.lists(values, min_size=1, max_size=3),
            "const": values,
            "minimum": bounds,
            "maximum": bounds,
            "exclusiveMinimum": bounds,
            "exclusiveMaximum": bounds,
            "minLength": sizes,
            "maxLength": sizes,
            "minItems": sizes,
            "maxItems": sizes,
            "pattern": st.sampled_from(["^a", "b$", "[0-9]"]),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "contains": inner,
            "properties": st.dictionaries(names, inner, max_size=3),
            "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
            "required": st.lists(names, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "uniqueItems": st.booleans(),
            "multipleOf": st.integers(1, 3),
            "not": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "description": st.just("x"),
        },
    )


schemas = st.recursive(st.booleans() | of_schemas(st.booleans()), of_schemas, max_leaves=4)


@given(schema=schemas, value=values)
@example(schema={"enum": [True]}, value=1)
@example(schema={"type": "integer"}, value=1.0)
@example(schema={"additionalProperties": False, "patternProperties": {"^a": True}}, value={"a": 1})
def test_what_is_surely_sound_jsonschema_finds_sound(schema: Any, value: Any) -> None:
    if surely_sound(schema)(value):
        assert schema_faults(schema, value) == []


plain = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "array"]),
        "minimum": bounds,
        "maxLength": sizes,
        "minItems": sizes,
        "description": st.just("x"),
    },
)


@given(
    schema=st.builds(lambda props: takes(**props), st.dictionaries(names, plain)), value=st.dictionaries(names, values)
)
def test_for_common_arguments_jsonschema_is_not_asked(schema: Any, value: Any) -> None:
    whole = any(isinstance(each, float) and each == int(each) for each in value.values())  # 1.0 is an integer to it
    assert surely_sound(schema)(value) or whole or schema_faults(schema, value)
