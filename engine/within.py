"""Wait for foreign work no longer than was said, even if it swallows its cancellation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import TypeVar

from ..hooks.hook_time import HookTime

T = TypeVar("T")

GRACE_S = 1.0
LEAST_WAIT_S = 0.01  # between two looks at what is left, while a hook holds the work


class Overdue(Exception):
    """The time was over. ``stuck``: the work did not end when it was cancelled, and is left behind."""

    def __init__(self, *, stuck: bool) -> None:
        self.stuck = stuck
        super().__init__("stuck" if stuck else "cancelled")


async def within(work: Coroutine[object, object, T], seconds: float) -> T:
    """Return what ``work`` returns. Raises Overdue after ``seconds``, and whatever the work raises.

    What the work waits for hooks does not count (D13). The work is cancelled when its caller is. Work that ends in the
    very moment of its deadline counts as done.
    """
    with HookTime(time.perf_counter) as hooks:
        task = asyncio.ensure_future(work)
    try:
        await _wait(task, seconds, hooks)
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(_forget)
        raise
    if not task.done():
        task.cancel()
        await _wait(task, GRACE_S, hooks)
        if not task.done():
            task.add_done_callback(_forget)
            raise Overdue(stuck=True)
    if task.cancelled():
        raise Overdue(stuck=False)
    return task.result()


async def _wait(task: asyncio.Task[T], seconds: float, hooks: HookTime) -> None:
    """Wait until the task is done or its time is over, however long hooks held it meanwhile."""
    began, before = time.perf_counter(), hooks.seconds
    await ended(task, seconds)
    while not task.done() and (held := hooks.seconds - before):
        left = seconds + held - (time.perf_counter() - began)
        if left <= 0:
            return
        await ended(task, max(left, LEAST_WAIT_S))


async def ended(task: asyncio.Task[object], seconds: float | None = None) -> None:
    """Return when the task is done, or the seconds are over; the task goes on, also where the caller is cancelled.

    As ``asyncio.wait`` of one task, at half its price: this stands three times in the way of every run.
    """
    if task.done():
        return
    loop = asyncio.get_running_loop()
    waiter: asyncio.Future[None] = loop.create_future()

    def wake(_: object = None) -> None:
        if not waiter.done():
            waiter.set_result(None)

    task.add_done_callback(wake)
    timer = None if seconds is None else loop.call_later(seconds, wake)
    try:
        await waiter
    finally:
        task.remove_done_callback(wake)
        if timer is not None:
            timer.cancel()


def _forget(task: asyncio.Task[T]) -> None:
    """Take the outcome of work that nobody waits for, so that the loop does not report it."""
    if not task.cancelled():
        task.exception()
