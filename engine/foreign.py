"""Call a user's function on a daemon thread: left behind at its deadline, contained whatever it raises."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..schemas.bounded import describe_error
from .off_loop import off_loop


class ForeignFault(Exception):
    """The function raised, or its thread could not start; the text is ``Type: text``, bounded."""


class ForeignTimeout(ForeignFault):
    """The function was not done in time; its thread is left behind."""


_INTERRUPT: contextvars.ContextVar[Callable[[], None]] = contextvars.ContextVar("windtunnel_interrupt")


@contextmanager
def interrupts(interrupt: Callable[[], None]) -> Iterator[None]:
    """Within, a function that raises KeyboardInterrupt calls ``interrupt``, and its caller is cancelled.

    Raised in a task, it would go through the loop and end the sweep in the middle of whatever else it does.
    """
    token = _INTERRUPT.set(interrupt)
    try:
        yield
    finally:
        _INTERRUPT.reset(token)


async def run_foreign(function: Callable[..., Any], *args: Any, timeout_s: float | None = None) -> Any:
    """Return what ``function(*args)`` returns; a coroutine is awaited on a loop of its own, on the same thread.

    Raises ForeignFault for everything the function may raise (SystemExit too) but KeyboardInterrupt, which interrupts
    like Ctrl-C (see ``interrupts``), and ForeignTimeout at the deadline. A caller that is cancelled leaves the function
    behind.
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
    if isinstance(error, KeyboardInterrupt):
        await _interrupted(error)
    if error is not None:
        raise ForeignFault(describe_error(error)) from error
    return result


def _contained(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    """Return what the function returned or raised: an exception is a value here, so none can be taken for our own."""
    try:
        result = function(*args)
        if inspect.isawaitable(result):
            result = asyncio.run(_awaited(result))
    except BaseException as error:  # noqa: BLE001 - foreign code may raise anything, CancelledError and SystemExit too
        return None, error
    return result, None


async def _interrupted(error: KeyboardInterrupt) -> None:
    """Interrupt, and meet here the cancellation that comes of it. Raises CancelledError, or the error with no sweep."""
    interrupt = _INTERRUPT.get(None)
    if interrupt is None:
        raise error
    interrupt()
    await asyncio.sleep(0)  # if this task is one of those that were cancelled, nobody after it is to meet that
    raise asyncio.CancelledError


async def _awaited(result: Any) -> Any:
    return await result
