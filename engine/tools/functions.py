"""Tools that are Python functions: called with the arguments by name, on a thread of their own, and never trusted."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ...hooks.loader import load_object
from ...schemas.errors import UsageFault
from ..foreign import ForeignFault, run_foreign
from ..world import World
from .results import Answer

NOTHING: Mapping[str, Any] = {}


class ToolWorld:
    """The world as a function sees it. Raises SqlFault for what a pack's SQL may not do, and after the run."""

    def __init__(self, world: World) -> None:
        self._world = world

    def query(self, sql: str, params: Mapping[str, Any] = NOTHING) -> list[dict[str, Any]]:
        """The rows of a statement that only reads."""
        return self._world.query(sql, params)

    def write(
        self, statements: str | list[str], params: Mapping[str, Any] = NOTHING, expect_rows: int | None = None
    ) -> list[dict[str, Any]]:
        """Run one statement or several in one transaction; the rows of the last one that gives any."""
        several = [statements] if isinstance(statements, str) else statements
        return self._world.write(several, params, expect_rows) or []

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of every table, a copy."""
        return copy.deepcopy(self._world.tables())


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What a function may ask about its call. ``call`` is its number among this tool's calls in the run."""

    tool: str
    call: int
    vars: Mapping[str, Any]
    case: Mapping[str, Any]
    now: str
    random: Random


class ToolFunction:
    """``module:attr`` or ``path.py:attr``, loaded when it is first called, on the thread that calls it."""

    def __init__(self, reference: str, folder: Path, inputs: tuple[str, ...]) -> None:
        self._reference = reference
        self._folder = folder
        self._inputs = inputs
        self._function: Callable[..., Any] | None = None

    async def answer(self, args: Mapping[str, Any], world: World, context: ToolContext) -> Answer:
        """What the function returns, or what it raises as an error that the agent sees."""
        given = copy.deepcopy(dict(args))
        try:
            value = await run_foreign(self._call, given, ToolWorld(world), context)
        except ForeignFault as fault:
            unusable = isinstance(fault.__cause__, UsageFault)
            return Answer(error=str(fault.__cause__) if unusable else str(fault), bench=unusable)
        return Answer(value=value)

    def _call(self, args: dict[str, Any], world: ToolWorld, context: ToolContext) -> Any:
        if self._function is None:
            found = load_object(self._reference, self._folder)
            if not callable(found):
                raise UsageFault(f"{self._reference!r} is not a function; name one that can be called")
            self._function = found
        positional, named = self._filled(self._function, args, {"world": world, "context": context})
        return self._function(*positional, **named)

    def _filled(
        self, function: Callable[..., Any], args: dict[str, Any], offered: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Arguments by name; all of them as one object for a function whose first parameter is no argument's name."""
        parameters = inspect.signature(function).parameters
        kinds = {name: parameter.kind for name, parameter in parameters.items()}
        named = {name: value for name, value in offered.items() if name in kinds and name not in self._inputs}
        if inspect.Parameter.VAR_KEYWORD in kinds.values() or any(name in kinds for name in self._inputs):
            return [], {**named, **args}
        rest = [name for name, kind in kinds.items() if name not in offered and kind in _TAKES_ONE]
        if not rest:
            return [], {**named, **args}
        if kinds[rest[0]] is inspect.Parameter.KEYWORD_ONLY:
            return [], {**named, rest[0]: args}
        if next(iter(kinds)) == rest[0]:
            return [args], named
        return [], {**named, rest[0]: args}


_TAKES_ONE = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)
