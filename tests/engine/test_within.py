"""Foreign work has its time, and what it waits for hooks is none of it (D13)."""

from __future__ import annotations

import asyncio
import threading

import pytest
from windtunnel.engine.within import Overdue, within
from windtunnel.hooks.contract import Event
from windtunnel.hooks.dispatcher import HookDispatcher

LITTLE_S = 0.001


def test_work_that_ends_gives_its_result_and_its_error() -> None:
    async def gives() -> int:
        return 3

    async def fails() -> int:
        raise ValueError("no")

    assert asyncio.run(within(gives(), 20)) == 3
    with pytest.raises(ValueError, match="no"):
        asyncio.run(within(fails(), 20))


def test_work_that_does_not_end_is_cancelled() -> None:
    with pytest.raises(Overdue) as overdue:
        asyncio.run(within(asyncio.sleep(600), LITTLE_S))
    assert not overdue.value.stuck


def test_d13_work_that_hooks_hold_has_its_own_time_still() -> None:
    released = threading.Event()

    def hold() -> None:
        released.wait(20)

    hooks = HookDispatcher([Event("call", {})])
    hooks.register("call", hold, hook="holds")

    async def work() -> str:
        asyncio.get_running_loop().call_later(0.2, released.set)  # when the deadline is over
        await hooks.afire("call")
        return "done"

    assert asyncio.run(within(work(), 0.1)) == "done"
    assert released.is_set()


def test_d13_work_that_hooks_held_once_has_a_deadline_still() -> None:
    hooks = HookDispatcher([Event("call", {})])
    hooks.register("call", lambda: None, hook="quick")

    async def work() -> None:
        await hooks.afire("call")
        await asyncio.sleep(600)

    with pytest.raises(Overdue) as overdue:
        asyncio.run(within(work(), LITTLE_S))
    assert not overdue.value.stuck


def test_work_is_cancelled_with_its_caller() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def caller() -> None:
        task = asyncio.ensure_future(within(work(), 600))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        await asyncio.sleep(0)

    asyncio.run(caller())
    assert ended == ["cancelled"]
