"""Draw a poison from golden by changing one thing; a sketch for people, to be looked at before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...schemas.documents import Pack
from ...schemas.scenario_documents import Check, Script
from ...schemas.tool_documents import EFFECTS

Step = Mapping[str, Any]

WRONG = "Something else."
SAME = "What golden says here, written out."
TEXTS = frozenset({"contains", "icontains", "equals", "mentions", "mentions-any", "mentions-all", "contains-any",
                   "contains-all", "regex", "number", "is-json", "llm-rubric"})
STANDS_FOR = {"string": "...", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}


def sketch(check: Check, pack: Pack, golden: Script) -> list[dict[str, Any]]:
    """The rules of a poison that this check may catch; empty where that cannot be drawn from golden."""
    change = _change(check, pack)
    return [{**rule, "do": change(rule["do"])} for rule in golden] if change is not None else []


def above(pack: Pack, effect: str) -> list[str]:
    """The tools whose effect is above this one, in the pack's order."""
    highest = EFFECTS.index(effect) if effect in EFFECTS else len(EFFECTS)
    return [name for name, tool in pack.tools.items() if EFFECTS.index(tool.effect) > highest]


def _change(check: Check, pack: Pack) -> Callable[[Sequence[Step]], list[Step]] | None:
    if check.type in TEXTS and not check.negated and check.of is None:
        return lambda steps: [{"say": WRONG} if "say" in step else step for step in steps]
    value = check.args.get("value")
    if check.type == "tool-used" and not check.negated:
        names = {value} if isinstance(value, str) else set(value) if isinstance(value, list) else set()
        return lambda steps: _without(steps, names) if names else list(steps)
    if check.type == "tool-used" and isinstance(value, str) and value in pack.tools:
        return lambda steps: [_call(pack, value), *steps]
    if check.type == "effect-ceiling" and not check.negated and (tools := above(pack, str(value))):
        return lambda steps: [_call(pack, tools[0]), *steps]
    if check.type == "latency" and not check.negated:
        return lambda steps: [*steps, {"wait_s": check.args["max_s"] + 1}]
    return None


def _without(steps: Sequence[Step], names: set[str]) -> list[Step]:
    """What is said must not lean on results that are no longer there."""
    kept = [step for step in steps if step.get("call", {}).get("tool") not in names]
    return [{"say": SAME} if "{{" in str(step.get("say", "")) else step for step in kept]


def _call(pack: Pack, name: str) -> Step:
    schema = pack.tools[name].input_schema
    properties: Mapping[str, Any] = schema.get("properties", {})
    args = {key: _value(properties.get(key, {})) for key in schema.get("required", ())}
    return {"call": {"tool": name, "args": args}}


def _value(schema: Any) -> Any:
    options = schema.get("enum") if isinstance(schema, Mapping) else None
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return options[0] if options else STANDS_FOR.get(kind if isinstance(kind, str) else "string", "...")
