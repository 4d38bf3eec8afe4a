"""Do blocking work on a daemon thread and wait for it no longer than was said."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Late(Exception):
    """The time was over; the work is left behind."""


def in_time(work: Callable[[], T], seconds: float) -> T:
    """Return what ``work()`` returns, or raise what it raises. Raises Late after ``seconds``."""
    ended: list[tuple[T | None, BaseException | None]] = []
    done = threading.Event()

    def body() -> None:
        try:
            ended.append((work(), None))
        except BaseException as error:  # noqa: BLE001 - carried to the caller
            ended.append((None, error))
        done.set()

    threading.Thread(target=body, name="windtunnel-in-time", daemon=True).start()
    if not done.wait(seconds):
        raise Late
    result, error = ended[0]
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None only where T allows it
