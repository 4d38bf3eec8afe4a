"""Run foreign code on a daemon thread that neither the loop nor the process's exit ever waits for."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def off_loop(work: Callable[..., T], *args: Any) -> T:
    """Return what ``work(*args)`` returns, and raise what it raises, KeyboardInterrupt and SystemExit included.

    The caller's context variables are seen by the work. A caller that is cancelled leaves the work behind.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[T | None, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: T | None, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((result, error))

    def body() -> None:
        result, error = None, None
        try:
            result = context.run(work, *args)
        except BaseException as raised:  # noqa: BLE001 - carried to the caller, who decides
            error = raised
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    threading.Thread(target=body, name="windtunnel-foreign", daemon=True).start()
    result, error = await done
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None only where T allows it
