"""Name the helper agents that a scenario asks: its judges and its simulated users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...schemas.scenario_documents import Check, Scenario, SimulatedTurn


def helpers_of(scenario: Scenario) -> tuple[str, ...]:
    """The ids of the helpers, each once, users first."""
    users = (turn.agent for turn in scenario.turns if isinstance(turn, SimulatedTurn))
    judges = (judge for checks in scenario.expect.values() for judge in _judges(checks))
    return tuple(dict.fromkeys((*users, *judges)))


def _judges(checks: Iterable[Check]) -> Iterator[str]:
    for check in checks:
        if check.type == "llm-rubric":
            yield check.args["judge"]
        elif check.type == "any-of":
            yield from _judges(check.args["checks"])
