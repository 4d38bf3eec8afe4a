"""Time and waiting in the hands of a test: nothing here waits through a deadline or a quiet time that is real."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import pytest
from windtunnel.hooks import Dispatch, HookDispatcher
from windtunnel.hooks.workers import Waiter

LONG_S = float(os.environ.get("WT_TEST_PATIENCE_S", "20"))  # how long a test waits for what must happen at once


class FakeClock:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class SteeredWaiter(Waiter):
    """Its deadline comes when a callback says that it hangs (``hung``), and never before."""

    def __init__(self) -> None:
        self.hung = threading.Event()
        self.asked: list[float | None] = []

    def wait(self, done: threading.Lock, seconds: float) -> bool:
        self.asked.append(seconds)
        while not done.acquire(timeout=0.002):
            if self._given_up():
                return False
        return True

    def wait_a_moment(self, done: threading.Lock) -> bool:
        return False

    async def await_(self, done: asyncio.Future[bool], seconds: float | None) -> bool:
        self.asked.append(seconds)
        while not done.done():
            if self._given_up():
                return False
            await asyncio.sleep(0.001)
        return True

    def _given_up(self) -> bool:
        given_up = self.hung.is_set()
        self.hung.clear()
        return given_up


class RacingWaiter(Waiter):
    """Gives up just after the call has ended: the race of rule D5, lost every time."""

    def wait(self, done: threading.Lock, seconds: float) -> bool:
        assert done.acquire(timeout=LONG_S)
        return False

    def wait_a_moment(self, done: threading.Lock) -> bool:
        return False

    async def await_(self, done: asyncio.Future[bool], seconds: float | None) -> bool:
        await asyncio.wait_for(done, LONG_S)
        return False


class Hang:
    """A callback that hangs until the test releases it."""

    def __init__(self, waiter: SteeredWaiter) -> None:
        self.waiter = waiter
        self.release = threading.Event()
        self.threads: list[int] = []
        self.hangs = True

    def __call__(self) -> str:
        self.threads.append(threading.get_ident())
        if self.hangs:
            self.waiter.hung.set()
            self.release.wait(LONG_S)
        return "done"


class Door(Protocol):
    """One of the two ways to fire; a rule that holds for one holds for both."""

    def __call__(self, hooks: HookDispatcher, event: str, /, **payload: Any) -> Dispatch: ...


def by_fire(hooks: HookDispatcher, event: str, /, **payload: Any) -> Dispatch:
    return hooks.fire(event, **payload)


def by_afire(hooks: HookDispatcher, event: str, /, **payload: Any) -> Dispatch:
    return asyncio.run(hooks.afire(event, **payload))


def kinds(dispatch: Dispatch) -> list[str]:
    return [fault.kind for fault in dispatch.faults]


def eventually(holds: Callable[[], bool]) -> None:
    """Wait for what another thread is about to do."""
    until = time.monotonic() + LONG_S
    while not holds():
        assert time.monotonic() < until, "it never came to hold"
        time.sleep(0.001)


both_doors = pytest.mark.parametrize("door", [by_fire, by_afire], ids=["fire", "afire"])
