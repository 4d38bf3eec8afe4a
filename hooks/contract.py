"""What the dispatcher is told about an event, and what it answers: values, faults and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .errors import HookConfigError

MOST_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True)
class Event:
    """A named moment that callbacks are told of.

    ``sample`` is one payload: its keys are the fields that the event sends. With ``policy`` the callbacks are guards:
    each answers None or ``Refuse``, and a guard that fails refuses. ``identity`` names the field that tells
    concurrent calls apart. ``bounded`` calls have a deadline, ``timeout_s`` (0 to 600; None: that of the limits;
    0: run on the caller's thread, without one). ``copied``: every callback receives deep copies of its fields.
    Raises HookConfigError.
    """

    name: str
    sample: Mapping[str, Any]
    policy: bool = False
    identity: str | None = None
    bounded: bool = True
    timeout_s: float | None = None
    copied: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise HookConfigError(f"an event needs a name, not {self.name!r}")
        if not isinstance(self.sample, Mapping) or not all(isinstance(name, str) for name in self.sample):
            raise HookConfigError(f"event {self.name!r}: the sample is one payload, a mapping of field names to values")
        if self.timeout_s is not None:
            _check_range(f"event {self.name!r}: timeout_s", self.timeout_s, 0, MOST_TIMEOUT_S)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the dispatcher bears. A value out of its range raises HookConfigError; none is ever clamped."""

    timeout_s: float = 30.0
    quiet_s: float = 60.0
    max_abandoned: int = 3
    text_chars: int = 200
    queue_size: int = 1024
    queue_item_bytes: int = 16384
    max_distinct: int = 20

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_range(each.name, getattr(self, each.name), *_RANGES[each.name], whole=each.type == "int")


_RANGES: Mapping[str, tuple[int, int]] = {
    "timeout_s": (0, MOST_TIMEOUT_S),
    "quiet_s": (0, 86_400),
    "max_abandoned": (1, 1_000),
    "text_chars": (1, 100_000),
    "queue_size": (1, 1_000_000),
    "queue_item_bytes": (1, 1 << 30),
    "max_distinct": (1, 10_000),
}


def _check_range(name: str, value: object, low: int, high: int, *, whole: bool = False) -> None:
    kinds = (int,) if whole else (int, float)
    sound = isinstance(value, kinds) and not isinstance(value, bool) and not math.isnan(value) and low <= value <= high
    if not sound:
        kind = "a whole number" if whole else "a number"
        raise HookConfigError(f"{name} is {value!r}; give {kind} from {low} to {high}")


@dataclass(frozen=True, slots=True)
class Refuse:
    """A guard's answer that refuses, and why. None allows; anything else is malformed, and refuses too."""

    reason: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A callback that failed or was skipped.

    ``kind`` is raised, timeout, quiet, busy, saturated, unstartable or malformed; ``detail`` is ``Type: text``, and
    the same whichever door was used.
    """

    event: str
    hook: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A guard refuses: by decision (``fault`` is None), or because it failed and guards fail closed."""

    hook: str
    message: str
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What one firing came to, in registration order; ``values`` leaves None out.

    Its ``repr`` leaves the values out as well: they are foreign, and asyncio asks a task for its result's ``repr``.
    """

    event: str
    values: tuple[Any, ...] = field(default=(), repr=False)
    faults: tuple[Fault, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @property
    def refusal(self) -> Refusal | None:
        """The first refusal, or None: the call is allowed."""
        return self.refusals[0] if self.refusals else None


@dataclass(frozen=True, slots=True)
class PerHook:
    """A payload field that is made anew for every callback: ``make`` gets the hook's name. Must not raise or wait."""

    make: Callable[[str], Any]
