"""What SQL may ask the world of: the declared time, seeded chance, and counters of this run alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from .faults import SQL_ERRORS, VALUE_LIMIT, SqlFault, sql_fault
from .frozen_clock import CURRENT, FrozenClock


class Life:
    """One run's use of a database. The database's functions know this alone, so that nothing holds it in a circle.

    ``changed`` and ``last_rowid`` count from the run's beginning: SQLite's own counters outlive a reset.
    """

    __slots__ = ("changed", "deadline", "fault", "last_rowid", "random", "total_changed")

    def __init__(self) -> None:
        self.deadline = float("inf")
        self.fault: SqlFault | None = None
        self.begin(Random(0))  # noqa: S311 - not for secrets

    def begin(self, chance: Random) -> None:
        """Serve another run: ``chance`` feeds random(), and what SQL can ask of earlier statements is forgotten."""
        self.random = chance
        self.changed = self.total_changed = self.last_rowid = 0

    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def functions(self, clock: FrozenClock) -> Iterator[tuple[str, int, Callable[..., Any], bool]]:
        """Name, number of arguments (-1: any), function, and whether equal arguments give equal answers."""
        for name, answer in clock.functions.items():
            yield name, 0 if name in CURRENT else -1, self._kept(answer), True
        yield "random", 0, lambda: self.random.getrandbits(64) - 2**63, False
        yield "randomblob", 1, self._kept(self._random_blob), False
        yield "changes", 0, lambda: self.changed, False
        yield "total_changes", 0, lambda: self.total_changed, False
        yield "last_insert_rowid", 0, lambda: self.last_rowid, False

    def _random_blob(self, size: Any) -> bytes:
        count = max(1, int(size or 0))
        if count > VALUE_LIMIT:
            raise SqlFault("makes a value larger than 1 MiB; make it smaller")
        return self.random.randbytes(count)

    def _kept(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """SQLite tells of a function only that it raised: keep what."""

        def called(*args: Any) -> Any:
            try:
                return function(*args)
            except SQL_ERRORS as error:
                self.fault = sql_fault(error)
                raise
            except SqlFault as fault:
                self.fault = fault
                raise

        return called
