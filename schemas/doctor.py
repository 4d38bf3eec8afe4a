"""What the doctor found: a frozen record a check, which its schema mirrors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CheckVerdict = Literal["ok", "fault", "unchecked", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """One thing that was looked at; ``agent`` "" is the bench itself.

    ``unchecked``: it could not be told; ``none``: there is nothing of the kind. ``remedy`` is "" where all is well.
    """

    name: str
    agent: str
    verdict: CheckVerdict
    cause: str
    remedy: str = ""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """What ``wt doctor --json`` prints."""

    schema_version: int = 1
    pack: str
    exit_code: int
    checks: list[DoctorCheck]
