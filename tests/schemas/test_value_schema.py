"""A value is judged by a user's JSON Schema: strict formats, guarded patterns, and never the network."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.schemas.value_schema import SchemaFault, schema_faults, schema_judge

ADDRESS = {
    "type": "object",
    "required": ["to"],
    "properties": {"n": {"type": "integer", "maximum": 9}, "to": {"type": "string", "format": "email"}},
    "patternProperties": {"^x-": {"type": "string"}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({"to": "a@x.example", "n": 9, "x-y": "z"}, []),
        ({}, ["'to' is a required property"]),
        ({"to": "nobody"}, ["to: 'nobody' is not an email address"]),
        ({"to": "a@x.example", "cc": 1}, ["'cc' is not known here; known: n, to"]),
        ({"to": "a@x.example", "x-y": 1}, ["x-y: 1 is not of type 'string'"]),
        ({"to": "a@x.example", "n": 10}, ["n: 10 is greater than the maximum of 9"]),
        ({"to": "a@x.example", "n": True}, ["n: True is not of type 'integer'"]),
    ],
)
def test_every_fault_is_told_with_its_place(value: Any, faults: list[str]) -> None:
    assert schema_faults(ADDRESS, value) == faults
    assert schema_judge(ADDRESS)(value) == faults


def test_a_reference_reaches_into_the_schema_itself() -> None:
    assert schema_faults({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, "x") == [
        "'x' is not of type 'integer'"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://schemas.example/x.json"},
        {"$ref": "#/nowhere"},
        {"type": 5},
        {"pattern": "("},
        {"minimum": "a", "type": 3},
    ],
)
def test_a_schema_that_cannot_be_used_says_so(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaFault):
        schema_faults(schema, "x")


def test_a_pattern_that_never_ends_is_stopped() -> None:
    with pytest.raises(SchemaFault, match="took too long"):
        schema_faults({"additionalProperties": False, "patternProperties": {"(.*?,){25}P": True}}, {"1," * 60: 1})
