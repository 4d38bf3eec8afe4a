"""Whether a perturbation strikes a call is settled by the call alone: not by the clock, the machine, or other runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ...schemas.scenario_documents import Perturbation


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """The draws of one run: of the pack's seed, the scenario's id and the number of the run.

    All cells of a matrix have one id here: they meet the same weather, so that what differs is the sampling alone.
    """

    seed: int
    scenario: str
    run: int

    def draw(self, index: int, call: int) -> float:
        """A number in [0, 1) for a call (by its number among its tool's) and a perturbation (by its index)."""
        told = "\x1f".join(map(str, (self.seed, self.scenario, self.run, index, call)))
        return (int.from_bytes(hashlib.sha256(told.encode()).digest()[:8]) >> 11) / (1 << 53)

    def strikes(self, one: Perturbation, call: int) -> bool:
        """Whether the tool fault strikes the call of that number."""
        if one.on_call:
            return call in one.on_call
        return one.probability is None or self.draw(one.index, call) < one.probability
