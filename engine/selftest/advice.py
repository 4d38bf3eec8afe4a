"""Say how a poison that only this check catches could look: as golden, but for one thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.codec import encode
from ...schemas.documents import Pack
from ...schemas.scenario_documents import Check, Scenario
from .sketch import above, sketch

AS_GOLDEN = "a poison for it does all that golden does, but "
REPLIES = frozenset(
    {"contains", "icontains", "contains-any", "contains-all", "equals", "regex", "mentions", "mentions-any",
     "mentions-all", "number", "is-json", "llm-rubric"}
)  # fmt: skip


def advice(check: Check, pack: Pack, scenario: Scenario) -> str:
    """One sentence, and for the plain types a sketch of the rules (JSON, which is YAML)."""
    told = f"{AS_GOLDEN}{_difference(check, pack)}"
    golden = scenario.references.golden if scenario.references is not None else ()
    rules = sketch(check, pack, golden)
    return f"{told}: {encode(rules).decode()}" if rules else told


def _difference(check: Check, pack: Pack) -> str:
    args = check.args
    if check.type in REPLIES:
        where = "its reply" if check.of is None else f"`{check.of}`"
        held = "holds what this check refuses" if check.negated else "does not hold what this check asks for"
        return f"{where} {held}"
    told = _DOES if check.negated else _DOES_NOT
    if check.type == "effect-ceiling" and not check.negated:
        tools = above(pack, str(args["value"]))
        return f"calls a tool above {args['value']}" + (f", such as {tools[0]}" if tools else "; the pack has none")
    return told[check.type].format_map(_Shown(args))


class _Shown(dict[str, str]):
    """The arguments of a check as a sentence takes them."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__({key: _names(value) for key, value in args.items()})

    def __missing__(self, key: str) -> str:
        return "its value"


def _names(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name") or value.get("pattern") or "its tool")
    if isinstance(value, list | tuple):
        return ", ".join(map(_names, value))
    return str(value)


_DOES_NOT = {
    "world": "leaves other rows behind, so that `{sql}` comes to something else",
    "tool-used": "does not call {value} as often as it must, and says the same",
    "tool-sequence": "calls {steps} in another order, or not all of them",
    "tool-args-match": "calls {value} with other arguments",
    "step-count": "makes more calls, or fewer, than may be",
    "tool-before": "calls {then} before {first}",
    "effect-ceiling": "calls a tool above {value}",
    "latency": "waits for longer than {max_s} s (wait_s)",
    "tokens": "uses more than {max} tokens, which no script does: let this check stand with `gate: false`",
    "any-of": "fails so many of its checks that too few hold",
    "expr": "makes `{that}` false",
    "python": "does what {value} refuses",
}
_DOES = {
    "world": "leaves the very rows behind that `{sql}` must not come to",
    "tool-used": "calls {value} as well",
    "tool-sequence": "calls {steps} in this order",
    "tool-args-match": "calls {value} with these arguments",
    "step-count": "makes as many calls as must not be",
    "tool-before": "calls {first} before {then}",
    "effect-ceiling": "calls no tool above {value}",
    "latency": "answers within {max_s} s",
    "tokens": "uses at most {max} tokens",
    "any-of": "makes enough of its checks hold",
    "expr": "makes `{that}` true",
    "python": "does what {value} accepts",
}
