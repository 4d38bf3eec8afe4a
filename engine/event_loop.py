"""Run the engine's loop to the end of the sweep, and not a moment longer for whoever is still busy in it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_S = 0.5


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, but work that swallows its cancellation is left behind after a moment, never waited for."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.set_exception_handler(lambda *_: None)  # what is left behind has nothing more to say
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=GRACE_S))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
