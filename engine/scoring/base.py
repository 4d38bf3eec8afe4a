"""A check is a generator of facts about frozen evidence; whether a fact is good news is decided outside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ...schemas.codec import UNSET
from ...schemas.scenario_documents import Check

if TYPE_CHECKING:
    from .evidence import Evidence

Args = Mapping[str, Any]


class Absent(Exception):
    """What the check looks at is not there: it fails, inverted or not. The text says what is missing."""


class GraderFault(Exception):
    """The check cannot be decided, and the agent is not to blame: the run is ERROR. The text says why."""


class Judge(Protocol):
    """How a check asks a helper agent; scoring itself knows no agent."""

    async def __call__(self, agent_id: str, question: str, timeout_s: float) -> str:
        """What the helper answers. Raises GraderFault where it does not, or not in time."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a check found, before ``not-`` is applied: ``what`` reads well whether that is good or bad.

    ``holds`` None: there was nothing to judge. ``absent``: it fails, inverted or not. ``about`` names one of several.
    """

    holds: bool | None
    what: str
    expected: Any = UNSET
    found: Any = UNSET
    absent: bool = False
    about: str = ""


Facts = Iterator[Fact] | AsyncIterator[Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckType:
    """A row of the table of checks. ``label`` writes the arguments as a result line shows them.

    ``raw`` names the arguments that are code or checks, and so no templates.
    """

    run: Callable[[Check, Args, Evidence], Facts]
    label: Callable[[Args], str]
    raw: frozenset[str] = frozenset()

    @property
    def summary(self) -> str:
        """One line for ``wt list checks``."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]
