"""The evidence of a perturbation, written by the one who did it, until the witness is sealed.

``{index, type, tool?, fault?, requires, applied, met, calls, detail}``: ``applied`` where it lay ready, ``met`` where
it reached the agent, ``calls`` the calls that it struck. A history has its ``messages`` too.
"""

from __future__ import annotations

from typing import Any

from ...schemas.counted import counted
from ...schemas.scenario_documents import Perturbation
from ..witness import Witness


class Mark:
    """One declared perturbation in the record of one session."""

    def __init__(self, one: Perturbation, witness: Witness, detail: str) -> None:
        self._witness = witness
        named = {"tool": one.tool, "fault": one.fault} if one.fault else {}
        self._told: dict[str, Any] = {
            "index": one.index, "type": one.type, **named, "requires": one.requires,
            "applied": False, "met": False, "calls": [], "detail": detail,
        }
        witness.record_perturbation(self._told)

    def tell(self, **facts: Any) -> None:
        """Add facts; what happens after the evidence was taken (in a debrief) is none."""
        if not self._witness.sealed:
            self._told.update(facts)

    def calls(self) -> list[int]:
        return list(self._told["calls"])


class FaultMark:
    """The evidence of a tool fault, counted call by call. It is applied once its wrapper stands around the tool."""

    def __init__(self, one: Perturbation, witness: Witness) -> None:
        self._one = one
        self._came = 0
        self._mark = Mark(one, witness, f"no call of '{one.tool}' came to it")
        self._mark.tell(applied=True)

    def came(self) -> None:
        """A call of the tool arrived, whether or not it is struck."""
        self._came += 1
        if not self._mark.calls():
            self._mark.tell(detail=self._spared())

    def struck(self, n: int) -> None:
        """The call of that number in the run met the fault."""
        calls = sorted({*self._mark.calls(), n})
        listed = ", ".join(map(str, calls))
        self._mark.tell(met=True, calls=calls, detail=f"struck {'call' if len(calls) == 1 else 'calls'} {listed}")

    def spared(self, n: int, why: str) -> None:
        """The call was meant to be struck, and there was nothing to strike."""
        if not self._mark.calls():
            self._mark.tell(detail=f"call {n} could not be struck: {why}")

    def _spared(self) -> str:
        one, came = self._one, f"{counted(self._came, 'call')} of '{self._one.tool}' came"
        if one.probability is not None:
            chance = f"probability {one.probability:g}; `requires: applied` takes that as it is"
            return f"{came}, and no draw struck ({chance})"
        return f"{came}, and none was number {' or '.join(map(str, one.on_call))}"
