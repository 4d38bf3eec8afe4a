"""Run the engine's loop to the end of the sweep, and not a moment longer for whoever is still busy in it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Coroutine
from typing import Any, TypeVar

from ..schemas.errors import EvidenceMissing

T = TypeVar("T")

GRACE_S = 0.5


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, but work that swallows its cancellation is left behind after a moment, never waited for.

    Raises EvidenceMissing where somebody has closed the descriptors that the loop stands on.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    except OSError as fault:
        if fault.errno != errno.EBADF:
            raise
        raise EvidenceMissing(
            "a hook or a tool has closed file descriptors of the bench, so the sweep could not go on; "
            "let it close only what it has opened"
        ) from None
    finally:
        with contextlib.suppress(OSError):  # the same again
            _leave(loop)


def _leave(loop: asyncio.AbstractEventLoop) -> None:
    loop.set_exception_handler(lambda *_: None)  # what is left behind has nothing more to say
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=GRACE_S))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
