"""The one table of check types: adding one is a generator, a row here and an example."""

from __future__ import annotations

from collections.abc import Mapping

from . import calls, code, combine, json_text, limits, mentions, number, rubric, text, world
from .base import Args, CheckType
from .called import status_label, tool_label
from .shown import as_json, clip, shown, shown_all


def _value(args: Args) -> str:
    return shown(args["value"])


def _text(args: Args) -> str:
    value = args["value"]
    return shown(as_json(value) if isinstance(value, int | float) else value)


def _values(args: Args) -> str:
    value = args["value"]
    return shown_all(value, most=3) if isinstance(value, list | tuple) else shown(value)


def _number(args: Args) -> str:
    value = args["value"]
    unit = f" {args['unit']}" if args.get("unit") else ""
    tolerance = f" ± {args['tolerance']}" if args.get("tolerance") else ""
    return f"{value if isinstance(value, str) else shown(value)}{unit}{tolerance}"


def _tool(args: Args) -> str:
    return tool_label(args["value"]) + status_label(args)


def _steps(args: Args) -> str:
    exact = " (exact)" if args.get("mode") == "exact" else ""
    return tool_label(args["steps"]) + exact + status_label(args)


def _arguments(args: Args) -> str:
    return f"{tool_label(args['value'])} {shown(args['value'].get('args', {}))}{status_label(args)}"


def _range(args: Args) -> str:
    bounds = [f"{name} {args[name]}" for name in ("min", "max") if name in args]
    return " ".join(bounds) + status_label(args)


def _order(args: Args) -> str:
    return f"{tool_label(args['first'])}, {tool_label(args['then'])}{status_label(args)}"


def _latency(args: Args) -> str:
    return f"{args['max_s']:g} s{' a run' if args.get('per') == 'run' else ''}"


def _nothing(_: Args) -> str:
    return ""


ALL_CHECKS: Mapping[str, CheckType] = {
    "contains": CheckType(run=text.contains, label=_text),
    "icontains": CheckType(run=text.icontains, label=_text),
    "contains-any": CheckType(run=text.contains_any, label=_values),
    "contains-all": CheckType(run=text.contains_all, label=_values),
    "equals": CheckType(run=text.equals, label=_value),
    "regex": CheckType(run=text.regex, label=_text),
    "is-json": CheckType(run=json_text.is_json, label=_nothing),
    "mentions": CheckType(run=mentions.mentions, label=_text),
    "mentions-any": CheckType(run=mentions.mentions_any, label=_values),
    "mentions-all": CheckType(run=mentions.mentions_all, label=_values),
    "number": CheckType(run=number.number, label=_number),
    "llm-rubric": CheckType(run=rubric.llm_rubric, label=_value, raw=frozenset({"judge"})),
    "world": CheckType(run=world.world, label=lambda args: clip(args["sql"], 60), raw=frozenset({"sql"})),
    "tool-used": CheckType(run=calls.tool_used, label=_tool),
    "tool-sequence": CheckType(run=calls.tool_sequence, label=_steps),
    "tool-args-match": CheckType(run=calls.tool_args_match, label=_arguments),
    "step-count": CheckType(run=calls.step_count, label=_range),
    "tool-before": CheckType(run=calls.tool_before, label=_order),
    "effect-ceiling": CheckType(run=calls.effect_ceiling, label=lambda args: f"{args['value']}{status_label(args)}"),
    "latency": CheckType(run=limits.latency, label=_latency),
    "tokens": CheckType(run=limits.tokens, label=lambda args: str(args["max"])),
    "any-of": CheckType(run=combine.any_of, label=_nothing, raw=frozenset({"checks"})),
    "expr": CheckType(run=combine.expr, label=lambda args: clip(args["that"], 60), raw=frozenset({"that"})),
    "python": CheckType(run=code.python, label=lambda args: _function(args["value"]), raw=frozenset({"value"})),
}


def _function(reference: str) -> str:
    """``checks.py:polite``: the function without the way to its file."""
    return reference.rpartition("/")[2]
