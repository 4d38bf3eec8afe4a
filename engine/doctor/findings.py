"""Make a check out of what was seen, with the time it took."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...schemas.bounded import clean_text
from ...schemas.doctor import CheckVerdict, DoctorCheck
from ...schemas.secrets import Secrets

CAUSE_CHARS = 2000


class Desk:
    """Makes the checks of one agent, or of the bench (``agent`` ""); no secret is in what they tell."""

    def __init__(self, agent: str = "", secrets: Secrets | None = None) -> None:
        self._agent = agent
        self._secrets = secrets or Secrets()
        self._began = time.perf_counter()

    def ok(self, name: str, cause: str) -> DoctorCheck:
        return self._check(name, "ok", cause, "")

    def fault(self, name: str, cause: str, remedy: str = "") -> DoctorCheck:
        return self._check(name, "fault", cause, remedy)

    def unchecked(self, name: str, cause: str, remedy: str = "") -> DoctorCheck:
        return self._check(name, "unchecked", cause, remedy)

    def none(self, name: str, cause: str) -> DoctorCheck:
        return self._check(name, "none", cause, "")

    def unasked(self, names: Sequence[str], why: str) -> list[DoctorCheck]:
        """What could not be looked at, since something before it is wrong."""
        return [self.unchecked(name, why) for name in names]

    def faulty(self, name: str, text: str) -> DoctorCheck:
        """A fault from a text of ours: what is wrong; what to do."""
        cause, _, remedy = text.partition("; ")
        return self.fault(name, cause, remedy)

    def _check(self, name: str, verdict: CheckVerdict, cause: str, remedy: str) -> DoctorCheck:
        now = time.perf_counter()
        took, self._began = now - self._began, now
        mask = self._secrets.mask
        return DoctorCheck(
            name=name, agent=self._agent, verdict=verdict, cause=clean_text(mask(cause), CAUSE_CHARS),
            remedy=clean_text(mask(remedy), CAUSE_CHARS), seconds=round(took, 3),
        )


def exit_code(checks: Sequence[DoctorCheck]) -> int:
    """2: documents do not hold; 1: a fault; 3: something could not be checked; 0: all is well."""
    faults = {check.name for check in checks if check.verdict == "fault"}
    if faults:
        return 2 if faults == {"documents"} else 1
    return 3 if any(check.verdict == "unchecked" for check in checks) else 0
