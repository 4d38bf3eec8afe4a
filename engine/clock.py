"""Time, ids and randomness come from here alone, so that a run can be repeated to the byte."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_NO_MARKS = str.maketrans("", "", "-:.")


class RunClock(Protocol):
    """The only source of time, ids and random numbers of one run (or sweep)."""

    virtual: bool
    """True: time moves by ``sleep`` alone, so deadlines are read from this clock."""

    @property
    def random(self) -> random.Random: ...

    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        ...

    def elapsed(self) -> float:
        """Seconds since this clock was made; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    def token(self) -> str:
        """32 lower-case hex digits, never the same twice."""
        ...


class RealClock:
    """The machine's clock and entropy."""

    virtual = False

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.random = random.Random(secrets.randbits(64))  # noqa: S311 - not for secrets

    def now(self) -> datetime:
        return datetime.now(UTC)

    def elapsed(self) -> float:
        return round(time.perf_counter() - self._started, 6)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def token(self) -> str:
        return secrets.token_hex(16)


class SeededClock:
    """A clock made of (seed, pack, scenario, agent, run number): only ``sleep`` moves it."""

    virtual = True

    def __init__(self, *parts: object) -> None:
        text = "\x1f".join(map(str, parts))
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        self.random = random.Random(digest)  # noqa: S311 - not for secrets
        self._ids = random.Random(digest ^ 0xFFFF)  # noqa: S311 - draws of a scenario must not move the ids
        self._started = EPOCH + timedelta(microseconds=digest % 10**15)
        self._passed = 0.0

    def now(self) -> datetime:
        return self._started + timedelta(seconds=self._passed)

    def elapsed(self) -> float:
        return round(self._passed, 6)

    async def sleep(self, seconds: float) -> None:
        self._passed += seconds
        await asyncio.sleep(0)

    def token(self) -> str:
        return f"{self._ids.getrandbits(128):032x}"


def iso(instant: datetime) -> str:
    """``2026-03-02T09:00:00.000000Z``."""
    utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:-6] + "Z"


def stamp(instant: datetime) -> str:
    """The form of a stem's time: ``20260302T090000000000Z``."""
    return iso(instant).translate(_NO_MARKS)
