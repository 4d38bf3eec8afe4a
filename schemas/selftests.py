"""What a selftest comes to: a certificate for each scenario and, where it was asked, what each check is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .codec import UNSET, UnsetType
from .scores import RunVerdict

SelftestVerdict = Literal["CERTIFIED", "GOLDEN_FAILED", "POISON_PASSED", "UNCERTIFIED", "SKIPPED"]
Worth = Literal["needed", "unneeded", "unasked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedReference:
    """One reference as it was played. ``caught_by`` names the gating checks that failed, as ``layer: check``.

    ``trace`` is a path below the folder of the selftest's evidence; UNSET where none was written.
    """

    kind: Literal["golden", "poison"]
    name: str
    verdict: RunVerdict
    reason: str = ""
    caught_by: list[str]
    trace: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Whether the checks of a scenario can be trusted. The first of ``reasons`` is the one for its verdict."""

    pack: str
    scenario_id: str
    verdict: SelftestVerdict
    reasons: list[str]
    warnings: list[str]
    references: list[PlayedReference]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckWorth:
    """What one declared check is worth, wherever it is used. ``needed_by``: the poisons that it alone catches.

    ``unasked``: a scenario that uses it was not played, so that nobody can tell. ``advice`` is how a poison could look.
    """

    pack: str
    place: str
    path: str
    layer: str
    check: str
    worth: Worth
    scenarios: list[str]
    needed_by: list[str]
    advice: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class SelftestResults:
    """What ``wt selftest --json`` writes; ``checks`` with ``--mutate`` alone."""

    schema_version: int = 1
    sweep: str
    exit_code: int
    certificates: list[Certificate]
    checks: list[CheckWorth] | UnsetType = UNSET
