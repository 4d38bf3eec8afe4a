"""Check that a text is JSON, and meets a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...schemas.codec import CodecFault, decode
from ...schemas.scenario_documents import Check
from ...schemas.value_schema import SchemaFault, schema_faults
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .shown import clip, typed


def is_json(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text is strict JSON, and meets the JSON Schema `value` if there is one; what is no text is JSON already"""
    schema = args.get("value", True)
    if not isinstance(schema, bool | Mapping):
        raise GraderFault(f"value is no JSON Schema: {typed(schema)}")
    found = seen.look(check)
    value = found
    if isinstance(found, str):
        try:
            value = decode(found)
        except CodecFault as fault:
            why = str(fault).partition(": ")[2] or str(fault)
            yield Fact(holds=False, what=f"{seen.place(check)} is not JSON: {clip(why, 120)}", found=found)
            return
    try:
        faults = schema_faults(schema, value) if schema is not True else []
    except SchemaFault as fault:
        raise GraderFault(str(fault)) from None
    if faults:
        what = f"{seen.place(check)} does not meet the schema: {'; '.join(faults[:3])}"
    else:
        what = f"{seen.place(check)} is JSON{'' if schema is True else ' and meets the schema'}"
    yield Fact(holds=not faults, what=what, expected=schema, found=value)
