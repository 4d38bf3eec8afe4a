"""Waiting for a task ends with it, or before it, and leaves it as it is."""

from __future__ import annotations

import asyncio

from windtunnel.engine.within import ended


async def answer() -> str:
    await asyncio.sleep(0)
    return "done"


async def fail() -> str:
    raise ValueError("no")


def test_it_returns_when_the_task_is_done_and_raises_nothing_of_it() -> None:
    async def main() -> list[object]:
        tasks = [asyncio.ensure_future(answer()), asyncio.ensure_future(fail())]
        for task in tasks:
            await ended(task)
            await ended(task, 60)
        return [tasks[0].result(), str(tasks[1].exception())]

    assert asyncio.run(main()) == ["done", "no"]


def test_it_returns_when_the_time_is_over_and_the_task_goes_on() -> None:
    async def main() -> str:
        go = asyncio.Event()

        async def late() -> str:
            await go.wait()
            return "late"

        task = asyncio.ensure_future(late())
        await ended(task, 0.001)
        assert not task.done()
        go.set()
        return await task

    assert asyncio.run(main()) == "late"


def test_a_caller_that_is_cancelled_goes_at_once_and_the_task_goes_on() -> None:
    async def main() -> tuple[bool, str]:
        go = asyncio.Event()

        async def late() -> str:
            await go.wait()
            return "late"

        task = asyncio.ensure_future(late())
        caller = asyncio.ensure_future(ended(task, 60))
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.wait({caller})
        go.set()
        return caller.cancelled(), await task

    assert asyncio.run(main()) == (True, "late")
