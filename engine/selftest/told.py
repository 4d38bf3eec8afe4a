"""Result lines of a selftest, for people and CI logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...schemas.counted import counted
from ...schemas.selftests import Certificate, CheckWorth, SelftestResults
from ..report.inert import inert

CHARS = 400


def lines_of(results: SelftestResults) -> Iterator[str]:
    """A line a scenario; further reasons, and checks that no poison needs, stand below."""
    for certificate in results.certificates:
        yield from _of_scenario(certificate)
    checks = results.checks if isinstance(results.checks, list) else []
    for check in checks:
        if check.worth == "unneeded":
            yield from _of_check(check)


def warnings_of(results: SelftestResults) -> Iterator[str]:
    """What is worth mending and changes no verdict."""
    for certificate in results.certificates:
        for warning in certificate.warnings:
            yield inert(f"warning: {certificate.pack}/{certificate.scenario_id}: {warning}", CHARS)


def summary_line(results: SelftestResults, where: str) -> str:
    """``2 scenarios: 2 CERTIFIED; 6 references played; evidence in runs/selftest.runs``."""
    scenarios = counted(len(results.certificates), "scenario")
    verdicts = _kinds([certificate.verdict for certificate in results.certificates])
    played = sum(one.verdict != "NOT_RUN" for certificate in results.certificates for one in certificate.references)
    told = [f"{scenarios}: {verdicts}", f"{counted(played, 'reference')} played"]
    if isinstance(results.checks, list):
        told.append(f"{counted(len(results.checks), 'check')}: {_kinds([check.worth for check in results.checks])}")
    return "; ".join([*told, f"evidence in {where}"])


def _of_scenario(certificate: Certificate) -> Iterator[str]:
    head = f"{certificate.verdict} {certificate.pack}/{certificate.scenario_id}"
    if certificate.verdict == "CERTIFIED":
        poisons = sum(one.kind == "poison" for one in certificate.references)
        yield f"{head}  golden passes, {counted(poisons, 'poison fails', 'poisons fail')}"
        return
    first, *others = certificate.reasons
    yield f"{head}  {inert(first, CHARS)}"
    for reason in others:
        yield f"     {inert(reason, CHARS)}"


def _of_check(check: CheckWorth) -> Iterator[str]:
    users = f"{check.scenarios[0]} and {len(check.scenarios) - 1} more" if check.scenarios[1:] else check.scenarios[0]
    told = f"UNNEEDED {check.pack}/{users}  {check.layer}: {check.check}: no poison is caught by it alone"
    yield inert(f"{told} ({check.place})", CHARS)
    yield f"     {inert(str(check.advice), CHARS * 2)}"


def _kinds(words: Sequence[str]) -> str:
    return ", ".join(f"{number} {word}" for word, number in Counter(words).items()) or "none"
