"""Call a user's function on a daemon thread: left behind at its deadline, contained whatever it raises."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from ..schemas.bounded import describe_error
from .off_loop import off_loop


class ForeignFault(Exception):
    """The function raised, or its thread could not start; the text is ``Type: text``, bounded."""


class ForeignTimeout(ForeignFault):
    """The function was not done in time; its thread is left behind."""


async def run_foreign(function: Callable[..., Any], *args: Any, timeout_s: float | None = None) -> Any:
    """Return what ``function(*args)`` returns; a coroutine is awaited on a loop of its own, on the same thread.

    Raises ForeignFault for everything the function may raise (SystemExit too) but KeyboardInterrupt, which interrupts
    like Ctrl-C, and ForeignTimeout at the deadline. A caller that is cancelled leaves the function behind.
    """
    work = asyncio.ensure_future(off_loop(_contained, function, args))
    try:
        done, _ = await asyncio.wait({work}, timeout=timeout_s)
    except asyncio.CancelledError:
        work.cancel()
        raise
    if not done:
        work.cancel()
        raise ForeignTimeout(f"not done within {timeout_s:g} s")
    try:
        result, error = work.result()
    except Exception as unstarted:  # noqa: BLE001 - no thread to be had
        raise ForeignFault(describe_error(unstarted)) from None
    if error is not None:
        raise ForeignFault(describe_error(error)) from error
    return result


def _contained(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    """Return what the function returned or raised: an exception is a value here, so none can be taken for our own."""
    try:
        result = function(*args)
        if inspect.isawaitable(result):
            result = asyncio.run(_awaited(result))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - foreign code may raise anything, CancelledError and SystemExit too
        return None, error
    return result, None


async def _awaited(result: Any) -> Any:
    return await result
