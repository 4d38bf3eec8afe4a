"""``is-json`` reads strict JSON, and judges it by a schema that never reaches the network."""

from __future__ import annotations

from kit.judged import calls, check, told, trace


def test_json_is_strict_and_may_have_a_schema() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}},
        "additionalProperties": False,
    }
    assert told(trace('{"a": 1}'), check("is-json", value=schema)) == (
        True,
        "is-json: the reply is JSON and meets the schema",
    )
    assert told(trace('{"a": "x"}'), check("is-json", value=schema)) == (
        False,
        "is-json: the reply does not meet the schema: a: 'x' is not of type 'integer'",
    )
    assert told(trace('{"a": "x"}'), check("not-is-json", value=schema))[0] is True
    assert told(trace("NaN"), check("is-json"))[0] is False
    assert told(trace("x", calls=calls("t")), check("is-json", of="calls[0].args", value={"type": "object"}))[0] is True


def test_a_schema_that_cannot_be_used_is_an_error_and_the_network_is_never_asked() -> None:
    made = check("is-json", value={"$ref": "https://schemas.example/x.json"})
    assert told(trace("1"), made)[0] == "error"
    slow = check("is-json", value={"pattern": "(.*?,){25}P"})
    assert told(trace(f'"{"1," * 60}"'), slow)[0] == "error"
