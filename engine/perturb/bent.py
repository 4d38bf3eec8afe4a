"""Faults that bend a real answer: ``malformed-json``, ``empty``, ``truncated``, ``wrong-type``.

The call has taken place, with all its effects. An answer that is an error stands as it is, and so does one that has
nothing to bend; neither counts as struck.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..tools.results import Answer
from .strike import Strike

OBJECT_AS_TEXT = "[object Object]"


@dataclass(frozen=True, slots=True)
class Unbent:
    """Why there was nothing to do."""

    why: str


Bend = Callable[[Any, str], Any]
"""From the value of an answer, and the text the agent would read, to another value, or Unbent."""


def bending(bend: Bend) -> Callable[[Strike], Any]:
    """The fault that bends each good answer so."""

    async def fault(strike: Strike) -> Answer:
        answer = await strike.next()
        if answer.error is not None:
            return strike.spared(answer, "it ended in an error of its own")
        value = bend(answer.value, strike.read(answer))
        if isinstance(value, Unbent):
            return strike.spared(answer, value.why)
        strike.struck()
        return Answer(value=value)

    return fault


def malformed_json(value: Any, text: str) -> Any:
    """JSON that breaks off before its last bracket; plain text is put into an object first."""
    return f"{(text if _is_container(text) else json.dumps({'result': text}, ensure_ascii=False))[:-1]},"


def empty(value: Any, text: str) -> Any:
    """No rows where there were rows, no text where there was text."""
    if not value:
        return Unbent("its answer was empty already")
    return [] if isinstance(value, list) else ""


def truncated(value: Any, text: str) -> Any:
    """The first half: of the rows, or, of a single one and of anything else, of the text."""
    if isinstance(value, list) and len(value) > 1:
        return value[: (len(value) + 1) // 2]
    return text[: len(text) // 2] if len(text) > 1 else Unbent("its answer was too short to be cut")


def wrong_type(value: Any, text: str) -> Any:
    """The number 0 in the place of text, and what a careless program makes of an object in the place of all else."""
    return 0 if isinstance(value, str | bytes | bytearray) else OBJECT_AS_TEXT


def _is_container(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
