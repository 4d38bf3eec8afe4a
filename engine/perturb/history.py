"""What stands before a session's first turn, and the evidence that the agent was really given it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...schemas.counted import counted
from ...schemas.scenario_documents import Perturbation
from ..witness import Witness
from .marks import Mark
from .messages import Message, plain_messages


class History:
    """The messages of all history perturbations of a run, in the order in which they are declared.

    The runtime places them (``place``) and says once the agent has been asked with them and has answered
    (``delivered``): the first is `applied`, the second `met`.
    """

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._marks: list[tuple[Mark, int]] = []
        self._delivered = False

    def add(self, one: Perturbation, messages: Sequence[Message], witness: Witness) -> None:
        """One perturbation's messages; the evidence shows them as they are."""
        mark = Mark(one, witness, "the runtime did not place it before the first turn")
        mark.tell(messages=plain_messages(messages))
        self._messages.extend(messages)
        self._marks.append((mark, len(messages)))

    def place(self) -> tuple[Message, ...]:
        """The messages, for the runtime that puts them before the first turn."""
        for mark, _ in self._marks if not self._delivered else ():
            mark.tell(applied=True, detail="it was placed, and the agent gave no answer to it")
        return tuple(self._messages)

    def plain(self) -> list[dict[str, Any]]:
        """The same as plain data, for a runtime whose agent reads it."""
        return plain_messages(self.place())

    def delivered(self) -> None:
        """The agent has answered a request that held the messages."""
        if self._delivered:
            return
        self._delivered = True
        for mark, count in self._marks:
            told = counted(count, "message stood", "messages stood")
            mark.tell(met=True, detail=f"{told} before the first turn")
