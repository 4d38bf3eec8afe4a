"""A guard may refuse a call of its agent; one that cannot tell refuses too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import describe_error
from ...schemas.documents import Guard
from ...schemas.templates import holds, render_text

WITNESSED = ("calls", "turns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A guard's refusal: what the agent is told, and (``fault``) why the guard could not decide."""

    guard: str
    message: str
    fault: str | None = None


class Guards:
    """The guards of one agent, asked in their order; the first that refuses is heard."""

    def __init__(self, names: Sequence[str], declared: Mapping[str, Guard]) -> None:
        self._guards = [(name, declared.get(name)) for name in names]
        texts = [text for _, guard in self._guards if guard for text in (guard.refuse_when, guard.reason)]
        self.needs_world = any("world" in text for text in texts)
        self.needs_facts = any(fact in text for fact in WITNESSED for text in texts)

    def __bool__(self) -> bool:
        return bool(self._guards)

    def refusal(self, make_names: Callable[[], Mapping[str, Any]]) -> Refused | None:
        """The first refusal. ``make_names`` gives tool args agent turns calls world last_user_turn."""
        names: Mapping[str, Any] | None = None
        for name, guard in self._guards:
            try:
                if guard is None:
                    raise LookupError("no guard of this name is declared")
                names = make_names() if names is None else names
                if holds(guard.refuse_when, names):
                    return Refused(guard=name, message=render_text(guard.reason, names))
            except Exception as error:  # noqa: BLE001 - whatever keeps a guard from its decision, it refuses
                fault = describe_error(error)
                return Refused(guard=name, message=f"guard {name!r} failed, and so refuses: {fault}", fault=fault)
        return None
