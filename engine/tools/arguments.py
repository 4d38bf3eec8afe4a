"""Arguments that a tool does not take are an error that its caller can act on: what is wrong, and which there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.errors import PatternFault
from ...schemas.value_schema import SchemaFault, schema_judge
from .quick_arguments import surely_sound

LONGEST_ERROR = 2_000
_KINDS = {type(None): "null", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
SHOWN_RAW = 200
MOST_FAULTS = 5


@dataclass(frozen=True, slots=True)
class BadArguments:
    """Arguments that could not be read: the text as it came, and why (``not JSON: ...``)."""

    raw: str
    why: str


class Arguments:
    """The arguments of one tool."""

    __slots__ = ("_absent", "_defaults", "_described", "_judge", "_schema", "_surely_sound")

    def __init__(self, schema: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
        self._schema = schema
        self._surely_sound = surely_sound(schema)
        self._judge: Callable[[Any], list[str]] | None = None
        self._defaults = dict(defaults)
        self._absent: dict[str, Any] = dict.fromkeys(schema.get("properties", {}))
        self._described = _described(schema)

    def fault(self, args: object) -> str | None:
        """Why the tool cannot take the arguments, and which it takes; None where it can.

        Raises SchemaFault where it cannot be told: a pattern took too long, a ``$ref`` leads nowhere.
        """
        if isinstance(args, BadArguments):
            shown = f": {clean_text(args.raw, SHOWN_RAW)}" if args.raw.strip() else ""
            return self._told(f"the arguments could not be read ({args.why}){shown}")
        if not isinstance(args, dict):
            return self._told(f"the arguments must be an object, not {_KINDS.get(type(args), type(args).__name__)}")
        faults = self._faults(args)
        return self._told("; ".join(faults[:MOST_FAULTS])) if faults else None

    def filled(self, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments with the defaults of those that were left out."""
        return {**self._defaults, **args} if self._defaults else args

    def for_sql(self, filled: Mapping[str, Any]) -> dict[str, Any]:
        """A parameter for every argument; one that was left out is null."""
        return {**self._absent, **filled}

    def _faults(self, args: dict[str, Any]) -> list[str]:
        try:
            if self._surely_sound(args):
                return []
        except PatternFault as fault:
            raise SchemaFault(str(fault)) from None
        if self._judge is None:
            self._judge = schema_judge(self._schema)
        return self._judge(args)

    def _told(self, why: str) -> str:
        return clean_text(f"{why}; {self._described}", LONGEST_ERROR)


def _described(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    shown = [_one(name, each, name in required) for name, each in schema.get("properties", {}).items()]
    return f"arguments: {', '.join(shown)}" if shown else "it takes no arguments"


def _one(name: str, schema: Any, required: bool) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    kinds = [kind] if isinstance(kind, str) else list(kind or ())
    about = [" or ".join(kinds)] if kinds else []
    if not required:
        about.append("optional")
    return f"{name} ({', '.join(about)})" if about else name
