"""Wait for foreign work no longer than was said, even if it swallows its cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")

GRACE_S = 1.0


class Overdue(Exception):
    """The time was over. ``stuck``: the work did not end when it was cancelled, and is left behind."""

    def __init__(self, *, stuck: bool) -> None:
        self.stuck = stuck
        super().__init__("stuck" if stuck else "cancelled")


async def within(work: Coroutine[object, object, T], seconds: float) -> T:
    """Return what ``work`` returns. Raises Overdue after ``seconds``, and whatever the work raises.

    The work is cancelled when its caller is. Work that ends in the very moment of its deadline counts as done.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(_forget)
        raise
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE_S)
        if not task.done():
            task.add_done_callback(_forget)
            raise Overdue(stuck=True)
    if task.cancelled():
        raise Overdue(stuck=False)
    return task.result()


def _forget(task: asyncio.Task[T]) -> None:
    """Take the outcome of work that nobody waits for, so that the loop does not report it."""
    if not task.cancelled():
        task.exception()
