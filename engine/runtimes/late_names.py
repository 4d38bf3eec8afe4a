"""Tell which members of ``vars``, ``case`` and ``sampling`` an agent's text may use: those of any scenario."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...schemas.documents import Pack


def names_of(pack: Pack) -> Mapping[str, Collection[str] | None]:
    """What is known of the names of a place, as the template check takes it."""
    scenarios = pack.scenarios.values()
    return {
        "vars": frozenset(pack.vars).union(*(scenario.vars for scenario in scenarios)),
        "case": frozenset[str]().union(*(scenario.case for scenario in scenarios)),
        "sampling": frozenset[str]().union(*(scenario.sampling for scenario in scenarios)),
    }
