"""What happened in a session, written down by those who did it: turns by the stages, calls by the tool host."""

from __future__ import annotations

from typing import Any

from ..schemas.facts import conversation_facts
from ..schemas.records import Call, Intervention, Turn


class Witness:
    """The record of one session. After ``seal`` nothing that happens is evidence any more."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.calls: list[Call] = []
        self.interventions: list[Intervention] = []
        self.perturbations: list[dict[str, Any]] = []
        self.turn = 0
        self.user = ""
        self.sealed = False
        self._count = 0

    def begin_turn(self, user: str) -> int:
        """Count a user turn from 1 and return its number."""
        self.turn += 1
        self.user = user
        return self.turn

    def next_call(self) -> int:
        """Mint the number of a call, from 1 within the run, in the order in which calls arrive."""
        self._count += 1
        return self._count

    def record_turn(self, turn: Turn) -> None:
        if not self.sealed:
            self.turns.append(turn)

    def record_call(self, call: Call) -> None:
        if not self.sealed:
            self.calls.append(call)

    def record_intervention(self, intervention: Intervention) -> None:
        if not self.sealed:
            self.interventions.append(intervention)

    def record_perturbation(self, mark: dict[str, Any]) -> None:
        """What became of a declared perturbation: ``type``, ``applied``, and ``detail`` where it was not."""
        if not self.sealed:
            self.perturbations.append(mark)

    def seal(self) -> None:
        """Close the record: a debrief's calls are real, and are not evidence."""
        self.sealed = True
        self.calls.sort(key=lambda call: call.n)

    def facts(self) -> dict[str, Any]:
        """``turns``, ``calls`` and (once there is one) ``reply`` as expressions see them."""
        return conversation_facts(self.turns, self.calls)
