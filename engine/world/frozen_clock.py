"""SQL that asks for the time is told the declared one, in whichever of its many ways it asks."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from .faults import SqlFault

# Each function and the places of its times among its arguments; what follows them are modifiers.
TIME_FUNCTIONS: Mapping[str, tuple[int, ...]] = {
    "date": (0,),
    "time": (0,),
    "datetime": (0,),
    "julianday": (0,),
    "unixepoch": (0,),
    "strftime": (1,),
    "timediff": (0, 1),  # since SQLite 3.43
}
CURRENT = {"current_date": "date", "current_time": "time", "current_timestamp": "datetime"}
MOST_REMEMBERED = 10_000

NO_CLOCK = "asks for the time, and no clock is declared; give the world a `now:`"


class FrozenClock:
    """Answers the time functions of SQL for one declared instant, by SQLite's own functions and their own rules."""

    def __init__(self, now: str) -> None:
        instant = datetime.fromisoformat(now) if now else None
        self._now = instant.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f") if instant else None
        offset = instant.utcoffset() if instant else None
        self._offset_s = offset.total_seconds() if offset else 0.0
        self._known: dict[tuple[Any, ...], Any] = {}
        self.functions = {name: self._function(name) for name in (*TIME_FUNCTIONS, *CURRENT)}

    def _function(self, name: str) -> Callable[..., Any]:
        """The stand-in for one function of SQL. It raises SqlFault where it asks for a time that is not declared."""
        places = TIME_FUNCTIONS.get(name, (0,))
        real = CURRENT.get(name, name)

        def answer(*args: Any) -> Any:
            key = (real, *args)
            if key not in self._known:
                if len(self._known) >= MOST_REMEMBERED:
                    self._known.clear()
                self._known[key] = _ask_sqlite(real, self._settled(list(args), places))
            return self._known[key]

        return answer

    def _settled(self, args: list[Any], places: tuple[int, ...]) -> list[Any]:
        """The arguments with the declared instant and zone in place of the machine's."""
        if len(args) == places[0] == places[-1]:
            args.append("now")
        for place in places:
            time = _folded(args[place]) if place < len(args) else ""
            if time == "now":
                args[place] = self._instant()
            elif time in ("subsec", "subsecond"):  # since SQLite 3.42, a modifier that may stand for "now" as well
                args.insert(place, self._instant())
        for at in range(places[-1] + 1, len(args)):
            if _folded(args[at]) in ("localtime", "utc"):
                self._instant()
                sign = 1 if _folded(args[at]) == "localtime" else -1
                args[at] = f"{sign * self._offset_s:+.0f} seconds"
        return args

    def _instant(self) -> str:
        if self._now is None:
            raise SqlFault(NO_CLOCK)
        return self._now


def _folded(value: Any) -> str:
    """An argument as SQLite compares it: a blob is text, and text ends at its first NUL."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""
    return text.partition("\0")[0].lower()


_lock = threading.Lock()
_sqlite = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


def _ask_sqlite(function: str, args: list[Any]) -> Any:
    with _lock:
        return _sqlite.execute(f"SELECT {function}({', '.join('?' * len(args))})", args).fetchone()[0]
