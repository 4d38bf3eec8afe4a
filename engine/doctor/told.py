"""What the doctor found, a line a check for people; what to do stands below what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...schemas.doctor import CheckVerdict, DoctorCheck, DoctorReport
from ..exit_codes import is_interruption
from ..report.inert import inert

WORDS: Mapping[CheckVerdict, str] = {"ok": "ok", "fault": "FAULT", "unchecked": "UNCHECKED", "none": "-"}
CHARS = 600


def lines_of(check: DoctorCheck) -> Iterator[str]:
    """The verdict, who and what was looked at, and what was seen."""
    first, *more = check.cause.split("\n")
    yield inert(f"{WORDS[check.verdict]:<9}  {check.agent or 'bench'}  {check.name}  {first}", CHARS)
    for line in more:
        yield inert(f"           {line}", CHARS)
    if check.remedy:
        yield inert(f"           {check.remedy}", CHARS)


def summary_line(report: DoctorReport) -> str:
    """``first_flight: 5 ok, 1 unchecked``."""
    counts = Counter(check.verdict for check in report.checks)
    told = ", ".join(f"{counts[word]} {word}" for word in WORDS if counts[word] and word != "none")
    return inert(f"{report.pack}: {told}{'; interrupted' if is_interruption(report.exit_code) else ''}", CHARS)
