"""JUnit XML of a selftest: a test case a scenario and, with --mutate, one for each check that gates."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import XMLGenerator

from ...schemas.selftests import Certificate, CheckWorth, SelftestResults
from ..report.inert import inert
from ..report.junit import Element

KIND_OF = {"GOLDEN_FAILED": "failure", "POISON_PASSED": "failure", "UNCERTIFIED": "error", "SKIPPED": "skipped",
           "unneeded": "failure", "unasked": "skipped"}
CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """``kind`` is the JUnit element, "" for a pass."""

    suite: str
    name: str
    verdict: str
    lines: tuple[str, ...]

    @property
    def kind(self) -> str:
        return KIND_OF.get(self.verdict, "")


def selftest_junit(results: SelftestResults) -> bytes:
    """The report as UTF-8; what was not certified is an error, so that it does not look like a pass."""
    cases = [_of_scenario(certificate) for certificate in results.certificates]
    cases += [_of_check(check) for check in results.checks] if isinstance(results.checks, list) else []
    buffer = io.BytesIO()
    xml = XMLGenerator(buffer, encoding="utf-8", short_empty_elements=True)
    xml.startDocument()
    with Element(xml, "testsuites", {"name": "wind tunnel selftest", **_totals(cases)}):
        for suite in dict.fromkeys(case.suite for case in cases):
            own = [case for case in cases if case.suite == suite]
            with Element(xml, "testsuite", {"name": suite, **_totals(own)}):
                for case in own:
                    _write(xml, case)
    xml.endDocument()
    return buffer.getvalue()


def _of_scenario(certificate: Certificate) -> _Case:
    return _Case(suite=f"{certificate.pack}.selftest", name=certificate.scenario_id, verdict=certificate.verdict,
                 lines=tuple(certificate.reasons))


def _of_check(check: CheckWorth) -> _Case:
    lines = (f"no poison is caught by it alone ({check.place})", str(check.advice)) if check.worth == "unneeded" else (
        "a scenario that uses it was not played",)
    return _Case(suite=f"{check.pack}.checks", name=f"{check.path} {check.check}", verdict=check.worth, lines=lines)


def _write(xml: XMLGenerator, case: _Case) -> None:
    with Element(xml, "testcase", {"classname": case.suite, "name": case.name}):
        if case.kind:
            attributes = {"message": inert(case.lines[0], CHARS)}
            if case.kind != "skipped":
                attributes["type"] = case.verdict
            with Element(xml, case.kind, attributes):
                xml.characters("\n".join(inert(line, CHARS) for line in case.lines[1:]))


def _totals(cases: Sequence[_Case]) -> dict[str, str]:
    kinds = [case.kind for case in cases]
    return {"tests": str(len(cases)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error")),
            "skipped": str(kinds.count("skipped"))}
