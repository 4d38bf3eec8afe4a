"""A guard may refuse a call of its agent; one that cannot tell refuses too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...hooks.contract import Refusal
from ...hooks.guards import PythonGuard, source_of
from ...schemas.bounded import describe_error
from ...schemas.templates import holds, render_text
from ...schemas.tool_documents import Guard

ERROR_CHARS = 200
FACTS = frozenset(("calls", "turns"))
NONE_IN_PYTHON: Mapping[str, PythonGuard] = MappingProxyType({})

_SAID = {
    "raised": "failed",
    "timeout": "did not answer in time",
    "quiet": "was not asked",
    "busy": "was not asked",
    "saturated": "was not asked",
    "unstartable": "could not be started",
    "malformed": "gave a malformed answer",
}

Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A guard's refusal: what the agent is told, and (``fault``) why the guard could not decide."""

    guard: str
    message: str
    fault: str | None = None


class Guards:
    """The guards of one agent, asked in their order; the first that refuses is heard, and no further one is asked.

    A name is a declared guard, or else one of ``python``. ``mask`` takes the secrets out of what a fault tells.
    """

    def __init__(
        self,
        names: Sequence[str],
        declared: Mapping[str, Guard],
        python: Mapping[str, PythonGuard] = NONE_IN_PYTHON,
        mask: Callable[[str], str] = str,
    ) -> None:
        self._guards = [(name, declared.get(name) or python.get(name)) for name in names]
        self._mask = mask
        self.needs_world = any(_asks(guard, "world") for _, guard in self._guards)
        self.needs_facts = any(_asks(guard, fact) for fact in FACTS for _, guard in self._guards)

    def __bool__(self) -> bool:
        return bool(self._guards)

    async def refusal(self, make_names: Callable[[], Names]) -> Refused | None:
        """The first refusal. ``make_names`` gives tool args agent turns calls world last_user_turn, and the call's ids.

        Raises KeyboardInterrupt where a guard does, and nothing else.
        """
        names: Names | None = None
        for name, guard in self._guards:
            try:
                names = make_names() if names is None else names
                refused = self._of_declared(guard, names) if isinstance(guard, Guard) else None
                if isinstance(guard, PythonGuard):
                    refused = self._of_python(name, await guard.refusal(names))
                    names = None  # while it was asked, other calls may have ended
                elif guard is None:
                    raise LookupError("no guard of this name is declared")
            except Exception as error:  # noqa: BLE001 - whatever keeps a guard from its decision, it refuses
                return self._failed(name, "raised", describe_error(error))
            if refused is not None:
                return refused
        return None

    def _of_declared(self, guard: Guard, names: Names) -> Refused | None:
        if not holds(guard.refuse_when, names):
            return None
        return Refused(guard=guard.name, message=render_text(guard.reason, names))

    def _of_python(self, name: str, refusal: Refusal | None) -> Refused | None:
        if refusal is None:
            return None
        if refusal.fault is not None:
            return self._failed(name, refusal.fault.kind, refusal.fault.detail)
        return Refused(guard=name, message=refusal.message if refusal.message.strip() else f"refused by guard {name!r}")

    def _failed(self, name: str, kind: str, detail: str) -> Refused:
        """Secrets are taken out before the text is cut, so that none ends in the middle of it."""
        what, colon, text = self._mask(detail).partition(": ")
        fault = f"{what}{colon}{text[:ERROR_CHARS]}"
        return Refused(guard=name, message=f"guard {name!r} {_SAID[kind]}, and so refuses: {fault}", fault=fault)


def guards_surface(
    names: Sequence[str], declared: Mapping[str, Guard], python: Mapping[str, PythonGuard] = NONE_IN_PYTHON
) -> list[dict[str, str]]:
    """The guards as a surface lists them, in their order: name and source, and what a declared one says."""
    return [_shown(name, declared.get(name), python.get(name), declared) for name in names]


def _shown(
    name: str, guard: Guard | None, function: PythonGuard | None, declared: Mapping[str, Guard]
) -> dict[str, str]:
    if function is not None:
        return {"name": name, "source": function.source}
    said = {"refuse_when": guard.refuse_when, "reason": guard.reason} if guard is not None else {}
    return {"name": name, "source": source_of(name, declared), **said}


def _asks(guard: Guard | PythonGuard | None, name: str) -> bool:
    """Whether a guard may look at a name: by its parameters, or because a text of it holds the word."""
    if isinstance(guard, PythonGuard):
        return guard.wants(name)
    return guard is not None and any(name in text for text in (guard.refuse_when, guard.reason))
