"""Ask of each declared check whether some poison is caught by it alone; one that no poison needs may be empty.

A check is what is written in one place: in ``defaults``, in ``checks`` or in a scenario with cases it counts once. It
is called unneeded only where every poison of every scenario that uses it came to PASS or FAIL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...schemas.codec import UNSET
from ...schemas.documents import Pack
from ...schemas.scenario_documents import Check, Scenario
from ...schemas.selftests import CheckWorth, Worth
from ..loading.references import reference_agents
from .advice import advice
from .certify import poison_name
from .notebook import NOT_PLAYED, Played
from .selection import Subject, as_certified

Key = tuple[str, str]  # place and path


@dataclass(slots=True, kw_only=True)
class _Declared:
    layer: str
    check: Check
    label: str
    scenarios: list[Scenario] = field(default_factory=list)
    needed_by: list[str] = field(default_factory=list)
    asked: list[bool] = field(default_factory=list)


def worth_of_checks(
    subjects: Sequence[Subject], played: Mapping[tuple[str, str, str], Played]
) -> tuple[CheckWorth, ...]:
    """What each check that gates is worth, of the scenarios that were picked, in the order of the packs."""
    packs = {subject.pack.name: subject.pack for subject in subjects}
    picked = {(subject.pack.name, subject.scenario.id) for subject in subjects}
    return tuple(worth for pack in packs.values() for worth in _of_pack(pack, picked, played))


def _of_pack(
    pack: Pack, picked: set[tuple[str, str]], played: Mapping[tuple[str, str, str], Played]
) -> Iterator[CheckWorth]:
    declared: dict[Key, _Declared] = {}
    for scenario in as_certified(pack.scenarios.values()):
        poisons = _poisons(pack, scenario, played) if (pack.name, scenario.id) in picked else {}
        told = bool(poisons) and all(poison.verdict in ("PASS", "FAIL") for poison in poisons.values())
        for layer, checks in scenario.expect.items():
            for check in checks:
                one = declared.setdefault(_key(check), _Declared(layer=layer, check=check, label=check.shown_type))
                one.scenarios.append(scenario)
                if scenario.skip is None:
                    one.asked.append(told)
        for name, poison in poisons.items():
            _note_needs(declared, f"{scenario.id}/{name}", poison)
    for key, one in declared.items():
        if one.check.gate and any((pack.name, scenario.id) in picked for scenario in one.scenarios):
            yield _worth(pack, key, one)


def _poisons(
    pack: Pack, scenario: Scenario, played: Mapping[tuple[str, str, str], Played]
) -> dict[str, Played]:
    """What became of the poisons of a scenario, by name; those that were not played are NOT_RUN."""
    agents = () if scenario.references is None else reference_agents(scenario.references)
    names = {agent.id: poison_name(agent.id) for agent in agents}
    return {
        name: played.get((pack.name, scenario.id, agent_id), NOT_PLAYED) for agent_id, name in names.items() if name
    }


def _note_needs(declared: Mapping[Key, _Declared], poison: str, played: Played) -> None:
    for examined in played.examined:
        if examined.check is None:
            continue
        one = declared[_key(examined.check)]
        one.label = examined.label
        if played.verdict == "FAIL" and examined.without != "FAIL":
            one.needed_by.append(poison)


def _worth(pack: Pack, key: Key, one: _Declared) -> CheckWorth:
    asked = bool(one.asked) and all(one.asked)
    worth: Worth = "needed" if one.needed_by else "unneeded" if asked else "unasked"
    return CheckWorth(
        pack=pack.name, place=key[0], path=key[1], layer=one.layer, check=one.label, worth=worth,
        scenarios=[scenario.id for scenario in one.scenarios], needed_by=one.needed_by,
        advice=advice(one.check, pack, one.scenarios[0]) if worth == "unneeded" else UNSET,
    )


def _key(check: Check) -> Key:
    return str(check.mark), check.path
