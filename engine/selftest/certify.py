"""Certify a scenario: its golden reference must pass, and each of its poisons must fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...schemas.codec import UNSET
from ...schemas.documents import Agent
from ...schemas.scenario_documents import References
from ...schemas.selftests import Certificate, PlayedReference, SelftestVerdict
from ..loading.references import GOLDEN, POISON, reference_agents
from ..scopes import Examined
from .notebook import NOT_PLAYED, Played
from .selection import Subject

ORDER: tuple[SelftestVerdict, ...] = ("GOLDEN_FAILED", "POISON_PASSED", "UNCERTIFIED")
NO_REFERENCES = "no references, so nothing shows that its checks can hold and fail; add references: golden and poison"
NO_GOLDEN = "no golden reference, so nothing shows that its checks can hold; add references.golden"
NO_POISON = "no poison, so nothing shows that its checks can fail; add references.poison"

Reason = tuple[SelftestVerdict, str]


def certify(subject: Subject, played: Mapping[tuple[str, str, str], Played]) -> Certificate:
    """The certificate of one scenario, by what its references came to."""
    pack, scenario = subject.pack.name, subject.scenario
    agents = () if scenario.references is None or scenario.skip is not None else reference_agents(scenario.references)
    found = {agent.id: played.get((pack, scenario.id, agent.id), NOT_PLAYED) for agent in agents}
    told = sorted(_reasons(scenario.references, found), key=lambda reason: ORDER.index(reason[0]))
    verdict = told[0][0] if told else "CERTIFIED"
    reasons = [text for _, text in told]
    if scenario.skip is not None:
        verdict, reasons = "SKIPPED", [f"skipped: {scenario.skip}"]
    return Certificate(
        pack=pack, scenario_id=scenario.id, verdict=verdict, reasons=reasons, warnings=list(_alike(found)),
        references=[_reference(pack, scenario.id, agent, found[agent.id]) for agent in agents],
    )


def poison_name(agent_id: str) -> str:
    """The name of a poison, "" for golden, by the id it plays under."""
    kind, dash, name = agent_id.partition("-")
    return name if dash and kind == POISON else ""


def _reasons(references: References | None, found: Mapping[str, Played]) -> Iterator[Reason]:
    if references is None:
        yield "UNCERTIFIED", NO_REFERENCES
        return
    if not references.golden:
        yield "UNCERTIFIED", NO_GOLDEN
    if not references.poison:
        yield "UNCERTIFIED", NO_POISON
    for agent_id, one in found.items():
        name = poison_name(agent_id)
        yield from _of_poison(name, one) if name else _of_golden(one)


def _of_golden(one: Played) -> Iterator[Reason]:
    if one.verdict == "NOT_RUN":
        yield "UNCERTIFIED", f"golden: NOT_RUN: {one.reason}"
    elif one.verdict != "PASS":
        yield "GOLDEN_FAILED", f"golden: {one.verdict}: {one.reason}"


def _of_poison(name: str, one: Played) -> Iterator[Reason]:
    """Only FAIL is a catch: a poison that broke, or did not meet the experiment, shows nothing about the checks."""
    if one.verdict == "PASS":
        yield "POISON_PASSED", f"{POISON} {name}: PASS: no check catches it"
    elif one.verdict != "FAIL":
        yield "UNCERTIFIED", f"{POISON} {name}: {one.verdict}, which is no catch: {one.reason}"


def _alike(found: Mapping[str, Played]) -> Iterator[str]:
    """Poisons that the same checks catch prove no more than one of them."""
    groups: dict[frozenset[str], list[str]] = {}
    for agent_id, one in found.items():
        if poison_name(agent_id) and one.verdict == "FAIL":
            groups.setdefault(frozenset(map(_identity, one.caught_by)), []).append(agent_id)
    for alike in groups.values():
        if len(alike) > 1:
            names = ", ".join(poison_name(agent_id) for agent_id in alike)
            checks = "; ".join(map(check_label, found[alike[0]].caught_by))
            yield f"the same checks catch the poisons {names}: {checks}; let each fail for another reason"


def check_label(one: Examined) -> str:
    """``outcome: mentions "carousel 4"``."""
    return f"{one.layer}: {one.label}"


def _identity(one: Examined) -> str:
    return f"{one.check.mark} {one.check.path}" if one.check is not None else one.label


def _reference(pack: str, scenario: str, agent: Agent, one: Played) -> PlayedReference:
    name = poison_name(agent.id)
    return PlayedReference(
        kind="poison" if name else "golden", name=name or GOLDEN, verdict=one.verdict, reason=one.reason,
        caught_by=list(map(check_label, one.caught_by)),
        trace=f"{pack}/{scenario}/{agent.id}/{one.stem}.json" if one.stem else UNSET,
    )
